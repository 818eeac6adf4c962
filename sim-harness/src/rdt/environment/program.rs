//! Programs: what a logical processor accesses behind its first-level cache, and when.

use crate::core::Instructions;
use crate::traces::{Retired, TraceError};
use std::collections::VecDeque;

/// Access of a program to a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// Cycles that the program needs from the end of the access before this one.
    pub gap: u64,
    /// Address of a byte of the line in the program's memory: the lowest 48 bits count.
    pub addr: u64,
    /// Whether it writes.
    pub write: bool,
    /// Whether it fetches code.
    pub code: bool,
}

/// Source of the accesses of a logical processor.
pub trait Program {
    /// Returns the next access; `None` at the end, and in every later call.
    ///
    /// # Errors
    /// If a trace cannot be read further. It is not asked again then.
    fn next(&mut self) -> Result<Option<Access>, TraceError>;

    /// Ends the program here.
    fn stop(&mut self);
}

impl<P: Program + ?Sized> Program for Box<P> {
    fn next(&mut self) -> Result<Option<Access>, TraceError> {
        (**self).next()
    }

    fn stop(&mut self) {
        (**self).stop();
    }
}

/// Program of a trace. Up to `lanes` instructions begin every `spacing` cycles. An instruction fetches its lines where they are not those
/// of the instruction before it, then loads, then stores. What crosses the end of a line is an access for each line.
#[derive(Debug)]
pub struct Traced<I> {
    instructions: I,
    lanes: u64,
    spacing: u64,
    /// Bytes of a line are 2 to this power.
    line: u32,
    /// Accesses of the present instruction that are left.
    left: VecDeque<Access>,
    /// Line that was fetched last.
    fetched: Option<u64>,
    retired: u64,
    /// Cycles in which the program could have run up to the access before, if memory took no time.
    clock: u64,
    ended: bool,
}

impl<I: Instructions> Traced<I> {
    /// Returns the program of a trace, with lines of 2^`line` bytes.
    #[must_use]
    pub fn new(instructions: I, lanes: usize, spacing: u64, line: u8) -> Self {
        Self {
            instructions,
            lanes: lanes.max(1) as u64,
            spacing: spacing.max(1),
            line: line.into(),
            left: VecDeque::new(),
            fetched: None,
            retired: 0,
            clock: 0,
            ended: false,
        }
    }

    /// Returns the source of the instructions.
    #[must_use]
    pub const fn instructions(&self) -> &I {
        &self.instructions
    }

    /// Returns the source of the instructions, and ends the program.
    #[must_use]
    pub fn into_instructions(self) -> I {
        self.instructions
    }

    /// Returns the number of instructions that have begun.
    #[must_use]
    pub const fn retired(&self) -> u64 {
        self.retired
    }

    /// Makes the accesses of the present instruction.
    fn split(&mut self) {
        let Self { instructions, left, fetched, .. } = self;
        let line = self.line;
        let lines = |addr: u64, size: u64| {
            let last = addr.wrapping_add(size.max(1) - 1) >> line;
            let first = addr >> line;
            // Addresses wrap at the end of the address space.
            let count = last.wrapping_sub(first) & (u64::MAX >> line);
            (0..=count).map(move |n| (first + n) & (u64::MAX >> line))
        };
        let Retired { ip, length, loads, stores, .. } = instructions.present();
        for number in lines(*ip, (*length).into()) {
            if *fetched != Some(number) {
                left.push_back(Access { addr: number << line, code: true, ..Access::default() });
                *fetched = Some(number);
            }
        }
        for (addr, size) in loads.iter().filter_map(|load| Some((load.addr?, load.size))) {
            left.extend(lines(addr, size.into()).map(|n| Access { addr: n << line, ..Access::default() }));
        }
        for store in stores {
            let write = |n| Access { addr: n << line, write: true, ..Access::default() };
            left.extend(lines(store.addr, store.size.into()).map(write));
        }
    }
}

impl<I: Instructions> Program for Traced<I> {
    fn next(&mut self) -> Result<Option<Access>, TraceError> {
        let before = self.clock;
        loop {
            if let Some(access) = self.left.pop_front() {
                return Ok(Some(Access { gap: self.clock - before, ..access }));
            }
            if self.ended {
                return Ok(None);
            }
            match self.instructions.advance() {
                Ok(true) => {}
                other => {
                    self.ended = true;
                    return other.map(|_| None);
                }
            }
            self.clock = (self.retired / self.lanes).saturating_mul(self.spacing);
            self.retired += 1;
            self.split();
        }
    }

    fn stop(&mut self) {
        self.left.clear();
        self.ended = true;
    }
}
