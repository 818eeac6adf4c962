# Entry of the exceptions that have a handler: builds the `Frame` of exceptions.rs and calls `exception` with it.

.section .text
.irp vector, 1, 3, 6            # #DB, #BP, #UD
exception_\vector:
    push 0                      # the others push an error code
    push \vector
    jmp exception_entry
.endr
.irp vector, 8, 13, 14          # #DF, #GP, #PF
exception_\vector:
    push \vector
    jmp exception_entry
.endr

exception_entry:
    push rax
    push rcx
    push rdx
    push rsi
    push rdi
    push r8
    push r9
    push r10
    push r11
    push rbx
    push rbp
    push r12
    push r13
    push r14
    push r15
    mov rdi, rsp                # the processor has aligned the frame, which is an even number of words
    cld
    call exception
    pop r15
    pop r14
    pop r13
    pop r12
    pop rbp
    pop rbx
    pop r11
    pop r10
    pop r9
    pop r8
    pop rdi
    pop rsi
    pop rdx
    pop rcx
    pop rax
    add rsp, 16
    iretq

.section .rodata
    .balign 8
.global exception_entries       # of vectors 0 to 14; 0 where there is none
exception_entries:
    .quad 0, exception_1, 0, exception_3, 0, 0, exception_6, 0, exception_8, 0, 0, 0, 0, exception_13, exception_14
