/* Waits until its input ends. */
#include <stdio.h>

static int counts[4] = {1, 2, 3, 4};

int main(int argc, char **argv) {
    (void)argv;
    counts[argc & 3]++;
    while (getchar() != EOF)
        counts[0]++;
    return counts[0] == 0;
}
