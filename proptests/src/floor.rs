//! Floors and ceilings of what the cases of a property contained. A property would hold trivially if its cases contained nothing to
//! check.

/// Smallest expected count to which a floor applies. A smaller count could fall below its floor by chance.
const LEAST_EXPECTED: u64 = 8;

/// Counts of what the cases of a property contained.
#[derive(Debug)]
pub struct Floors<'a> {
    /// Name of the test.
    pub test: &'a str,
    /// Number of cases.
    pub cases: u64,
    /// Names, counts, and what was measured in 1000 cases.
    pub counts: &'a [(&'a str, u64, u64)],
}

impl Floors<'_> {
    /// Checks that each count is at least a quarter of what the measured rate leads to expect. Prints which counts have no
    /// floor because too few cases ran.
    ///
    /// # Panics
    ///
    /// If a count is too small.
    pub fn check(&self) {
        let Self { test, cases, counts } = self;
        let expected = |rate: u64| rate.saturating_mul(*cases) / 1000;
        type Counts<'a> = Vec<&'a (&'a str, u64, u64)>;
        let (without, with): (Counts<'_>, Counts<'_>) =
            counts.iter().partition(|(_, _, rate)| expected(*rate) < LEAST_EXPECTED);
        if !without.is_empty() {
            let names: Vec<&str> = without.iter().map(|(name, ..)| *name).collect();
            println!("{test}: {cases} cases are too few for the floors of {}: not applied", names.join(", "));
        }
        for (name, count, rate) in with {
            let least = expected(*rate) / 4;
            assert!(*count >= least, "{test}: only {count} {name} in {cases} cases, expected at least {least}");
        }
    }
}

/// Checks that a count is at most a quarter more than what the rate measured in 1000 cases leads to expect, and a margin for few
/// cases.
///
/// # Panics
///
/// If the count is too large.
pub fn ceiling(test: &str, cases: u64, (name, count, rate): (&str, u64, u64)) {
    let most = rate.saturating_mul(cases) * 5 / 4000 + 2 * LEAST_EXPECTED;
    assert!(count <= most, "{test}: {count} {name} in {cases} cases, expected at most {most}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;

    #[test]
    fn what_is_too_rare_fails_unless_few_cases_ran() {
        let check = |cases, count| Floors { test: "t", cases, counts: &[("things", count, 100)] }.check();
        check(1, 0);
        check(79, 0);
        check(80, 2);
        check(1000, 25);
        for (cases, count) in [(80, 1), (1000, 24), (2000, 0)] {
            assert!(catch_unwind(|| check(cases, count)).is_err(), "{count} in {cases}");
        }
    }

    #[test]
    fn what_is_too_common_fails() {
        ceiling("t", 1000, ("things", 141, 100));
        assert!(catch_unwind(|| ceiling("t", 1000, ("things", 142, 100))).is_err());
    }
}
