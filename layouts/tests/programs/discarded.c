/* A relocation without a symbol, as `ld -r` leaves it where it discarded the second copy of an inline function. */
#include <stdio.h>

__asm__(".section .data.left_over,\"aw\"\n\t.reloc ., R_X86_64_NONE\n\t.quad 7\n\t.text");

static int used = 3;

int main(int argc, char **argv)
{
    (void)argv;
    printf("%d\n", used + argc);
    return 0;
}
