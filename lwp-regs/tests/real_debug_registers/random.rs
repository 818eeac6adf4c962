//! Random breakpoints and accesses against the prediction.

use super::cases::{Case, cases, check};
use super::instructions::{ALL, Instruction};
use super::machine::{Machine, Stop};
use super::prediction::predict;

/// How many cases there were of each kind, so that a test that shows nothing does not pass.
#[derive(Debug, Default)]
struct Seen {
    none: u64,
    one: u64,
    several: u64,
    /// The child stopped in front of the instruction: before it, or between two repetitions.
    in_front: u64,
    /// A repeated instruction stopped after the iteration that hit, and not at it.
    late: u64,
}

impl Seen {
    fn count(&mut self, case: &Case, stop: &Stop) {
        match stop.hits.bits().count_ones() {
            0 => self.none += 1,
            _ if stop.rip == case.instruction.address() => self.in_front += 1,
            1 => self.one += 1,
            _ => self.several += 1,
        }
    }

    fn assert_all(&self, cases: u64) {
        let least = self.none.min(self.one).min(self.several).min(self.in_front);
        assert!(cases < 1000 || least > cases / 100, "a kind of case is missing: {self:?}");
    }
}

/// Executes `case` and compares.
fn agrees(machine: &mut Machine, case: &Case, seen: &mut Seen) -> Result<(), String> {
    let end = machine.end(case.instruction);
    let (set, step) = (case.set(end), case.step());
    let actual = machine.execute(&set, &step);
    let mut expected = predict(&set, &step, end, 0);
    if case.instruction.is_repeated() && actual.rcx < expected.rcx {
        seen.late += 1;
        expected = predict(&set, &step, end, expected.rcx - actual.rcx);
    }
    seen.count(case, &actual);
    if actual == expected { Ok(()) } else { Err(format!("predicted {expected:x?}, but it is {actual:x?}")) }
}

pub(crate) fn accesses_hit_what_the_rule_says() {
    let lacking: Vec<&Instruction> = ALL.iter().filter(|one| !(one.here)()).collect();
    if !lacking.is_empty() {
        println!("not shown, since this processor lacks them: {lacking:?}");
    }
    let (mut machine, mut seen) = (Machine::new(), Seen::default());
    let once = cases(|one| !one.is_repeated());
    let name = "accesses_hit_what_the_rule_says";
    let cases = check(name, 100_000, &once, |case| agrees(&mut machine, case, &mut seen));
    seen.assert_all(cases);
    println!("{cases} cases: {seen:?}");
}

pub(crate) fn repeated_instructions_stop_where_the_rule_says() {
    let (mut machine, mut seen) = (Machine::new(), Seen::default());
    let name = "repeated_instructions_stop_where_the_rule_says";
    let cases = check(name, 10_000, &cases(Instruction::is_repeated), |case| agrees(&mut machine, case, &mut seen));
    seen.assert_all(cases);
    println!("{cases} cases: {seen:?}");
}
