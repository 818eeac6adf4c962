//! The bins that a cycle meets.

use super::crosses::Cover;
use crate::coverage::Bins;
use crate::tsc::straps::FACTORS;
use lwp_model::retire::{OpMode, RegOp, RegResult};
use lwp_model::tsc::{Config, DeepSleep, Inputs, Outputs, State};
use lwp_regs::tsc::{TimeBase, TimeStampCounter, TscAdjust, TscAux, TscWrite};
use recording::{Cycle, Recording};

/// A cycle out of reset, and the registers of the next one.
struct Moment<'a, const LP: usize> {
    straps: &'a Config,
    inputs: &'a Inputs,
    now: &'a State<LP>,
    next: &'a State<LP>,
}

/// Counts what a run of a unit with these straps meets, from power-up on.
pub fn sample<const LP: usize>(straps: &Config, recording: &Recording<Inputs, Outputs, State<LP>>, bins: &mut Bins) {
    let (mut values, mut first) = (Vec::with_capacity(FACTORS.len()), 0);
    for factor in FACTORS.iter() {
        values.push(first + factor.level(straps));
        first += factor.levels;
    }
    values.iter().for_each(|value| bins.hit(Cover::StrapValue, [*value]));
    for pair in recording.cycles.windows(2) {
        let [cycle, after] = pair else { continue };
        if cycle.rst_n && after.rst_n {
            let moment = Moment { straps, inputs: &cycle.inputs, now: &cycle.state, next: &after.state };
            moment.time(bins);
            if cycle.inputs.reg.valid {
                let operation = moment.request(bins);
                values.iter().for_each(|value| bins.hit(Cover::StrapOperation, [*value, operation]));
            }
        } else if cycle.rst_n {
            reset(straps, cycle, bins);
        }
    }
}

/// Counts the last cycle before a reset, which clears the registers.
fn reset<const LP: usize>(straps: &Config, last: &Cycle<Inputs, Outputs, State<LP>>, bins: &mut Bins) {
    let counts = last.state.processors[0].counter.ticks() != 0;
    bins.hit(Cover::Reset, [straps.rate as usize, usize::from(last.inputs.reg.valid), usize::from(counts)]);
}

impl<const LP: usize> Moment<'_, LP> {
    /// Returns the index of the processor that makes the request.
    fn asked(&self) -> usize {
        usize::from(self.inputs.reg.lp) % LP
    }

    /// Whether the time base ticks.
    fn tick(&self) -> bool {
        match self.straps.rate.time_base() {
            TimeBase::Crystal => self.inputs.processor.crystal_tick,
            TimeBase::BusClock => self.inputs.processor.bus_tick,
        }
    }

    /// Returns the number of the register that a successful WRMSR writes.
    fn written(&self) -> Option<u32> {
        let answer = &self.next.answer;
        let done = self.inputs.reg.valid && answer.reg_result == RegResult::Done;
        (done && self.inputs.reg.op == RegOp::Wrmsr).then_some(self.inputs.reg.number)
    }

    fn level(&self) -> usize {
        match self.inputs.op_mode {
            OpMode::Real => 0,
            OpMode::Virtual8086 => 1,
            _ => 2 + usize::from(self.inputs.cpl),
        }
    }

    /// Counts the request, and returns its operation on its axis.
    fn request(&self, bins: &mut Bins) -> usize {
        let (reg, level) = (&self.inputs.reg, self.level());
        let operation = (reg.op as usize).min(4);
        let result = match self.next.answer.reg_result {
            RegResult::Done => 0,
            RegResult::InvalidOpcode => 1,
            RegResult::GeneralProtection => 2,
            _ => 3,
        };
        bins.hit(Cover::Result, [operation, result]);
        let asked = match usize::from(reg.lp) {
            0 => 0,
            lp if lp < LP => 1,
            _ => 2,
        };
        bins.hit(Cover::Asked, [operation, asked, result]);
        match reg.op {
            RegOp::Rdtsc | RegOp::Rdtscp => {
                let parts = if self.straps.aux { 2 } else { usize::from(self.straps.present) };
                bins.hit(Cover::TimeInstruction, [operation - 2, parts, level, usize::from(self.inputs.tsd)]);
            }
            RegOp::Rdmsr | RegOp::Wrmsr => {
                let exists = usize::from(self.straps.features().has(reg.number));
                bins.hit(Cover::MsrAccess, [operation, register(reg.number), exists, level]);
            }
            _ => {}
        }
        if let Some(number) = self.written() {
            self.write(number, bins);
        } else if reg.op == RegOp::Wrmsr && reg.number == TscAux::ADDRESS && self.level_0() && self.straps.aux {
            self.write(reg.number, bins);
        }
        operation
    }

    fn level_0(&self) -> bool {
        self.inputs.op_mode.level(self.inputs.cpl) == 0
    }

    /// Counts a WRMSR in level 0 of a register that exists.
    fn write(&self, number: u32, bins: &mut Bins) {
        let (reg, asked, tick) = (&self.inputs.reg, &self.now.processors[self.asked()], usize::from(self.tick()));
        let high = usize::from(reg.wdata >> 32 != 0);
        let (time, adjust) = (asked.counter.ticks(), asked.adjust.ticks());
        match number {
            TimeStampCounter::ADDRESS => {
                let value = if self.straps.write_width == TscWrite::All { reg.wdata } else { reg.wdata & 0xFFFF_FFFF };
                let width = usize::from(self.straps.write_width == TscWrite::Low32);
                let there = usize::from(self.straps.adjust);
                bins.hit(Cover::CounterWrite, [width, there, high, moves(time, value), tick]);
                if time >> 32 != value >> 32 {
                    bins.hit(Cover::Crossing, [0, 1, self.straps.rate as usize]);
                }
            }
            TscAdjust::ADDRESS => {
                bins.hit(Cover::AdjustWrite, [usize::from(adjust != 0), moves(adjust, reg.wdata), tick]);
                let sum = time.checked_add(reg.wdata.wrapping_sub(adjust));
                if sum.is_none() {
                    bins.hit(Cover::Crossing, [1, 1, self.straps.rate as usize]);
                }
            }
            _ => bins.hit(Cover::AuxWrite, [usize::from(asked.aux.signature() != 0), high]),
        }
    }

    /// Counts the effects of time.
    fn time(&self, bins: &mut Bins) {
        let (straps, pins) = (self.straps, &self.inputs.processor);
        let rate = straps.rate as usize;
        let sleep = usize::from(straps.deep_sleep == DeepSleep::Stop);
        let halted = usize::from(pins.halted) + 2 * usize::from(pins.stpclk);
        bins.hit(Cover::Pins, [rate, sleep, usize::from(pins.dpslp), halted, usize::from(self.tick())]);
        let written = self.written().filter(|number| *number != TscAux::ADDRESS).map(|_| self.asked());
        // A processor that is not written counts the ticks that time adds. If the only processor is written, the number
        // of ticks is not known.
        let Some(other) = (0..LP).find(|other| Some(*other) != written) else { return };
        let (before, after) = (self.now.processors[other].counter.ticks(), self.next.processors[other].counter.ticks());
        let ticks = match after.wrapping_sub(before) {
            few @ 0..=1 => few as usize,
            2..=15 => 2,
            _ => 3,
        };
        let fraction = match self.next.rate.fraction.cmp(&self.now.rate.fraction) {
            std::cmp::Ordering::Equal => 0,
            std::cmp::Ordering::Greater => 1,
            std::cmp::Ordering::Less => 2,
        };
        let what = self.written().map_or(0, |number| 1 + register(number));
        bins.hit(Cover::Ticks, [rate, ticks, fraction, what]);
        if after < before {
            bins.hit(Cover::Crossing, [1, 0, rate]);
        } else if before >> 32 != after >> 32 {
            bins.hit(Cover::Crossing, [0, 0, rate]);
        }
    }
}

/// Returns the index of a register on its axis, by its number.
const fn register(number: u32) -> usize {
    match number {
        TimeStampCounter::ADDRESS => 0,
        TscAdjust::ADDRESS => 1,
        TscAux::ADDRESS => 2,
        _ => 3,
    }
}

/// Returns the direction of a write: 0 down, 1 up or unchanged.
fn moves(from: u64, to: u64) -> usize {
    usize::from(to >= from)
}
