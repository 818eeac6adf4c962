//! Table `[consumer]`: when the ring buffer is drained.

use crate::lwp::environment::Drain;
use crate::session::{Complaint, Number64};
use serde::Deserialize;
use toml::Spanned;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ConsumerTable {
    mode: Option<Spanned<Mode>>,
    period: Option<Spanned<Number64>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Mode {
    #[serde(alias = "none", alias = "off")]
    Never,
    #[serde(alias = "periodically", alias = "poll", alias = "polling")]
    Periodic,
    #[serde(alias = "on_interrupt", alias = "on-interrupt", alias = "irq")]
    Interrupt,
}

impl ConsumerTable {
    /// Returns when the ring is drained. A period alone means periodically.
    pub(super) fn drain(self) -> Result<Drain, Complaint> {
        let mode = self.mode.as_ref().map(|mode| *mode.get_ref());
        let mode_span = self.mode.map(|mode| mode.span());
        match (mode, self.period) {
            (None, None) | (Some(Mode::Never), None) => Ok(Drain::Never),
            (Some(Mode::Interrupt), None) => Ok(Drain::Interrupt),
            (Some(Mode::Periodic), None) => {
                Err(("mode \"periodic\" needs a `period`, in cycles".to_owned(), mode_span))
            }
            (None | Some(Mode::Periodic), Some(period)) if period.get_ref().0 > 0 => {
                Ok(Drain::Periodic(period.get_ref().0))
            }
            (None | Some(Mode::Periodic), Some(period)) => {
                Err(("`period` is 0, expected at least 1 cycle".to_owned(), Some(period.span())))
            }
            (Some(_), Some(period)) => Err(("`period` is only for mode \"periodic\"".to_owned(), Some(period.span()))),
        }
    }
}
