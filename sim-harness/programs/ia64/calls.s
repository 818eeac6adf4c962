// Calls: a recursive function on the register stack, and one by a branch register.
//
// exit: 110
// retires: M 890, I 1244, F 0, B 534, X 1, off 88, taken 445, loads 0, stores 0
//
// r8 = 2 * fib(10) = 2 * 55. fib is called 177 times, 89 times of which with 0 or 1. The instructions:
//   main:   three bundles MIB, one MII, one MLX: M 5, I 5, B 3, of which 2 taken, X 1
//   fib, with 2 or more, 88 times: MII, MIB, MIB, MIB, MII, MIB: M 6, I 8, B 4, of which 3 taken and 1 off
//   fib, with 0 or 1, 89 times: MII, MIB, MII, MIB: M 4, I 6, B 2, of which 2 taken
//   double: one bundle MIB: M 1, I 1, B 1, taken

        .explicit
        .text
        .global _start
        .proc _start
// r32 is local, r33 is an output.
_start:
{ .mib
        alloc   r32 = ar.pfs, 0, 1, 1, 0
        nop.i   0
        nop.b   0 ;;
}
{ .mib
        mov     r33 = 10
        nop.i   0
        br.call.sptk b0 = fib ;;
}
{ .mlx
        nop.m   0
        movl    r14 = double ;;
}
{ .mii
        mov     r33 = r8
        mov     b6 = r14
        nop.i   0 ;;
}
{ .mib
        nop.m   0
        nop.i   0
        br.call.sptk b0 = b6 ;;
}
{ .mii
        break.m 0
        nop.i   0
        nop.i   0 ;;
}
        .endp _start

// r8 = fib(r32). r33 to r35 are local, r36 is an output.
        .proc fib
fib:
{ .mii
        alloc   r34 = ar.pfs, 1, 3, 1, 0
        mov     r33 = b0
        nop.i   0 ;;
}
{ .mib
        cmp.gt  p6, p7 = 2, r32
        nop.i   0
  (p6)  br.cond.spnt small ;;
}
{ .mib
        adds    r36 = -1, r32
        nop.i   0
        br.call.sptk b0 = fib ;;
}
{ .mib
        mov     r35 = r8
        adds    r36 = -2, r32
        br.call.sptk b0 = fib ;;
}
{ .mii
        add     r8 = r35, r8
        mov     b0 = r33
        mov.i   ar.pfs = r34 ;;
}
{ .mib
        nop.m   0
        nop.i   0
        br.ret.sptk b0 ;;
}
small:
{ .mii
        mov     r8 = r32
        mov     b0 = r33
        mov.i   ar.pfs = r34 ;;
}
{ .mib
        nop.m   0
        nop.i   0
        br.ret.sptk b0 ;;
}
        .endp fib

// r8 = 2 * r32, without a frame of its own.
        .proc double
double:
{ .mib
        shladd  r8 = r32, 1, r0
        nop.i   0
        br.ret.sptk b0 ;;
}
        .endp double
