//! `lwp-sim itanium`: from command line to exit code.

use super::engine::{Job, Ran};
use super::error::RunError;
use super::options::RunOptions;
use super::passes::{self, Pass};
use super::text::{self, Table};
use super::{capsule, program};
use crate::command::after_failure;
use crate::itanium::events;
use crate::itanium::ia64::Image;
use crate::itanium::processor::Setup;
use crate::report::{Output, grouped, print, separate};
use crate::verb::{Ended, Verb, VerbError};
use clap::{ArgMatches, Args, Command, FromArgMatches};
use indicatif::{ProgressBar, ProgressStyle};
use lwp_model::itanium::Config;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// The command.
pub(in crate::itanium) static VERB: Verb =
    Verb { name: "itanium", command, run, examples: EXAMPLES, heeds_stop: |_| true };

const EXAMPLES: &str =
    "  lwp-sim itanium sim-harness/programs/ia64/sort.s --histogram kinds    what a program of IA-64 executes\n";

const ABOUT: &str =
    "Count what a program of IA-64 executes, by instruction, address, level (Itanium's event qualification)";

const LONG: &str = "\
Count what a program of IA-64 executes, by instruction, address, level (Itanium's event qualification)

The program's bundles are executed, and shown to the unit in a pipeline. The numbers are those of its four counters. A histogram runs the \
program once for each two of its patterns, which the two opcode matchers tell apart. Model and RTL are compared in every register of every \
cycle.";

const AFTER: &str = "\
Examples:
  lwp-sim itanium sim-harness/programs/ia64/sort.s
      instructions, taken branches, loads and stores
  lwp-sim itanium sim-harness/programs/ia64/sort.s --histogram kinds,registers
      what kinds of instructions it executes, and which registers they write
  lwp-sim itanium sim-harness/programs/ia64/blocks.s --histogram blocks
      how often each basic block runs that begins with `nop.i NUMBER`
  lwp-sim itanium sim-harness/programs/ia64/kernel.s --timer 50 --own
      a kernel that sets up the counters itself, and three processes that a timer interrupts
  lwp-sim itanium a.elf --code 0x4000+0x100 --event ia64-inst-retired,cpu-cycles --json -

A program begins at its entry and ends with `break 0`, at level 0 if it has a kernel. What it writes into the unit's registers holds: \
a kernel that sets up counters is looked at with --own. The events:
";

const EXITS: &str = "

Lines of --json: {\"table\",\"name\",\"count\"}; table is `events`, the name of a histogram, or `own`.

Exit codes:
  0    everything is shown
  1    model and RTL disagree, and a failure capsule is written
  2    the command line or the program is wrong
  3    something cannot be read or written, or the assembler is missing
  130  Ctrl-C or SIGTERM: nothing is shown";

fn command() -> Command {
    let names = events::names().chunks(4).map(|four| four.join(", ")).collect::<Vec<_>>();
    RunOptions::augment_args(Command::new("itanium"))
        .about(ABOUT)
        .long_about(LONG)
        .after_long_help(format!("{AFTER}  {}{EXITS}", names.join(",\n  ")))
}

fn run(matches: &ArgMatches, stop: &AtomicBool) -> Result<Ended, VerbError> {
    let options = RunOptions::from_arg_matches(matches).unwrap_or_else(|error| error.exit());
    shown(&options, stop).map_err(RunError::into_verb)
}

/// A table that is to be filled, and the passes that fill it.
struct Plan {
    table: Table,
    passes: Vec<Pass>,
}

/// Runs every pass, and writes everything.
fn shown(options: &RunOptions, stop: &AtomicBool) -> Result<Ended, RunError> {
    separate(&[&options.program], &options.json.iter().map(PathBuf::as_path).collect::<Vec<_>>())?;
    let image = program::load(&options.program)?;
    let mut plans = plans(options, &image)?;
    let json = options.json.as_deref().map(Output::create).transpose()?;
    let taken = options.json.as_deref().is_some_and(Output::is_stdout);
    let all: usize = plans.iter().map(|plan| plan.passes.len()).sum();
    let bar = progress(all, options.quiet);
    let (mut last, mut cycles, mut passes) = (None, 0, 0);
    for plan in &mut plans {
        for pass in &plan.passes {
            let job = job(options, &image, pass);
            let ran = job.run(stop)?;
            if let Some(mismatch) = &ran.mismatch {
                bar.finish_and_clear();
                return differs(&job, options, mismatch);
            }
            if stop.load(Ordering::Relaxed) {
                bar.finish_and_clear();
                let _ = writeln!(io::stderr(), "interrupted: nothing is shown");
                return Ok(Ended::Interrupted);
            }
            add(&mut plan.table, pass, &ran);
            (cycles, passes) = (cycles + ran.compared, passes + 1);
            bar.inc(1);
            last = Some(ran);
        }
    }
    bar.finish_and_clear();
    let mut tables: Vec<Table> = plans.into_iter().map(|plan| plan.table).collect();
    if let (true, [own], Some(ran)) = (options.own, &mut tables[..], &last) {
        own.rows.push(("PMC[0]".to_owned(), ran.ended.pmc0));
    }
    if let Some(output) = json {
        output.write_whole(text::lines(&tables).as_bytes())?;
    }
    if options.quiet {
        return Ok(Ended::Done);
    }
    let text = head(last.as_ref(), passes, cycles) + &text::tables(&tables);
    print(&text, taken)?;
    Ok(Ended::Done)
}

fn plans(options: &RunOptions, image: &Image) -> Result<Vec<Plan>, RunError> {
    if options.own {
        let rows = (4..8).map(|index| (format!("PMD[{index}]"), 0)).collect();
        let table = Table { title: "counters at the end, and PMC[0] (1: frozen)".to_owned(), key: "own", rows };
        return Ok(vec![Plan { table, passes: vec![passes::own()] }]);
    }
    let (events, limits) = (options.events()?, options.limits()?);
    let mut plans = Vec::new();
    if !events.is_empty() {
        let rows = events.iter().map(|event| (event.name.clone(), 0)).collect();
        let table = Table { title: "events".to_owned(), key: "events", rows };
        plans.push(Plan { table, passes: passes::events(&events, &limits) });
    }
    let mut histograms = options.histogram.clone();
    histograms.sort();
    histograms.dedup();
    for histogram in histograms {
        let rows = histogram.rows(image);
        let passes = passes::histogram(&rows, &limits);
        let rows = rows.into_iter().map(|row| (row.name, 0)).collect();
        plans.push(Plan { table: Table { title: histogram.title().to_owned(), key: histogram.name(), rows }, passes });
    }
    Ok(plans)
}

fn job<'a>(options: &RunOptions, image: &'a Image, pass: &Pass) -> Job<'a> {
    let timer = options.timer.unwrap_or(0);
    let setup = Setup { requests: pass.requests.clone(), timer, limit: options.limit };
    Job {
        build: options.build(),
        engine: options.engine,
        straps: Config::default(),
        image,
        level: options.level,
        setup,
    }
}

/// Adds what a pass has counted.
fn add(table: &mut Table, pass: &Pass, ran: &Ran) {
    for (count, number) in ran.ended.counts.iter().zip(pass.counts) {
        if let Some((_, sum)) = number.and_then(|number| table.rows.get_mut(number)) {
            *sum += count & 0xFFFF_FFFF;
        }
    }
}

/// What stands above the tables.
fn head(last: Option<&Ran>, passes: u64, compared: u64) -> String {
    let Some(Ran { ended, result, .. }) = last else { return "nothing to count\n".to_owned() };
    let lockstep = if compared == 0 {
        "the model alone".to_owned()
    } else {
        format!("model and RTL agree in all {} cycles", grouped(compared))
    };
    let (instructions, cycles) = (grouped(ended.instructions), grouped(ended.cycles));
    format!("{instructions} instructions in {cycles} cycles, r8 = {result}; runs: {}, {lockstep}\n", grouped(passes))
}

/// A mismatch is reported, and its inputs are kept.
fn differs(job: &Job<'_>, options: &RunOptions, mismatch: &crate::report::MismatchReport) -> Result<Ended, RunError> {
    let _ = writeln!(io::stderr(), "{}: {mismatch}", options.program.display());
    let (path, unconfirmed) = capsule::write(job, &options.program, mismatch, options.capsule.as_deref())?;
    let _ = writeln!(io::stderr(), "{}", after_failure(&path));
    unconfirmed.map_or(Ok(Ended::Mismatch), Err)
}

/// A bar, if standard error is a terminal.
fn progress(passes: usize, quiet: bool) -> ProgressBar {
    if quiet || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{wide_bar} run {pos} of {len}, {eta} left");
    ProgressBar::new(passes as u64).with_style(style.expect("the template is right"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_command_is_right() {
        super::command().debug_assert();
    }
}
