/* A program of several files, which can lie in archives: see the other files. */
#include <stdio.h>
#include <string.h>

int first(int x);
int second(int x);
extern const char *const words[];
extern int started;

/* Every file has a function, a table and a variable of these names. */
static const int table[] = {1, 2, 3, 4};
static int count = 5;
__attribute__((noinline)) static int local(int x) { return table[x & 3] + count++; }

static int plain(int x) { return x + 1; }
#ifdef __clang__
/* ThinLTO of clang 14 loses functions that are chosen at the start. */
static int chosen(int x) { return plain(x); }
#else
/* Chosen at the start, as the C library does by the processor. */
static int (*choose(void))(int) { return plain; }
int chosen(int x) __attribute__((ifunc("choose")));
#endif

__attribute__((constructor)) static void start(void) { started = started * 10 + 1; }

static _Thread_local int depth = 3;
static _Thread_local long steps;

#ifdef EXTRA
static volatile int more[16];
__attribute__((noinline)) static int extra(int x) { return x + more[x & 15]; }
#else
static inline int extra(int x) { return x; }
#endif

static int (*const operations[])(int) = {local, first, second};

int main(int argc, char **argv) {
    (void)argv;
    static long zeroes[32];
    int sum = 0;
    for (int i = 0; i < 30; i++)
        sum += operations[(i + argc) % 3](extra(i));
    depth += chosen(argc);
    steps += strlen(words[argc % 3]);
    zeroes[sum & 31]++;
    printf("%d %d %ld %ld %s, started %d\n", sum, depth, steps, zeroes[sum & 31], words[argc % 3], started);
    return 0;
}
