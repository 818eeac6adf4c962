//! Stage request: MOV to and from DR.

use super::compare::is_wide;
use super::config::Config;
use super::inputs::Inputs;
use super::state::{Answer, Registers};
use crate::retire::{Mode, OpMode, RegOp, RegResult};
use lwp_regs::access::{DebugFault, DebugRegister, OperatingMode};
use lwp_regs::debug::{BreakpointAddress, Cpl, Dr6, Dr7, ProcessorMode, resolve};

/// Write of a MOV to DR that is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Write {
    /// One of DR0 to DR3, by its number.
    Address(usize, BreakpointAddress),
    /// DR6.
    Status(Dr6),
    /// DR7.
    Control(Dr7),
}

/// What a request leads to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Outcome {
    pub(super) answer: Answer,
    pub(super) write: Option<Write>,
    /// General detect.
    pub(super) detected: bool,
}

/// Returns the outcome of the request of this cycle. `ready` is the output `reg_ready`.
#[inline]
pub(super) fn outcome<const LANES: usize>(
    registers: &Registers,
    inputs: &Inputs<LANES>,
    straps: &Config,
    ready: bool,
) -> Outcome {
    if !inputs.reg.valid || !ready {
        return Outcome::default();
    }
    let done = Answer { reg_done: true, ..Answer::default() };
    match inputs.reg.op {
        RegOp::ReadDr => match read(registers, inputs, straps) {
            Ok(reg_rdata) => Outcome { answer: Answer { reg_rdata, ..done }, ..Outcome::default() },
            Err(fault) => refused(fault),
        },
        RegOp::WriteDr => match write(registers, inputs, straps) {
            Ok(write) => Outcome { answer: done, write: Some(write), detected: false },
            Err(fault) => refused(fault),
        },
        _ => Outcome { answer: Answer { reg_result: RegResult::NotMine, ..done }, ..Outcome::default() },
    }
}

#[inline]
fn refused(fault: DebugFault) -> Outcome {
    let (reg_result, detected) = match fault {
        DebugFault::InvalidOpcode => (RegResult::InvalidOpcode, false),
        DebugFault::GeneralDetect => (RegResult::Debug, true),
        _ => (RegResult::GeneralProtection, false),
    };
    Outcome { answer: Answer { reg_done: true, reg_result, reg_rdata: 0 }, write: None, detected }
}

/// Returns the register that a MOV reaches.
#[inline]
fn access<const LANES: usize>(registers: &Registers, inputs: &Inputs<LANES>) -> Result<DebugRegister, DebugFault> {
    const ALL: [DebugRegister; 8] = [
        DebugRegister::Dr0,
        DebugRegister::Dr1,
        DebugRegister::Dr2,
        DebugRegister::Dr3,
        DebugRegister::Dr4,
        DebugRegister::Dr5,
        DebugRegister::Dr6,
        DebugRegister::Dr7,
    ];
    processor_mode(inputs.mode).check_debug_access()?;
    let register = resolve(ALL[(inputs.reg.number & 0b111) as usize], inputs.de)?;
    Dr7::from(registers.dr7).check_access()?;
    Ok(register)
}

#[inline]
fn processor_mode(mode: Mode) -> ProcessorMode {
    let operating = match mode.op_mode {
        OpMode::Real => OperatingMode::RealAddress,
        OpMode::Virtual8086 => OperatingMode::Virtual8086,
        _ => OperatingMode::Protected,
    };
    let cpl = if mode.cpl == 0 { Cpl::SYSTEM } else { Cpl::new(mode.cpl).unwrap_or(Cpl::USER) };
    ProcessorMode::new(operating, cpl, mode.smm)
}

#[inline]
fn read<const LANES: usize>(registers: &Registers, inputs: &Inputs<LANES>, straps: &Config) -> Result<u64, DebugFault> {
    let value = match access(registers, inputs)? {
        DebugRegister::Dr6 => Dr6::from(registers.dr6).into_bits(),
        DebugRegister::Dr7 => Dr7::from(registers.dr7).into_bits(),
        address => registers.address[address as usize].into_bits(),
    };
    Ok(ProcessorMode::debug_operand(value, is_wide(inputs, straps)))
}

#[inline]
fn write<const LANES: usize>(
    registers: &Registers,
    inputs: &Inputs<LANES>,
    straps: &Config,
) -> Result<Write, DebugFault> {
    let register = access(registers, inputs)?;
    let (value, caps) = (ProcessorMode::debug_operand(inputs.reg.wdata, is_wide(inputs, straps)), straps.caps());
    Ok(match register {
        DebugRegister::Dr6 => Write::Status(Dr6::check_write(registers.dr6.into(), value, &caps)?),
        DebugRegister::Dr7 => Write::Control(Dr7::check_write(registers.dr7.into(), value, &caps)?),
        address => {
            let number = address as usize;
            Write::Address(number, BreakpointAddress::check_write(registers.address[number], value, &caps)?)
        }
    })
}
