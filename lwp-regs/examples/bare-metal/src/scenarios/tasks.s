# 32-bit protected mode without paging, for task switches: the way there, the handlers, and the way back.

.section .text
.code64
.global task_enter
task_enter:
    push rbx
    push rbp
    push r12
    push r13
    push r14
    push r15
    mov [rip + task_stack], rsp
    sgdt [rip + task_old_segments]
    sidt [rip + task_old_gates]
    lgdt [rip + task_segments_pointer]
    push 0x08
    lea rax, [rip + task_in_32]
    push rax
    retfq

.code32
task_in_32:
    mov eax, 0x10
    mov ds, eax
    mov es, eax
    mov ss, eax
    mov esp, offset task_stack_top
    mov eax, cr0
    and eax, 0x7FFFFFFF             # PG
    mov cr0, eax
    mov ecx, 0xC0000080             # IA32_EFER.LME
    rdmsr
    and eax, 0xFFFFFEFF
    wrmsr
    lidt [task_gates_pointer]
    mov eax, 0x18
    ltr ax
    mov eax, [task_registers]
    mov dr0, eax
    mov eax, [task_registers + 4]
    mov dr1, eax
    mov eax, [task_registers + 8]
    mov dr2, eax
    mov eax, [task_registers + 12]
    mov dr3, eax
    mov eax, 0xFFFF0FF0
    mov dr6, eax
    mov eax, [task_registers + 16]
    mov dr7, eax
    push dword ptr [task_registers + 20]    # the flags of the first task
    push 0x08
    push dword ptr [task_registers + 24]    # its first instruction
    iretd

.global task_entry_1, task_entry_48
task_entry_1:
    push 1
    jmp task_entry
task_entry_48:
    push 48
task_entry:
    pushad
    imul ecx, dword ptr [task_count], 20
    lea edx, [task_lines + ecx]
    mov ecx, [esp + 32]             # the vector
    mov [edx], ecx
    mov eax, [esp + 36]             # EIP
    mov [edx + 4], eax
    mov eax, [esp + 44]             # EFLAGS
    mov [edx + 8], eax
    mov eax, dr6
    mov [edx + 12], eax
    mov eax, dr7
    mov [edx + 16], eax
    inc dword ptr [task_count]
    cmp ecx, 48
    je task_leave
    cmp dword ptr [task_count], 20
    jae task_leave
    test byte ptr [edx + 12], 15    # an instruction breakpoint, since there are no others
    jz 2f
    or dword ptr [esp + 44], 0x10000        # RF
2:  mov eax, 0xFFFF0FF0
    mov dr6, eax
    popad
    add esp, 4
    iretd

task_leave:
    mov eax, 0x400
    mov dr7, eax
    mov ecx, 0xC0000080
    rdmsr
    or eax, 0x100
    wrmsr
    mov eax, cr0
    and eax, 0xFFFFFFF7             # TS, which a task switch sets
    or eax, 0x80000000
    mov cr0, eax
    ljmp 0x20, offset task_in_64

.code64
task_in_64:
    lgdt [rip + task_old_segments]
    lidt [rip + task_old_gates]
    mov eax, 0x10
    mov ss, eax
    mov rsp, [rip + task_stack]
    push 2
    popfq                           # NT
    push 0x08
    lea rax, [rip + 2f]
    push rax
    retfq
2:  pop r15
    pop r14
    pop r13
    pop r12
    pop rbp
    pop rbx
    ret

.section .bss, "aw", @nobits
    .balign 16
    .skip 4096
task_stack_top:
    .skip 4096
.global task_second_stack
task_second_stack:
task_stack:
    .skip 8
task_old_segments:
    .skip 16
task_old_gates:
    .skip 16
.global task_segments_pointer, task_gates_pointer, task_registers, task_lines, task_count
task_segments_pointer:              # limit and base, of 10 bytes
    .skip 16
task_gates_pointer:                 # of 6 bytes
    .skip 16
task_registers:                     # DR0 to DR3, DR7, flags, EIP
    .skip 32
task_count:
    .skip 16
task_lines:                         # vector, EIP, EFLAGS, DR6, DR7 of each
    .skip 512
