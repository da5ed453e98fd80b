/* Two variables of every thread, one behind the other. */
#include <stdio.h>

static _Thread_local int own_before[BEFORE] = {1};
static _Thread_local int own_after[2] = {2, 3};

int main(int argc, char **argv) {
    (void)argv;
    own_before[0] += argc;
    own_after[argc & 1]++;
    printf("%d %d\n", own_before[0], own_after[1]);
    return 0;
}
