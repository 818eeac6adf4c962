//! The walk, played in lockstep.

use crate::graph::Graph;
use crate::machine::{LANES, Machine, build};
use crate::states::row;
use crate::tour::{RESET, Tour};
use crate::worlds::World;
use lwp_model::lwp::Inputs;
use sim_harness::lockstep::{Batch, Flow, Options, Producer, Report, Threads, run};
use sim_harness::lwp::fields::FIELDS;
use sim_harness::lwp::flat::{OUT_WORDS, in_words, pack_inputs, pack_straps};
use sim_harness::rtl::{Flavour, Rtl};

/// What a walk in lockstep found.
#[derive(Debug)]
pub struct Played {
    /// Cycles that were compared, and the first that differs.
    pub report: Report,
    /// The step whose outcome differs.
    pub edge: Option<u32>,
    /// A step after which the model is not in the state that the graph says: what the graph leaves out steers the model.
    pub drift: Option<u32>,
}

/// Plays a walk in lockstep with the RTL.
pub fn play(
    world: &World,
    graph: &Graph,
    tour: &Tour,
    root: Machine,
    threads: Threads,
    progress: &mut dyn FnMut(u64),
) -> Played {
    let mut walk = Walk::new(world, graph, tour, root);
    let mut rtl = Rtl::new(build(), Flavour::Fast, &pack_straps(&world.straps));
    let mut options = Options::new(FIELDS);
    options.threads = threads;
    options.on_progress = Some(progress);
    let report = run(&mut walk, &mut rtl, options);
    // What differs in a cycle was decided in the one before.
    let edge = report.divergence.as_ref().and_then(|at| step_before(world, tour, at.cycle));
    Played { report, edge, drift: walk.drift }
}

/// The walk as the producer of a run of its own.
#[must_use]
pub fn producer<'a>(world: &'a World, graph: &'a Graph, tour: &'a Tour, root: Machine) -> impl Producer + use<'a> {
    Walk::new(world, graph, tour, root)
}

/// Cycles of a reset: one in which what came before shows, the reset, the way into the world.
fn cycles_of(step: u32, into: usize) -> u64 {
    if step == RESET { into as u64 + 2 } else { 1 }
}

/// The edge that was walked in the cycle before `cycle`.
fn step_before(world: &World, tour: &Tour, cycle: u64) -> Option<u32> {
    let into = world.way_in().len();
    let mut at = into as u64;
    for &step in &tour.steps {
        at += cycles_of(step, into);
        if at >= cycle {
            return (step != RESET).then_some(step);
        }
    }
    None
}

/// The cycles of a reset and of the way in, as they wait to be played; the walk's own are made one by one.
enum Waiting {
    Reset,
    In(usize),
    Nothing,
}

struct Walk<'a> {
    world: &'a World,
    graph: &'a Graph,
    tour: &'a Tour,
    way_in: Vec<Inputs<LANES>>,
    machine: Machine,
    /// The next step.
    step: usize,
    /// The state in which it begins.
    at: u32,
    waiting: Waiting,
    drift: Option<u32>,
    /// The last state has been shown.
    over: bool,
}

impl<'a> Walk<'a> {
    fn new(world: &'a World, graph: &'a Graph, tour: &'a Tour, mut machine: Machine) -> Self {
        machine.reset();
        Self {
            world,
            graph,
            tour,
            way_in: world.way_in(),
            machine,
            step: 0,
            at: 0,
            waiting: Waiting::In(0),
            drift: None,
            over: false,
        }
    }

    /// The inputs of the next cycle, `None` in a reset.
    fn inputs(&mut self, shown: &[u32; OUT_WORDS]) -> Option<Inputs<LANES>> {
        match self.waiting {
            Waiting::Reset => {
                self.waiting = Waiting::In(0);
                None
            }
            Waiting::In(number) if number < self.way_in.len() => {
                self.waiting = Waiting::In(number + 1);
                Some(self.way_in[number])
            }
            Waiting::In(_) | Waiting::Nothing => {
                self.waiting = Waiting::Nothing;
                Some(self.walk(shown))
            }
        }
    }

    /// The inputs of the next step.
    fn walk(&mut self, shown: &[u32; OUT_WORDS]) -> Inputs<LANES> {
        if !self.graph.states.is(self.at, shown) {
            self.drift = self.drift.or(self.step.checked_sub(1).map(|last| self.tour.steps[last]));
            self.over = true;
        }
        let Some(&edge) = self.tour.steps.get(self.step) else {
            self.over = true;
            return Inputs::default();
        };
        self.step += 1;
        if edge == RESET {
            self.at = 0;
            self.waiting = Waiting::Reset;
            return Inputs::default();
        }
        let letter = edge - self.graph.edges_of(self.at).start;
        self.at = self.graph.target(edge);
        self.world.alphabet.letter(self.machine.state(), letter as usize)
    }
}

impl Producer for Walk<'_> {
    fn fill(&mut self, batch: &mut Batch) -> Flow {
        while !self.over && batch.room() > 0 {
            let mut shown = row(self.machine.state(), self.machine.config());
            let inputs = self.inputs(&shown);
            if inputs.is_none() {
                self.machine.reset();
                shown = row(self.machine.state(), self.machine.config());
            }
            let Some(place) = batch.push() else { break };
            place.expected.copy_from_slice(&shown);
            pack_inputs(&inputs.unwrap_or_default(), inputs.is_some(), place.inputs);
            if let Some(inputs) = inputs {
                self.machine.step(&inputs);
            }
        }
        if self.over { Flow::End } else { Flow::More }
    }
}

/// Rows from reset: the way in, the shortest way over `edge`, and a cycle that shows where it led.
///
/// # Panics
/// Never: a row has the size that it was made with.
#[must_use]
pub fn shortest_rows(world: &World, graph: &Graph, edge: u32, mut machine: Machine) -> Vec<Vec<u32>> {
    machine.reset();
    let mut inputs = world.way_in();
    inputs.iter().for_each(|cycle| machine.step(cycle));
    for step in graph.way(edge) {
        let letter = step - graph.edges_of(graph.source(step)).start;
        let cycle = world.alphabet.letter(machine.state(), letter as usize);
        machine.step(&cycle);
        inputs.push(cycle);
    }
    inputs.push(Inputs::default());
    let packed = |cycle: &Inputs<LANES>| {
        let mut row = vec![0; in_words(LANES)];
        pack_inputs(cycle, true, &mut row);
        row
    };
    inputs.iter().map(packed).collect()
}
