//! Units with a seeded bug: the model, which shows one field wrongly under a condition.

pub(crate) mod planted;
pub(crate) mod seal;

use lwp_model::lwp::{CtlOp, Inputs, Lwp, State};
use sim_harness::capsule::{Capsule, Failure, Model, Subject, Target, Way, origin};
use sim_harness::lockstep::{Producer, Recording, differences};
use sim_harness::lwp::capsule::UNIT;
use sim_harness::lwp::device::ModelProducer;
use sim_harness::lwp::environment::{Computer, ReplayList};
use sim_harness::lwp::fields::FIELDS;
use sim_harness::lwp::flat::{OUT_WORDS, pack_straps};
use sim_harness::lwp::session::Session;
use sim_harness::lwp::unflat::{unpack_inputs, unpack_state};
use sim_harness::rtl::{BuildId, Divergence, Flavour};
use sim_harness::traces::{self, Retired};
use std::collections::BTreeMap;

/// What a bug sees: registers, inputs and registers of the cycle before, and a counter that is its own.
pub(crate) struct Seen<'a> {
    pub(crate) now: &'a State,
    pub(crate) before: &'a State,
    pub(crate) before_inputs: &'a Inputs<4>,
    pub(crate) count: &'a mut u64,
}

/// A bug: where it shows, and when.
#[derive(Clone, Copy)]
pub(crate) struct Bug {
    pub(crate) name: &'static str,
    pub(crate) field: &'static str,
    pub(crate) shows: fn(&mut Seen<'_>) -> bool,
}

fn holds_record(state: &State) -> bool {
    state.records[0].event != 0
}

/// Ten bugs, from one that shows at once to one that needs a long history.
pub(crate) const BUGS: [Bug; 10] = [
    Bug { name: "head does not wrap", field: "state.head", shows: |seen| seen.now.ring.head < seen.before.ring.head },
    Bug {
        name: "third reload is one short",
        field: "state.events[0].counter",
        shows: |seen| {
            *seen.count +=
                u64::from(seen.now.events[0].counter > seen.before.events[0].counter && seen.before.session.active);
            *seen.count >= 4
        },
    },
    Bug { name: "MissedEvents is not counted", field: "state.missed", shows: |seen| seen.now.ring.missed > 0 },
    Bug {
        name: "interrupt lost beside a grant",
        field: "irq",
        shows: |seen| seen.now.irq.valid && !seen.before.irq.valid && seen.now.ring.head >= 64,
    },
    Bug {
        name: "taken branch in the last lane",
        field: "state.records[0].addr",
        shows: |seen| {
            let lane = &seen.before_inputs.lanes[3];
            holds_record(seen.now) && !holds_record(seen.before) && lane.valid && seen.now.records[0].ip == lane.ip
        },
    },
    Bug {
        name: "latency loses its top bit",
        field: "state.records[0].data",
        shows: |seen| seen.now.records[0].event == 3 && seen.now.records[0].data >= 128,
    },
    Bug {
        name: "a second page fault in one session",
        field: "pf_addr",
        shows: |seen| {
            *seen.count += u64::from(seen.now.pf.valid && !seen.before.pf.valid);
            *seen.count >= 2 && seen.now.pf.valid
        },
    },
    Bug {
        name: "SLWPCB after forty quiet cycles",
        field: "state.ctl_st",
        shows: |seen| {
            let quiet = seen.before_inputs.lanes.iter().all(|lane| !lane.valid);
            *seen.count = if quiet { *seen.count + 1 } else { 0 };
            seen.now.ctl.st != seen.before.ctl.st && seen.now.ctl.op == CtlOp::Slwpcb && *seen.count >= 40
        },
    },
    Bug {
        name: "session of a kernel visit",
        field: "state.was_ring3",
        shows: |seen| {
            *seen.count += u64::from(seen.before.retire.was_ring3 && !seen.now.retire.was_ring3);
            *seen.count >= 3 && seen.now.retire.was_ring3 && seen.now.session.active
        },
    },
    Bug {
        name: "the twentieth record",
        field: "state.lfsr",
        shows: |seen| {
            *seen.count += u64::from(holds_record(seen.now) && !holds_record(seen.before));
            *seen.count >= 20
        },
    },
];

/// The build that the bugs are in.
pub(crate) const BUILD: BuildId = BuildId::LwpW4;

/// A unit with a bug, in place of the RTL.
pub(crate) struct Buggy(pub(crate) Bug);

struct Instance {
    model: Box<dyn Model>,
    bug: Bug,
    before: (Inputs<4>, State),
    count: u64,
}

impl Target for Buggy {
    fn build(&self) -> BuildId {
        BUILD
    }

    fn power_up(&self, _: Flavour, straps: &[u32]) -> Box<dyn Subject> {
        let model = (UNIT.model)(BUILD, straps).expect("candidates have legal straps");
        Box::new(Instance { model, bug: self.0, before: (Inputs::default(), State::default()), count: 0 })
    }

    /// A bug that counts begins at 0.
    fn resume(&self, _: Flavour, straps: &[u32], row: &[u32], inputs: &[u32]) -> Option<Box<dyn Subject>> {
        let mut model = (UNIT.model)(BUILD, straps).expect("candidates have legal straps");
        let mut instance = model.resume(row).then(|| {
            let before = (Inputs::default(), unpack_state(row));
            Instance { model, bug: self.0, before, count: 0 }
        })?;
        let mut shown = vec![0; OUT_WORDS];
        instance.step(inputs, &mut shown);
        (shown == row).then(|| Box::new(instance) as Box<dyn Subject>)
    }
}

impl Subject for Instance {
    fn replay(&mut self, inputs: &[u32], expected: &[u32]) -> Result<(), Divergence> {
        planted::replay(self, BUILD, inputs, expected)
    }

    fn step(&mut self, inputs: &[u32], shown: &mut [u32]) {
        self.model.cycle(inputs, shown);
        let (given, now) = (unpack_inputs::<4>(inputs).0, unpack_state(shown));
        let (before_inputs, before) = (&self.before.0, &self.before.1);
        let mut seen = Seen { now: &now, before, before_inputs, count: &mut self.count };
        if (self.bug.shows)(&mut seen) {
            let field = FIELDS.iter().find(|field| field.name == self.bug.field).expect("a field of the contract");
            shown[field.word] ^= 1 << field.lsb;
        }
        self.before = (given, now);
    }

    fn assertion_label(&mut self) -> Option<String> {
        None
    }
}

/// A session in which all bugs show sooner or later.
pub(crate) const SESSION: &str = "[lwpcb]\nbuffer_size = 256\nthreshold = 128\nrandom = 2\n[[lwpcb.event]]\nid = 3\ninterval = 5\n\
                       [[lwpcb.event]]\nid = 1\ninterval = 40\n[[lwpcb.event]]\nid = 2\ninterval = 9\n\
                       [consumer]\nmode = \"periodic\"\nperiod = 900\n\
                       [memory]\nlatency = [1, 9]\nstall = 0.3\nfault = 0.02\nseed = 7\n";

fn session(text: &str) -> Session {
    Session::parse("session", text).expect("a session")
}

pub(crate) fn instructions() -> Vec<Retired> {
    let text: String = (0..20_000_u64)
        .map(|at| {
            let ip = 0x40_1000 + 4 * (at % 700);
            let more = match at % 7 {
                0 => format!(
                    ",\"loads\":[{{\"addr\":\"{:#x}\",\"miss\":true,\"latency\":{},\"source\":3}}]",
                    0x7000 + 64 * at,
                    at % 250
                ),
                3 => {
                    ",\"branch\":{\"kind\":\"jcc\",\"taken\":true,\"next\":\"0x401000\",\"predicted\":true}".to_owned()
                }
                5 if at % 97 == 0 => ",\"cpl\":0".to_owned(),
                _ => String::new(),
            };
            format!("{{\"ip\":\"{ip:#x}\"{more}}}\n")
        })
        .collect();
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), text).expect("it can be written");
    let mut reader = traces::open(file.path()).expect("a trace");
    let mut list = Vec::new();
    let mut retired = Retired::default();
    while reader.next(&mut retired).expect("it reads") {
        list.push(retired.clone());
    }
    list
}

/// Model and environment over that trace.
pub(crate) fn producer() -> impl Producer {
    producer_of(&session(SESSION))
}

fn producer_of(session: &Session) -> impl Producer + use<> {
    let model = Lwp::<4, 8, 31>::new(session.straps).expect("legal straps");
    let setup = session.setup(4, 1, 31);
    let environment = Computer::<4, _, _>::new(&setup, ReplayList::new(instructions(), 1), Vec::new());
    ModelProducer::new(model, environment, |_: &mut Computer<4, ReplayList, Vec<_>>| ())
}

pub(crate) fn straps() -> Vec<u32> {
    pack_straps(&session(SESSION).straps).to_vec()
}

/// The first failure of a buggy unit under that trace, as a capsule.
pub(crate) fn capsule_of(bug: Bug) -> Capsule {
    capsule_under(bug, SESSION)
}

/// The same under another session.
pub(crate) fn capsule_under(bug: Bug, text: &str) -> Capsule {
    let session = session(text);
    let straps = pack_straps(&session.straps);
    let failure = first_failure(&Buggy(bug), &straps, &mut producer_of(&session));
    let failure = failure.unwrap_or_else(|| panic!("{} never shows", bug.name));
    let origin = origin("test", "cargo test", BTreeMap::from([("memory".to_owned(), session.memory.seed)]));
    let mut capsule = Capsule::record(BUILD, &straps, &mut producer_of(&session), failure, origin).expect("a capsule");
    assert!(capsule.confirm(&Buggy(bug)).expect("it replays"), "{}", bug.name);
    capsule
}

fn first_failure(target: &dyn Target, straps: &[u32], producer: &mut dyn Producer) -> Option<Failure> {
    let recording = Recording::of(producer, BUILD.info().in_words, OUT_WORDS, usize::MAX);
    let stop = target.power_up(Flavour::Fast, straps).replay(recording.inputs(), recording.expected()).err()?;
    let expected = &recording.expected()[stop.cycle_in_batch * OUT_WORDS..][..OUT_WORDS];
    let field = differences(FIELDS, expected, &stop.actual)[0].field.name.to_owned();
    Some(Failure::new(Way::Mismatch { field }, stop.cycle_in_batch as u64))
}
