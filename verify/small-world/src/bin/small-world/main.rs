//! Explores small worlds, and compares model and RTL on every edge of them.

mod bar;

use bar::Bar;
use clap::Parser;
use sim_harness::lockstep::Threads;
use sim_harness::{complain, say};
use small_world::AnyWorld;
use small_world::failure::again;
use small_world::run::{Limits, Outcome, Plan, Verdict};
use small_world::world::all;
use std::path::PathBuf;
use std::process::ExitCode;

/// Model and RTL disagree.
const MISMATCH: u8 = 1;
/// The command line is wrong.
const USAGE: u8 = 2;
/// A limit was met before the world was closed.
const OPEN: u8 = 4;

/// Model against RTL in small worlds: every input of the world's alphabet from every state that can be reached.
///
/// Exit codes: 0 every world closed and agrees, 1 model and RTL disagree, 2 wrong command line, 4 a limit was met before a world was
/// closed.
#[derive(Debug, Parser)]
#[command(name = "small-world")]
struct Args {
    /// The worlds to run; all of them if none is named
    #[arg(long = "world", value_name = "NAME")]
    worlds: Vec<String>,
    /// Only the worlds of this unit
    #[arg(long, value_name = "NAME")]
    unit: Option<String>,
    /// List the worlds and end
    #[arg(long)]
    list: bool,
    /// Explore only; the RTL is not run
    #[arg(long)]
    explore: bool,
    /// Give up a world that has more states
    #[arg(long, value_name = "N", default_value_t = Limits::default().states)]
    states: usize,
    /// Give up a world that has more edges
    #[arg(long, value_name = "N", default_value_t = Limits::default().edges,
          value_parser = edges)]
    edges: usize,
    /// 1: model and RTL take turns; 2: each has a thread
    #[arg(long, value_name = "1|2", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=2))]
    threads: u8,
    /// Where the failure capsule of a disagreement goes
    #[arg(long, value_name = "FOLDER", default_value = "target/capsules")]
    capsules: PathBuf,
}

/// Edges are numbered with 32 bits.
fn edges(text: &str) -> Result<usize, String> {
    let most = u32::MAX as usize - 1;
    match text.parse() {
        Ok(edges) if edges <= most => Ok(edges),
        _ => Err(format!("a number up to {most} is wanted")),
    }
}

fn main() -> ExitCode {
    let args = Args::parse();
    let chosen = match choose(args.unit.as_deref(), &args.worlds) {
        Ok(chosen) => chosen,
        Err(text) => {
            complain!("small-world: {text}");
            return ExitCode::from(USAGE);
        }
    };
    if args.list {
        chosen.iter().for_each(|world| say!("{:<4} {:<10} {}", world.unit(), world.name(), world.about()));
        return ExitCode::SUCCESS;
    }
    say!("{HEADING}");
    let codes: Vec<u8> = chosen.iter().map(|world| one(&**world, &args)).collect();
    // A disagreement outweighs a limit.
    let code = if codes.contains(&MISMATCH) { MISMATCH } else { codes.into_iter().max().unwrap_or(0) };
    ExitCode::from(code)
}

/// The worlds of a unit, or of all; of these the ones with these names, or all.
fn choose(unit: Option<&str>, names: &[String]) -> Result<Vec<Box<dyn AnyWorld>>, String> {
    let mut worlds = all();
    if let Some(unit) = unit {
        worlds.retain(|world| world.unit() == unit);
        if worlds.is_empty() {
            let mut units: Vec<_> = all().iter().map(|world| world.unit()).collect();
            units.dedup();
            return Err(format!("there is no unit `{unit}`; there are {}", units.join(", ")));
        }
    }
    let known: Vec<_> = worlds.iter().map(|world| world.name()).collect();
    if let Some(unknown) = names.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(format!("there is no world `{unknown}`; there are {}", known.join(", ")));
    }
    if !names.is_empty() {
        worlds.retain(|world| names.iter().any(|name| name == world.name()));
    }
    Ok(worlds)
}

fn one(world: &dyn AnyWorld, args: &Args) -> u8 {
    let bar = Bar::new(world.name());
    let plan = Plan {
        limits: Limits { states: args.states, edges: args.edges },
        threads: if args.threads == 1 { Threads::One } else { Threads::Two },
        explore_only: args.explore,
        capsules: &args.capsules,
    };
    let outcome = world.run(plan, &mut |progress| bar.show(progress));
    bar.clear();
    say!("{}", line(world, &outcome));
    match &outcome.verdict {
        Verdict::Agrees | Verdict::Explored => 0,
        Verdict::Open => OPEN,
        Verdict::Drift(edge) => {
            say!("  after edge {edge} the model is not where the graph says: a register that it leaves out matters");
            MISMATCH
        }
        Verdict::Disagrees(found) => {
            say!("{}", found.text);
            match &found.capsule {
                Ok(file) => {
                    let file = file.display();
                    say!("  {} steps from the root; the failure as one file: {file}", found.steps);
                    say!("  lwp-sim replay {file}\n  lwp-sim report {file}");
                }
                Err(reason) => say!("  no capsule: {reason}"),
            }
            say!("  again: {}", again(world.name()));
            MISMATCH
        }
    }
}

const HEADING: &str =
    "world        states       edges   depth  letters  closure          cycles  resets     seconds  verdict";

fn line(world: &dyn AnyWorld, outcome: &Outcome) -> String {
    let closure = if outcome.frontier == 0 { "closed".to_owned() } else { format!("OPEN {}", outcome.frontier) };
    let letters = format!("{}-{}", outcome.letters.0, outcome.letters.1);
    let verdict = match outcome.verdict {
        Verdict::Agrees => "agrees on every edge",
        Verdict::Explored => "not played",
        Verdict::Open => "not closed: a limit was met",
        Verdict::Disagrees(_) => "DISAGREES",
        Verdict::Drift(_) => "DRIFTS",
    };
    let [explore, walk, play] = outcome.times.map(|time| time.as_secs_f64());
    format!(
        "{:<10} {:>8} {:>11} {:>7} {letters:>8}  {closure:<8} {:>14} {:>7}  {explore:.1}+{walk:.1}+{play:.1}  {verdict}",
        world.name(),
        outcome.states,
        outcome.edges,
        outcome.depth,
        outcome.cycles,
        outcome.resets
    )
}
