//! Programs and session of a run, and the runs that are made of them.

use super::engine::{self, Job, Size};
use super::error::RunError;
use super::measured::Measured;
use super::progress::Progress;
use super::sized::Sized;
use super::supply::{Front, Supply};
use crate::capsule::{Capsule, Failure};
use crate::rdt::environment::{Happening, Setup};
use crate::rdt::session::Session;
use crate::rtl::BuildId;
use lwp_model::rdt::Config;
use std::path::PathBuf;

/// Programs and session of a run.
#[derive(Clone, Debug)]
pub(super) struct Scenario {
    /// The session.
    pub(super) sized: Sized,
    /// Traces; program n runs on logical processor n.
    pub(super) traces: Vec<PathBuf>,
    /// A name for each program.
    pub(super) names: Vec<String>,
    /// How programs reach the shared caches.
    pub(super) front: Front,
    /// Runs are compared with the RTL where a build of it fits.
    pub(super) rtl: bool,
}

/// One of the runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which {
    /// All programs, as the session says.
    Together,
    /// All programs, with all masks and delays open.
    Open,
    /// This program, with all masks and delays open.
    Alone(usize),
}

impl Scenario {
    /// Makes a run.
    pub(super) fn run(&self, which: Which, progress: &Progress<'_>) -> Result<Measured, RunError> {
        progress.begin(&self.label(which));
        let job = self.job(which);
        let ran = engine::run(&job, self.supplies(which)?, progress)?;
        let accesses = |supply: &Supply| match supply {
            Supply::Program(program) => program.before.data > 0 || self.front.first.is_some(),
            Supply::Idle => true,
        };
        if let Some(at) = ran.remains.programs.iter().position(|(supply, ..)| !accesses(supply))
            && !progress.stopped()
        {
            return Err(RunError::NoAccess { path: self.traces[at].clone() });
        }
        Measured::of(ran, &job.setup, &self.session().programs, progress.stopped())
    }

    /// Makes a run once more up to a failure, as a capsule, and returns it with its build; `None` without a build of the RTL.
    pub(super) fn capsule(
        &self,
        which: Which,
        failure: Failure,
        repeat: &str,
    ) -> Result<Option<(Capsule, BuildId)>, RunError> {
        let capsule = engine::capsule(&self.job(which), self.supplies(which)?, failure, repeat)?;
        Ok(capsule.map(|capsule| (capsule, self.session().build)))
    }

    /// What a run is called.
    pub(super) fn label(&self, which: Which) -> String {
        match which {
            Which::Together if self.is_limited() => "with limits".to_owned(),
            Which::Together | Which::Open => "together".to_owned(),
            Which::Alone(number) => format!("{} alone", self.names[number]),
        }
    }

    /// The session.
    pub(super) const fn session(&self) -> &Session {
        &self.sized.session
    }

    /// The straps.
    pub(super) const fn straps(&self) -> &Config {
        &self.session().straps
    }

    /// Whether the session has a mask or a delay.
    pub(super) fn is_limited(&self) -> bool {
        let session = self.session();
        let limits = |event: &Happening| matches!(event, Happening::Writes(writes) if writes.iter().any(|write| write.assigns.is_none()));
        session.writes.iter().any(|write| write.assigns.is_none())
            || session.events.iter().any(|(_, event)| limits(event))
    }

    /// Whether runs are compared with the RTL.
    pub(super) const fn in_lockstep(&self) -> bool {
        self.rtl && !self.sized.larger
    }

    fn supplies(&self, which: Which) -> Result<Vec<Supply>, RunError> {
        let wanted = |number: usize| !matches!(which, Which::Alone(only) if only != number);
        self.front.open(&self.traces, self.straps().line, wanted)
    }

    fn job(&self, which: Which) -> Job {
        let mut setup = self.session().setup();
        if which != Which::Together {
            open(&mut setup);
        }
        let size = match self.straps().l3_sets {
            _ if !self.sized.larger => Size::Build(self.session().build),
            0..=9 => Size::Sets512,
            _ => Size::Sets4096,
        };
        Job { size, lockstep: self.in_lockstep(), setup }
    }
}

/// Leaves out all masks and delays, and CDP; each program keeps its RMID and class.
fn open(setup: &mut Setup) {
    setup.writes.retain(|write| write.assigns.is_some());
    for (_, event) in &mut setup.events {
        if let Happening::Writes(writes) = event {
            writes.retain(|write| write.assigns.is_some());
        }
    }
}
