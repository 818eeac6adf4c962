# Entries of the vectors that programs lead to, and the way into a program and out of it.

.section .text
.irp vector, 1, 3, 6, 32, 48, 49    # #DB, #BP, #UD, the external interrupt, INT
scenario_entry_\vector:
    push 0                          # the others push an error code
    push \vector
    jmp scenario_entry
.endr
.irp vector, 8, 13, 14              # #DF, #GP, #PF
scenario_entry_\vector:
    push \vector
    jmp scenario_entry
.endr

scenario_entry:
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
    mov rdi, rsp                    # the processor has aligned the frame, which is an even number of words
    cld
    call scenario_exception
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

# RDI: the frame to enter the program with; RSI: RBX; RDX: R10; RCX: R15.
.global scenario_enter
scenario_enter:
    push rbx
    push rbp
    push r12
    push r13
    push r14
    push r15
    mov [rip + scenario_stack], rsp
    mov rsp, rdi
    mov rbx, rsi
    mov r10, rdx
    mov r15, rcx
    xor eax, eax
    xor ecx, ecx
    xor edx, edx
    xor r8d, r8d
    xor r12d, r12d
    mov rsi, rbx
    mov rdi, rbx
    iretq

# The handler of INT 48 returns here, on any stack.
.global scenario_leave
scenario_leave:
    mov rsp, [rip + scenario_stack]
    pop r15
    pop r14
    pop r13
    pop r12
    pop rbp
    pop rbx
    ret

.section .rodata
    .balign 8
.global scenario_entries            # vector and entry of each
scenario_entries:
.irp vector, 1, 3, 6, 8, 13, 14, 32, 48, 49
    .quad \vector, scenario_entry_\vector
.endr

.section .bss, "aw", @nobits
    .balign 8
scenario_stack:
    .skip 8
