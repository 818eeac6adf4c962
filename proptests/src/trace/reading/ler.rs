//! The last exception record: the last branch record before an exception or interrupt.

use super::bits::{Bits, ones};
use super::event::{Cause, Event};
use super::ports::Straps;

/// Number of possible values above which any value is allowed.
const MOST: usize = 64;

/// Source and destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pair {
    from: Bits,
    to: Bits,
}

impl Pair {
    const ANY: Self = Self { from: Bits::ANY, to: Bits::ANY };
}

/// What the two registers may hold. Rows: LBR-17 to LBR-19.
#[derive(Clone, Debug)]
pub(super) struct Ler {
    /// Records that may be the last one before the next interruption, in both formats.
    last: Vec<Pair>,
    /// What the registers may hold.
    held: Vec<Pair>,
}

impl Ler {
    /// Returns registers with any contents.
    pub(super) fn new() -> Self {
        Self { last: vec![Pair::ANY], held: vec![Pair::ANY] }
    }

    /// Follows an event. `recorded`: the LBR flag is set and the stack is not frozen, in every state that is possible.
    pub(super) fn event(&mut self, event: &Event, straps: &Straps, recorded: bool) {
        let entry = event.entry(straps);
        let stacked = if straps.lbr_format == 0 { event.addresses(straps) } else { (entry.from, entry.to) };
        let (from, to) = event.linear(straps);
        let pairs = [Pair { from, to }, Pair { from: stacked.0, to: stacked.1 }];
        match event.cause {
            Cause::Branch if recorded && event.certain => self.last = pairs.to_vec(),
            Cause::Branch => add(&mut self.last, &pairs),
            Cause::Interrupt | Cause::Exception => {
                self.copy(recorded);
                // Whether an interruption is the last branch before the next one is open.
                add(&mut self.last, &pairs);
            }
            Cause::Debug => self.copy(false),
            Cause::Smi => {
                self.copy(false);
                add(&mut self.last, &pairs);
            }
            Cause::Rsm => add(&mut self.last, &pairs),
        }
    }

    /// The registers take the last record; without `must`, or keep what they hold.
    fn copy(&mut self, must: bool) {
        if must {
            self.held.clear();
        }
        let last = self.last.clone();
        add(&mut self.held, &last);
    }

    /// The stack was written: any record may be the last one.
    pub(super) fn stack_written(&mut self) {
        self.last = vec![Pair::ANY];
    }

    /// A register may have been written.
    pub(super) fn write(&mut self, source: bool, value: u64) {
        let value = Bits::masked(value, ones(32));
        let written = |pair: &Pair| if source { Pair { from: value, ..*pair } } else { Pair { to: value, ..*pair } };
        let pairs: Vec<Pair> = self.held.iter().map(written).collect();
        add(&mut self.held, &pairs);
    }

    /// Whether a register may be read as `value`; if so, what does not agree is excluded from now on.
    pub(super) fn read(&mut self, source: bool, value: u64) -> bool {
        let field = |pair: &Pair| if source { pair.from } else { pair.to };
        if !self.held.iter().any(|pair| field(pair).allows(value)) {
            return false;
        }
        self.held.retain(|pair| field(pair).allows(value));
        for pair in &mut self.held {
            *(if source { &mut pair.from } else { &mut pair.to }) = Bits::exact(value);
        }
        true
    }

    /// Returns what a register may hold, each value if it is known.
    pub(super) fn known(&self, source: bool) -> impl Iterator<Item = Option<u64>> {
        self.held.iter().map(move |pair| if source { pair.from.known() } else { pair.to.known() })
    }

    /// Returns the values that a read may show.
    pub(super) fn expected(&self, source: bool) -> String {
        let text = |pair: &Pair| if source { pair.from.to_string() } else { pair.to.to_string() };
        self.held.iter().map(text).collect::<Vec<_>>().join(" or ")
    }
}

fn add(to: &mut Vec<Pair>, pairs: &[Pair]) {
    for pair in pairs {
        if !to.contains(pair) {
            to.push(*pair);
        }
    }
    if to.len() > MOST {
        *to = vec![Pair::ANY];
    }
}
