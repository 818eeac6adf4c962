//! Decode: operands and faults of an operation, in the cycle in which it is accepted.

use super::config::Config;
use super::context::THREAD_WORDS;
use super::inputs::{Control, CtlOp, Mode, OpMode};
use super::state::{ControlRegs, CtlState, Fault, Session, State};
use super::straps::Misaligned;
use lwp_regs::lwp::{LwpCaps, LwpMsr0};

/// Required alignment of the control block.
const LWPCB_ALIGN: u64 = 16;

/// Returns the control registers of an operation that is accepted in this cycle.
pub(super) fn accept(ctl: &Control, mode: Mode, state: &State, straps: &Config, caps: &LwpCaps) -> ControlRegs {
    let session = &state.session;
    let arg = argument(ctl, mode, straps);
    let context = matches!(ctl.op, CtlOp::Save | CtlOp::Restore);
    ControlRegs {
        st: CtlState::Wait,
        op: ctl.op,
        init: false,
        ring3: mode.ring3(),
        idx: if context { ctl.word & 15 } else { 0 },
        old: false,
        fault: fault(ctl, arg, mode, session, straps, caps),
        fault_write: false,
        arg,
        rdata: answer(ctl, mode, session),
        fault_addr: 0,
    }
}

/// Returns the operand. LLWPCB takes DS:rAX; with rAX = 0 there is no block, whatever the base of DS is.
const fn argument(ctl: &Control, mode: Mode, straps: &Config) -> u64 {
    let arg = match ctl.op {
        CtlOp::Llwpcb if mode.linear(ctl.wdata) == 0 => 0,
        CtlOp::Llwpcb => mode.linear(mode.linear(ctl.wdata).wrapping_add(ctl.ds_base)),
        _ => ctl.wdata,
    };
    match (ctl.op, straps.misaligned) {
        (CtlOp::Llwpcb | CtlOp::WriteMsr1, Misaligned::Truncate) => arg & !(LWPCB_ALIGN - 1),
        _ => arg,
    }
}

const fn answer(ctl: &Control, mode: Mode, session: &Session) -> u64 {
    match ctl.op {
        CtlOp::Llwpcb | CtlOp::Slwpcb if session.lwpcb == 0 => 0,
        CtlOp::Llwpcb | CtlOp::Slwpcb => mode.linear(session.lwpcb.wrapping_sub(ctl.ds_base)),
        CtlOp::ReadMsr0 => session.msr0.eax() as u64,
        CtlOp::ReadMsr1 => session.lwpcb,
        _ => 0,
    }
}

/// Source: Lightweight Profiling Proposal (2007-07-20), "LWP Control Instructions" and "LWPMSRs".
fn fault(ctl: &Control, arg: u64, mode: Mode, session: &Session, straps: &Config, caps: &LwpCaps) -> Fault {
    let usable = straps.present && session.msr0.enabled();
    let protected = match mode.op_mode {
        OpMode::Real => false,
        OpMode::Virtual8086 => straps.v86,
        OpMode::Protected | OpMode::Compatibility | OpMode::Long64 => true,
    };
    let privileged = straps.present && mode.cpl == 0;
    let aligned = arg.is_multiple_of(LWPCB_ALIGN);
    let (invalid_opcode, general_protection) = match ctl.op {
        CtlOp::Llwpcb => (!usable || !protected, !aligned),
        CtlOp::Slwpcb => (!usable || !protected, false),
        CtlOp::ReadMsr0 => (false, !privileged),
        CtlOp::WriteMsr0 => (false, !privileged || LwpMsr0::check_write(session.msr0, arg, caps).is_err()),
        CtlOp::ReadMsr1 => (false, !privileged || !usable),
        CtlOp::WriteMsr1 => (false, !privileged || !usable || !aligned),
        // Words beyond those of a thread are the core's.
        CtlOp::Save | CtlOp::Restore => (!straps.present, ctl.word & 15 >= THREAD_WORDS && mode.cpl != 0),
        _ => (true, false),
    };
    if invalid_opcode {
        Fault::InvalidOpcode
    } else if general_protection {
        Fault::GeneralProtection
    } else {
        Fault::None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const USER: Mode = Mode { cpl: 3, smm: false, op_mode: OpMode::Long64 };
    const KERNEL: Mode = Mode { cpl: 0, ..USER };

    fn enabled() -> Session {
        Session { msr0: LwpMsr0::new().with_enabled(true), ..Session::default() }
    }

    fn decode(op: CtlOp, wdata: u64, mode: Mode, session: &Session) -> ControlRegs {
        let straps = Config::default();
        decode_with(&straps, Control { valid: true, op, wdata, ..Control::default() }, mode, session)
    }

    fn decode_with(straps: &Config, ctl: Control, mode: Mode, session: &Session) -> ControlRegs {
        let state = State { session: *session, ..State::default() };
        accept(&ctl, mode, &state, straps, &straps.caps(8, 31))
    }

    // LWP-LLW-22 to 24, LWP-LLW-33, LWP-SLW-07: #UD unless enabled and in protected mode.
    #[test]
    fn instructions_are_undefined_when_disabled_or_unprotected() {
        for op in [CtlOp::Llwpcb, CtlOp::Slwpcb] {
            assert_eq!(decode(op, 0x1000, USER, &enabled()).fault, Fault::None);
            assert_eq!(decode(op, 0x1000, USER, &Session::default()).fault, Fault::InvalidOpcode);
            for op_mode in [OpMode::Real, OpMode::Virtual8086] {
                assert_eq!(decode(op, 0x1000, Mode { op_mode, ..USER }, &enabled()).fault, Fault::InvalidOpcode);
            }
            for op_mode in [OpMode::Protected, OpMode::Compatibility] {
                assert_eq!(decode(op, 0x1000, Mode { op_mode, ..USER }, &enabled()).fault, Fault::None);
            }
            // LWP-LLW-09, LWP-SLW-05: at every privilege level.
            for cpl in 0..4 {
                assert_eq!(decode(op, 0x1000, Mode { cpl, ..USER }, &enabled()).fault, Fault::None);
            }
        }
    }

    // LWP-LLW-32: #GP(0) for a block that is not 16-byte aligned; #UD has precedence.
    #[test]
    fn misaligned_blocks_are_refused() {
        assert_eq!(decode(CtlOp::Llwpcb, 0x1008, USER, &enabled()).fault, Fault::GeneralProtection);
        assert_eq!(decode(CtlOp::Llwpcb, 0x1008, USER, &Session::default()).fault, Fault::InvalidOpcode);
        assert_eq!(decode(CtlOp::WriteMsr1, 0x1008, KERNEL, &enabled()).fault, Fault::GeneralProtection);
        // The other choice: the low four bits do not count.
        let straps = Config { misaligned: Misaligned::Truncate, ..Config::default() };
        for (op, mode) in [(CtlOp::Llwpcb, USER), (CtlOp::WriteMsr1, KERNEL)] {
            let ctl = Control { valid: true, op, wdata: 0x100F, ..Control::default() };
            let regs = decode_with(&straps, ctl, mode, &enabled());
            assert_eq!((regs.fault, regs.arg), (Fault::None, 0x1000));
        }
    }

    // LWP-LLW-33: the other choice takes virtual-8086 mode for protected mode; real mode never is.
    #[test]
    fn virtual_8086_mode_by_strap() {
        let straps = Config { v86: true, ..Config::default() };
        let fault = |op, op_mode| {
            let ctl = Control { valid: true, op, wdata: 0x1000, ..Control::default() };
            decode_with(&straps, ctl, Mode { op_mode, ..USER }, &enabled()).fault
        };
        for op in [CtlOp::Llwpcb, CtlOp::Slwpcb] {
            assert_eq!(fault(op, OpMode::Virtual8086), Fault::None);
            assert_eq!(fault(op, OpMode::Real), Fault::InvalidOpcode);
        }
    }

    #[test]
    fn context_words_of_the_core_are_privileged() {
        for (word, cpl, fault) in
            [(0, 3, Fault::None), (7, 3, Fault::None), (8, 3, Fault::GeneralProtection), (9, 0, Fault::None)]
        {
            for op in [CtlOp::Save, CtlOp::Restore] {
                let ctl = Control { valid: true, op, word, ..Control::default() };
                let regs = decode_with(&Config::default(), ctl, Mode { cpl, ..USER }, &enabled());
                assert_eq!((regs.fault, regs.idx), (fault, word));
            }
        }
        let absent = Config { present: false, ..Config::default() };
        let ctl = Control { valid: true, op: CtlOp::Save, ..Control::default() };
        assert_eq!(decode_with(&absent, ctl, KERNEL, &enabled()).fault, Fault::InvalidOpcode);
        for op in &CtlOp::ALL[8..] {
            assert_eq!(decode(*op, 0, KERNEL, &enabled()).fault, Fault::InvalidOpcode);
        }
    }

    // LWP-MSR0-07, LWP-MSR0-09, LWP-MSR0-12, LWP-MSR1-05.
    #[test]
    fn msr_faults() {
        let off = Session::default();
        assert_eq!(decode(CtlOp::WriteMsr0, 0x8000_000F, KERNEL, &off).fault, Fault::None);
        for value in [0x10, 0x4000_0000, 1 << 32, u64::MAX] {
            assert_eq!(decode(CtlOp::WriteMsr0, value, KERNEL, &off).fault, Fault::GeneralProtection, "{value:#x}");
        }
        assert_eq!(decode(CtlOp::WriteMsr0, 1, USER, &off).fault, Fault::GeneralProtection);
        assert_eq!(decode(CtlOp::ReadMsr1, 0, KERNEL, &off).fault, Fault::GeneralProtection);
        assert_eq!(decode(CtlOp::ReadMsr1, 0, KERNEL, &enabled()).fault, Fault::None);
        assert_eq!(decode(CtlOp::WriteMsr1, 0, KERNEL, &off).fault, Fault::GeneralProtection);
    }

    // LWP-MSR0-02, LWP-LLW-22: without LWP neither instructions nor registers exist.
    #[test]
    fn nothing_exists_without_lwp() {
        let straps = Config { present: false, ..Config::default() };
        let fault =
            |op, mode| decode_with(&straps, Control { valid: true, op, ..Control::default() }, mode, &enabled()).fault;
        assert_eq!(fault(CtlOp::Llwpcb, USER), Fault::InvalidOpcode);
        assert_eq!(fault(CtlOp::Slwpcb, USER), Fault::InvalidOpcode);
        assert_eq!(fault(CtlOp::ReadMsr0, KERNEL), Fault::GeneralProtection);
        assert_eq!(fault(CtlOp::WriteMsr0, KERNEL), Fault::GeneralProtection);
    }

    // AMB-53: DS base added and subtracted, 32-bit modes use EAX; rAX = 0 disables whatever the base.
    #[test]
    fn ds_base_and_width() {
        let active = Session { lwpcb: 0x5_0000, ..enabled() };
        let straps = Config::default();
        let decode = |wdata, ds_base, op_mode| {
            let ctl = Control { valid: true, op: CtlOp::Llwpcb, wdata, ds_base, ..Control::default() };
            let regs = decode_with(&straps, ctl, Mode { op_mode, ..USER }, &active);
            (regs.arg, regs.rdata)
        };
        assert_eq!(decode(0x1000, 0x4_0000, OpMode::Protected), (0x4_1000, 0x1_0000));
        assert_eq!(decode(0xFFFF_FFFF_0000_1000, 0x4_0000, OpMode::Protected), (0x4_1000, 0x1_0000));
        assert_eq!(decode(0, 0x4_0000, OpMode::Protected), (0, 0x1_0000));
        assert_eq!(decode(0xFFFF_FFF0, 0x20, OpMode::Compatibility), (0x10, 0x4_FFE0));
        assert_eq!(decode(0x1000, 0x6_0000, OpMode::Protected), (0x6_1000, 0xFFFF_0000));
        assert_eq!(decode(0x1_0000_1000, 0, OpMode::Long64), (0x1_0000_1000, 0x5_0000));
    }
}
