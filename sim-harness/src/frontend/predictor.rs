//! The default branch predictor: three tables.

use super::{BranchPredictor, FrontEndConfig};
use crate::traces::{Branch, BranchKind};

/// Longest x86 instruction: a call returns at most this many bytes after its own address.
const MAX_INSTRUCTION: u64 = 15;

/// A two-bit counter that says "taken", but is not yet sure.
const WEAKLY_TAKEN: u8 = 2;

/// What was last seen at an address.
#[derive(Clone, Copy, Debug, Default)]
struct Target {
    ip: u64,
    next: u64,
}

/// Conditional branches: gshare, which indexes two-bit counters by address and recent outcomes.
/// Indirect and far ones: the target of the last time, by address. Returns: a stack of calls.
/// Direct unconditional ones are always right.
#[derive(Clone, Debug)]
pub struct TablePredictor {
    counters: Vec<u8>,
    history: u64,
    history_mask: u64,
    targets: Vec<Target>,
    /// Addresses of calls, as a ring: what is deeper than it is forgotten.
    calls: Vec<u64>,
    depth: usize,
}

impl TablePredictor {
    /// A predictor that has seen nothing. The configuration must be
    /// [valid](FrontEndConfig::validate).
    #[must_use]
    pub fn new(config: &FrontEndConfig) -> Self {
        Self {
            counters: vec![WEAKLY_TAKEN; config.conditional_entries as usize],
            history: 0,
            history_mask: (1 << config.history_bits) - 1,
            targets: vec![Target::default(); config.indirect_entries as usize],
            calls: vec![0; config.return_entries as usize],
            depth: 0,
        }
    }

    fn conditional(&mut self, ip: u64, taken: bool) -> bool {
        let index = (ip ^ self.history) as usize & (self.counters.len() - 1);
        let counter = &mut self.counters[index];
        let right = (*counter >= WEAKLY_TAKEN) == taken;
        *counter = if taken { (*counter + 1).min(3) } else { counter.saturating_sub(1) };
        self.history = (self.history << 1 | u64::from(taken)) & self.history_mask;
        right
    }

    fn indirect(&mut self, ip: u64, next: u64) -> bool {
        let index = ip as usize & (self.targets.len() - 1);
        let known = std::mem::replace(&mut self.targets[index], Target { ip, next });
        known.ip == ip && known.next == next
    }

    fn call(&mut self, ip: u64) {
        let place = self.depth % self.calls.len();
        self.calls[place] = ip;
        self.depth = self.depth.wrapping_add(1);
    }

    /// Traces do not tell how long a call is, so a return is right if it goes to where a call from
    /// the address on top of the stack can have ended.
    fn ret(&mut self, next: u64) -> bool {
        self.depth = self.depth.wrapping_sub(1);
        let place = self.depth % self.calls.len();
        let call = std::mem::take(&mut self.calls[place]);
        call != 0 && (1..=MAX_INSTRUCTION).contains(&next.wrapping_sub(call))
    }
}

impl BranchPredictor for TablePredictor {
    #[inline]
    fn predict(&mut self, ip: u64, branch: &Branch) -> bool {
        match branch.kind {
            BranchKind::Jmp | BranchKind::System => true,
            BranchKind::Jcc => self.conditional(ip, branch.taken),
            BranchKind::JmpInd | BranchKind::FarJmp | BranchKind::FarCall | BranchKind::FarRet => {
                self.indirect(ip, branch.next)
            }
            BranchKind::Call => {
                self.call(ip);
                true
            }
            BranchKind::CallInd => {
                self.call(ip);
                self.indirect(ip, branch.next)
            }
            BranchKind::Ret => self.ret(branch.next),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn predictor(history_bits: u32, return_entries: u32) -> TablePredictor {
        TablePredictor::new(&FrontEndConfig { history_bits, return_entries, ..FrontEndConfig::default() })
    }

    fn go(predictor: &mut TablePredictor, ip: u64, kind: BranchKind, taken: bool, next: u64) -> bool {
        predictor.predict(ip, &Branch { kind, taken, next, predicted: None })
    }

    #[test]
    fn a_counter_changes_its_mind_after_two_surprises() {
        let mut predictor = predictor(0, 16);
        let mut jcc = |taken| go(&mut predictor, 0x40, BranchKind::Jcc, taken, 0);
        assert!(jcc(true), "begins weakly taken, is now strongly");
        assert!(!jcc(false));
        assert!(!jcc(false), "was still weakly taken");
        assert!(jcc(false), "now not taken");
        assert!(!jcc(true), "and needs two to change again");
        assert!(!jcc(true));
        assert!(jcc(true));
    }

    #[test]
    fn history_learns_a_pattern_that_a_counter_cannot() {
        let alternating = |history_bits| {
            let mut predictor = predictor(history_bits, 16);
            (0..40).filter(|round| !go(&mut predictor, 0x40, BranchKind::Jcc, round % 2 == 0, 0)).count()
        };
        assert_eq!(alternating(0), 20, "weakly taken, strongly taken, weakly taken: every second one is wrong");
        assert!(alternating(4) <= 3, "the first few fill the tables");
    }

    #[test]
    fn an_indirect_branch_goes_where_it_went_last() {
        let mut predictor = predictor(0, 16);
        for kind in [BranchKind::JmpInd, BranchKind::CallInd, BranchKind::FarJmp] {
            let ip = 0x40 * kind as u64;
            assert!(!go(&mut predictor, ip, kind, true, 0x100), "never seen");
            assert!(go(&mut predictor, ip, kind, true, 0x100));
            assert!(!go(&mut predictor, ip, kind, true, 0x200));
            assert!(go(&mut predictor, ip, kind, true, 0x200));
        }
    }

    #[test]
    fn a_return_goes_behind_its_call_if_the_stack_is_deep_enough() {
        let mut predictor = predictor(0, 2);
        assert!(!go(&mut predictor, 0x900, BranchKind::Ret, true, 5), "nobody called");
        for call in [0x100, 0x200, 0x300] {
            assert!(go(&mut predictor, call, BranchKind::Call, true, 0x900));
        }
        assert!(go(&mut predictor, 0x900, BranchKind::Ret, true, 0x305));
        assert!(go(&mut predictor, 0x900, BranchKind::Ret, true, 0x205));
        assert!(!go(&mut predictor, 0x900, BranchKind::Ret, true, 0x105), "0x300 took the place of 0x100");
        assert!(go(&mut predictor, 0x100, BranchKind::Call, true, 0x900));
        assert!(!go(&mut predictor, 0x900, BranchKind::Ret, true, 0x110), "no call is 16 bytes long");
    }
}
