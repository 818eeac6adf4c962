//! What a capsule needs to know of a unit.

use crate::lockstep::{Batch, Field, Flow, Producer};
use crate::rtl::BuildId;
use std::fmt::Debug;

use super::rows::RowReader;

/// A hardware unit with a model, as far as capsules are concerned.
#[derive(Debug)]
pub struct Unit {
    /// Its name in the table of builds.
    pub name: &'static str,
    /// Its outputs and registers.
    pub fields: &'static [Field],
    /// The straps, and which words are their defaults.
    pub straps: &'static [Field],
    /// The straps' defaults.
    pub default_straps: fn() -> Vec<u32>,
    /// The inputs of a build.
    pub inputs: fn(BuildId) -> Vec<InputField>,
    /// The model of a build, at reset. The error says which rule the straps break.
    pub model: MakeModel,
}

/// Makes the model of a build with these straps. The error says which rule the straps break.
pub type MakeModel = fn(BuildId, &[u32]) -> Result<Box<dyn Model>, String>;

/// Every unit.
pub(super) const UNITS: &[&Unit] = &[&crate::lwp::capsule::UNIT];

/// An input in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputField {
    /// Its name in the contract.
    pub name: String,
    /// Fields with the same number belong together: a lane, the memory port.
    pub group: usize,
    /// The word that holds its lowest bit.
    pub word: usize,
    /// Its lowest bit in that word.
    pub lsb: u32,
    /// 1 to 32 bits, all in one word: 64-bit inputs are two fields.
    pub width: u32,
    /// What it is when nothing happens.
    pub neutral: Neutral,
    /// A number on which it may depend how long a run takes: counters and sizes that memory or an operation brings.
    pub steers: bool,
}

/// An input when nothing happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Neutral {
    /// It is this.
    Is(u32),
    /// It stays what it was in the cycle before: modes.
    Stays,
}

impl InputField {
    fn mask(&self) -> u32 {
        u32::MAX >> (32 - self.width) << self.lsb
    }

    /// Its value in a row.
    #[must_use]
    pub fn of(&self, row: &[u32]) -> u32 {
        (row[self.word] & self.mask()) >> self.lsb
    }

    /// Puts a value into a row.
    pub fn set(&self, row: &mut [u32], value: u32) {
        row[self.word] = row[self.word] & !self.mask() | value << self.lsb & self.mask();
    }

    /// What it is when nothing happens after the row `before`.
    #[must_use]
    pub fn neutral_after(&self, before: Option<&[u32]>) -> u32 {
        match (self.neutral, before) {
            (Neutral::Is(value), _) => value,
            (Neutral::Stays, Some(before)) => self.of(before),
            (Neutral::Stays, None) => 0,
        }
    }
}

/// Inputs and what the model showed under them, row after row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// Rows of inputs.
    pub inputs: Vec<u32>,
    /// Rows of outputs and registers.
    pub expected: Vec<u32>,
    /// The first cycle whose inputs broke a rule of the ports, and the rule.
    pub broken: Option<(u64, &'static str)>,
}

/// How much of a core and a memory is put between a list of inputs and the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drive {
    /// None: the inputs are played as they are.
    Raw,
    /// A core that waits where the contract asks it to, and drops what answers nothing.
    Polite,
    /// In addition, a memory that answers at once, with what was learnt.
    Prompt,
}

/// The model of a unit behind rows of words.
pub trait Model: Send + Debug {
    /// One cycle: writes what outputs and registers are into `expected`, then lets the model take `inputs`.
    fn cycle(&mut self, inputs: &[u32], expected: &mut [u32]);

    /// The first cycle whose inputs broke a rule of the ports, and the rule.
    fn broken(&self) -> Option<(u64, &'static str)>;

    /// Remembers what the memory answers in rows from reset on, for [`Drive::Prompt`].
    fn learn(&mut self, rows: &[u32]);

    /// Plays rows from reset on. False: it took more than `limit` cycles, and `into` is not whole.
    fn drive(&mut self, rows: &[u32], how: Drive, limit: usize, into: &mut Played) -> bool;
}

/// The rows of a capsule and the model under them.
#[derive(Debug)]
pub(super) struct CapsuleProducer<'a> {
    rows: RowReader<'a>,
    model: Box<dyn Model>,
    fields: Vec<InputField>,
    last: Vec<u32>,
}

impl<'a> CapsuleProducer<'a> {
    /// `model` is at reset, `fields` are its inputs.
    pub(super) fn new(rows: RowReader<'a>, model: Box<dyn Model>, fields: Vec<InputField>) -> Self {
        Self { rows, model, fields, last: Vec::new() }
    }

    /// Goes on after the last row with cycles in which nothing comes in: at most `count` of them, and as many as there is room for.
    pub(super) fn idle(&mut self, batch: &mut Batch, count: u64) {
        let before = Some(&self.last[..]).filter(|last| !last.is_empty());
        let values: Vec<u32> = self.fields.iter().map(|field| field.neutral_after(before)).collect();
        for _ in 0..count {
            let Some(row) = batch.push() else { break };
            row.inputs.fill(0);
            self.fields.iter().zip(&values).for_each(|(field, &value)| field.set(row.inputs, value));
            self.model.cycle(row.inputs, row.expected);
        }
    }
}

impl Producer for CapsuleProducer<'_> {
    fn fill(&mut self, batch: &mut Batch) -> Flow {
        let mut flow = Flow::More;
        while batch.room() > 0 {
            // A capsule's rows were all read when it was loaded.
            let Ok(Some(inputs)) = self.rows.next_row() else {
                flow = Flow::End;
                break;
            };
            let Some(row) = batch.push() else { break };
            row.inputs.copy_from_slice(inputs);
            self.model.cycle(inputs, row.expected);
        }
        if let Some(last) = batch.cycles().checked_sub(1) {
            self.last.clear();
            self.last.extend_from_slice(batch.input_row(last));
        }
        if self.rows.left() == 0 { Flow::End } else { flow }
    }
}
