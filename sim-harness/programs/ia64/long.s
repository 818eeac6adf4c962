// Long instructions: movl, brl and nop.x, whose slot 1 belongs to slot 2.
//
// exit: 274877906948
// retires: M 25, I 10, F 0, B 8, X 16, off 1, taken 12, loads 0, stores 0
//
// r8 = 4 * (2^36 + 1), by a function that is further away than br.call reaches. The instructions:
//   start:  two bundles MLX and one MII: M 3, I 2, X 2
//   again:  4 * (MLX, MIB): M 8, I 4, B 4, of which 3 taken, X 4, taken
//   end:    two bundles MLX: M 2, X 2, of which 1 off and 1 taken
//   far:    4 * (MLX, MLX, MIB): M 12, I 4, B 4, taken, X 8

        .explicit
        .text
        .global _start
        .proc _start
_start:
{ .mlx
        nop.m   0
        movl    r9 = 0x123456789abcdef0 ;;
}
{ .mlx
        nop.m   0
        movl    r10 = -0x123456789abcdef0 ;;
}
{ .mii
        add     r8 = r9, r10
        mov.i   ar.lc = 3
        nop.i   0 ;;
}
again:
{ .mlx
        nop.m   0
        brl.call.sptk b0 = far ;;
}
{ .mib
        nop.m   0
        nop.i   0
        br.cloop.sptk again ;;
}
{ .mlx
        cmp.eq  p6, p7 = r0, r0
  (p7)  brl.cond.spnt far ;;
}
{ .mlx
        nop.m   0
  (p6)  brl.cond.sptk end ;;
}
// Never executed.
{ .mii
        mov     r8 = r0
        nop.i   0
        nop.i   0 ;;
}
end:
{ .mii
        break.m 0
        nop.i   0
        nop.i   0 ;;
}
        .endp _start

        .section .kernel, "ax"
        .proc far
far:
{ .mlx
        adds    r8 = 1, r8
        movl    r11 = 0x1000000000 ;;
}
{ .mlx
        nop.m   0
        nop.x   0x123456789abcdef ;;
}
{ .mib
        add     r8 = r8, r11
        nop.i   0
        br.ret.sptk b0 ;;
}
        .endp far
