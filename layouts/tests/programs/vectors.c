/* Constants of 64 bytes, which no pool takes; they are loaded only where the processor has such registers. */
#include <stdio.h>
#include <string.h>

typedef unsigned long long vector __attribute__((vector_size(64)));

__attribute__((noinline, target("avx512f"))) static void mix(vector *p) {
#ifdef MORE
    *p *= (vector){11, 12, 13, 14, 15, 16, 17, 18};
#endif
    *p ^= (vector){1, 2, 3, 4, 5, 6, 7, 8};
    *p += (vector){9, 8, 7, 6, 5, 4, 3, 2};
}

#ifdef ADDRESS
/* Takes the address of a place in the common section of constants. */
__asm__(".globl place\nplace: lea .Lnameless(%rip), %rax\nret\n"
        ".section .rodata\n.balign 64\n.Lnameless: .quad 7\n.text\n");
#endif

int main(int argc, char **argv) {
    (void)argv;
    vector x;
    memset(&x, argc, sizeof x);
    if (argc > 5)
        mix(&x);
    printf("%llu\n", x[3]);
    return 0;
}
