//! Cases: tasks and a schedule.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Cycles that a task can run.
pub(super) const LONGEST: usize = 2500;

/// What a task counts in user mode. Edges are left out: a switch ends what lasts, so that it may begin twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Instructions retired.
    Instructions,
    /// Branches retired.
    Branches,
    /// Mispredicted branches retired.
    Mispredictions,
    /// Cycles.
    Cycles,
    /// Accesses that went to the last cache, or to memory at all on a processor without.
    Misses,
}

/// A task.
#[derive(Clone, Copy, Debug)]
pub struct TaskCase {
    /// Trace, in the order of [`TRACES`](super::TRACES).
    pub trace: usize,
    /// First cycle of the trace.
    pub first: usize,
    /// What its two counters count.
    pub events: [Event; 2],
    /// Threshold of the first counter.
    pub threshold: u8,
    /// Events of the first counter after which it interrupts.
    pub period: Option<u32>,
}

/// A step of the schedule. Processors and tasks are numbers modulo those that there are.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// All processors run for so many cycles.
    Run(u8),
    /// A processor goes to a task, unless another one has it. Before, its counters are left so far from their last count.
    Switch {
        /// Processor.
        cpu: u8,
        /// Task.
        task: u8,
        /// Counts until the counters wrap, as whoever used them left them.
        left: Option<u8>,
    },
    /// A processor goes to no task.
    Idle(u8),
    /// The task of a processor reads its counters in user mode.
    Read(u8),
    /// The task of a processor samples its counters.
    Sample(u8),
    /// The task of a processor ends.
    Exit(u8),
}

/// Tasks and what happens to them.
#[derive(Clone, Debug)]
pub struct Case {
    /// Tasks.
    pub tasks: Vec<TaskCase>,
    /// Steps.
    pub steps: Vec<Step>,
    /// Cycles from an overflow interrupt to its handler.
    pub latency: u8,
    /// Interval of the timer of the global mode.
    pub interval: u8,
}

fn event() -> BoxedStrategy<Event> {
    select(&[Event::Instructions, Event::Branches, Event::Mispredictions, Event::Cycles, Event::Misses][..]).boxed()
}

fn task() -> BoxedStrategy<TaskCase> {
    let threshold = prop_oneof![3 => Just(0_u8), 1 => 1..4_u8];
    let period = prop_oneof![2 => Just(None), 1 => (5..60_u32).prop_map(Some)];
    (0..3_usize, 0..6000_usize, [event(), event()], threshold, period)
        .prop_map(|(trace, first, events, threshold, period)| TaskCase { trace, first, events, threshold, period })
        .boxed()
}

fn step() -> BoxedStrategy<Step> {
    let left = prop_oneof![Just(None), (0..40_u8).prop_map(Some)];
    prop_oneof![
        8 => (1..60_u8).prop_map(Step::Run),
        8 => (any::<u8>(), any::<u8>(), left).prop_map(|(cpu, task, left)| Step::Switch { cpu, task, left }),
        1 => any::<u8>().prop_map(Step::Idle),
        2 => any::<u8>().prop_map(Step::Read),
        2 => any::<u8>().prop_map(Step::Sample),
        1 => (0..16_u8).prop_map(|cpu| if cpu < 4 { Step::Exit(cpu) } else { Step::Idle(cpu) }),
    ]
    .boxed()
}

/// Cases of up to four tasks and up to `steps` steps.
pub fn case(steps: usize) -> BoxedStrategy<Case> {
    (vec(task(), 1..5), vec(step(), 1..steps), 0..12_u8, prop_oneof![Just(0), 10..80_u8])
        .prop_map(|(tasks, steps, latency, interval)| Case { tasks, steps, latency, interval })
        .boxed()
}
