//! Where the feeder gets its instructions.

use crate::traces::{ProgramMap, Retired, TraceError};
use std::collections::HashMap;

/// A supply of retired instructions, annotated with misses and predictions.
pub trait Instructions {
    /// Reads the next instruction, which is then [present](Self::present). `Ok(false)` at the end.
    ///
    /// # Errors
    /// If the trace cannot be read further. It is not asked again then.
    fn advance(&mut self) -> Result<bool, TraceError>;

    /// The instruction that was read last. Before the first and behind the last it has no meaning.
    fn present(&self) -> &Retired;

    /// Returns the names of addresses, if there are any.
    fn symbols(&self) -> Option<&ProgramMap> {
        None
    }
}

/// Instructions from memory, for tests and benches. A program executes the same instructions again and again: what is equal is
/// kept once, so that a long list stays in a cache.
#[derive(Clone, Debug, Default)]
pub struct ReplayList {
    /// Those that differ. The first stands before the beginning.
    distinct: Vec<Retired>,
    /// Places of all, in order.
    list: Vec<u32>,
    /// The one that comes next.
    at: usize,
    rounds: u64,
    /// Place of the present one.
    present: u32,
}

impl ReplayList {
    /// The instructions in order, the whole list `rounds` times.
    #[must_use]
    pub fn new(list: Vec<Retired>, rounds: u64) -> Self {
        let mut places: HashMap<u64, Vec<u32>> = HashMap::new();
        let mut distinct = vec![Retired::default()];
        let list = list.into_iter().map(|retired| {
            let same = places.entry(retired.ip).or_default();
            let known = same.iter().copied().find(|&place| distinct[place as usize] == retired);
            known.unwrap_or_else(|| {
                let place = distinct.len() as u32;
                same.push(place);
                distinct.push(retired);
                place
            })
        });
        Self { list: list.collect(), distinct, rounds, ..Self::default() }
    }
}

impl Instructions for ReplayList {
    #[inline]
    fn advance(&mut self) -> Result<bool, TraceError> {
        if self.at == self.list.len() {
            self.rounds = self.rounds.saturating_sub(1);
            if self.rounds > 0 {
                self.at = 0;
            }
        }
        if self.rounds == 0 || self.list.is_empty() {
            return Ok(false);
        }
        self.present = self.list[self.at];
        self.at += 1;
        Ok(true)
    }

    #[inline]
    fn present(&self) -> &Retired {
        &self.distinct[self.present as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traces::Load;

    #[test]
    fn a_list_comes_as_often_as_it_is_asked_for() {
        let list: Vec<_> = (1..=2).map(|ip| Retired { ip, ..Retired::default() }).collect();
        for (rounds, expected) in [(0, vec![]), (1, vec![1, 2]), (2, vec![1, 2, 1, 2])] {
            let mut replay = ReplayList::new(list.clone(), rounds);
            let mut ips = Vec::new();
            while replay.advance().unwrap() {
                ips.push(replay.present().ip);
            }
            assert_eq!(ips, expected);
            assert!(!replay.advance().unwrap(), "it stays over");
        }
        assert!(!ReplayList::new(Vec::new(), 5).advance().unwrap());
    }

    #[test]
    fn what_is_equal_is_kept_once() {
        let at = |ip| Retired { ip, cpl: 3, ..Retired::default() };
        let load = Retired { loads: vec![Load { addr: Some(4), size: 8, ..Load::default() }], ..at(1) };
        let list = vec![at(1), at(2), load.clone(), at(1), load, at(2)];
        let mut replay = ReplayList::new(list.clone(), 1);
        for expected in &list {
            assert!(replay.advance().unwrap());
            assert_eq!(replay.present(), expected);
        }
        assert!(!replay.advance().unwrap());
        assert_eq!(replay.distinct.len(), 4);
    }
}
