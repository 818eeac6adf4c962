// Sorts 8 values by exchanging neighbours, with predicates in place of branches.
//
// exit: 1312345789
// retires: M 334, I 301, F 0, B 71, X 1, off 109, taken 55, loads 106, stores 26
//
// The array 5 2 8 1 9 3 7 4 has 13 inversions, each of which is one exchange. r8 begins with their number, and each value of
// the sorted array becomes a decimal digit behind it: 13 12345789. The instructions:
//   start:  a bundle MLX and one MII: M 2, I 2, X 1
//   pass:   7 * (a bundle MII in front of the loop and two MIB behind it): M 21, I 28, B 14, of which 6 taken and 1 off
//   pair:   49 * (MMI, MII, MMI, MIB): M 294, I 245, B 49, of which 42 taken; 98 loads; 13 times 2 stores, and 36 times
//           3 instructions are off
//   digits: one bundle MII, and 8 * (MII, MIB): M 17, I 26, B 8, of which 7 taken; 8 loads

        .explicit
        .text
        .global _start
        .proc _start
_start:
{ .mlx
        mov     r9 = r0
        movl    r10 = array ;;
}
{ .mii
        mov     r11 = 7
        nop.i   0
        nop.i   0 ;;
}
pass:
{ .mii
        mov     r14 = r10
        mov.i   ar.lc = 6
        adds    r15 = 8, r10 ;;
}
pair:
{ .mmi
        ld8     r16 = [r14]
        ld8     r17 = [r15]
        nop.i   0 ;;
}
{ .mii
        cmp.gt  p6, p7 = r16, r17
        nop.i   0
        nop.i   0 ;;
}
{ .mmi
  (p6)  st8     [r14] = r17
  (p6)  st8     [r15] = r16
  (p6)  adds    r9 = 1, r9 ;;
}
{ .mib
        adds    r14 = 8, r14
        adds    r15 = 8, r15
        br.cloop.sptk pair ;;
}
{ .mib
        adds    r11 = -1, r11
        nop.i   0
        nop.b   0 ;;
}
{ .mib
        cmp.ne  p8, p9 = 0, r11
        nop.i   0
  (p8)  br.cond.sptk pass ;;
}

{ .mii
        mov     r8 = r9
        mov.i   ar.lc = 7
        mov     r14 = r10 ;;
}
// r8 = 10 * r8 + digit
digits:
{ .mii
        ld8     r17 = [r14], 8
        shladd  r16 = r8, 2, r8
        nop.i   0 ;;
}
{ .mib
        nop.m   0
        shladd  r8 = r16, 1, r17
        br.cloop.sptk digits ;;
}
{ .mii
        break.m 0
        nop.i   0
        nop.i   0 ;;
}
        .endp _start

        .data
        .balign 8
array:
        data8   5, 2, 8, 1, 9, 3, 7, 4
