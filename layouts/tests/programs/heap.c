/* Prints where its heap starts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int zeroes[ZEROES + 1];
#ifdef ALIGNED
__attribute__((aligned(ALIGNED)))
#endif
static int counts[4] = {1, 2, 3, 4};

int main(void) {
    zeroes[ZEROES] += counts[0];
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (fgets(line, sizeof line, maps))
        if (strstr(line, "[heap]"))
            printf("%.*s\n", (int)strcspn(line, "-"), line);
    return fclose(maps);
}
