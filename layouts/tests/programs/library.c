/* The library that loaded.c loads. */
int call_back(int x);
int called(int x) { return call_back(x) + 1; }
