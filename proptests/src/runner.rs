//! Runs a property over many cases, each from a seed of its own, and prints the command that repeats a failure.

use crate::capsule;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, Reason, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use sim_harness::tier::Tier;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Seed of the first case if `LWP_SEED` is not set.
pub const DEFAULT_SEED: u64 = 2007;

/// Environment variable that names the counts to steer by, for a unit whose cases can be steered.
pub const STEER: &str = "LWP_STEER";

/// Returns the prefix of a command that repeats a case, so that the case is steered as this one is.
#[must_use]
pub fn prefix() -> String {
    std::env::var(STEER).map_or_else(|_| String::new(), |name| format!("{STEER}={name} "))
}

/// Returns the number of cases of a property in this run: `LWP_CASES`, or that of the [tier](Tier).
///
/// # Panics
///
/// If `LWP_CASES` is not a number or 0, which would check nothing, or if `LWP_TIER` names no tier.
#[must_use]
pub fn cases() -> u64 {
    let cases = setting("LWP_CASES").unwrap_or_else(|| Tier::get().pick(600, 600, 20_000));
    assert_ne!(cases, 0, "LWP_CASES is 0: nothing would be checked");
    cases
}

/// Returns the seed of the first case: `LWP_SEED`, or [`DEFAULT_SEED`].
///
/// # Panics
///
/// If `LWP_SEED` is not a number.
#[must_use]
pub fn first_seed() -> u64 {
    setting("LWP_SEED").unwrap_or(DEFAULT_SEED)
}

/// Checks `property` on cases that `strategy` generates, and returns the number of cases. `name` is the name of the test, `target` the
/// module of its file in `tests/`.
///
/// `LWP_SEED` sets the seed of the first case, `LWP_CASES` the number of cases: case n is drawn from seed + n alone, so a
/// failing case is repeated by its own seed.
///
/// # Panics
///
/// With the shrunk case, its reason and the command that repeats it, if the property fails; with the reason and the command if a
/// case is aborted, because none could be drawn.
pub fn check<S>(target: &str, name: &str, strategy: &S, property: impl Fn(&S::Value) -> Result<(), String>) -> u64
where
    S: Strategy,
    S::Value: Debug,
{
    let first = first_seed();
    let cases = cases();
    for case in 0..cases {
        let seed = first.wrapping_add(case);
        let Err(error) = run_case(seed, strategy, &property) else { continue };
        let steered = prefix();
        let repeat = format!(
            "{steered}LWP_SEED={seed} LWP_CASES=1 cargo test --release -p proptests --test suite -- --exact {target}::{name}"
        );
        match error {
            TestError::Abort(reason) => {
                panic!("{name}: the case of seed {seed} was aborted: {reason}\n\nrepeat with: {repeat}");
            }
            TestError::Fail(reason, value) => {
                note(&property, &value);
                let path = capsule::folder().join(format!("{target}-{name}-{seed}.capsule"));
                let saved = capsule::save(&path, &format!("proptests {target}::{name}"), &repeat, &[("case", seed)]);
                panic!(
                    "{name}: {reason}\n\nshrunk case (what is false, 0 or None is left out):\n{}\n\nrepeat with: {repeat}{}",
                    tidy(&value),
                    capsule::advice(saved)
                );
            }
        }
    }
    cases
}

/// Runs a failing case again, so that its property's [note](capsule::note) is about this case.
fn note<V>(property: &impl Fn(&V) -> Result<(), String>, value: &V) {
    capsule::forget();
    // It failed before, by an error or by a panic; both were told.
    let _ = catch_unwind(AssertUnwindSafe(|| property(value)));
}

fn run_case<S>(
    seed: u64,
    strategy: &S,
    property: impl Fn(&S::Value) -> Result<(), String>,
) -> Result<(), TestError<S::Value>>
where
    S: Strategy,
    S::Value: Debug,
{
    let mut runner = test_runner(seed);
    let tree = strategy.new_tree(&mut runner).map_err(TestError::Abort)?;
    match runner.run_one(tree, |value| property(&value).map_err(TestCaseError::fail))? {
        true => Ok(()),
        false => Err(TestError::Abort(Reason::from("the case was rejected"))),
    }
}

fn test_runner(seed: u64) -> TestRunner {
    let config = Config { cases: 1, failure_persistence: None, max_shrink_iters: 4000, ..Config::default() };
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
}

/// Returns the case of this seed.
///
/// # Panics
///
/// If the strategy rejects a case; the strategies of this crate do not.
pub fn draw<S: Strategy>(seed: u64, strategy: &S) -> S::Value {
    let tree = strategy.new_tree(&mut test_runner(seed));
    tree.unwrap_or_else(|reason| panic!("the case of seed {seed} was aborted: {reason}")).current()
}

/// Shrinks the case of this seed, and returns the smallest case that still fails, as text, or the reason why there is none; `None` if
/// the case passes. The property's note for a [capsule] is about the smallest case.
#[must_use]
pub fn shrink<S>(seed: u64, strategy: &S, property: impl Fn(&S::Value) -> Result<(), String>) -> Option<String>
where
    S: Strategy,
    S::Value: Debug,
{
    match run_case(seed, strategy, &property) {
        Err(TestError::Fail(reason, value)) => {
            note(&property, &value);
            Some(format!("{reason}\n\nshrunk case:\n{}", tidy(&value)))
        }
        Err(TestError::Abort(reason)) => Some(format!("the case of seed {seed} was aborted: {reason}")),
        Ok(()) => None,
    }
}

/// Letters of a line, beyond which it continues in the next.
const WIDTH: usize = 120;

/// A value with one line for each field and each list element of the outer two levels, without what says nothing.
fn tidy(value: &impl Debug) -> String {
    let text = format!("{value:#?}");
    let silent = |line: &&str| [": false,", ": 0,", ": None,"].iter().any(|end| line.ends_with(end));
    let mut tidy = String::new();
    for line in text.lines().filter(|line| !silent(line)) {
        let depth = line.len() - line.trim_start().len();
        let closing = line.trim_start().starts_with(['}', ']', ')']);
        if depth <= 8 && !closing {
            tidy.push('\n');
            tidy.push_str(line);
        } else {
            if closing && tidy.ends_with(',') {
                tidy.pop();
            }
            let glued = closing || tidy.ends_with(['(', '[', '{']);
            tidy.push_str(if glued { "" } else { " " });
            tidy.push_str(line.trim_start());
        }
    }
    tidy.lines().map(wrapped).collect::<Vec<_>>().join("\n")
}

/// The line, broken between words where it is too long.
fn wrapped(line: &str) -> String {
    let indent = line.len() - line.trim_start().len();
    let (mut text, mut column) = (" ".repeat(indent), indent);
    for (at, word) in line.split_whitespace().enumerate() {
        if at > 0 && column + 1 + word.len() > WIDTH {
            text.push('\n');
            text.push_str(&" ".repeat(indent + 4));
            column = indent + 4;
        } else if at > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += word.len();
    }
    text
}

/// Returns a number from the environment.
///
/// # Panics
///
/// If the variable is set but not a number.
#[must_use]
pub fn setting(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} must be a number, but is `{text}`")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_the_command_that_repeats_it() {
        let failed = std::panic::catch_unwind(|| {
            check("target", "name", &(0_u32..1000), |&n| if n < 10 { Ok(()) } else { Err(format!("{n} is too much")) });
        });
        let text = *failed.expect_err("the property does not hold").downcast::<String>().expect("a text");
        assert!(text.starts_with("name: 10 is too much"), "shrunk to the least: {text}");
        assert!(
            text.contains("LWP_CASES=1 cargo test --release -p proptests --test suite -- --exact target::name"),
            "{text}"
        );
    }

    #[test]
    fn an_aborted_case_fails() {
        let none = (0_u32..10).prop_filter("a number that there is not", |_| false);
        let failed = std::panic::catch_unwind(|| check("target", "name", &none, |_| Ok(())));
        let text = *failed.expect_err("nothing was checked").downcast::<String>().expect("a text");
        let first = first_seed();
        assert!(text.starts_with(&format!("name: the case of seed {first} was aborted: ")), "{text}");
        assert!(text.contains(&format!("LWP_SEED={first} LWP_CASES=1 cargo test")), "{text}");
        let shrunk = shrink(7, &none, |_| Ok(())).expect("nothing was checked");
        assert!(shrunk.starts_with("the case of seed 7 was aborted: "), "{shrunk}");
        let drawn = std::panic::catch_unwind(|| draw(7, &none));
        let text = *drawn.expect_err("nothing to draw").downcast::<String>().expect("a text");
        assert!(text.starts_with("the case of seed 7 was aborted: "), "{text}");
    }

    #[test]
    fn what_says_nothing_is_left_out() {
        #[derive(Debug)]
        #[allow(dead_code, reason = "only printed")]
        struct Thing {
            on: bool,
            list: Vec<(u8, Option<u8>)>,
            number: u8,
        }
        let thing = Thing { on: false, list: vec![(1, None), (2, Some(3))], number: 4 };
        let tidy = tidy(&thing);
        assert!(!tidy.contains("on:") && tidy.contains("number: 4"), "{tidy}");
        assert!(tidy.contains("Some(3)"), "{tidy}");
    }

    /// A case of a few hundred operations is read by people.
    #[test]
    fn no_line_is_longer_than_a_screen_is_wide() {
        let lists = vec![vec![vec![Some(0x1234_5678_u64); 100]; 3]; 2];
        let text = tidy(&lists);
        assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
        assert_eq!(text.matches("305419896").count(), 600, "nothing is lost");
        assert_eq!(wrapped("  a b"), "  a b");
    }
}
