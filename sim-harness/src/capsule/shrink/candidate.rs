//! A list of inputs on its way to be a smaller one.

use super::super::input_field::InputField;
use super::super::unit::Unit;
use std::ops::Range;

/// Straps and inputs that fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) straps: Vec<u32>,
    /// Rows up to and with the failure.
    pub(super) rows: Vec<u32>,
    /// The cycle of the failure.
    pub(super) cycle: u64,
}

/// What is made small, the most important first: cycles, inputs that are not idle, straps that are not the default,
/// the sum of all inputs.
pub(super) type Size = [u64; 4];

/// The rows' layout.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) unit: &'static Unit,
    pub(super) words: usize,
    pub(super) fields: Vec<InputField>,
    pub(super) default_straps: Vec<u32>,
}

impl Layout {
    pub(super) fn size(&self, candidate: &Candidate) -> Size {
        let (mut fields, mut sum) = (0, 0_u64);
        let mut before = None;
        for row in candidate.rows.chunks_exact(self.words) {
            for field in &self.fields {
                let value = field.of(row);
                if value != field.neutral_after(before) {
                    fields += 1;
                    sum += u64::from(value);
                }
            }
            before = Some(row);
        }
        [(candidate.rows.len() / self.words) as u64, fields, self.odd_straps(&candidate.straps), sum]
    }

    fn odd_straps(&self, straps: &[u32]) -> u64 {
        let odd = |field: &&crate::lockstep::Field| field.of(straps) != field.of(&self.default_straps);
        self.unit.straps.iter().filter(odd).count() as u64
    }

    pub(super) fn cycles(&self, rows: &[u32]) -> usize {
        rows.len() / self.words
    }

    /// The rows without some of them.
    pub(super) fn without(&self, rows: &[u32], range: Range<usize>) -> Vec<u32> {
        let mut left = Vec::with_capacity(rows.len());
        left.extend_from_slice(&rows[..range.start * self.words]);
        left.extend_from_slice(&rows[range.end * self.words..]);
        left
    }

    /// The rows with these fields idle in some of them; `None` if they are already.
    pub(super) fn neutral(&self, rows: &[u32], range: Range<usize>, fields: &[usize]) -> Option<Vec<u32>> {
        let mut changed = None;
        for cycle in range {
            for field in fields.iter().map(|&at| &self.fields[at]) {
                let now: &[u32] = changed.as_deref().unwrap_or(rows);
                let before = cycle.checked_sub(1).map(|before| &now[before * self.words..][..self.words]);
                let neutral = field.neutral_after(before);
                if field.of(&now[cycle * self.words..][..self.words]) != neutral {
                    let rows = changed.get_or_insert_with(|| rows.to_vec());
                    field.set(&mut rows[cycle * self.words..][..self.words], neutral);
                }
            }
        }
        changed
    }

    /// Fields of a row that are not idle.
    pub(super) fn set_fields(&self, rows: &[u32], cycle: usize) -> Vec<usize> {
        let row = &rows[cycle * self.words..][..self.words];
        let before = cycle.checked_sub(1).map(|before| &rows[before * self.words..][..self.words]);
        let set = |at: &usize| self.fields[*at].of(row) != self.fields[*at].neutral_after(before);
        (0..self.fields.len()).filter(set).collect()
    }
}
