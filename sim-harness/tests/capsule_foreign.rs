//! Capsules of foreign test benches, through the C ABI of the model: replayed, shrunk and explained here.

use crate::capsule_support::{BUGS, BUILD, Bug, Buggy, capsule_of, producer, straps};
use crate::lockstep_support;
use lwp_model_c::{LwpModel, api};
use sim_harness::capsule::{Capsule, Model, ShrinkOptions, Subject, Target, Way, replay, replay_on, shrink_on};
use sim_harness::lockstep::{Field, Recording, Window};
use sim_harness::report::failure::{Analysis, Evidence};
use sim_harness::rtl::{BuildId, Divergence, Flavour};
use sim_harness::unit::Unit;
use std::ffi::{CStr, CString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, ptr};

const HERE: Window = Window { before: 30, after: 5 };

/// A model behind the C ABI, as a test bench in another language has it.
struct Bench(*mut LwpModel);

impl Drop for Bench {
    fn drop(&mut self) {
        // SAFETY: a model of the library, not used any more.
        assert_eq!(unsafe { api::lwp_model_free(self.0) }, 0);
    }
}

impl Bench {
    fn new(build: BuildId, straps: &[u32]) -> Self {
        let info = build.info();
        let name = CString::new(info.name.strip_prefix(info.unit).unwrap().trim_start_matches('_')).unwrap();
        let (unit, mut model) = (CString::new(info.unit).unwrap(), ptr::null_mut());
        let (words, version) = (straps.len() as u32, api::ABI_VERSION);
        // SAFETY: texts, a row of its size, room for a handle.
        let status = unsafe {
            api::lwp_model_new_unit(unit.as_ptr(), name.as_ptr(), straps.as_ptr(), words, version, &raw mut model)
        };
        assert_eq!(status, 0, "{}", said());
        Self(model)
    }

    fn record(&self) -> i32 {
        // SAFETY: a model.
        unsafe { api::lwp_model_record(self.0) }
    }

    fn step(&self, inputs: &[u32]) {
        // SAFETY: a model, and a row of its size.
        assert_eq!(unsafe { api::lwp_model_step_words(self.0, inputs.as_ptr(), inputs.len() as u32) }, 0);
    }

    fn check(&self, row: &[u32]) -> i32 {
        // SAFETY: a model, and a row of its size.
        unsafe { api::lwp_model_check(self.0, row.as_ptr(), row.len() as u32) }
    }

    /// The path of the capsule, or what the library said.
    fn capsule(&self, path: &Path, row: &[u32], inputs: Option<&[u32]>) -> Result<PathBuf, (i32, String)> {
        let (path, found_by) = (CString::new(path.to_str().unwrap()).unwrap(), c"a foreign bench");
        let (pointer, words) = inputs.map_or((ptr::null(), 0), |inputs| (inputs.as_ptr(), inputs.len() as u32));
        let row_words = row.len() as u32;
        // SAFETY: a model, texts, and rows of their sizes.
        let status = unsafe {
            api::lwp_model_capsule(self.0, path.as_ptr(), found_by.as_ptr(), row.as_ptr(), row_words, pointer, words)
        };
        if status != 0 {
            return Err((status, said()));
        }
        // SAFETY: the text of this thread, before another capsule.
        Ok(unsafe { CStr::from_ptr(api::lwp_model_last_capsule()) }.to_str().unwrap().into())
    }
}

fn said() -> String {
    // SAFETY: the text of this thread, before another failure.
    unsafe { CStr::from_ptr(api::lwp_model_last_error()) }.to_str().unwrap().to_owned()
}

/// A unit that shows a bit wrongly in one cycle.
#[derive(Clone, Copy)]
struct Flips {
    build: BuildId,
    cycle: u64,
    field: &'static Field,
}

impl Target for Flips {
    fn build(&self) -> BuildId {
        self.build
    }

    fn power_up(&self, _: Flavour, straps: &[u32]) -> Box<dyn Subject> {
        let model = (Unit::of(self.build).capsule.model)(self.build, straps).unwrap();
        Box::new(Owned { of: *self, model, at: 0 })
    }
}

/// Its instance.
struct Owned {
    of: Flips,
    model: Box<dyn Model>,
    at: u64,
}

impl Subject for Owned {
    fn replay(&mut self, inputs: &[u32], expected: &[u32]) -> Result<(), Divergence> {
        let info = self.of.build.info();
        let mut actual = vec![0; info.out_words];
        let rows = inputs.chunks_exact(info.in_words).zip(expected.chunks_exact(info.out_words));
        for (cycle_in_batch, (inputs, expected)) in rows.enumerate() {
            self.step(inputs, &mut actual);
            if actual != expected {
                return Err(Divergence { cycle_in_batch, differs: true, assertion_failed: false, actual });
            }
        }
        Ok(())
    }

    fn step(&mut self, inputs: &[u32], shown: &mut [u32]) {
        self.model.cycle(inputs, shown);
        if self.at == self.of.cycle {
            shown[self.of.field.word] ^= 1 << self.of.field.lsb;
        }
        self.at += 1;
    }

    fn assertion_label(&mut self) -> Option<String> {
        None
    }
}

/// For every unit, from the one list: what a bench writes is replayed bit for bit.
#[test]
fn every_build_of_every_unit_leaves_a_capsule() {
    let folder = tempfile::tempdir().unwrap();
    for &build in BuildId::ALL {
        let (info, straps) = (build.info(), lockstep_support::straps(build));
        let field = (Unit::of(build).capsule.fields)(build).last().unwrap();
        let target = Flips { build, cycle: 150, field };
        let inputs = lockstep_support::inputs(build, 3, 200);
        let (bench, mut unit) = (Bench::new(build, &straps), target.power_up(Flavour::Fast, &straps));
        let mut shown = vec![0; info.out_words];
        assert_eq!(bench.capsule(folder.path(), &shown, None).unwrap_err().0, 11, "it is not recorded");
        assert_eq!(bench.record(), 0);
        for (cycle, row) in inputs.chunks_exact(info.in_words).enumerate() {
            unit.step(row, &mut shown);
            // In reset nothing is compared.
            if row[0] & 1 == 0 {
                bench.step(row);
                continue;
            }
            if bench.check(&shown) == 0 {
                bench.step(row);
                continue;
            }
            assert_eq!(cycle, 150, "{}", info.name);
            let text = said();
            let path = bench.capsule(folder.path(), &shown, Some(row)).unwrap();
            assert_eq!(path, folder.path().join(format!("{}-cycle150.capsule", info.name)));
            let capsule = Capsule::load(&path).unwrap();
            let header = capsule.header();
            assert_eq!((header.unit.as_str(), header.build.as_str()), (info.unit, info.name));
            assert_eq!(header.failure.way, Way::Mismatch { field: field.name.to_owned() });
            assert!(text.ends_with(&header.failure.text), "{text}");
            assert_eq!((header.origin.found_by.as_str(), header.cycles), ("a foreign bench", 151));
            assert!(header.protocol.is_some(), "who reads it checks the rules of the ports");
            assert!(replay_on(&target, &capsule, HERE).unwrap().as_recorded, "{}", info.name);
            // This program's RTL is right.
            assert_eq!(replay(&capsule, HERE).unwrap().found, None, "{}", info.name);
            // Nothing is overwritten.
            let again = bench.capsule(&path, &shown, None).unwrap();
            assert_eq!(again, folder.path().join(format!("{}-cycle150-2.capsule", info.name)));
            assert!(replay_on(&target, &Capsule::load(&again).unwrap(), HERE).unwrap().as_recorded);
            break;
        }
        assert_eq!(bench.record(), 11, "it was stepped");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2 * BuildId::ALL.len());
}

#[test]
fn what_is_no_failure_and_what_cannot_be_written_is_refused() {
    let bench = Bench::new(BUILD, &straps());
    assert_eq!(bench.record(), 0);
    let mut row = vec![0; BUILD.info().out_words];
    // SAFETY: a model, and room for a row.
    assert_eq!(unsafe { api::lwp_model_probe(bench.0, row.as_mut_ptr(), row.len() as u32) }, 0);
    let (status, text) = bench.capsule(Path::new("x.capsule"), &row, None).unwrap_err();
    assert_eq!(status, 11);
    assert!(text.ends_with("the unit shows what the model shows: nothing has failed"), "{text}");
    row[0] ^= 1;
    let (status, text) = bench.capsule(Path::new("/proc/nonexistent/x.capsule"), &row, None).unwrap_err();
    assert_eq!(status, 12, "{text}");
    assert!(!Path::new("x.capsule").exists());
}

/// A bench that runs a unit with a bug: the same failure as in the harness, and small.
#[test]
fn a_bug_is_shrunk_and_explained() {
    let (bug, folder) = (BUGS[3], tempfile::tempdir().unwrap());
    let info = BUILD.info();
    let recording = Recording::of(&mut producer(), info.in_words, info.out_words, usize::MAX);
    let (bench, mut unit) = (Bench::new(BUILD, &straps()), Buggy(bug).power_up(Flavour::Fast, &straps()));
    assert_eq!(bench.record(), 0);
    let mut shown = vec![0; info.out_words];
    let failing = recording.inputs().chunks_exact(info.in_words).find(|row| {
        unit.step(row, &mut shown);
        let fails = bench.check(&shown) != 0;
        if !fails {
            bench.step(row);
        }
        fails
    });
    let path = bench.capsule(&folder.path().join("x.capsule"), &shown, failing).unwrap();
    explained(bug, &Capsule::load(&path).unwrap(), "report: irq differs");
    let (own, theirs) = (capsule_of(bug), Capsule::load(&path).unwrap());
    let bits = |capsule: &Capsule| {
        let failure = &capsule.header().failure;
        (failure.way.clone(), failure.cycle, failure.values, failure.rows_crc)
    };
    assert_eq!(bits(&own), bits(&theirs));
}

/// Replays, shrinks, and reports.
fn explained(bug: Bug, capsule: &Capsule, line: &str) {
    let found = replay_on(&Buggy(bug), capsule, HERE).unwrap();
    assert!(found.as_recorded, "{:?}, and not {:?}", found.found, capsule.header().failure);
    let small = shrink_on(&Buggy(bug), None, capsule, &ShrinkOptions::default(), &mut |_| true).unwrap();
    assert!(small.header().cycles < capsule.header().cycles / 4, "{}", small.header().cycles);
    assert!(small.header().shrunk.unwrap().complete && small.broken_rule().is_none());
    let replayed = replay_on(&Buggy(bug), &small, HERE).unwrap();
    assert!(replayed.as_recorded);
    let evidence = Evidence::of_replay(&small, &replayed, "a test".to_owned()).unwrap();
    let text = Analysis::of(&evidence).unwrap().plain_text();
    assert!(text.starts_with(line), "{text}");
}

/// What only `make nightly` runs: a test bench is built.
mod nightly {
    use super::{Bug, Capsule, Command, Path, explained, fs};
    use std::env;
    use std::os::unix::process::ExitStatusExt;

    /// The interrupt is lost while the unit requests memory.
    const BUG: Bug = Bug {
        name: "interrupt lost beside a request",
        field: "irq",
        shows: |seen| seen.now.irq.valid && seen.now.port.req,
    };

    /// The test bench of the examples, in SystemVerilog, over RTL with a planted bug: it leaves a capsule, which is replayed, shrunk and
    /// explained.
    #[test]
    fn a_bench_in_systemverilog_leaves_a_capsule() {
        let (folder, root) = (tempfile::tempdir().unwrap(), Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
        let rtl = folder.path().join("rtl");
        assert!(Command::new("cp").arg("-r").arg(root.join("rtl")).arg(&rtl).status().unwrap().success());
        let (top, right) = (rtl.join("lwp/lwp.sv"), "assign irq_o             = irq.valid;");
        let text = fs::read_to_string(&top).unwrap();
        assert_eq!(text.matches(right).count(), 1);
        fs::write(&top, text.replace(right, "assign irq_o             = irq.valid && !port.req;")).unwrap();
        let bench = |arguments: &[&str]| {
            let mut command = Command::new(root.join("sim-harness/c-abi/examples/systemverilog/run"));
            command.env("LWP_RTL_DIR", &rtl).env("LWP_EXAMPLE_OUT", folder.path().join("out"));
            if let Some(target) = env::var_os("CARGO_TARGET_DIR") {
                command.env("CARGO_TARGET_DIR", target);
            }
            let output = command.args(arguments).current_dir(folder.path()).output().unwrap();
            (output.status.code(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
        };
        let path = folder.path().join("irq.capsule");
        let (code, text) = bench(&[&format!("+lwp_capsule={}", path.display())]);
        assert_eq!(code, Some(1), "{text}");
        assert!(text.contains("\nthe failure capsule: ") && text.contains("irq: model 0x1, unit 0x0"), "{text}");
        // The program alone ends as the book says, and a folder is a name too.
        let mut alone = Command::new(folder.path().join("out/systemverilog/tb"));
        let ended = alone.arg(format!("+lwp_capsule={}", folder.path().display())).output().unwrap().status;
        assert_eq!(ended.signal(), Some(6), "SIGABRT, which a shell shows as 134");
        let capsule = Capsule::load(&path).unwrap();
        let other = folder.path().join(format!("lwp_w4-cycle{}.capsule", capsule.header().failure.cycle));
        assert_eq!(Capsule::load(&other).unwrap().header().failure, capsule.header().failure);
        assert!(capsule.header().origin.repeat.contains("+lwp_capsule="), "{}", capsule.header().origin.repeat);
        assert!(capsule.header().origin.found_by.contains("tb.u_lwp.u_check"));
        explained(BUG, &capsule, "report: irq differs");
    }
}
