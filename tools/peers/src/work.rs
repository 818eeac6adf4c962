//! What all contestants work on: one recorded run of model and environment.

use lwp_model::lwp::Lwp;
use sim_harness::frontend::FrontEnd;
use sim_harness::lockstep::Recording;
use sim_harness::lwp::device::ModelProducer;
use sim_harness::lwp::environment::{Computer, ReplayList};
use sim_harness::lwp::flat;
use sim_harness::lwp::records::Recorder;
use sim_harness::lwp::session::{EVENT_SLOTS, Session};
use sim_harness::rtl::{BuildId, Flavour, Rtl};
use sim_harness::traces::{self, Retired};
use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

pub(crate) const LANES: usize = 4;
const LATENCY_BITS: u32 = 31;
/// Instructions at the beginning of the trace, while a program is loading, that are not like the rest.
const SKIP: usize = 100_000;

pub(crate) type Model = Lwp<LANES, EVENT_SLOTS, LATENCY_BITS>;
type PeersComputer = Computer<LANES, ReplayList, Recorder>;
type EnvironmentProducer =
    ModelProducer<LANES, EVENT_SLOTS, LATENCY_BITS, ReplayList, Recorder, fn(&mut PeersComputer)>;

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    /// Instructions of the trace that are recorded.
    pub(crate) instructions: usize,
    pub(crate) rounds: usize,
    /// The slowest peer plays only so many cycles, from the first on.
    pub(crate) slow_cycles: usize,
}

impl Sizes {
    pub(crate) const FULL: Self = Self { instructions: 1_000_000, rounds: 31, slow_cycles: 5_000 };
    pub(crate) const QUICK: Self = Self { instructions: 300_000, rounds: 9, slow_cycles: 2_000 };
    pub(crate) const CONTROL: Self = Self { instructions: 20_000, rounds: 0, slow_cycles: 2_000 };
}

/// The recorded run.
pub(crate) struct Work {
    session: Session,
    pub(crate) instructions: Vec<Retired>,
    pub(crate) recording: Recording,
    /// The straps and the recorded inputs as a file, for the peers that are programs of their own.
    pub(crate) rows: PathBuf,
    pub(crate) slow_cycles: usize,
}

impl Work {
    /// Reads the instructions, and goes on as `of`.
    pub(crate) fn prepare(trace: &Path, folder: &Path, sizes: Sizes) -> Result<Self, Box<dyn Error>> {
        Self::of(read(trace, &Session::default(), sizes.instructions)?, folder, sizes)
    }

    /// Records one run of model and environment over the instructions, and writes the inputs to a file in `folder`.
    pub(crate) fn of(instructions: Vec<Retired>, folder: &Path, sizes: Sizes) -> Result<Self, Box<dyn Error>> {
        let session = Session::default();
        let recording = Recording::new(flat::in_words(LANES), flat::OUT_WORDS);
        let rows = std::path::absolute(folder.join("rows.bin"))?;
        let mut work = Work { session, instructions, recording, rows, slow_cycles: sizes.slow_cycles };
        work.recording = Recording::of(&mut work.producer(), flat::in_words(LANES), flat::OUT_WORDS, usize::MAX);
        work.slow_cycles = work.slow_cycles.min(work.cycles());
        work.write().map_err(|error| format!("{}: {error}", work.rows.display()))?;
        Ok(work)
    }

    pub(crate) fn cycles(&self) -> usize {
        self.recording.cycles()
    }

    pub(crate) fn model(&self) -> Model {
        Model::new(self.session.straps).expect("default straps are legal")
    }

    pub(crate) fn rtl(&self) -> Rtl {
        Rtl::new(BuildId::LwpW4, Flavour::Fast, &flat::pack_straps(&self.session.straps))
    }

    /// The model with its environment, as `make bench` runs it.
    pub(crate) fn producer(&self) -> EnvironmentProducer {
        let setup = self.session.setup(LANES, 1, LATENCY_BITS);
        let environment = Computer::new(&setup, ReplayList::new(self.instructions.clone(), 1), Recorder::default());
        ModelProducer::new(self.model(), environment, |_| {})
    }

    /// Words in the order of the machine's bytes, little-endian: three of straps, then those of each cycle's inputs.
    fn write(&self) -> std::io::Result<()> {
        let mut file = BufWriter::new(File::create(&self.rows)?);
        for word in flat::pack_straps(&self.session.straps).iter().chain(self.recording.inputs()) {
            file.write_all(&word.to_le_bytes())?;
        }
        file.flush()
    }
}

fn read(trace: &Path, session: &Session, wanted: usize) -> Result<Vec<Retired>, Box<dyn Error>> {
    let mut reader = traces::open(trace)?;
    let mut front_end = FrontEnd::new(&session.frontend)?;
    let annotate = !reader.annotated();
    let mut instructions = Vec::with_capacity(wanted);
    let mut retired = Retired::default();
    let mut left_out = 0;
    while instructions.len() < wanted && reader.next(&mut retired)? {
        if annotate {
            front_end.annotate(&mut retired);
        }
        if left_out < SKIP {
            left_out += 1;
        } else {
            instructions.push(retired.clone());
        }
    }
    if instructions.len() < wanted {
        return Err(format!("{}: {} instructions are wanted", trace.display(), wanted + SKIP).into());
    }
    Ok(instructions)
}
