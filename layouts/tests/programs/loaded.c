/* What else programs do with memory: a library that is loaded and calls back, a section of the program's own that is
   walked through, common and page-aligned variables, a thread's variables with an alignment. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

struct entry {
    const char *name;
    int (*function)(int);
};
#define ENTRY(function)                                                                                              \
    static int function(int x) { return x + (int)sizeof(#function); }                                                \
    static const struct entry entry_##function __attribute__((used, section("registry"))) = {#function, function};
ENTRY(alpha)
ENTRY(beta)
ENTRY(gamma_)
extern const struct entry __start_registry[], __stop_registry[];

int common;
static char page[8192] __attribute__((aligned(4096)));
static long large[200000];
static const char *const texts[] = {"zero", "one", "two"};
static const double numbers[] = {1.5, 2.5, 3.25};
static int counts[16] = {1, 2, 3};
static _Thread_local char aligned[200] __attribute__((aligned(64))) = {1, 2, 3};
static _Thread_local double zeroes[10];
__attribute__((weak)) int nowhere(void);

int call_back(int x) { return x * 3 + common; }

static void *run(void *unused) {
    (void)unused;
    aligned[3] = 9;
    zeroes[1] += 2;
    return (void *)(intptr_t)(aligned[1] + (int)zeroes[1]);
}

#ifdef EXTRA
static volatile int more[16];
__attribute__((noinline)) static int extra(int x) { return x + more[x & 15]; }
#else
static inline int extra(int x) { return x; }
#endif

int main(int argc, char **argv) {
    (void)argv;
    common = 4;
    int sum = 0;
    for (const struct entry *entry = __start_registry; entry < __stop_registry; entry++)
        sum += entry->function(extra(argc));
    void *library = dlopen(LIBRARY, RTLD_NOW);
    int (*called)(int) = library ? (int (*)(int))dlsym(library, "called") : 0;
    pthread_t thread;
    void *result;
    if (!called || pthread_create(&thread, 0, run, 0))
        return 1;
    pthread_join(thread, &result);
    large[argc * 1000]++;
    page[4097]++;
    counts[argc]++;
    printf("%d %d %d %d %d %d %d\n", sum, called(5), nowhere != 0, (int)(intptr_t)result, aligned[3], counts[1],
           (int)large[1000]);
    printf("%d %d %s %s %g\n", (int)((intptr_t)page % 4096), (int)((intptr_t)aligned % 64), texts[argc % 3], texts[sum % 3],
           numbers[argc % 3]);
    return 0;
}
