/* The first member: a function, and names that the other files have too. */
static const int table[] = {10, 20, 30, 40, 50};
static int count = 6;
int started;

__attribute__((noinline)) static int local(int x) { return table[x % 5] + count++; }
int first(int x) { return local(x) + x; }

__attribute__((constructor)) static void start(void) { started = started * 10 + 2; }
