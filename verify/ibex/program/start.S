# SPDX-License-Identifier: MIT OR Apache-2.0
#
# Vectors, reset, and the way into the kernel and back. mscratch holds the kernel's stack while the program runs.

  .section .vectors, "ax"
  .option push
  .option norvc
  .globl vectors
vectors:
  .rept 32
  j trap
  .endr
reset:                          # the core begins at boot address + 0x80
  j begin
  .option pop

  .section .text.start, "ax"
begin:
  la    sp, __kernel_stack
  la    a0, __bss_start
  la    a1, __bss_end
1:
  bgeu  a0, a1, 2f
  sw    zero, 0(a0)
  addi  a0, a0, 4
  j     1b
2:
  la    a0, vectors
  ori   a0, a0, 1
  csrw  mtvec, a0
  call  kernel                  # returns mstatus for the program
  csrw  mstatus, a0
  la    a0, program
  csrw  mepc, a0
  csrw  mscratch, sp
  la    sp, __program_stack
  mret

# Registers that a C function may change are saved; a0 and a7 are the arguments of a call.
  .globl trap
trap:
  csrrw sp, mscratch, sp
  addi  sp, sp, -64
  sw    ra, 0(sp)
  sw    t0, 4(sp)
  sw    t1, 8(sp)
  sw    t2, 12(sp)
  sw    t3, 16(sp)
  sw    t4, 20(sp)
  sw    t5, 24(sp)
  sw    t6, 28(sp)
  sw    a0, 32(sp)
  sw    a1, 36(sp)
  sw    a2, 40(sp)
  sw    a3, 44(sp)
  sw    a4, 48(sp)
  sw    a5, 52(sp)
  sw    a6, 56(sp)
  sw    a7, 60(sp)
  mv    a1, a7
  csrr  a2, mcause
  call  handle
  lw    ra, 0(sp)
  lw    t0, 4(sp)
  lw    t1, 8(sp)
  lw    t2, 12(sp)
  lw    t3, 16(sp)
  lw    t4, 20(sp)
  lw    t5, 24(sp)
  lw    t6, 28(sp)
  lw    a0, 32(sp)
  lw    a1, 36(sp)
  lw    a2, 40(sp)
  lw    a3, 44(sp)
  lw    a4, 48(sp)
  lw    a5, 52(sp)
  lw    a6, 56(sp)
  lw    a7, 60(sp)
  addi  sp, sp, 64
  csrrw sp, mscratch, sp
  mret
