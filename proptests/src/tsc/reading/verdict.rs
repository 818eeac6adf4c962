//! Checks of results, and their effects.

use super::Reading;
use super::answer::{Asked, Pending, shown};
use lwp_model::retire::RegResult;
use lwp_model::tsc::Outputs;
use lwp_regs::tsc::TscWrite;

impl<const LP: usize> Reading<LP> {
    /// Checks the result of a request.
    pub(super) fn judge(&mut self, pending: &Pending, out: &Outputs) -> Result<(), String> {
        match pending.asked {
            Asked::Nothing | Asked::NoInstruction => self.absent(pending, out),
            Asked::Time | Asked::Stamp if pending.tsd && pending.level != 0 => self.disabled(pending, out),
            Asked::Time | Asked::Stamp => {
                self.coverage.kernel_reads += u64::from(pending.tsd);
                self.coverage.user_reads += u64::from(pending.level != 0);
                self.read_counter(pending, out)
            }
            _ if pending.level != 0 => self.unprivileged(pending, out),
            Asked::ReadCounter => self.read_counter(pending, out),
            Asked::ReadAdjust => self.read_adjust(pending, out),
            Asked::ReadAux => self.read_aux(pending, out),
            Asked::WriteCounter | Asked::WriteAdjust | Asked::WriteAux => self.write(pending, out),
        }
    }

    /// Checks a request for something that the unit does not have. Another unit may have it, whatever the privilege.
    /// For an instruction that does not exist #UD is equivalent: the core turns *not mine* into #UD.
    fn absent(&mut self, pending: &Pending, out: &Outputs) -> Result<(), String> {
        self.coverage.absent += 1;
        let undefined = pending.asked == Asked::NoInstruction && out.reg_result == RegResult::InvalidOpcode;
        let result = if undefined { RegResult::InvalidOpcode } else { RegResult::NotMine };
        shown(pending, out, result, 0, 0)
    }

    // TSC-11: TSD restricts the instructions to privilege level 0, also in virtual-8086 mode.
    fn disabled(&mut self, pending: &Pending, out: &Outputs) -> Result<(), String> {
        self.coverage.disabled += 1;
        if out.reg_result != RegResult::GeneralProtection {
            return Err(format!(
                "{:?} in level {} with TSD is not refused: {:?}",
                pending.asked, pending.level, out.reg_result
            ));
        }
        shown(pending, out, RegResult::GeneralProtection, 0, 0)
    }

    /// Checks RDMSR and WRMSR outside level 0. A refused request changes nothing and returns nothing.
    fn unprivileged(&mut self, pending: &Pending, out: &Outputs) -> Result<(), String> {
        self.coverage.unprivileged += 1;
        shown(pending, out, RegResult::GeneralProtection, 0, 0)
    }

    /// Checks a read of the counter. The value is that of the beginning of the cycle: a request reads the registers of
    /// its cycle, so a tick in that cycle is not included. The chapter of the ports defines nothing else.
    // TSC-03: 0 after reset. TSC-04, TSC-05: neither HLT nor STPCLK# stops it, DPSLP# by a strap. TSC-06, TSC-07,
    // TSC-13, TSC-25: the rate. TSC-12, TSC-17: what WRMSR wrote, on this processor only. TSC-22, TSC-24: with what was
    // added to IA32_TSC_ADJUST.
    fn read_counter(&mut self, pending: &Pending, out: &Outputs) -> Result<(), String> {
        let processor = self.processors[pending.lp];
        let [time, _] = pending.time;
        let values = processor.counter(time);
        let open = self.choices.open(values);
        if out.reg_done && out.reg_result == RegResult::Done && !open.contains(&out.reg_rdata) {
            return Err(format!(
                "{:?} of logical processor {} is {:#x}, not {open:#x?}: {time:#x} ticks have passed since reset, adjusted by {:#x?}",
                pending.asked,
                pending.lp,
                out.reg_rdata,
                self.choices.open(processor.adjust)
            ));
        }
        let stamp = pending.asked == Asked::Stamp;
        self.coverage.counter_reads += u64::from(time != 0);
        self.coverage.stamps += u64::from(stamp && time != 0);
        let same = |other: &usize| *other != pending.lp && self.processors[*other].adjust == processor.adjust;
        let synchronised = processor.adjust != [0; 2] && (0..LP).any(|other| same(&other));
        self.coverage.synchronised += u64::from(synchronised);
        self.stamp(pending, out, if stamp { processor.aux } else { 0 })?;
        self.decide(values, out.reg_rdata);
        Ok(())
    }

    // TSC-15: the signature comes with the time stamp, in one result. Without RDTSCP, ECX is not shown.
    fn stamp(&self, pending: &Pending, out: &Outputs, aux: u32) -> Result<(), String> {
        if out.reg_done && out.reg_result == RegResult::Done && out.reg_aux != aux {
            return Err(format!("{:?}: the signature is {:#x}, not {aux:#x}", pending.asked, out.reg_aux));
        }
        shown(pending, out, RegResult::Done, out.reg_rdata, aux)
    }

    // TSC-20: 0 after reset. TSC-21: with what writes to the counter added. TSC-23: unchanged by time.
    fn read_adjust(&mut self, pending: &Pending, out: &Outputs) -> Result<(), String> {
        let processor = self.processors[pending.lp];
        let open = self.choices.open(processor.adjust);
        if out.reg_done && out.reg_result == RegResult::Done && !open.contains(&out.reg_rdata) {
            return Err(format!(
                "IA32_TSC_ADJUST of logical processor {} is {:#x}, not {open:#x?}",
                pending.lp, out.reg_rdata
            ));
        }
        self.coverage.adjust_reads += u64::from(processor.written && pending.time[0] != 0);
        shown(pending, out, RegResult::Done, out.reg_rdata, 0)?;
        self.decide(processor.adjust, out.reg_rdata);
        Ok(())
    }

    /// Uses the value shown, one of two, to decide the order, if it is still open.
    fn decide(&mut self, values: [u64; 2], shown: u64) {
        let undecided = self.choices.open(values).len() > 1;
        self.coverage.undecided += u64::from(undecided);
        self.coverage.write_last += u64::from(undecided && shown == values[1]);
        self.choices.seen(values, shown);
    }

    // TSC-14: the signature that privileged software gave to this processor, 32 bits.
    fn read_aux(&mut self, pending: &Pending, out: &Outputs) -> Result<(), String> {
        let aux = self.processors[pending.lp].aux;
        if out.reg_done && out.reg_result == RegResult::Done && out.reg_rdata != u64::from(aux) {
            return Err(format!(
                "IA32_TSC_AUX of logical processor {} is {:#x}, not {aux:#x}",
                pending.lp, out.reg_rdata
            ));
        }
        self.coverage.aux_reads += u64::from(aux != 0);
        shown(pending, out, RegResult::Done, aux.into(), 0)
    }

    /// Checks a write, whose result is *done* and has no value. Later reads show what was written.
    fn write(&mut self, pending: &Pending, out: &Outputs) -> Result<(), String> {
        let Pending { asked, lp, value, time, .. } = *pending;
        let (processor, coverage) = (&mut self.processors[lp], &mut self.coverage);
        let high = value >> 32 != 0;
        let faults = asked == Asked::WriteAux && high && out.reg_result == RegResult::GeneralProtection;
        if faults {
            shown(pending, out, RegResult::GeneralProtection, 0, 0)?;
        } else {
            shown(pending, out, RegResult::Done, 0, 0)?;
        }
        match asked {
            Asked::WriteCounter => {
                processor.write_counter(&self.straps, value, time);
                coverage.writes_in_a_tick += u64::from(time[0] != time[1]);
                let narrow = self.straps.write_width == TscWrite::Low32;
                coverage.narrow_writes += u64::from(narrow && high);
                coverage.counter_writes += u64::from(!narrow);
            }
            Asked::WriteAdjust => {
                coverage.adjust_writes += u64::from(processor.adjust != [value; 2]);
                processor.write_adjust(value);
            }
            _ => {
                coverage.aux_writes += u64::from(!high);
                coverage.wide_aux_done += u64::from(high && !faults);
                coverage.wide_aux_refused += u64::from(faults);
                if high && !self.choices.wide_aux(faults) {
                    return Err(format!("a write of {value:#x} to IA32_TSC_AUX faults once, and once not"));
                }
                if !faults {
                    processor.aux = value as u32;
                }
            }
        }
        Ok(())
    }
}
