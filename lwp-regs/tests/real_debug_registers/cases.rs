//! Random breakpoints and accesses, and how a failing one is repeated.

use super::instructions::{ALL, Instruction};
use super::machine::{Step, border};
use lwp_regs::debug::{Breakpoint, BreakpointLimits, BreakpointSet, DebugCaps, Length, Slot};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

/// Bytes on either side of the border of the pages in which breakpoints and accesses are; a multiple of 8.
const AROUND: u64 = 96;

/// Seed of the first case if `LWP_SEED` does not say.
const DEFAULT_SEED: u64 = 2007;

/// Where a breakpoint is.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// Before the instruction.
    Start,
    /// Behind the instruction.
    End,
    /// In the instruction.
    Within,
    Write(u64, Length),
    ReadWrite(u64, Length),
}

/// One case. Addresses count from [`border`]` - AROUND`.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    breakpoints: [Option<Place>; Slot::COUNT],
    pub(crate) instruction: &'static Instruction,
    rdi: u64,
    rsi: u64,
    rcx: u64,
}

fn base() -> u64 {
    border() - AROUND
}

impl Case {
    /// The breakpoints, as the builder makes them.
    pub(crate) fn set(&self, end: u64) -> BreakpointSet {
        let limits = BreakpointLimits::new(&DebugCaps::INTEL_64, 0);
        let start = self.instruction.address();
        let mut set = BreakpointSet::new();
        for (slot, place) in Slot::ALL.into_iter().zip(self.breakpoints) {
            let breakpoint = match place {
                None => continue,
                Some(Place::Start) => Breakpoint::execute(start),
                Some(Place::End) => Breakpoint::execute(end),
                Some(Place::Within) => Breakpoint::execute(start + 1),
                Some(Place::Write(offset, length)) => Breakpoint::write(base() + offset, length),
                Some(Place::ReadWrite(offset, length)) => Breakpoint::read_write(base() + offset, length),
            };
            set.set(slot, breakpoint, &limits).expect("an aligned breakpoint in our memory");
        }
        set
    }

    pub(crate) fn step(&self) -> Step {
        let Self { instruction, rdi, rsi, rcx, .. } = *self;
        Step { instruction, rdi: base() + rdi, rsi: base() + rsi, rcx, flags: 0 }
    }
}

/// Cases of the instructions that this processor has and that `wanted` selects.
pub(crate) fn cases(wanted: fn(&Instruction) -> bool) -> impl Strategy<Value = Case> {
    let instructions: Vec<&Instruction> = ALL.iter().filter(|one| wanted(one) && (one.here)()).collect();
    let breakpoints = (place(), proptest::option::of(place()), proptest::option::of(place()), any::<bool>());
    let anywhere = 0..2 * AROUND;
    let near = proptest::option::of(any::<Index>());
    (select(instructions), breakpoints, any::<Index>(), near, anywhere.clone(), anywhere, 0..40_u64).prop_map(
        |(instruction, (first, second, third, again), rotation, near, rdi, rsi, rcx)| {
            let mut breakpoints = [Some(first), second, third, again.then_some(first)];
            breakpoints.rotate_right(rotation.index(Slot::COUNT));
            // Half of the accesses end or begin close to the first breakpoint.
            let reach = if instruction.is_repeated() { rcx } else { u64::from(instruction.bytes) };
            let rdi = match (first, near) {
                (Place::Write(offset, _) | Place::ReadWrite(offset, _), Some(near)) => {
                    (offset + near.index(reach as usize + 10) as u64).saturating_sub(reach + 1)
                }
                _ => rdi,
            };
            let rdi = if instruction.is_locked() { in_one_line(rdi, reach) } else { rdi };
            Case { breakpoints, instruction, rdi, rsi, rcx }
        },
    )
}

/// The offset moved down until so many bytes lie in one line of the cache. A locked access of two lines stops the whole machine; many
/// systems and hosts let whoever does that wait, some for seconds.
fn in_one_line(offset: u64, bytes: u64) -> u64 {
    const LINE: u64 = 64;
    let beyond = ((base() + offset) % LINE + bytes).saturating_sub(LINE);
    offset - beyond
}

fn place() -> impl Strategy<Value = Place> {
    let length = select(vec![Length::One, Length::Two, Length::Four, Length::Eight]);
    let data = (0..2 * AROUND, length).prop_map(|(offset, length)| (offset & !(length.bytes() - 1), length));
    prop_oneof![
        8 => data.clone().prop_map(|(offset, length)| Place::Write(offset, length)),
        8 => data.prop_map(|(offset, length)| Place::ReadWrite(offset, length)),
        1 => Just(Place::Start),
        1 => Just(Place::End),
        1 => Just(Place::Within),
    ]
}

/// Checks `property` on `default` cases. `LWP_SEED` sets the seed of the first, `LWP_CASES` the number of cases: case n is
/// drawn from seed + n alone, so a failing case is repeated by its own seed. Returns how many there were.
pub(crate) fn check(
    name: &str,
    default: u64,
    strategy: &impl Strategy<Value = Case>,
    mut property: impl FnMut(&Case) -> Result<(), String>,
) -> u64 {
    let first = setting("LWP_SEED").unwrap_or(DEFAULT_SEED);
    let cases = setting("LWP_CASES").unwrap_or(default);
    for seed in (0..cases).map(|case| first.wrapping_add(case)) {
        if let Err((reason, case)) = run(seed, strategy, &mut property) {
            panic!(
                "{name}: {reason}\nshrunk case: {case:x?}\n\nrepeat with: LWP_SEED={seed} LWP_CASES=1 cargo test -p \
                 lwp-regs --test suite -- --exact real_debug_registers::{name}",
            );
        }
    }
    cases
}

fn run(
    seed: u64,
    strategy: &impl Strategy<Value = Case>,
    property: &mut impl FnMut(&Case) -> Result<(), String>,
) -> Result<(), (String, Case)> {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let config = Config { cases: 1, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes));
    let tree = strategy.new_tree(&mut runner).expect("a strategy that rejects nothing");
    // Most cases pass; `run_one`, which shrinks, comes in for those that do not.
    let Err(first) = property(&tree.current()) else {
        return Ok(());
    };
    let property = std::cell::RefCell::new(property);
    match runner.run_one(tree, |case| property.borrow_mut()(&case).map_err(TestCaseError::fail)) {
        Err(TestError::Fail(reason, case)) => Err((reason.to_string(), case)),
        _ => panic!("seed {seed} failed several times, and passed when it was repeated: {first}"),
    }
}

fn setting(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} must be a number, but is `{text}`")))
}
