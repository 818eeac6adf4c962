//! One world from beginning to end.

use crate::failure::{self, Disagreement};
use crate::graph::Graph;
use crate::machine::Machine;
use crate::play::play;
use crate::tour::tour;
use crate::world::World;
use sim_harness::lockstep::Threads;
use std::path::Path;
use std::time::{Duration, Instant};

/// How far to go.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// States.
    pub states: usize,
    /// Edges.
    pub edges: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { states: 10_000_000, edges: 200_000_000 }
    }
}

/// How a run goes about it.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// How far to explore.
    pub limits: Limits,
    /// Whether model and RTL take turns.
    pub threads: Threads,
    /// Explore and make the walk; do not play it.
    pub explore_only: bool,
    /// Where the capsule of a disagreement goes.
    pub capsules: &'a Path,
}

/// What is under way.
#[derive(Clone, Copy, Debug)]
pub enum Progress {
    /// States found, of them expanded.
    Exploring(usize, usize),
    /// A walk is being made over so many edges.
    Walking(usize),
    /// Steps of the walk that were compared, and all of them.
    Playing(u64, u64),
}

/// What became of a world.
#[derive(Debug)]
pub struct Outcome {
    /// States, edges, distance of the farthest state.
    pub states: usize,
    /// Edges.
    pub edges: usize,
    /// Distance of the farthest state from the root.
    pub depth: u32,
    /// Letters of the states with the fewest and with the most.
    pub letters: (usize, usize),
    /// States not expanded: 0 if the world is closed.
    pub frontier: usize,
    /// Cycles that were compared.
    pub cycles: u64,
    /// Resets in them.
    pub resets: u64,
    /// Exploring, making the walk, playing it.
    pub times: [Duration; 3],
    /// How the run ended.
    pub verdict: Verdict,
}

/// How a run ended.
#[derive(Debug)]
pub enum Verdict {
    /// Model and RTL agree on every edge.
    Agrees,
    /// Explored only.
    Explored,
    /// A limit was met before the world was closed.
    Open,
    /// They disagree.
    Disagrees(Box<Disagreement>),
    /// The model is not in the state of the graph after this edge: the graph leaves out a register that steers others.
    Drift(u32),
}

/// Explores a world and plays its walk.
pub fn run<W: World>(
    world: &W,
    machine: Machine<W::Unit>,
    plan: Plan<'_>,
    progress: &mut dyn FnMut(Progress),
) -> Outcome {
    let root = world.enter(machine);
    let mut clock = Instant::now();
    let mut lap = move || {
        let before = std::mem::replace(&mut clock, Instant::now());
        clock - before
    };
    let mut exploring = |states, expanded| progress(Progress::Exploring(states, expanded));
    let graph = Graph::explore(world, root.clone(), plan.limits.states, plan.limits.edges, &mut exploring);
    let mut outcome = Outcome::of(&graph);
    outcome.times[0] = lap();
    if !graph.closed() {
        return outcome;
    }
    progress(Progress::Walking(graph.edges()));
    let tour = tour(&graph);
    outcome.times[1] = lap();
    outcome.resets = tour.resets;
    outcome.cycles = tour.steps.len() as u64 + (tour.resets + 1) * world.way_in().len() as u64 + tour.resets + 1;
    outcome.verdict = Verdict::Explored;
    if plan.explore_only {
        return outcome;
    }
    let all = outcome.cycles;
    let played =
        play(world, &graph, &tour, root.clone(), plan.threads, &mut |cycles| progress(Progress::Playing(cycles, all)));
    outcome.times[2] = lap();
    outcome.cycles = played.report.cycles;
    outcome.verdict = match (&played.report.divergence, played.drift) {
        (_, Some(edge)) => Verdict::Drift(edge),
        (Some(_), None) => {
            Verdict::Disagrees(Box::new(failure::describe(world, &graph, &tour, root, &played, plan.capsules)))
        }
        (None, None) if played.report.cycles == all => Verdict::Agrees,
        (None, None) => unreachable!("a walk of {all} cycles ended after {}", played.report.cycles),
    };
    outcome
}

impl Outcome {
    fn of(graph: &Graph) -> Self {
        Self {
            states: graph.len(),
            edges: graph.edges(),
            depth: graph.depth,
            letters: graph.letters,
            frontier: graph.frontier,
            cycles: 0,
            resets: 0,
            times: [Duration::ZERO; 3],
            verdict: Verdict::Open,
        }
    }
}
