/* A program whose library holds the same shared definition (COMDAT) twice; what is needed first lies last in it. */
#if PART == 0
#include <stdio.h>
int last(void);
int main(void)
{
    printf("%d\n", last());
    return 0;
}
#else
__asm__(".section .text.twice,\"axG\",@progbits,twice,comdat\n"
        "\t.weak twice\n\t.type twice,@function\n"
        "twice:\n\tlea (%rdi,%rdi),%eax\n\tret\n\t.size twice,.-twice\n\t.text");
int twice(int number);
#if PART == 1
int first(void) { return twice(3); }
#else
int first(void);
int last(void) { return first() + twice(4); }
#endif
#endif
