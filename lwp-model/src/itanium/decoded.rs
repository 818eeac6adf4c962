//! What the stages go by, worked out from the registers that software writes whenever it writes one.

use super::config::IsmOrder;
use super::monitor::{Case, On};
use super::select::{Events, Wanted};
use super::state::{COUNTERS, Counter, Ear, Matcher, State};
use lwp_regs::itanium::Pmc89;

/// A function of registers and straps, of which the rules need not be asked in each cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decoded {
    order: IsmOrder,
    pub(super) counter: [Selection; COUNTERS],
    /// When a counter counts anything.
    any: On,
    /// When a counter counts events of instructions.
    instructions: On,
    /// When a counter counts events of memory records.
    records: On,
    iear: On,
    dear: On,
    btb: On,
    /// PMC\[8\] and PMC\[9\].
    pub(super) matcher: [Pmc89; 2],
}

/// When a counter counts, and which events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Selection {
    on: On,
    events: Events,
}

impl Selection {
    fn of(counter: &Counter, order: IsmOrder) -> Self {
        Self { on: counter.on(order), events: Events::selected(counter.es, counter.umask) }
    }

    /// Number of the events of a cycle that the counter counts in this case.
    #[inline]
    pub(super) fn number(&self, case: Case, events: &Events) -> u8 {
        self.events.number(events) * u8::from(self.on.at(case))
    }
}

impl Decoded {
    /// Decodes every register.
    pub(super) fn of(state: &State, order: IsmOrder) -> Self {
        let never = On::NEVER;
        let mut decoded = Self {
            order,
            counter: state.counter.each_ref().map(|counter| Selection::of(counter, order)),
            any: never,
            instructions: never,
            records: never,
            iear: never,
            dear: never,
            btb: never,
            matcher: state.matcher.each_ref().map(Matcher::register),
        };
        decoded.sum_up();
        decoded.recorders(state);
        decoded
    }

    /// Decodes PMC\[4 + c\].
    pub(super) fn counter(&mut self, c: usize, counter: &Counter) {
        self.counter[c] = Selection::of(counter, self.order);
        self.sum_up();
    }

    /// Decodes PMC\[10\], PMC\[11\] and PMC\[12\].
    pub(super) fn recorders(&mut self, state: &State) {
        (self.iear, self.dear, self.btb) = (state.pmc10.on(self.order), state.pmc11.on(self.order), state.pmc12.on());
    }

    /// Works out what all counters together count.
    fn sum_up(&mut self) {
        let when = |wants: fn(Wanted) -> bool| {
            let counting = self.counter.iter().filter(|counter| wants(counter.events.wanted()));
            counting.fold(On::NEVER, |when, counter| when.or(counter.on))
        };
        (self.any, self.instructions, self.records) =
            (when(|wanted| wanted.any), when(|wanted| wanted.instructions), when(|wanted| wanted.records));
    }

    /// What counters count in this case.
    #[inline]
    pub(super) const fn wanted(&self, case: Case) -> Wanted {
        Wanted { any: self.any.at(case), instructions: self.instructions.at(case), records: self.records.at(case) }
    }

    /// Whether the monitors of PMC\[10\], PMC\[11\] and PMC\[12\] are on.
    #[inline]
    pub(super) const fn ear(&self, case: Case) -> Ear {
        Ear { iear_on: self.iear.at(case), dear_on: self.dear.at(case), btb_on: self.btb.at(case) }
    }
}

#[cfg(test)]
mod tests {
    use crate::itanium::{Config, Inputs, IsmOrder, Itanium, RegOp, RegRequest};
    use crate::{Choice, Unit};

    /// A register of each file, and what is written to it.
    fn writes() -> impl Iterator<Item = RegRequest> {
        let values = (0_u64..4000).map(|n| (n + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        values.map(|value| {
            let (file, index) = ((value >> 40) as u32 % 5, (value >> 50) as u32 % 14);
            RegRequest {
                valid: true,
                op: RegOp::WriteFile,
                lp: 0,
                number: file << 8 | index,
                wdata: value ^ value >> 32,
            }
        })
    }

    // A unit that is put into the registers of another one equals it, decoded registers and all.
    #[test]
    fn decoded_follows_the_registers() {
        for ism_order in IsmOrder::ALL {
            let straps = Config { ism_order: *ism_order, ..Config::default() };
            let mut unit = Itanium::<1, 4>::new(straps).unwrap();
            for reg in writes() {
                unit.step(&Inputs { reg, ..Inputs::default() });
                let mut row = [0; Itanium::<1, 4>::OUTPUT_WORDS];
                Itanium::<1, 4>::pack_expected(unit.state(), &straps, &mut row);
                let mut resumed = Itanium::<1, 4>::new(straps).unwrap();
                resumed.resume(&row);
                assert_eq!(resumed, unit, "{reg:x?}");
            }
            unit.reset();
            assert_eq!(unit, Itanium::new(straps).unwrap());
        }
    }
}
