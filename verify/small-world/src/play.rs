//! The walk, played in lockstep.

use crate::graph::Graph;
use crate::machine::Machine;
use crate::tour::{RESET, Tour};
use crate::world::{Inputs, World};
use lwp_model::Unit;
use sim_harness::lockstep::{Batch, Flow, Options, Producer, Report, Threads, run};
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
pub fn play<W: World>(
    world: &W,
    graph: &Graph,
    tour: &Tour,
    root: Machine<W::Unit>,
    threads: Threads,
    progress: &mut dyn FnMut(u64),
) -> Played {
    let mut walk = Walk::new(world, graph, tour, root);
    let mut rtl = Rtl::new(W::build(), Flavour::Fast, &world.strap_words());
    let mut options = Options::new(<W::Unit as Unit>::OUTPUT_FIELDS);
    options.threads = threads;
    options.on_progress = Some(progress);
    let report = run(&mut walk, &mut rtl, options);
    // What differs in a cycle was decided in the one before.
    let edge = report.divergence.as_ref().and_then(|at| step_before(world, tour, at.cycle));
    Played { report, edge, drift: walk.drift }
}

/// The walk as the producer of a run of its own.
#[must_use]
pub fn producer<'a, W: World>(
    world: &'a W,
    graph: &'a Graph,
    tour: &'a Tour,
    root: Machine<W::Unit>,
) -> impl Producer + use<'a, W> {
    Walk::new(world, graph, tour, root)
}

/// Cycles of a reset: one in which what came before shows, the reset, the way into the world.
fn cycles_of(step: u32, into: usize) -> u64 {
    if step == RESET { into as u64 + 2 } else { 1 }
}

/// The edge that was walked in the cycle before `cycle`.
fn step_before<W: World>(world: &W, tour: &Tour, cycle: u64) -> Option<u32> {
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

struct Walk<'a, W: World> {
    world: &'a W,
    graph: &'a Graph,
    tour: &'a Tour,
    way_in: Vec<Inputs<W>>,
    machine: Machine<W::Unit>,
    /// What the unit shows in the present cycle.
    shown: Vec<u32>,
    /// The next step.
    step: usize,
    /// The state in which it begins.
    at: u32,
    waiting: Waiting,
    drift: Option<u32>,
    /// The last state has been shown.
    over: bool,
}

impl<'a, W: World> Walk<'a, W> {
    fn new(world: &'a W, graph: &'a Graph, tour: &'a Tour, mut machine: Machine<W::Unit>) -> Self {
        machine.reset();
        Self {
            world,
            graph,
            tour,
            way_in: world.way_in(),
            machine,
            shown: vec![0; <W::Unit as Unit>::OUTPUT_WORDS],
            step: 0,
            at: 0,
            waiting: Waiting::In(0),
            drift: None,
            over: false,
        }
    }

    /// The inputs of the next cycle, `None` in a reset.
    fn inputs(&mut self) -> Option<Inputs<W>> {
        match self.waiting {
            Waiting::Reset => {
                self.waiting = Waiting::In(0);
                None
            }
            Waiting::In(number) if number < self.way_in.len() => {
                self.waiting = Waiting::In(number + 1);
                Some(self.way_in[number].clone())
            }
            Waiting::In(_) | Waiting::Nothing => {
                self.waiting = Waiting::Nothing;
                Some(self.walk())
            }
        }
    }

    /// The inputs of the next step.
    fn walk(&mut self) -> Inputs<W> {
        if !self.graph.states.is(self.at, &self.shown) {
            self.drift = self.drift.or(self.step.checked_sub(1).map(|last| self.tour.steps[last]));
            self.over = true;
        }
        let Some(&edge) = self.tour.steps.get(self.step) else {
            self.over = true;
            return Inputs::<W>::default();
        };
        self.step += 1;
        if edge == RESET {
            self.at = 0;
            self.waiting = Waiting::Reset;
            return Inputs::<W>::default();
        }
        let letter = edge - self.graph.edges_of(self.at).start;
        self.at = self.graph.target(edge);
        self.world.letter(self.machine.state(), letter as usize)
    }
}

impl<W: World> Producer for Walk<'_, W> {
    fn fill(&mut self, batch: &mut Batch) -> Flow {
        while !self.over && batch.room() > 0 {
            self.machine.row(&mut self.shown);
            let inputs = self.inputs();
            if inputs.is_none() {
                self.machine.reset();
                self.machine.row(&mut self.shown);
            }
            let Some(place) = batch.push() else { break };
            place.expected.copy_from_slice(&self.shown);
            let runs = inputs.is_some();
            let inputs = inputs.unwrap_or_default();
            <W::Unit as Unit>::pack_inputs(&inputs, runs, place.inputs);
            if runs {
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
pub fn shortest_rows<W: World>(world: &W, graph: &Graph, edge: u32, mut machine: Machine<W::Unit>) -> Vec<Vec<u32>> {
    machine.reset();
    let mut inputs = world.way_in();
    inputs.iter().for_each(|cycle| machine.step(cycle));
    for step in graph.way(edge) {
        let letter = step - graph.edges_of(graph.source(step)).start;
        let cycle = world.letter(machine.state(), letter as usize);
        machine.step(&cycle);
        inputs.push(cycle);
    }
    inputs.push(Inputs::<W>::default());
    let packed = |cycle: &Inputs<W>| {
        let mut row = vec![0; <W::Unit as Unit>::INPUT_WORDS];
        <W::Unit as Unit>::pack_inputs(cycle, true, &mut row);
        row
    };
    inputs.iter().map(packed).collect()
}
