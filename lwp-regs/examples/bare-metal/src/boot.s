# From the loader's 32-bit protected mode to `kernel` in 64-bit mode, with the first GiB of memory at linear
# address 0 and once more at 1 GiB.

.section .note.pvh, "a", @note
    .balign 4
    .long 4, 4, 18              # lengths of name and content; XEN_ELFNOTE_PHYS32_ENTRY
    .asciz "Xen"
    .long start32

.section .boot, "ax"
.code32
.global start32
start32:
    mov esp, offset stack_top
    mov eax, offset page_map
    mov cr3, eax
    mov eax, cr4
    or eax, 1 << 5              # PAE: tables of 64-bit entries
    mov cr4, eax
    mov ecx, 0xC0000080         # IA32_EFER
    rdmsr
    or eax, 1 << 8              # LME: 64-bit mode once paging is on
    wrmsr
    mov eax, cr0
    or eax, 1 << 31             # PG
    mov cr0, eax
    lgdt [segments_pointer]
    ljmp 0x08, offset start64

.code64
start64:
    xor eax, eax                # no data segments are needed
    mov ds, eax
    mov es, eax
    mov ss, eax
    mov rsp, offset stack_top
    xor ebp, ebp
    call kernel
    ud2

.section .rodata
    .balign 8
segments:
    .quad 0
    .quad 0x00209A0000000000    # code: present, 64 bits, privilege level 0
segments_pointer:
    .word 15
    .quad segments

.section .data
    .balign 4096
page_map:
    .quad page_directories + 3  # present, writable
    .fill 511, 8, 0
page_directories:
    .quad pages + 3, pages + 3
    .fill 510, 8, 0
pages:                          # 512 pages of 2 MiB
    .set address, 0
    .rept 512
    .quad address + 0x83        # present, writable, large
    .set address, address + 0x200000
    .endr

.section .bss, "aw", @nobits
    .balign 16
    .skip 65536
stack_top:
