//! What follows from the code of an instruction: floating point, MMX, SSE, segment registers.

use super::facts::Fact;
use iced_x86::{CpuidFeature, Decoder, DecoderOptions, Instruction, Mnemonic as M, OpKind, Register};

/// The registers that an instruction computes with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    /// Neither of the two.
    #[default]
    Other,
    /// The x87 stack.
    X87,
    /// The registers of MMX.
    Mmx,
}

/// What the code of an instruction tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Decoded {
    /// What occurs once whenever it retires.
    pub(super) facts: Vec<Fact>,
    /// Its registers.
    pub(super) kind: Kind,
    /// Whether it has floating-point operations inside, whose number no trace tells.
    pub(super) has_inner: bool,
}

/// Decodes the instruction at the beginning of these bytes, and returns its length with it; `None` if it is invalid.
pub(super) fn decode(ip: u64, code: &[u8]) -> Option<(u8, Decoded)> {
    let instruction = Decoder::with_ip(64, code, ip, DecoderOptions::NONE).decode();
    (!instruction.is_invalid()).then(|| (instruction.len() as u8, decoded(&instruction)))
}

fn decoded(instruction: &Instruction) -> Decoded {
    let mnemonic = instruction.mnemonic();
    let mut facts = Vec::new();
    arithmetic(mnemonic, &mut facts);
    let (mmx, x87) = (names(instruction, Register::is_mm), is_x87(instruction));
    if mmx {
        mmx_facts(instruction, &mut facts);
    }
    if mnemonic == M::Emms {
        facts.push(Fact::Emms);
    }
    sse_facts(instruction, &mut facts);
    if loads_segment(instruction) {
        facts.push(Fact::SegmentLoads);
    }
    let kind = match (mmx, x87) {
        (true, _) => Kind::Mmx,
        (false, true) => Kind::X87,
        (false, false) => Kind::Other,
    };
    Decoded { facts, kind, has_inner: is_transcendental(mnemonic) }
}

/// Whether an operand is a register of this kind.
fn names(instruction: &Instruction, kind: impl Fn(Register) -> bool) -> bool {
    (0..instruction.op_count())
        .any(|op| instruction.op_kind(op) == OpKind::Register && kind(instruction.op_register(op)))
}

fn is_x87(instruction: &Instruction) -> bool {
    let x87 = [CpuidFeature::FPU, CpuidFeature::FPU287, CpuidFeature::FPU387, CpuidFeature::FPU387SL_ONLY];
    instruction.cpuid_features().iter().any(|feature| x87.contains(feature))
}

fn is_transcendental(mnemonic: M) -> bool {
    matches!(mnemonic, M::F2xm1 | M::Fyl2x | M::Fyl2xp1 | M::Fptan | M::Fpatan | M::Fsin | M::Fcos | M::Fsincos)
}

/// Multiplies, divides, and what the x87 computes.
fn arithmetic(mnemonic: M, facts: &mut Vec<Fact>) {
    let x87_multiply = matches!(mnemonic, M::Fmul | M::Fmulp | M::Fimul);
    let x87_divide = matches!(mnemonic, M::Fdiv | M::Fdivp | M::Fidiv | M::Fdivr | M::Fdivrp | M::Fidivr);
    let x87 = x87_multiply || x87_divide || computes(mnemonic);
    let multiply = matches!(mnemonic, M::Mul | M::Imul);
    let divide = matches!(mnemonic, M::Div | M::Idiv);
    for (holds, fact) in [
        (x87, Fact::Flops),
        (x87 || multiply || divide, Fact::Computations),
        (x87_multiply || multiply, Fact::Multiplies),
        (x87_divide || divide, Fact::Divides),
    ] {
        if holds {
            facts.push(fact);
        }
    }
}

/// Whether an x87 instruction other than multiplies and divides computes or compares.
fn computes(mnemonic: M) -> bool {
    matches!(
        mnemonic,
        M::Fadd
            | M::Faddp
            | M::Fiadd
            | M::Fsub
            | M::Fsubp
            | M::Fisub
            | M::Fsubr
            | M::Fsubrp
            | M::Fisubr
            | M::Fsqrt
            | M::Fprem
            | M::Fprem1
            | M::Frndint
            | M::Fscale
            | M::Fxtract
            | M::Ftst
            | M::Fcom
            | M::Fcomp
            | M::Fcompp
            | M::Ficom
            | M::Ficomp
            | M::Fcomi
            | M::Fcomip
            | M::Fucom
            | M::Fucomp
            | M::Fucompp
            | M::Fucomi
            | M::Fucomip
    )
}

/// What an instruction with a register of MMX is.
fn mmx_facts(instruction: &Instruction, facts: &mut Vec<Fact>) {
    let mnemonic = instruction.mnemonic();
    let stores = matches!(mnemonic, M::Movq | M::Movd) && instruction.op0_kind() == OpKind::Memory;
    facts.push(Fact::MmxRetired);
    if !stores {
        facts.push(Fact::Mmx);
    }
    let saturating_pack = matches!(mnemonic, M::Packsswb | M::Packssdw | M::Packuswb);
    let saturating = matches!(
        mnemonic,
        M::Paddsb | M::Paddsw | M::Paddusb | M::Paddusw | M::Psubsb | M::Psubsw | M::Psubusb | M::Psubusw
    );
    if saturating_pack || saturating {
        facts.push(Fact::MmxSaturating);
    }
    facts.extend(mmx_type(mnemonic));
}

/// The type of an MMX instruction; moves and conversions have none.
fn mmx_type(mnemonic: M) -> Option<Fact> {
    Some(match mnemonic {
        M::Pmulhw | M::Pmullw | M::Pmaddwd | M::Pmulhuw | M::Pmuludq => Fact::MmxMultiply,
        M::Psllw | M::Pslld | M::Psllq | M::Psrlw | M::Psrld | M::Psrlq | M::Psraw | M::Psrad => Fact::MmxShift,
        M::Packsswb | M::Packssdw | M::Packuswb => Fact::MmxPack,
        M::Punpckhbw | M::Punpckhwd | M::Punpckhdq | M::Punpcklbw | M::Punpcklwd | M::Punpckldq => Fact::MmxUnpack,
        M::Pand | M::Pandn | M::Por | M::Pxor => Fact::MmxLogical,
        M::Paddb
        | M::Paddw
        | M::Paddd
        | M::Paddq
        | M::Paddsb
        | M::Paddsw
        | M::Paddusb
        | M::Paddusw
        | M::Psubb
        | M::Psubw
        | M::Psubd
        | M::Psubq
        | M::Psubsb
        | M::Psubsw
        | M::Psubusb
        | M::Psubusw
        | M::Pcmpeqb
        | M::Pcmpeqw
        | M::Pcmpeqd
        | M::Pcmpgtb
        | M::Pcmpgtw
        | M::Pcmpgtd
        | M::Pavgb
        | M::Pavgw
        | M::Pmaxsw
        | M::Pmaxub
        | M::Pminsw
        | M::Pminub
        | M::Psadbw => Fact::MmxArithmetic,
        _ => return None,
    })
}

/// What an instruction of SSE is. SSE2 and later ones are not instructions of the P6 family.
fn sse_facts(instruction: &Instruction, facts: &mut Vec<Fact>) {
    let mnemonic = instruction.mnemonic();
    match mnemonic {
        M::Prefetchnta => facts.push(Fact::PrefetchNta),
        M::Prefetcht1 => facts.push(Fact::PrefetchT1),
        M::Prefetcht2 => facts.push(Fact::PrefetchT2),
        M::Movntps | M::Movntq | M::Maskmovq => facts.push(Fact::WeakStores),
        _ => {}
    }
    if instruction.cpuid_features() != [CpuidFeature::SSE] || !names(instruction, Register::is_xmm) {
        return;
    }
    let computes = matches!(
        mnemonic,
        M::Addps | M::Subps | M::Mulps | M::Divps | M::Sqrtps | M::Rcpps | M::Rsqrtps | M::Maxps | M::Minps | M::Cmpps
    );
    let scalar_computes = matches!(
        mnemonic,
        M::Addss
            | M::Subss
            | M::Mulss
            | M::Divss
            | M::Sqrtss
            | M::Rcpss
            | M::Rsqrtss
            | M::Maxss
            | M::Minss
            | M::Cmpss
            | M::Comiss
            | M::Ucomiss
    );
    let scalar = scalar_computes || matches!(mnemonic, M::Movss | M::Cvtsi2ss | M::Cvtss2si | M::Cvttss2si);
    for (holds, fact) in [
        (true, Fact::Sse),
        (scalar, Fact::SseScalar),
        (computes || scalar_computes, Fact::SseComputations),
        (scalar_computes, Fact::SseScalarComputations),
    ] {
        if holds {
            facts.push(fact);
        }
    }
}

fn loads_segment(instruction: &Instruction) -> bool {
    let into_register = matches!(instruction.mnemonic(), M::Mov | M::Pop)
        && instruction.op0_kind() == OpKind::Register
        && instruction.op0_register().is_segment_register();
    let pointer = matches!(instruction.mnemonic(), M::Lds | M::Les | M::Lfs | M::Lgs | M::Lss);
    let far = instruction.mnemonic() == M::Retf
        || instruction.is_jmp_far()
        || instruction.is_jmp_far_indirect()
        || instruction.is_call_far()
        || instruction.is_call_far_indirect();
    into_register || pointer || far
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(code: &[u8]) -> Vec<Fact> {
        decode(0x1000, code).unwrap().1.facts
    }

    #[test]
    fn floating_point_and_multiplies() {
        assert_eq!(facts(&[0xD8, 0xC1]), [Fact::Flops, Fact::Computations], "fadd st, st(1)");
        assert_eq!(facts(&[0xD8, 0xC9]), [Fact::Flops, Fact::Computations, Fact::Multiplies], "fmul st, st(1)");
        assert_eq!(facts(&[0xDE, 0xF9]), [Fact::Flops, Fact::Computations, Fact::Divides], "fdivp");
        assert_eq!(facts(&[0xD9, 0xC0]), [], "fld st(0)");
        assert_eq!(facts(&[0x0F, 0xAF, 0xC3]), [Fact::Computations, Fact::Multiplies], "imul eax, ebx");
        assert_eq!(facts(&[0xF7, 0xF3]), [Fact::Computations, Fact::Divides], "div ebx");
        assert_eq!(facts(&[0xF2, 0x0F, 0x58, 0xC1]), [], "addsd xmm0, xmm1 is not of the x87");
        let (length, sine) = decode(0, &[0xD9, 0xFE]).unwrap();
        assert!(sine.has_inner && sine.kind == Kind::X87 && sine.facts.is_empty() && length == 2, "{sine:?}");
    }

    #[test]
    fn mmx_and_sse() {
        let mmx = [Fact::MmxRetired, Fact::Mmx];
        assert_eq!(facts(&[0x0F, 0xFC, 0xC1]), [&mmx[..], &[Fact::MmxArithmetic]].concat(), "paddb mm0, mm1");
        let saturating = [&mmx[..], &[Fact::MmxSaturating, Fact::MmxArithmetic]].concat();
        assert_eq!(facts(&[0x0F, 0xEC, 0xC1]), saturating, "paddsb mm0, mm1");
        assert_eq!(facts(&[0x0F, 0x7F, 0x00]), [Fact::MmxRetired], "movq [rax], mm0");
        assert_eq!(facts(&[0x66, 0x0F, 0xFC, 0xC1]), [], "paddb xmm0, xmm1");
        assert_eq!(facts(&[0x0F, 0x77]), [Fact::Emms]);
        assert_eq!(facts(&[0x0F, 0x58, 0xC1]), [Fact::Sse, Fact::SseComputations], "addps xmm0, xmm1");
        let scalar = [Fact::Sse, Fact::SseScalar, Fact::SseComputations, Fact::SseScalarComputations];
        assert_eq!(facts(&[0xF3, 0x0F, 0x59, 0xC1]), scalar, "mulss xmm0, xmm1");
        assert_eq!(facts(&[0xF3, 0x0F, 0x10, 0x00]), [Fact::Sse, Fact::SseScalar], "movss xmm0, [rax]");
        assert_eq!(facts(&[0x0F, 0x18, 0x00]), [Fact::PrefetchNta]);
        assert_eq!(facts(&[0x0F, 0x2B, 0x00]), [Fact::WeakStores, Fact::Sse], "movntps [rax], xmm0");
    }

    #[test]
    fn segment_registers() {
        assert_eq!(facts(&[0x8E, 0xD8]), [Fact::SegmentLoads], "mov ds, eax");
        assert_eq!(facts(&[0x0F, 0xA1]), [Fact::SegmentLoads], "pop fs");
        assert_eq!(facts(&[0x8C, 0xD8]), [], "mov eax, ds");
        assert_eq!(facts(&[0xCB]), [Fact::SegmentLoads], "retf");
        assert_eq!(decode(0, &[0x06]), None, "push es does not exist in 64-bit mode");
    }
}
