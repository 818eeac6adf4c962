//! The command line.

use crate::mutant::Class;
use clap::Parser;
use clap::builder::PossibleValuesParser;
use rtl_mutants::family::{Family, UNITS, Unit};
use sim_harness::rtl::BuildId;
use std::path::PathBuf;
use std::thread;

/// Makes mutants of the RTL and plays to each of them the cases of the property tests, until one notices.
///
/// Results are lines of JSON in the output folder, written every few seconds; the same command goes on where it stopped, also with more
/// --cases. If a family of cases has changed only what it found is played again; if the RTL has, everything.
///
/// Survivors that equivalent.csv of verify/mutation/rtl/UNIT names for this code are proven equivalent; with those that proved.csv names a
/// proof fails, which `verify/formal/prove --mutants --recorded` shows.
///
/// Exit code: 0 every mutant is killed, or a proof fails with it, or it is proven equivalent (or enough of them, with --least); 1 not, or one that is proven
/// equivalent is killed; 2 wrong arguments, a missing tool, or RTL that does not pass without a mutant.
#[derive(Debug, Parser)]
#[command(name = "rtl-mutants", version, after_help = "Example: rtl-mutants --sample 100 --seed 7 --cases 200")]
pub(crate) struct Args {
    /// The unit [default: the first one of the harness]
    #[arg(long, value_parser = PossibleValuesParser::new(UNITS.iter().map(|unit| unit.name)))]
    unit: Option<String>,
    /// So many mutants, drawn by the seed [default: all]
    #[arg(long)]
    pub(crate) sample: Option<usize>,
    /// Seed of the sample
    #[arg(long, default_value_t = 2007)]
    pub(crate) seed: u64,
    /// Only these mutants, by id; results are shown, and replace earlier ones
    #[arg(long, value_delimiter = ',')]
    pub(crate) only: Vec<String>,
    /// Only mutants of these modules (lwp_store)
    #[arg(long, value_delimiter = ',')]
    pub(crate) module: Vec<String>,
    /// Only mutants of this class: `change` (of the text), `fault` (of the data path) [default: both]
    #[arg(long)]
    pub(crate) class: Option<Class>,
    /// Cases of each family
    #[arg(long, default_value_t = 2000)]
    pub(crate) cases: u64,
    /// Only cases of these families, which are tests of the unit [default: all]
    #[arg(long, value_delimiter = ',')]
    pub(crate) family: Vec<String>,
    /// Cases after which the survivors are built anew by themselves, which is faster
    #[arg(long, value_delimiter = ',', default_value = "1,5,20,100,400,1000")]
    pub(crate) stages: Vec<u64>,
    /// Cases for the assertions in the RTL, counted apart; 0: not at all
    #[arg(long, default_value_t = 20)]
    pub(crate) assertions: u64,
    /// Least score in percent that is a success; a sample with few cases cannot have 100
    #[arg(long, default_value_t = 100.0)]
    pub(crate) least: f64,
    /// Programs at a time [default: one for each core]
    #[arg(long)]
    jobs: Option<usize>,
    /// Where results and builds are kept, in a folder of the unit
    #[arg(long, default_value = "target/mutants")]
    out: PathBuf,
    /// Begin anew whatever is there
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Only the mutants of the unit's sample.csv, each with the one case that kills it; exit code 1 if one lives or dies elsewhere
    #[arg(long)]
    pub(crate) held: bool,
    /// Write the list anew: mutants that their case no longer kills play --cases of each family; exit code 1 if one lives
    #[arg(long, requires = "held")]
    pub(crate) renew: bool,
    /// No playing: print the tables of the results that are there
    #[arg(long)]
    pub(crate) report: bool,
    /// With --report: these results, as they were judged, in place of those of --out: an artefact of a campaign
    #[arg(long, requires = "report", value_name = "FILE")]
    pub(crate) verdicts: Option<PathBuf>,
    /// No progress bar
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

impl Args {
    /// The unit whose mutants are played.
    pub(crate) fn unit(&self) -> &'static Unit {
        let first = BuildId::ALL[0].info().unit;
        let name = self.unit.as_deref().unwrap_or(first);
        UNITS.iter().find(|unit| unit.name == name).unwrap_or(&UNITS[0])
    }

    /// Where results and builds of the unit are kept.
    pub(crate) fn out(&self) -> PathBuf {
        self.out.join(self.unit().name)
    }

    /// A family that is asked for and that the unit does not have.
    pub(crate) fn unknown_family(&self) -> Option<&str> {
        let known = |name: &str| self.unit().families.iter().any(|family| family.name == name);
        self.family.iter().map(String::as_str).find(|name| !known(name))
    }

    /// The families to play.
    pub(crate) fn families(&self) -> Vec<Family> {
        let wanted = |family: &Family| self.family.is_empty() || self.family.iter().any(|name| name == family.name);
        self.unit().families.iter().copied().filter(wanted).collect()
    }

    pub(crate) fn jobs(&self) -> usize {
        self.jobs.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from)).max(1)
    }
}
