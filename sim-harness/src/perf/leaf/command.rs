//! `lwp-sim leaf`: from the command line to the text.

use super::LeafError;
use super::words::words;
use crate::cpuid_leaves::Leaves;
use crate::report::print;
use crate::verb::{Ended, Verb, VerbError};
use clap::{ArgMatches, Args, Command, FromArgMatches};
use lwp_regs::access::Cpuid;
use lwp_regs::perf::architectural::cpuid::LEAF;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::{fs, io};

/// The command.
pub static VERB: Verb = Verb { name: "leaf", command, run, examples: EXAMPLES, heeds_stop: |_| false };

const EXAMPLES: &str = "  cpuid -1 -r | lwp-sim leaf --cpuid -          the counters of this processor, in words\n";

const ABOUT: &str = "Say in words which performance counters CPUID leaf 0AH enumerates";

const LONG: &str = "\
Say in words which performance counters CPUID leaf 0AH enumerates

Version, number and width of the counters, and which architectural events can be counted.";

const AFTER: &str = "\
Examples:
  cpuid -1 -r | lwp-sim leaf --cpuid -
      of this processor
  lwp-sim leaf 0x07300404,0,0,0x603
      of four registers

Exit codes: 0 printed; 2 what was given is no leaf; 3 something cannot be read or written.";

/// Where the leaf comes from.
#[derive(Args, Clone, Debug)]
#[group(required = true, multiple = false)]
struct LeafOptions {
    /// The registers of leaf 0AH, in hexadecimal
    #[arg(value_name = "EAX,EBX,ECX,EDX")]
    registers: Option<String>,

    /// A file of leaves as `cpuid -1 -r` prints them; `-` is standard input
    #[arg(long, value_name = "FILE")]
    cpuid: Option<PathBuf>,
}

fn command() -> Command {
    LeafOptions::augment_args(Command::new("leaf")).about(ABOUT).long_about(LONG).after_long_help(AFTER)
}

fn run(matches: &ArgMatches, _stop: &AtomicBool) -> Result<Ended, VerbError> {
    let options = LeafOptions::from_arg_matches(matches).unwrap_or_else(|error| error.exit());
    leaf(&options).and_then(|leaf| Ok(print(&words(leaf), false)?)).map(|()| Ended::Done).map_err(|error| match error {
        LeafError::Unreadable { .. } | LeafError::Output(_) => VerbError::io(error),
        _ => VerbError::usage(error),
    })
}

fn leaf(options: &LeafOptions) -> Result<[u32; 4], LeafError> {
    match (&options.registers, &options.cpuid) {
        (Some(text), _) => registers(text),
        (None, Some(path)) => from_file(path),
        (None, None) => unreachable!("one of them is required"),
    }
}

fn registers(text: &str) -> Result<[u32; 4], LeafError> {
    let wrong = |what: String| LeafError::Registers { text: text.to_owned(), what };
    let number = |part: &str| {
        let digits = part.trim().trim_start_matches("0x");
        u32::from_str_radix(digits, 16).map_err(|error| wrong(format!("`{part}`: {error}")))
    };
    let numbers = text.split(',').map(number).collect::<Result<Vec<_>, _>>()?;
    let count = numbers.len();
    numbers.try_into().map_err(|_| wrong(format!("it has {count} of four registers")))
}

fn from_file(path: &Path) -> Result<[u32; 4], LeafError> {
    let unreadable = |error| LeafError::Unreadable { path: path.to_owned(), error };
    let text = if path == Path::new("-") {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).map(|_| text)
    } else {
        fs::read_to_string(path)
    };
    let leaves = Leaves::parse(&text.map_err(unreadable)?);
    let leaves =
        leaves.map_err(|wrong| LeafError::Line { path: path.to_owned(), line: wrong.line, what: wrong.what })?;
    if leaves.is_empty() {
        return Err(LeafError::Empty { path: path.to_owned() });
    }
    Ok(leaves.leaf(LEAF, 0).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::registers;

    #[test]
    fn four_registers() {
        assert_eq!(registers("0x07300404,0, 0,603").unwrap(), [0x0730_0404, 0, 0, 0x603]);
        for (text, what) in [
            ("1,2,3", "has 3 of four"),
            ("", "cannot parse"),
            ("1,2,3,x", "`x`: invalid digit"),
            ("1,2,3,4,5", "has 5"),
        ] {
            let error = registers(text).unwrap_err().to_string();
            assert!(error.contains(what), "{error}");
        }
    }
}
