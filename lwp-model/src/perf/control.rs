//! Step 4 of a cycle, control: what the registers ask of a cell. From here on nothing knows the personality.

use super::config::Config;
use super::state::{Fixed, General};
use lwp_regs::perf::Condition;
use lwp_regs::perf::architectural::Ia32PerfEvtSel;

/// What a cell is asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    /// The levels that count, a bit each.
    pub(super) levels: u8,
    /// Those of all logical processors count.
    pub(super) any: bool,
    pub(super) condition: Condition,
    pub(super) enable: bool,
    /// An overflow asks for an interrupt.
    pub(super) interrupts: bool,
    /// Bits of the counter.
    pub(super) width: u8,
}

impl Asked {
    /// Of a general counter; `first` is the event select 0. Nothing counts if `frozen`. A counter that does not exist has no levels.
    #[inline]
    pub(super) fn general(general: &General, first: Ia32PerfEvtSel, frozen: bool, straps: &Config) -> Self {
        let select = general.fields();
        let enable = if straps.is_p6() { first.enable() } else { select.enable() };
        Self {
            levels: levels(select.os(), select.user()),
            any: select.any_thread(),
            condition: Condition { inverted_zero: straps.inverted_zero(), ..select.condition() },
            enable: general.on && !frozen && enable,
            interrupts: select.interrupt(),
            width: straps.width,
        }
    }

    /// Of a fixed counter. One that does not exist is never on.
    #[inline]
    pub(super) fn fixed(fixed: &Fixed, frozen: bool, straps: &Config) -> Self {
        Self {
            levels: levels(fixed.control.os(), fixed.control.user()),
            any: fixed.control.any_thread(),
            condition: Condition::default(),
            enable: fixed.on && !frozen,
            interrupts: fixed.control.interrupt(),
            width: straps.fixed_width,
        }
    }
}

const fn levels(os: bool, user: bool) -> u8 {
    os as u8 + user as u8 * 0b1110
}
