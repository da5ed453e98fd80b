/* Static data of the kinds that a linker cannot place one by one, and of those that it can. */
#include <stdio.h>

static int before[4
#ifdef GROWN_BEFORE
    * 8
#endif
] = {1, 2, 3, 4};
static int after[4] = {5, 6, 7, 8};

__attribute__((section("tables"))) int first_table[2
#ifdef GROWN_TABLE
    + 6
#endif
] = {1, 2};
__attribute__((section("tables"))) int second_table[2] = {3, 4};

long small_common;
#ifdef GROWN_COMMON
long another_common[16];
#define COMMON another_common[3]
#else
#define COMMON 0
#endif

#ifdef COPIED
#define OUTPUT stderr
#else
#define OUTPUT stdout
#endif

#ifdef GROWN_NAMELESS
__asm__(".section nameless_a,\"a\"\n.zero 24\n.text\n");
#else
__asm__(".section nameless_a,\"a\"\n.zero 8\n.text\n");
#endif

int main(int argc, char **argv) {
    (void)argv;
    before[argc & 3]++;
    first_table[argc & 1]++;
    second_table[argc & 1]++;
    small_common += argc;
    fprintf(OUTPUT, "%d %d %ld %ld\n", before[0] + first_table[0] + second_table[0], after[argc & 3], small_common, (long)COMMON);
    return 0;
}
