//! The command line.

use clap::Parser;
use proptests::unit::{Checks, default_name, find, folder, units};
use sim_harness::rtl::BuildId;
use std::path::PathBuf;
use std::thread;

/// Plays random cases to the model and to the RTL and compares every register in every cycle.
///
/// Every case is a function of the seed and its number: straps (every other case from a set in which every two values of two
/// straps meet), and what software and the processor around the unit do, rule or no rule. The state of the run is written to a file, from which the same command goes on; Ctrl-C and SIGTERM stop it in good order.
///
/// With LWP_STEER=FILE the cases try what the counts in that file say is rare (see `coverage`).
///
/// Exit code: 0 all cycles agree, 1 a case does not, 2 wrong arguments or files, 130 stopped before the end.
#[derive(Debug, Parser)]
#[command(name = "soak", version, after_help = "Example: soak --cycles 1e9 --jobs 16")]
pub(crate) struct Args {
    /// The unit
    #[arg(long, default_value = default_name())]
    unit: String,
    /// Cycles that are to agree in all, those of earlier parts of the run included; 1e9 and 1_000_000 are understood
    #[arg(long, default_value = "1e9", value_parser = number)]
    pub(crate) cycles: u64,
    /// Threads [default: one for each core]
    #[arg(long)]
    jobs: Option<usize>,
    /// Seed of the run
    #[arg(long, default_value_t = 2007)]
    pub(crate) seed: u64,
    /// Builds of the RTL, by name [default: all that were compiled in]
    #[arg(long, value_delimiter = ',')]
    builds: Vec<String>,
    /// Where the state of the run is kept [default: target/soak/state.json; for another unit than the first
    /// target/soak/UNIT/state.json]
    #[arg(long)]
    state: Option<PathBuf>,
    /// Begin anew whatever the state says
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Play one case alone, and if it does not agree make it as small as it can be
    #[arg(long)]
    pub(crate) case: Option<u64>,
    /// No progress bar
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

impl Args {
    pub(crate) fn jobs(&self) -> usize {
        self.jobs.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from))
    }

    /// The unit that was asked for.
    pub(crate) fn unit(&self) -> Result<&'static dyn Checks, String> {
        find(&self.unit)
    }

    /// The file of the state.
    pub(crate) fn state(&self) -> PathBuf {
        self.state.clone().unwrap_or_else(|| {
            let unit = self.unit().unwrap_or(units()[0]);
            folder(unit, "target/soak").join("state.json")
        })
    }

    /// The builds that were asked for.
    pub(crate) fn builds(&self) -> Result<Vec<BuildId>, String> {
        let all: Vec<_> = BuildId::of_unit(self.unit()?.name()).collect();
        if self.builds.is_empty() {
            return Ok(all);
        }
        let names: Vec<&str> = all.iter().map(|build| build.name()).collect();
        let find = |name: &String| {
            all.iter().find(|build| build.name() == name).copied().ok_or_else(|| {
                format!(
                    "there is no build \"{name}\" here; there are {}, more with --features all-sizes",
                    names.join(", ")
                )
            })
        };
        self.builds.iter().map(find).collect()
    }

    /// What repeats the choice of unit and builds, with a space before it; nothing if the defaults were meant.
    pub(crate) fn build_option(&self) -> String {
        let unit = if self.unit == default_name() { String::new() } else { format!(" --unit {}", self.unit) };
        if self.builds.is_empty() { unit } else { format!("{unit} --builds {}", self.builds.join(",")) }
    }
}

/// A whole number, with underscores or an exponent.
fn number(text: &str) -> Result<u64, String> {
    let plain = text.replace('_', "");
    let (digits, exponent) = plain.split_once(['e', 'E']).unwrap_or((&plain, "0"));
    let parse = || Some((digits.parse::<u64>().ok()?, exponent.parse::<u32>().ok()?));
    parse()
        .and_then(|(digits, exponent)| digits.checked_mul(10_u64.checked_pow(exponent)?))
        .ok_or_else(|| format!("`{text}` is not a whole number like 1000000, 1_000_000 or 1e6"))
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers() {
        assert_eq!(number("1e9"), Ok(1_000_000_000));
        assert_eq!(number("10_000"), Ok(10_000));
        assert_eq!(number("25E3"), Ok(25_000));
        for text in ["", "ten", "1e99", "-1", "1.5e3"] {
            assert!(number(text).is_err(), "{text}");
        }
    }
}
