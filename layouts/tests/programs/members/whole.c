/* A member that nothing refers to: only a link of the whole archive has it. */
extern int started;

__attribute__((constructor)) static void start(void) { started = started * 10 + 4; }
