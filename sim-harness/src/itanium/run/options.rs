//! Options of `lwp-sim itanium`.

use super::error::RunError;
use super::histogram::Histogram;
use super::passes::Limits;
use crate::itanium::events::{self, Selected};
use crate::rtl::BuildId;
use clap::{Args, ValueEnum};
use lwp_regs::itanium::{Block, Plm};
use std::path::PathBuf;

/// What runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Engine {
    /// Model and RTL, compared in every bit of every cycle
    Lockstep,
    /// The model alone
    Model,
}

/// Options of the command.
#[derive(Args, Debug)]
pub(super) struct RunOptions {
    /// Program of IA-64: an ELF executable, or a source in assembly (`.s`), which ia64-linux-gnu-as and -ld make one of
    #[arg(value_name = "PROGRAM")]
    pub(super) program: PathBuf,
    /// Histogram to make, several by commas or by repeating it
    #[arg(long, value_enum, value_delimiter = ',', value_name = "NAME")]
    pub(super) histogram: Vec<Histogram>,
    /// Event to count, by name or number, with a unit mask behind a colon; several by commas or by repeating it. Without any, and without a
    /// histogram: instructions, taken branches, loads, stores
    #[arg(long, value_delimiter = ',', value_name = "EVENT[:UMASK]")]
    pub(super) event: Vec<String>,
    /// Show what the counters hold at the end as the program has set them up; for a program with a kernel that does so
    #[arg(long, conflicts_with_all = ["histogram", "event", "code", "data", "levels"])]
    pub(super) own: bool,
    /// Count only the code of this block: first address and bytes, which are a power of two that divides the address
    #[arg(long, value_name = "ADDRESS+BYTES")]
    pub(super) code: Option<String>,
    /// Count only accesses to the data of this block, likewise
    #[arg(long, value_name = "ADDRESS+BYTES")]
    pub(super) data: Option<String>,
    /// Privilege levels to count
    #[arg(long, value_delimiter = ',', default_value = "0,1,2,3", value_parser = clap::value_parser!(u8).range(0..=3), value_name = "LEVEL")]
    pub(super) levels: Vec<u8>,
    /// Begin the program at this privilege level; a program with a kernel of its own begins at 0
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=3), value_name = "LEVEL")]
    pub(super) level: u8,
    /// Interrupt the program whenever so many instructions above level 0 have executed, if it has a kernel that takes interrupts
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..), value_name = "INSTRUCTIONS")]
    pub(super) timer: Option<u64>,
    /// Give up after so many instructions and interruptions; a counter has 32 bits
    #[arg(long, default_value_t = 10_000_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000), value_name = "INSTRUCTIONS")]
    pub(super) limit: u64,
    /// Bundles that the processor fetches, issues and retires in a cycle
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=2), value_name = "BUNDLES")]
    pub(super) bundles: u32,
    /// What runs
    #[arg(long, value_enum, default_value = "lockstep")]
    pub(super) engine: Engine,
    /// Write the counts as JSON Lines to this file; `-` for standard output
    #[arg(long, value_name = "FILE")]
    pub(super) json: Option<PathBuf>,
    /// Where the capsule of a mismatch is written
    #[arg(long, value_name = "FILE")]
    pub(super) capsule: Option<PathBuf>,
    /// Print nothing but errors
    #[arg(short, long)]
    pub(super) quiet: bool,
}

/// Events that are counted if nothing is asked for.
const DEFAULT: [&str; 4] = ["ia64-inst-retired", "branch-taken-slot", "loads-retired", "stores-retired"];

impl RunOptions {
    /// Returns the build of the unit.
    pub(super) fn build(&self) -> BuildId {
        let has = |build: &BuildId| build.parameter("Bundles") == Some(self.bundles);
        BuildId::of_unit(crate::itanium::UNIT.name).find(has).expect("the option has the sizes of the builds")
    }

    /// Returns the events to count.
    pub(super) fn events(&self) -> Result<Vec<Selected>, RunError> {
        if self.event.is_empty() && self.histogram.is_empty() {
            return DEFAULT.iter().map(|name| selected(name)).collect();
        }
        self.event.iter().map(|text| selected(text)).collect()
    }

    /// Returns what counts.
    pub(super) fn limits(&self) -> Result<Limits, RunError> {
        let code =
            self.code.as_deref().map(|text| block(text)?.ibr(Plm::all()).map_err(|error| no_block(text, &error)));
        let data = self.data.as_deref().map(|text| Ok::<_, RunError>(block(text)?.dbr(Plm::all())));
        Ok(Limits {
            levels: self.levels.iter().fold(0, |levels, level| levels | 1 << level),
            code: code.transpose()?,
            data: data.transpose()?,
        })
    }
}

fn selected(text: &str) -> Result<Selected, RunError> {
    let (name, umask) = text.split_once(':').map_or((text, None), |(name, umask)| (name, Some(umask)));
    let help = "`lwp-sim itanium --help` lists the events";
    let event = events::find(name).map_err(|what| RunError::options(what, help))?;
    let Some(umask) = umask else { return Ok(event) };
    match number(umask).filter(|umask| *umask < 16) {
        Some(umask) => Ok(Selected { name: text.to_owned(), umask: umask as u8, ..event }),
        None => Err(RunError::options(format!("`{umask}` is no unit mask"), "a unit mask is a number from 0 to 15")),
    }
}

/// Reads a block.
fn block(text: &str) -> Result<Block, RunError> {
    let parts = text.split_once('+').and_then(|(start, bytes)| Some((number(start)?, number(bytes)?)));
    match parts.filter(|(_, bytes)| bytes.is_power_of_two()) {
        Some((start, bytes)) => Block::new(start, bytes.ilog2() as u8).map_err(|error| no_block(text, &error)),
        None => Err(no_block(text, &"it is no ADDRESS+BYTES with a power of two of bytes")),
    }
}

fn no_block(text: &str, why: &dyn std::fmt::Display) -> RunError {
    let help = "a block is ADDRESS+BYTES, as 0x4000+0x100; its bytes are a power of two that divides the address";
    RunError::options(format!("no pair of registers has the block `{text}`: {why}"), help)
}

/// Reads a number, decimal or behind `0x`.
fn number(text: &str) -> Option<u64> {
    let text = text.replace('_', "");
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_powers_of_two() {
        let block_of = |text| block(text).map(|block| (block.first(), block.last()));
        assert_eq!(block_of("0x4000+0x100").unwrap(), (0x4000, 0x40FF));
        assert_eq!(block_of("8+8").unwrap(), (8, 15));
        for wrong in ["0x4000", "0x4000+0", "0x4000+0x30", "0x4010+0x20", "x+16", "-16+16", "0+0x8000000000000000"] {
            assert!(block(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn events_may_have_a_unit_mask() {
        let event = selected("BRANCH_TAKEN_SLOT:0x4").unwrap();
        assert_eq!((event.es, event.umask, event.name.as_str()), (0x0D, 4, "BRANCH_TAKEN_SLOT:0x4"));
        assert_eq!(selected("branch-taken-slot").unwrap().umask, 7);
        assert!(selected("8:16").is_err() && selected("loads").is_err());
    }
}
