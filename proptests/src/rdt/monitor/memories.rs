//! The memories of both caches, as their writes make them.

use crate::rdt::Registers;
use lwp_model::rdt::Sizes;

/// A line of either cache. Those of the L2 cache have neither `code` nor `rmid`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The way holds a line.
    pub valid: bool,
    /// It was written, and what is behind was not.
    pub dirty: bool,
    /// The access that filled it fetched code.
    pub code: bool,
    /// RMID to which it is charged.
    pub rmid: u8,
    /// Address / 2^`line`.
    pub line: u64,
    /// 0 for the way that was used last.
    pub age: u8,
}

/// The words of both caches.
#[derive(Clone, Debug)]
pub struct Caches {
    /// The sets of the L3 cache.
    pub l3: Vec<Vec<Line>>,
    /// The sets of the L2 cache.
    pub l2: Vec<Vec<Line>>,
    /// Valid lines of the L3 cache with each RMID.
    pub occupancy: Vec<u32>,
    /// A word was written since this was last set to `false`.
    pub changed: bool,
}

impl Caches {
    /// Empty words, which clear writes.
    #[must_use]
    pub fn new(sizes: Sizes) -> Self {
        let words = |sets: usize, ways: usize| vec![vec![Line::default(); ways]; sets];
        Self {
            l3: words(sizes.l3_sets, sizes.l3_ways),
            l2: words(sizes.l2_sets, sizes.l2_ways),
            occupancy: vec![0; sizes.rmids],
            changed: true,
        }
    }

    /// Takes over what these registers say was written.
    pub fn follow(&mut self, state: &Registers<'_>) {
        if state.l3.written {
            let word = &mut self.l3[usize::from(state.l3.index)];
            for (old, new) in word.iter_mut().zip(l3_word(state)) {
                if old.valid {
                    self.occupancy[usize::from(old.rmid)] -= 1;
                }
                if new.valid {
                    self.occupancy[usize::from(new.rmid)] += 1;
                }
                *old = new;
            }
        }
        if state.l2.written {
            let word = &mut self.l2[usize::from(state.l2.index)];
            word.iter_mut().zip(l2_word(state)).for_each(|(old, new)| *old = new);
        }
        self.changed |= state.l3.written || state.l2.written;
    }
}

/// The word of the L3 memory's output register.
fn l3_word(state: &Registers<'_>) -> impl Iterator<Item = Line> {
    state.l3.line.iter().map(|line| Line {
        valid: line.valid,
        dirty: line.dirty,
        code: line.code,
        rmid: line.rmid,
        line: line.line,
        age: line.age,
    })
}

/// The word of the L2 memory's output register.
fn l2_word(state: &Registers<'_>) -> impl Iterator<Item = Line> {
    let line = |line: &lwp_model::rdt::L2Line| Line {
        valid: line.valid,
        dirty: line.dirty,
        line: line.line,
        age: line.age,
        ..Line::default()
    };
    state.l2.line.iter().map(line)
}
