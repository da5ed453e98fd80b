/* Names that the compiler makes and numbers through the file: static variables of functions, tables of switches. */
#include <stdio.h>

#define APART __attribute__((noinline))

APART static const char *day(int x) {
    switch (x) {
    case 0: return "Monday";
    case 1: return "Tuesday";
    case 2: return "Wednesday";
    case 3: return "Thursday";
    case 4: return "Friday";
    }
    return "a day";
}

APART static int weight(int x) {
    switch (x) {
    case 0: return 5;
    case 1: return 77;
    case 2: return 3;
    case 3: return 9;
    case 4: return 11;
    }
    return 1;
}

APART static int first(int x) {
    static int calls = 3;
    static const int table[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    return calls++ + table[x % 9];
}

APART static int second(int x) {
    static int calls = 4;
    static int zeroes[8];
    return calls++ + zeroes[x & 7]++;
}

#ifdef EXTRA
/* One more of each kind, before all that follow. */
APART static int third(int x) {
    static int calls = 9;
    static const int table[] = {9, 8, 7, 6, 5, 4, 3, 2, 1};
    switch (x) {
    case 0: return 2;
    case 1: return 7;
    case 2: return 33;
    case 3: return 19;
    case 4: return 1;
    }
    return calls++ + table[x % 9];
}
#endif

int main(int argc, char **argv) {
    (void)argv;
#ifdef EXTRA
    if (third(argc + 8) < 0)
        return 1;
#endif
    printf("%s %d %d %d\n", day(argc), weight(argc), first(argc), second(argc));
    return 0;
}
