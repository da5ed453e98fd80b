/* Statics, constants, a table of functions, thread-locals and a table of strings. */
#include <stdio.h>

static const int primes[] = {2, 3, 5, 7, 11, 13};
static const char *const names[] = {"two", "three", "five"};
static int counts[16] = {1, 2, 3};
#ifndef EXTRA
#define EXTRA 0
#endif
static long zeroes[64 + EXTRA];
static _Thread_local int depth = 4;

__attribute__((noinline)) static int add(int a, int b) { return a + b + counts[a & 15]; }
__attribute__((noinline)) static int mul(int a, int b) { zeroes[b & 63]++; return a * b; }
static int (*const operations[])(int, int) = {add, mul};

int main(int argc, char **argv) {
    (void)argv;
    int sum = 0;
    for (int i = 0; i < 6; i++)
        sum += operations[(i + argc) & 1](primes[i], i);
    depth += sum;
    printf("%s %d %d %ld\n", names[argc % 3], sum, depth, zeroes[2]);
    return 0;
}
