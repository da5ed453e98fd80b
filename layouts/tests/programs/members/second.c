/* The second member: a function and a table of strings. */
static const int table[] = {100, 200, 300};
static int count = 7;
extern int started;
const char *const words[] = {"zero", "one", "two"};

__attribute__((noinline)) static int local(int x) { return table[x % 3] + count++; }
int second(int x) { return local(x) - x; }

__attribute__((constructor)) static void start(void) { started = started * 10 + 3; }
