// The inner product of two vectors of doubles, and an integer product in floating-point registers.
//
// exit: 5151
// retires: M 36, I 13, F 23, B 8, X 2, off 2, taken 7, loads 17, stores 1
//
// (1, 2, ..., 8) * (0.25, 0.5, ..., 2) = 0.25 * 204 = 51, and r8 = 51 * 100 + 51. The instructions:
//   start:  two bundles MLX and one MFI: M 3, I 1, F 1, X 2
//   loop:   8 * (MMF, MFB): M 24, F 16, B 8, of which 7 taken; 16 loads
//   end:    6 bundles MFI, in one of which F is off: M 6, I 6, F 6; 1 store
//   check:  3 bundles MII, in one of which M is off: M 3, I 6; 1 load

        .explicit
        .text
        .global _start
        .proc _start
_start:
{ .mlx
        nop.m   0
        movl    r14 = left ;;
}
{ .mlx
        nop.m   0
        movl    r15 = right ;;
}
{ .mfi
        nop.m   0
        mov     f10 = f0
        mov.i   ar.lc = 7 ;;
}
loop:
{ .mmf
        ldfd    f8 = [r14], 8
        ldfd    f9 = [r15], 8
        nop.f   0 ;;
}
{ .mfb
        nop.m   0
        fma.d   f10 = f8, f9, f10
        br.cloop.sptk loop ;;
}

// r15 is behind the right vector, where the result goes.
{ .mfi
        stfd    [r15] = f10
        fcvt.fx.trunc f11 = f10
        nop.i   0 ;;
}
{ .mfi
        getf.d  r16 = f10
        fcmp.lt p6, p7 = f1, f10
        nop.i   0 ;;
}
{ .mfi
        mov     r17 = 100
  (p7)  fadd.d  f10 = f10, f1
        nop.i   0 ;;
}
{ .mfi
        setf.sig f12 = r17
        nop.f   0
        nop.i   0 ;;
}
{ .mfi
        nop.m   0
        xma.l   f12 = f11, f12, f11
        nop.i   0 ;;
}
{ .mfi
        getf.sig r8 = f12
        nop.f   0
        nop.i   0 ;;
}

// The result in memory is that in the register; otherwise r8 = 0.
{ .mii
        ld8     r18 = [r15]
        nop.i   0
        nop.i   0 ;;
}
{ .mii
        cmp.eq  p8, p9 = r16, r18
        nop.i   0
        nop.i   0 ;;
}
{ .mii
  (p9)  mov     r8 = r0
        nop.i   0
        nop.i   0 ;;
}
{ .mii
        break.m 0
        nop.i   0
        nop.i   0 ;;
}
        .endp _start

        .data
        .balign 8
left:
        real8   1, 2, 3, 4, 5, 6, 7, 8
right:
        real8   0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2
        .skip   8
