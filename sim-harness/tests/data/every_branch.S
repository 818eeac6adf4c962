# Every class of branch that user mode can reach, and loads of several kinds. Built with
# cc -static -nostdlib; ends by the system call exit(0). A wrong turn runs into ud2.
        .globl  _start
        .text
_start:
        lea     data(%rip), %rbx
        mov     (%rbx), %rax
        movdqu  8(%rbx), %xmm0
        movzbl  1(%rbx), %ecx
        addq    $1, 64(%rbx)
        lock incl 72(%rbx)
        xchg    %rax, 80(%rbx)
        mov     %rax, 88(%rbx)
        prefetcht0 (%rbx)
        fldt    96(%rbx)
        fstp    %st(0)

        jmp     1f
        ud2
1:      xor     %eax, %eax
        jz      2f
        ud2
2:      jnz     _start
        mov     $3, %ecx
3:      loop    3b
        jrcxz   4f
        ud2
4:      lea     5f(%rip), %rdx
        jmp     *%rdx
        ud2
5:      jmp     *jump_target(%rip)
        ud2
        .globl  landing
landing:
        call    function
        lea     function(%rip), %rdx
        call    *%rdx
        call    *call_target(%rip)

        push    %rbx
        pop     %rcx
        push    (%rbx)
        add     $8, %rsp
        push    %rbp
        mov     %rsp, %rbp
        leave

        lea     (%rbx), %rsi
        lea     256(%rbx), %rdi
        mov     $5, %ecx
        rep movsb
        rep movsb
        lea     (%rbx), %rsi
        lodsq
        lea     (%rbx), %rsi
        lea     16(%rbx), %rdi
        cmpsb

        mov     $60, %eax
        xor     %edi, %edi
        syscall
        ud2
function:
        ret

        .data
        .balign 64
data:
        .fill   128, 1, 0
jump_target:
        .quad   landing
call_target:
        .quad   function
        .fill   256, 1, 0
        .section .note.GNU-stack, "", @progbits
