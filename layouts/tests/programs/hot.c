/* A program that a profile tells something about: one function runs often, another never. */
#include <stdio.h>

__attribute__((noinline)) static unsigned often(unsigned x) { return x * 2654435761u ^ x >> 7; }
__attribute__((noinline)) static unsigned never(unsigned x) { return x / 3; }
static unsigned calls[2] = {1, 2};

int main(int argc, char **argv) {
    (void)argv;
    unsigned x = 1;
    for (int i = 0; i < 1000000; i++)
        x = argc > 100 ? never(x) : often(x);
    printf("%u %u\n", x, calls[argc & 1]++);
    return 0;
}
