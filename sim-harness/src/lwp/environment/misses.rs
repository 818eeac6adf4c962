//! The loads that missed, from the miss to the cycle before their instruction retires: entries of the unit's miss address
//! buffer, data that returns, replays.
//!
//! Source: "Ports" (buffer, Replay) and "Miss address buffer" in the unit's chapters of the book.

use super::setup::Setup;
use crate::core::draws::{Chance, Draws};
use crate::traces;
use lwp_model::lwp::{AddressPolicy, Buffer, LOAD_PORTS, LatencySource, Load, MAB_ENTRIES, Outputs};

/// Cycles from the flush of the pipeline until the instruction is ready to retire again.
const REPLAY: u32 = 12;
/// Longest time that a load waits for its data. A trace may say any latency, but a run has to get on.
pub(super) const LONGEST: u32 = 1 << 16;

/// The loads of one lane or partial cycle, while the unit is told of them.
#[derive(Debug)]
pub(super) struct Misses {
    /// The unit measures latencies.
    buffer: bool,
    /// The unit tags loads.
    replay: bool,
    /// Greatest latency that can be reported.
    limit: u32,
    abort: Chance,
    aborts: Draws,
    /// Entry of the miss address buffer that is taken next.
    entry: u8,
    loads: [Outstanding; LOAD_PORTS],
    /// How many of them there are; 0 between two instructions.
    count: usize,
    /// The load whose data has just returned. It does not retire in that cycle, and the unit may tag it in the next.
    asked: Option<usize>,
    /// Cycles until the replayed instruction is ready.
    replaying: u32,
}

/// A load on its way.
#[derive(Clone, Copy, Debug, Default)]
struct Outstanding {
    latency: u32,
    source: u8,
    entry: u8,
    stage: Stage,
    /// Cycles until its data returns.
    left: u32,
    tag: Tag,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    /// It needs an entry of the buffer.
    #[default]
    Missed,
    /// It waits for its data.
    Waiting,
    /// Its data is there.
    Filled,
}

/// What became of a load that the unit may tag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Tag {
    #[default]
    None,
    /// It was tagged and has been replayed.
    Replayed,
    /// It was tagged, and its replay will be aborted.
    Aborting,
    /// It was tagged in vain: executed once more it hits, and nobody asks for it.
    Lost,
}

impl Misses {
    /// `None` if the unit is told of loads when they retire, and not before.
    pub(super) fn new(setup: &Setup) -> Option<Self> {
        let buffer = setup.straps.latency_source == LatencySource::Buffer;
        let replay = setup.straps.address_policy == AddressPolicy::Replay;
        (buffer || replay).then(|| Self {
            buffer,
            replay,
            limit: setup.latency_limit(),
            abort: Chance::new(setup.replay_abort),
            aborts: Draws::new(setup.memory.seed, 5),
            entry: 0,
            loads: Default::default(),
            count: 0,
            asked: None,
            replaying: 0,
        })
    }

    /// Whether loads are on their way.
    pub(super) const fn is_busy(&self) -> bool {
        self.count > 0
    }

    /// Whether the loads may be presented at the retire port.
    pub(super) fn are_ready(&self) -> bool {
        let filled = self.loads[..self.count].iter().all(|load| load.stage == Stage::Filled);
        self.is_busy() && filled && self.asked.is_none() && self.replaying == 0
    }

    /// The next loads of an instruction miss: the missing ones of `loads`, as many as a lane has ports.
    pub(super) fn begin(&mut self, loads: &[traces::Load], ring3: bool) {
        let missing = loads.iter().filter(|load| load.miss);
        self.count = 0;
        for (place, load) in self.loads.iter_mut().zip(missing) {
            // Without a buffer nobody measures how long it takes.
            let stage = match (self.buffer, ring3) {
                (true, _) => Stage::Missed,
                (false, true) => Stage::Waiting,
                (false, false) => Stage::Filled,
            };
            let latency = load.latency.min(self.limit);
            *place = Outstanding { latency, source: load.source & 7, stage, ..Outstanding::default() };
            self.count += 1;
        }
    }

    /// One cycle of the loads on their way, which belong to the instruction at `ip`.
    pub(super) fn cycle(&mut self, ip: u64, out: &Outputs, port: &mut Buffer) {
        self.look_for_a_tag(out);
        if self.replaying > 0 {
            self.replay_on(port);
        }
        self.take_an_entry(port);
        self.return_data(ip, port);
    }

    /// Ring 3 is left although loads are on their way. The unit has forgotten its tag; what was tagged is executed again and
    /// hits.
    pub(super) fn interrupt(&mut self) {
        self.asked = None;
        self.replaying = 0;
        for load in &mut self.loads {
            if load.tag != Tag::None {
                load.tag = Tag::Lost;
            }
        }
    }

    /// Presents the load at this port, which has its address and its source already.
    pub(super) fn show(&self, number: usize, port: &mut Load) {
        let load = &self.loads[number];
        port.miss = load.tag == Tag::None;
        port.tagged = load.tag == Tag::Replayed;
        if self.buffer {
            port.latency = load.entry.into();
        }
    }

    /// The loads have been presented.
    pub(super) fn shown(&mut self) {
        self.count = 0;
    }

    fn look_for_a_tag(&mut self, out: &Outputs) {
        let Some(asked) = self.asked.take() else { return };
        if self.replay && out.flush_req {
            self.loads[asked].tag = if self.aborts.yes(self.abort) { Tag::Aborting } else { Tag::Replayed };
            self.replaying = REPLAY;
        }
    }

    fn replay_on(&mut self, port: &mut Buffer) {
        self.replaying -= 1;
        if self.replaying == 0
            && let Some(load) = self.loads.iter_mut().find(|load| load.tag == Tag::Aborting)
        {
            load.tag = Tag::Lost;
            port.replay_abort = true;
        }
    }

    fn take_an_entry(&mut self, port: &mut Buffer) {
        let mut loads = self.loads[..self.count].iter_mut();
        let Some(load) = loads.find(|load| load.stage == Stage::Missed) else { return };
        load.entry = self.entry;
        load.stage = Stage::Waiting;
        // The entry counts from the next cycle on, so that a fill in this many cycles reports the latency.
        load.left = load.latency.clamp(1, LONGEST) + 1;
        self.entry = (self.entry + 1) % MAB_ENTRIES as u8;
        (port.alloc_valid, port.alloc_entry) = (true, load.entry);
    }

    fn return_data(&mut self, ip: u64, port: &mut Buffer) {
        for (number, load) in self.loads[..self.count].iter_mut().enumerate() {
            if load.stage == Stage::Waiting {
                load.left = load.left.saturating_sub(1);
                if load.left == 0 && !port.fill_valid {
                    load.stage = Stage::Filled;
                    (port.fill_valid, port.fill_entry) = (true, load.entry);
                    (port.fill_ip, port.fill_latency, port.fill_source) = (ip, load.latency, load.source);
                    self.asked = Some(number);
                }
            }
        }
    }
}
