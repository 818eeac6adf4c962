//! A planted difference in any unit: from a session and a trace to the capsule.

use sim_harness::capsule::{Capsule, Failure, Subject, Target, Way, origin};
use sim_harness::cosim::{Planned, Request, Stream, plan_of};
use sim_harness::lockstep::{Producer, Recording, differences};
use sim_harness::rtl::{BuildId, Divergence, Flavour};
use sim_harness::traces;
use sim_harness::unit::Unit;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A unit in place of the RTL, and what runs on it.
pub(crate) struct Planted {
    pub(crate) unit: &'static Unit,
    pub(crate) target: &'static dyn Target,
    /// The session file.
    pub(crate) session: &'static str,
    /// The trace, as JSON Lines.
    pub(crate) trace: fn() -> String,
}

impl Planted {
    /// The session, whose file is written to the folder.
    pub(crate) fn plan(&self, folder: &Path) -> Box<dyn Planned> {
        let session = folder.join("session.toml");
        fs::write(&session, self.session).unwrap();
        let request = Request { session: Some(&session), seed: None, lanes: 4, spacing: 1 };
        plan_of(self.unit, &request).unwrap()
    }

    /// Model and environment over the trace, whose file is written to the folder.
    pub(crate) fn producer<'p>(&self, plan: &'p dyn Planned, folder: &Path) -> Box<dyn Producer + 'p> {
        let path = folder.join("trace.jsonl");
        fs::write(&path, (self.trace)()).unwrap();
        plan.producer(Stream::new(traces::open(&path).unwrap(), None, None), |_| ())
    }

    /// Runs, finds the first difference, and keeps it.
    pub(crate) fn capsule(&self, folder: &Path) -> Capsule {
        let plan = self.plan(folder);
        let build = self.target.build();
        assert_eq!(plan.build(), build);
        let info = build.info();
        let mut producer = self.producer(plan.as_ref(), folder);
        let recording = Recording::of(producer.as_mut(), info.in_words, info.out_words, usize::MAX);
        let mut subject = self.target.power_up(Flavour::Fast, &plan.strap_words());
        let stop = subject.replay(recording.inputs(), recording.expected()).unwrap_err();
        let expected = &recording.expected()[stop.cycle_in_batch * info.out_words..][..info.out_words];
        let field = differences((self.unit.capsule.fields)(build), expected, &stop.actual)[0].field.name.to_owned();
        let failure = Failure::new(Way::Mismatch { field }, stop.cycle_in_batch as u64);
        let origin = origin("test", "cargo test", plan.seeds());
        let mut producer = self.producer(plan.as_ref(), folder);
        let mut capsule = Capsule::record(build, &plan.strap_words(), producer.as_mut(), failure, origin).unwrap();
        assert!(capsule.confirm(self.target).unwrap());
        capsule
    }
}

/// Steps a subject through rows until it shows something else.
pub(crate) fn replay(
    subject: &mut dyn Subject,
    build: BuildId,
    inputs: &[u32],
    expected: &[u32],
) -> Result<(), Divergence> {
    let info = build.info();
    let mut actual = vec![0; info.out_words];
    let rows = inputs.chunks_exact(info.in_words).zip(expected.chunks_exact(info.out_words));
    for (cycle_in_batch, (inputs, expected)) in rows.enumerate() {
        subject.step(inputs, &mut actual);
        if actual != expected {
            return Err(Divergence { cycle_in_batch, differs: true, assertion_failed: false, actual });
        }
    }
    Ok(())
}

/// `lwp-sim` on a capsule: exit code and all that it said.
pub(crate) fn lwp_sim(verb: &str, path: &Path) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_lwp-sim")).arg(verb).arg(path).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    assert!(!text.contains("panicked"), "{text}");
    (output.status.code(), text)
}
