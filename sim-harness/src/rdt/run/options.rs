//! The command line of `lwp-sim rdt` and `lwp-sim rdt monitor`.

use super::error::RunError;
use super::first_level::Size;
use super::scenario::Scenario;
use super::sized::Sized;
use super::supply::Front;
use crate::rdt::session::{Defaults, Session};
use crate::rtl::BuildId;
use clap::Args;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Programs, session and outputs.
#[derive(Args, Clone, Debug)]
pub(super) struct RunOptions {
    /// A trace: a capture of `lwp-sim capture`, a retire log (JSON Lines) or a ChampSim trace; once for each logical processor, in order
    #[arg(long, value_name = "FILE")]
    program: Vec<PathBuf>,

    /// Caches, straps, RMIDs, classes, memory and events in a session file, as that of `lwp-sim cosim --unit rdt`
    #[arg(long, value_name = "FILE")]
    session: Option<PathBuf>,

    /// Send every data access to the shared caches, with no first-level cache before them, and no L2 cache unless the session has one
    #[arg(long)]
    direct: bool,

    /// Sets of the L3 cache, 2 to 4096 [default: 64, or 8 with --direct]
    #[arg(long, value_name = "N", conflicts_with = "session")]
    sets: Option<u64>,

    /// Ways of the L3 cache, 1 to 16 [default: 16, or 4 with --direct]
    #[arg(long, value_name = "N", conflicts_with = "session")]
    ways: Option<u64>,

    /// RMID of each program, in order [default: 1, 2, ...]
    #[arg(long, value_name = "R,R,...", value_delimiter = ',', conflicts_with = "session")]
    rmid: Vec<u64>,

    /// Class of each program, in order [default: 0]
    #[arg(long, value_name = "C,C,...", value_delimiter = ',', conflicts_with = "session")]
    class: Vec<u64>,

    /// Ways of the L3 cache that a class may fill; may be repeated
    #[arg(long, value_name = "CLASS=MASK", value_parser = pair, conflicts_with = "session")]
    mask: Vec<(u64, u64)>,

    /// Delay value of a class; may be repeated
    #[arg(long, value_name = "CLASS=N", value_parser = pair, conflicts_with = "session")]
    delay: Vec<(u64, u64)>,

    /// Cycles from the grant of memory to the arrival of a line [default: 20]
    #[arg(long, value_name = "N", conflicts_with = "session")]
    latency: Option<u64>,

    /// Bytes of the first-level cache for data of each program, and of that for code
    #[arg(long, value_name = "BYTES", default_value = "32K", value_parser = bytes, conflicts_with = "direct")]
    l1: u64,

    /// Ways of the first-level caches
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=1024), conflicts_with = "direct")]
    l1_ways: u64,

    /// Instructions of each trace
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,

    /// Cycles from one reading of all counters to the next [default: that of the session, or 1000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    interval: Option<u64>,

    /// Do not compare model and RTL
    #[arg(long)]
    no_rtl: bool,

    /// Write the readings as JSON Lines, and a line for each RMID at the end; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub(super) json: Option<PathBuf>,

    /// Where the failure capsule goes if RTL and model disagree [default: named after programs and cycle, in this folder]
    #[arg(long, value_name = "FILE")]
    pub(super) capsule: Option<PathBuf>,

    /// Print neither progress nor text; errors remain
    #[arg(short, long)]
    pub(super) quiet: bool,
}

/// What is shown besides the text.
#[derive(Args, Clone, Debug)]
pub(super) struct PictureOptions {
    /// Run each program alone, all together with masks and delays open, and all together with them, and compare
    #[arg(long)]
    pub(super) compare: bool,

    /// Write one self-contained page of HTML with the curves; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub(super) page: Option<PathBuf>,
}

/// `CLASS=VALUE`.
fn pair(text: &str) -> Result<(u64, u64), String> {
    let (class, value) = text.split_once('=').ok_or("there is no `=`")?;
    let number = |text: &str| match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    let wrong = |text: &str| format!("`{text}` is no number");
    Ok((number(class).map_err(|_| wrong(class))?, number(value).map_err(|_| wrong(value))?))
}

/// `32768`, `32K` or `1M`.
fn bytes(text: &str) -> Result<u64, String> {
    let (digits, unit) = match text.to_ascii_uppercase() {
        text if text.ends_with('K') => (text[..text.len() - 1].to_owned(), 1 << 10),
        text if text.ends_with('M') => (text[..text.len() - 1].to_owned(), 1 << 20),
        text => (text, 1),
    };
    let number: u64 = digits.parse().map_err(|_| format!("`{text}` is no number of bytes"))?;
    number.checked_mul(unit).filter(|bytes| *bytes <= 1 << 30).ok_or_else(|| format!("`{text}` is more than 1 GiB"))
}

impl RunOptions {
    /// The files that are read.
    pub(super) fn inputs(&self) -> Vec<&Path> {
        self.program.iter().chain(&self.session).map(PathBuf::as_path).collect()
    }

    /// Programs and session of the run.
    pub(super) fn scenario(&self) -> Result<Scenario, RunError> {
        let programs = self.program.len();
        if programs == 0 {
            return Err(RunError::options("there is no program", "--program FILE, once for each logical processor"));
        }
        let most = BuildId::of_unit("rdt").filter_map(|build| build.parameter("LogicalProcessors")).max().unwrap_or(0);
        if programs > most as usize {
            let what = format!("{programs} programs need as many logical processors, and the unit has up to {most}");
            return Err(RunError::options(what, "give fewer programs"));
        }
        let mut sized = self.sized(programs)?;
        let session = &mut sized.session;
        session.samples = vec![self.sampling(session)?];
        let size = Size { bytes: self.l1, ways: self.l1_ways };
        let front = Front { first: (!self.direct).then_some((size, size)), limit: self.limit };
        Ok(Scenario { sized, traces: self.program.clone(), names: names(&self.program), front, rtl: !self.no_rtl })
    }

    /// The session: of the file, or of the options.
    fn sized(&self, programs: usize) -> Result<Sized, RunError> {
        let defaults = Defaults { programs, l2: !self.direct && self.session.is_some() };
        match &self.session {
            Some(path) => Ok(Sized::load(path, &defaults)?),
            None => {
                self.check_lists(programs)?;
                Ok(Sized::parse("the options as a session", &self.text(programs), &defaults)?)
            }
        }
    }

    fn check_lists(&self, programs: usize) -> Result<(), RunError> {
        for (name, given) in [("--rmid", self.rmid.len()), ("--class", self.class.len())] {
            if given > 0 && given != programs {
                let what = format!("{name} gives {given} numbers for {programs} programs");
                return Err(RunError::options(what, "give one for each program, with commas"));
            }
        }
        let twice =
            |pairs: &[(u64, u64)]| (1..pairs.len()).any(|at| pairs[..at].iter().any(|pair| pair.0 == pairs[at].0));
        if twice(&self.mask) || twice(&self.delay) {
            return Err(RunError::options("a class has two masks or two delays", "give one of each for a class"));
        }
        let classes = self.mask.iter().chain(&self.delay).map(|(class, _)| *class);
        if let Some(class) = classes.filter(|class| *class > 15).max() {
            return Err(RunError::options(format!("there is no class {class}"), "classes are 0 to 15 at most"));
        }
        Ok(())
    }

    /// The options as the text of a session file.
    fn text(&self, programs: usize) -> String {
        let (sets, ways) = if self.direct { (8, 4) } else { (64, 16) };
        let mut text = format!("[cache]\nsets = {}\nways = {}\n", self.sets.unwrap_or(sets), self.ways.unwrap_or(ways));
        if let Some(latency) = self.latency {
            let _ = write!(text, "\n[memory]\nlatency = {latency}\n");
        }
        for program in 0..programs {
            text.push_str("\n[[program]]\n");
            for (key, list) in [("rmid", &self.rmid), ("class", &self.class)] {
                if let Some(value) = list.get(program) {
                    let _ = writeln!(text, "{key} = {value}");
                }
            }
        }
        let (masks, delays): (BTreeMap<_, _>, BTreeMap<_, _>) =
            (self.mask.iter().copied().collect(), self.delay.iter().copied().collect());
        let classes = masks.keys().chain(delays.keys()).max().map_or(0, |class| class + 1);
        for class in 0..classes {
            text.push_str("\n[[class]]\n");
            if let Some(mask) = masks.get(&class) {
                let _ = writeln!(text, "l3_mask = {mask:#x}");
            }
            if let Some(delay) = delays.get(&class) {
                let _ = writeln!(text, "delay = {delay}");
            }
        }
        text
    }

    /// Cycles from one reading to the next, in which all counters can be read.
    fn sampling(&self, session: &Session) -> Result<u64, RunError> {
        let readings = session.setup().rmids.len() as u64 * u64::from(session.straps.events.count_ones());
        let takes = (readings * (2 + u64::from(session.straps.settle))).max(1);
        let of_session = session.samples.first().copied();
        match self.interval.or(of_session) {
            Some(interval) if interval < takes => {
                let what = format!("every {interval} cycles is too often: to read {readings} counters takes {takes}");
                Err(RunError::options(what, "give a larger --interval"))
            }
            Some(interval) => Ok(interval),
            None => Ok(takes.max(1000)),
        }
    }
}

/// A name for each program: that of its file, without what follows a dot.
fn names(traces: &[PathBuf]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for path in traces {
        let file = Path::file_name(path).map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let stem = file.split('.').find(|part| !part.is_empty()).unwrap_or("program").to_owned();
        let same = |names: &[String]| names.iter().filter(|name| name.split('#').next() == Some(&stem)).count();
        let name = match same(&names) {
            0 => stem,
            number => format!("{stem}#{}", number + 1),
        };
        names.push(name);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Command, FromArgMatches};

    fn options(words: &[&str]) -> RunOptions {
        let command = RunOptions::augment_args(Command::new("rdt"));
        let words = ["rdt"].iter().chain(words);
        RunOptions::from_arg_matches(&command.try_get_matches_from(words).unwrap()).unwrap()
    }

    #[test]
    fn options_become_a_session() {
        let words = [
            "--program",
            "a",
            "--program",
            "b",
            "--class",
            "2,0",
            "--mask",
            "2=0x3",
            "--delay",
            "0=50",
            "--latency",
            "1",
        ];
        let text = options(&[&words[..], &["--direct"]].concat()).text(2);
        let expected = "[cache]\nsets = 8\nways = 4\n\n[memory]\nlatency = 1\n\n[[program]]\nclass = 2\n\n[[program]]\nclass = 0\n\n\
                        [[class]]\ndelay = 50\n\n[[class]]\n\n[[class]]\nl3_mask = 0x3\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn sizes_and_pairs_are_numbers() {
        assert_eq!([bytes("32K"), bytes("1m"), bytes("100")], [Ok(32 << 10), Ok(1 << 20), Ok(100)]);
        assert!(bytes("K").is_err() && bytes("2048M").is_err() && bytes("-1").is_err());
        assert_eq!(pair("1=0xff00"), Ok((1, 0xFF00)));
        assert!(pair("1").is_err() && pair("x=1").is_err() && pair("1=").is_err());
    }

    #[test]
    fn programs_are_named_after_their_traces() {
        let names = names(&["a/ls.lwptrace.xz", "b/ls.trace", "perl", ".hidden"].map(PathBuf::from));
        assert_eq!(names, ["ls", "ls#2", "perl", "hidden"]);
    }
}
