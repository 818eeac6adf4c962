// A kernel with an interruption vector table, system calls by break, and three processes that an external interrupt switches.
//
// exit: 678
// interrupted every: 50
// retires: M 386, I 371, F 0, B 142, X 3, off 9, taken 79, loads 95, stores 56, calls 4, interrupts 6
//
// r8 = the sum of what the processes return: 1 + ... + 20 = 210, 1 + ... + 30 = 465, and 3, the number of the third process.
// The processes retire 323 instructions at level 3. An external interrupt after each 50 of them makes 6. A break does not
// retire. The instructions of each path, from the vector to rfi, and how often:
//   start of the kernel, 1:  M 23, I 16, B 3, X 3, taken 2; 9 loads
//   first process, 1:        M 41, I 42, B 40, taken 19
//   second process, 1:       M 61, I 62, B 60, taken 29
//   third process, 1:        M 5, I 12
//   interrupt, 6:            M 28, I 24, B 2, taken 2; 10 loads, 9 stores
//   getpid, 1:               M 15, I 20, B 4, off 3, taken 3; 1 load
//   exit, of 3 processes:    M 33, I 34, B 11, off 3, taken 6; 13 loads, 1 store
//   exit, of 2 processes:    M 30, I 30, B 9, off 3, taken 5; 12 loads, 1 store
//   exit, of the last:       M 10, I 11, B 3, taken 3
//
// The kernel works at level 0 with interruptions off, in bank 0 of the registers r16 to r31, and keeps nothing on the register
// stack. ar.k0 is the running process, ar.k1 the sum, ar.k2 the number of processes.

        .explicit
        .section .ivt, "ax"
        .balign 0x8000
ivt:
// Break Instruction.
        .org    0x2c00
{ .mib
        mov     r30 = cr.iim
        nop.i   0
        br.cond.sptk syscall ;;
}
// External Interrupt.
        .org    0x3000
{ .mib
        mov     r30 = cr.ivr
        nop.i   0
        br.cond.sptk switch ;;
}
        .org    0x8000

        .section .kernel, "ax"
        .global _start
        .proc _start
_start:
{ .mib
        nop.m   0
        nop.i   0
        bsw.0 ;;
}
{ .mlx
        nop.m   0
        movl    r16 = ivt ;;
}
{ .mii
        mov     cr.iva = r16
        mov     r17 = 3
        mov     r18 = 4 ;;
}
// PMC[4]: instructions that retire (es 8) at level 3 (plm 1000), if PSR.up is 1 (pm 0).
{ .mlx
        mov     ar.k1 = r0
        movl    r19 = 0x808 ;;
}
{ .mmi
        mov     ar.k2 = r17
        mov     pmc[r18] = r19
        nop.i   0 ;;
}
// PMC[0] = 0 ends the freeze.
{ .mmi
        mov     pmd[r18] = r0
        mov     pmc[r0] = r0
        nop.i   0 ;;
}
{ .mlx
        mov     cr.dcr = r0
        movl    r16 = first ;;
}
{ .mib
        srlz.d
        nop.i   0
        br.cond.sptk resume ;;
}
        .endp _start

// Saves the registers of the running process and continues with the next one of the ring.
switch:
{ .mii
        mov     cr.eoi = r0
        mov     r29 = pr
        nop.i   0 ;;
}
{ .mii
        mov     r16 = ar.k0
        mov     r28 = ar.lc
        nop.i   0 ;;
}
{ .mii
        ld8     r17 = [r16], 8
        nop.i   0
        nop.i   0 ;;
}
{ .mmi
        mov     r26 = cr.iip
        mov     r27 = cr.ipsr
        nop.i   0 ;;
}
{ .mmi
        st8     [r16] = r26, 8 ;;
        st8     [r16] = r27, 8
        nop.i   0 ;;
}
{ .mmi
        st8     [r16] = r29, 8 ;;
        st8     [r16] = r28, 8
        nop.i   0 ;;
}
{ .mmi
        st8     [r16] = r8, 8 ;;
        st8     [r16] = r9, 8
        nop.i   0 ;;
}
{ .mmi
        st8     [r16] = r10, 8 ;;
        st8     [r16] = r14, 8
        nop.i   0 ;;
}
{ .mii
        st8     [r16] = r15
        mov     r16 = r17
        nop.i   0 ;;
}
// Continues with the process r16.
resume:
{ .mii
        mov     ar.k0 = r16
        adds    r18 = 8, r16
        nop.i   0 ;;
}
{ .mmi
        ld8     r26 = [r18], 8 ;;
        ld8     r27 = [r18], 8
        nop.i   0 ;;
}
{ .mmi
        ld8     r29 = [r18], 8 ;;
        ld8     r28 = [r18], 8
        nop.i   0 ;;
}
{ .mmi
        ld8     r8 = [r18], 8 ;;
        ld8     r9 = [r18], 8
        nop.i   0 ;;
}
{ .mmi
        ld8     r10 = [r18], 8 ;;
        ld8     r14 = [r18], 8
        nop.i   0 ;;
}
{ .mii
        ld8     r15 = [r18]
        mov     pr = r29, -1
        mov.i   ar.lc = r28 ;;
}
{ .mmi
        mov     cr.iip = r26
        mov     cr.ipsr = r27
        nop.i   0 ;;
}
{ .mib
        nop.m   0
        nop.i   0
        rfi ;;
}

// System call r30: 1 exit, 2 getpid.
syscall:
{ .mii
        mov     r16 = ar.k0
        mov     r29 = pr
        nop.i   0 ;;
}
{ .mib
        cmp.eq  p6, p7 = 1, r30
        nop.i   0
  (p6)  br.cond.spnt exit ;;
}
{ .mib
        cmp.eq  p6, p7 = 2, r30
        nop.i   0
  (p6)  br.cond.sptk getpid ;;
}
{ .mii
        mov     r8 = -1
        nop.i   0
        nop.i   0 ;;
}
{ .mii
        break.m 0
        nop.i   0
        nop.i   0 ;;
}

// r8 = the number of the process. Execution continues behind the break: PSR.ri + 1, or the next bundle.
getpid:
{ .mii
        adds    r18 = 80, r16
        nop.i   0
        nop.i   0 ;;
}
{ .mii
        ld8     r8 = [r18]
        nop.i   0
        nop.i   0 ;;
}
{ .mmi
        mov     r26 = cr.iip
        mov     r27 = cr.ipsr
        nop.i   0 ;;
}
{ .mii
        nop.m   0
        extr.u  r25 = r27, 41, 2
        nop.i   0 ;;
}
{ .mii
        cmp.eq  p6, p7 = 2, r25
        adds    r25 = 1, r25
        nop.i   0 ;;
}
{ .mii
  (p6)  adds    r26 = 16, r26
  (p6)  mov     r25 = r0
        nop.i   0 ;;
}
{ .mii
        nop.m   0
        dep     r27 = r25, r27, 41, 2
        mov     pr = r29, -1 ;;
}
{ .mmi
        mov     cr.iip = r26
        mov     cr.ipsr = r27
        nop.i   0 ;;
}
{ .mib
        nop.m   0
        nop.i   0
        rfi ;;
}

// Adds r8 to the sum, takes the process out of the ring, and continues with the next one, or ends.
exit:
{ .mmi
        mov     r20 = ar.k1
        mov     r21 = ar.k2
        mov     r18 = r16 ;;
}
{ .mii
        add     r20 = r20, r8
        adds    r21 = -1, r21
        nop.i   0 ;;
}
{ .mmi
        mov     ar.k1 = r20
        mov     ar.k2 = r21
        nop.i   0 ;;
}
{ .mib
        cmp.eq  p6, p7 = 0, r21
        nop.i   0
  (p6)  br.cond.spnt finish ;;
}
// r18 = the process in front of r16.
walk:
{ .mii
        ld8     r19 = [r18]
        nop.i   0
        nop.i   0 ;;
}
{ .mib
        cmp.ne  p6, p7 = r19, r16
        nop.i   0
        nop.b   0 ;;
}
{ .mib
  (p6)  mov     r18 = r19
        nop.i   0
  (p6)  br.cond.sptk walk ;;
}
{ .mii
        ld8     r17 = [r16]
        nop.i   0
        nop.i   0 ;;
}
{ .mib
        st8     [r18] = r17
        mov     r16 = r17
        br.cond.sptk resume ;;
}
finish:
{ .mii
        mov     r8 = r20
        nop.i   0
        nop.i   0 ;;
}
{ .mii
        break.m 0
        nop.i   0
        nop.i   0 ;;
}

// A process: the next of the ring, cr.iip, cr.ipsr, predicates, ar.lc, r8, r9, r10, r14, r15, its number.
// cr.ipsr is bank 1, level 3, PSR.i and PSR.ic.
        .section .kernel_data, "aw"
        .balign 8
first:
        data8   second, sum_up, 0x100300006000, 1, 0, 0, 0, 19, 0, 0, 1
second:
        data8   third, sum_up, 0x100300006000, 1, 0, 0, 0, 29, 0, 0, 2
third:
        data8   first, monitored, 0x100300006000, 1, 0, 0, 0, 0, 0, 0, 3

// Returns 1 + 2 + ... + (r10 + 1).
        .text
sum_up:
{ .mii
        mov     r8 = r0
        mov     ar.lc = r10
        mov     r9 = r0 ;;
}
again:
{ .mib
        adds    r9 = 1, r9
        nop.i   0
        nop.b   0 ;;
}
{ .mib
        add     r8 = r8, r9
        nop.i   0
        br.cloop.sptk again ;;
}
{ .mii
        break.m 1
        nop.i   0
        nop.i   0 ;;
}

// Returns the number of its process, and counts its instructions in between with PMD[4].
monitored:
{ .mii
        sum     4
        nop.i   0
        nop.i   0 ;;
}
{ .mii
        break.m 2
        mov     r9 = r8
        nop.i   0 ;;
}
{ .mii
        mov     r14 = 4
        nop.i   0
        nop.i   0 ;;
}
{ .mii
        mov     r15 = pmd[r14]
        nop.i   0
        nop.i   0 ;;
}
{ .mii
        rum     4
        nop.i   0
        nop.i   0 ;;
}
{ .mii
        mov     r8 = r9
        nop.i   0
        nop.i   0 ;;
}
{ .mii
        break.m 1
        nop.i   0
        nop.i   0 ;;
}
