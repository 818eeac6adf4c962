// Basic blocks with tagged nops: each block begins with a `nop.i` whose immediate is the block's number.
//
// exit: 111
// retires: M 448, I 561, F 0, B 334, X 0, off 181, taken 153, loads 0, stores 0
// tags: 1 1, 2 112, 3 70, 4 41, 5 1
//
// r8 = the steps of 27 to 1, if an even number is halved and an odd one n becomes 3 n + 1: 70 and 41. Bits 6:0 of the
// immediate are bits 12:6 of the slot, which an opcode matcher compares. The instructions of a block, and how often:
//   1 entry,   1: MII: M 1, I 2
//   2 head,  112: MII, MBB: M 2, I 2, B 2; the last time B 1, because the first branch is taken in the middle of its bundle.
//                 111 times the first branch is off, 70 times the second, which is taken 41 times
//   3 even,   70: MII, MIB: M 2, I 3, B 1, taken
//   4 odd,    41: MII, MIB: M 2, I 3, B 1, taken
//   5 end,     1: MII: M 1, I 2

        .explicit
        .text
        .global _start
        .proc _start
_start:
{ .mii
        mov     r9 = 27
        nop.i   1
        mov     r8 = r0 ;;
}
head:
{ .mii
        cmp.eq  p6, p7 = 1, r9
        nop.i   2
        tbit.nz p8, p9 = r9, 0 ;;
}
{ .mbb
        nop.m   0
  (p6)  br.cond.spnt end
  (p8)  br.cond.spnt odd ;;
}
even:
{ .mii
        adds    r8 = 1, r8
        nop.i   3
        shr.u   r9 = r9, 1 ;;
}
{ .mib
        nop.m   0
        nop.i   0
        br.cond.sptk head ;;
}
odd:
{ .mii
        adds    r8 = 1, r8
        nop.i   4
        shladd  r9 = r9, 1, r9 ;;
}
{ .mib
        adds    r9 = 1, r9
        nop.i   0
        br.cond.sptk head ;;
}
end:
{ .mii
        nop.m   0
        nop.i   5
        nop.i   0 ;;
}
{ .mii
        break.m 0
        nop.i   0
        nop.i   0 ;;
}
        .endp _start
