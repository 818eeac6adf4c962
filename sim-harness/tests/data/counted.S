# A program whose counts are known: 100 rounds of the x87, of MMX, of SSE, of memory. Static, without a library.
        .globl _start, rounds, after
        .section .data
        .balign 4096
words:  .fill 64, 8, 0x0102030405060708
one:    .single 1.0, 1.0, 1.0, 1.0
        .text
        .balign 4096
_start: mov     $100, %ecx              # 1
        fninit                          # 2
rounds: fld1                            # 3
        fadd    %st(0), %st(0)          # 4     an operation
        fmul    %st(0), %st(0)          # 5     an operation, a multiply
        fdiv    %st(0), %st(0)          # 6     an operation, a divide
        fstp    %st(0)                  # 7
        paddb   %mm1, %mm0              # 8     MMX after the x87
        psraw   $1, %mm0                # 9     MMX
        emms                            # 10
        movups  one, %xmm0              # 11    SSE, a load
        addps   %xmm0, %xmm0            # 12    SSE, a computation
        mulss   %xmm0, %xmm0            # 13    SSE, a scalar computation
        imul    %ecx, %eax              # 14    a multiply
        mov     words, %rax             # 15    a load
        mov     words+12, %rdx          # 16    a load across 64 bits
        mov     %rax, words+32          # 17    a store
        prefetchnta words               # 18
        dec     %ecx                    # 19
        jnz     rounds                  # 20    taken but for the last
after:  mov     $60, %eax               # 21
        xor     %edi, %edi              # 22
        syscall                         # 23
