// Copies 16 values of 8 bytes by a counted loop, 10 of 4 bytes by a software-pipelined loop, and sums what it copied.
//
// exit: 5636
// retires: M 103, I 80, F 0, B 83, X 5, off 2, taken 44, loads 46, stores 26
//
// r8 = (1 + 2 + ... + 16) + (100 + 200 + ... + 1000) = 136 + 5500. The instructions:
//   straight code: 5 bundles MLX and 4 bundles MII: M 9, I 8, X 5
//   eights:  16 * 2 bundles MIB: M 32, I 32, B 32, of which 15 taken; 16 loads and stores
//   pipe:   11 bundles MMB: M 22, B 11, of which 10 taken; 10 loads and stores, the first store and the last load are off
//   sum:    20 * 2 bundles MIB: M 40, I 40, B 40, of which 19 taken; 20 loads

        .explicit
        .text
        .global _start
        .proc _start
_start:
{ .mlx
        nop.m   0
        movl    r14 = source_eights
}
{ .mlx
        nop.m   0
        movl    r15 = target_eights ;;
}
{ .mii
        mov     r8 = r0
        mov.i   ar.lc = 15
        nop.i   0 ;;
}
eights:
{ .mib
        ld8     r16 = [r14], 8
        nop.i   0
        nop.b   0 ;;
}
{ .mib
        st8     [r15] = r16, 8
        add     r8 = r8, r16
        br.cloop.sptk eights ;;
}

// Stage p16 loads, stage p17 stores what was loaded one iteration earlier.
{ .mlx
        alloc   r2 = ar.pfs, 0, 8, 0, 8
        movl    r14 = source_fours
}
{ .mlx
        nop.m   0
        movl    r15 = target_fours ;;
}
{ .mii
        nop.m   0
        mov.i   ar.lc = 9
        mov.i   ar.ec = 2 ;;
}
{ .mii
        nop.m   0
        mov     pr.rot = 1 << 16
        nop.i   0 ;;
}
pipe:
{ .mmb
  (p16) ld4     r32 = [r14], 4
  (p17) st4     [r15] = r33, 4
        br.ctop.sptk pipe ;;
}

// Each of the values of 4 bytes fits in 16 bits, so their halves have the same sum.
{ .mlx
        nop.m   0
        movl    r17 = target_fours ;;
}
{ .mii
        nop.m   0
        mov.i   ar.lc = 19
        nop.i   0 ;;
}
sum:
{ .mib
        ld2     r16 = [r17], 2
        nop.i   0
        nop.b   0 ;;
}
{ .mib
        nop.m   0
        add     r8 = r8, r16
        br.cloop.sptk sum ;;
}
{ .mii
        break.m 0
        nop.i   0
        nop.i   0 ;;
}
        .endp _start

        .data
        .balign 8
source_eights:
        data8   1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
source_fours:
        data4   100, 200, 300, 400, 500, 600, 700, 800, 900, 1000
target_eights:
        .skip   128
target_fours:
        .skip   40
