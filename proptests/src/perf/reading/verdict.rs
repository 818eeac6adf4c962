//! Checks of the results of requests.

use super::access::{Asked, Register, asked};
use super::event::level;
use super::processor::{Processor, enables};
use super::select::{must_fault, reserved, version};
use super::world::{World, Written};
use lwp_model::perf::{Inputs, Outputs};
use lwp_model::retire::RegResult;

/// Whether a write of reserved bits faults, or drops them, for each kind of register; none until it is seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Habits([Option<bool>; 4]);

/// A kind of register with reserved bits.
#[derive(Clone, Copy, Debug)]
enum Reserved {
    Select,
    WideCounter,
    Control,
    Entry,
}

impl Habits {
    /// Notes whether a write of reserved bits faults, which must be as before.
    fn note(&mut self, kind: Reserved, faults: bool) -> Result<(), String> {
        let before = *self.0[kind as usize].get_or_insert(faults);
        if before == faults { Ok(()) } else { Err(format!("reserved bits: {kind:?} faults once, and once not")) }
    }
}

/// A result as the ports show it.
#[derive(Clone, Copy, Debug)]
struct Answer {
    result: RegResult,
    value: u64,
}

impl World {
    /// Checks the result of the request of a cycle, in the outputs of the next one, and returns what it writes.
    pub(super) fn request<const LP: usize, const LANES: usize, const GENERAL: usize, const FIXED: usize>(
        &mut self,
        inputs: &Inputs<LP, LANES>,
        out: &Outputs<LP, GENERAL, FIXED>,
    ) -> Result<Option<Written>, String> {
        let reg = inputs.reg;
        if out.reg_done != reg.valid {
            return Err(format!("a request is made: {}, and answered: {}", reg.valid, out.reg_done));
        }
        let answer = Answer { result: out.reg_result, value: out.reg_rdata };
        let lp = usize::from(reg.lp) % LP;
        let what = asked(&self.straps, reg.op, reg.number);
        if !reg.valid {
            return answer.is(RegResult::Done, 0).map(|()| None);
        }
        let (level, pce) = (level(inputs, lp), inputs.lp[lp].pce);
        let who = |text: String| format!("{what:?} of logical processor {lp} in level {level}, PCE {pce}: {text}");
        self.judge(what, lp, (level, pce), reg.wdata, answer).map_err(who)
    }

    fn judge(
        &mut self,
        what: Asked,
        lp: usize,
        (level, pce): (u8, bool),
        value: u64,
        answer: Answer,
    ) -> Result<Option<Written>, String> {
        match what {
            Asked::Nothing => {
                self.coverage.absent += 1;
                answer.is(RegResult::NotMine, 0)?;
            }
            // The core turns *not mine* into the same fault.
            Asked::NoCounter if answer.result == RegResult::GeneralProtection => answer.faults()?,
            Asked::NoCounter => answer.is(RegResult::NotMine, 0)?,
            // P6-34: PCE lets any level read, and level 0 always may.
            Asked::ReadCounter(..) if level > 0 && !pce => {
                self.coverage.forbidden += 1;
                answer.faults()?;
            }
            Asked::ReadCounter(register, bits) => {
                self.coverage.user_reads += u64::from(level > 0);
                answer.is(RegResult::Done, answer.value)?;
                self.read_counter(register, lp, bits, answer.value)?;
            }
            Asked::Read(_) | Asked::Write(_) if level > 0 && answer.result == RegResult::GeneralProtection => {
                self.coverage.unprivileged += 1;
                answer.faults()?;
            }
            Asked::Read(Register::FixedControl) | Asked::Write(Register::FixedControl)
                if self.straps.fixed == 0 && answer.result == RegResult::NotMine =>
            {
                answer.is(RegResult::NotMine, 0)?;
            }
            // P6-07: RDMSR and WRMSR outside level 0 are refused.
            Asked::Read(_) | Asked::Write(_) if level > 0 => return Err(format!("not refused: {:?}", answer.result)),
            Asked::Read(register) => self.read(register, lp, answer)?,
            Asked::Write(register) => return self.write_request(register, lp, value, answer),
        }
        Ok(None)
    }

    fn read(&mut self, register: Register, lp: usize, answer: Answer) -> Result<(), String> {
        let own = &mut self.processors[lp];
        let value = match register {
            Register::Select(at) => own.selects[at],
            Register::FixedControl => own.fixed_control,
            Register::GlobalControl => own.control,
            Register::Capabilities => self.straps.capabilities.into_bits(),
            Register::OverflowControl => 0,
            Register::Entry => own.delivery.read().unwrap_or(answer.value),
            Register::Status => {
                let open = own.status_open;
                own.status = own.status & !open | answer.value & open;
                own.status_open = 0;
                own.status
            }
            Register::Counter(_) | Register::FullCounter(_) | Register::Fixed(_) => {
                answer.is(RegResult::Done, answer.value)?;
                return self.read_counter(register, lp, u64::MAX, answer.value);
            }
        };
        self.coverage.reads += u64::from(value != 0);
        self.coverage.status_reads += u64::from(register == Register::Status && value != 0);
        answer.is(RegResult::Done, value)
    }

    fn read_counter(&mut self, register: Register, lp: usize, bits: u64, value: u64) -> Result<(), String> {
        let Processor { counters, fixed, .. } = &mut self.processors[lp];
        let counter = match register {
            Register::Fixed(at) => &mut fixed[at],
            Register::Counter(at) | Register::FullCounter(at) => &mut counters[at],
            _ => return Err("no counter".into()),
        };
        match counter.known() {
            Some(0) => (),
            Some(_) => self.coverage.exact += 1,
            None => self.coverage.open += 1,
        }
        counter.read(value, bits)
    }

    fn write_request(
        &mut self,
        register: Register,
        lp: usize,
        value: u64,
        answer: Answer,
    ) -> Result<Option<Written>, String> {
        let straps = self.straps;
        let wide = |width: u8| !((1_u64 << width) - 1);
        let any = if straps.any_thread { 0xF } else { 0xB };
        let fields: u64 = (0..straps.fixed).map(|at| any << (4 * at)).sum();
        let low = i64::from(value as u32 as i32) as u64;
        let (kind, reserved, mut values) = match register {
            Register::Select(at) => (Reserved::Select, reserved(&straps, at), vec![value]),
            // P6-37, APM-14: bits 63:32 of the value are not looked at.
            Register::Counter(_) => (Reserved::WideCounter, 0, vec![low & !wide(straps.width)]),
            Register::FullCounter(_) => (Reserved::WideCounter, wide(straps.width), vec![value]),
            Register::Fixed(_) => {
                (Reserved::WideCounter, wide(straps.fixed_width), vec![value, low & !wide(straps.fixed_width)])
            }
            Register::FixedControl => (Reserved::Control, !fields, vec![value]),
            Register::GlobalControl => (Reserved::Control, !enables(&straps), vec![value]),
            // Bits 61 and 63 belong to status bits that the unit does not have.
            Register::OverflowControl => (Reserved::Control, !(enables(&straps) | 0b111 << 61), vec![value]),
            Register::Entry => (Reserved::Entry, !0x1_17FF, vec![value]),
            // Both are read-only.
            Register::Status | Register::Capabilities => return answer.faults().map(|()| None),
        };
        let faults = answer.result == RegResult::GeneralProtection;
        if let (Register::Select(at), true) = (register, value & reserved != 0) {
            if let Some(must) = must_fault(&straps, at, value) {
                if must != faults {
                    return Err(format!("a write of bit 22 with {:?}: {:?}", straps.sel1_en, answer.result));
                }
            } else if value & reserved & !(1 << 22) != 0 && version(&straps) < 4 {
                self.habits.note(kind, faults)?;
            }
        } else if value & reserved != 0 {
            let open = register == Register::OverflowControl && value & reserved & !(0b101 << 61) == 0;
            if !open {
                self.habits.note(kind, faults)?;
            }
        } else if faults && !may_fault(register, value) {
            return Err("a write of what is not reserved faults".into());
        }
        if faults {
            self.coverage.refused += 1;
            return answer.faults().map(|()| None);
        }
        answer.is(RegResult::Done, 0)?;
        self.coverage.writes += 1;
        values.iter_mut().for_each(|value| *value &= !reserved);
        Ok(Some(Written { lp, register, values }))
    }
}

/// Returns whether a write without reserved bits may fault: bits 61 and 63 of `IA32_PERF_GLOBAL_OVF_CTRL`, and the status bit of the entry.
const fn may_fault(register: Register, value: u64) -> bool {
    match register {
        Register::OverflowControl => value & 0b101 << 61 != 0,
        Register::Entry => value & 1 << 12 != 0,
        _ => false,
    }
}

impl Answer {
    fn faults(self) -> Result<(), String> {
        self.is(RegResult::GeneralProtection, 0)
    }

    fn is(self, result: RegResult, value: u64) -> Result<(), String> {
        if self.result != result {
            return Err(format!("the result is {:?}, not {result:?}", self.result));
        }
        if self.value != value {
            return Err(format!("EDX:EAX is {:#x}, not {value:#x}", self.value));
        }
        Ok(())
    }
}
