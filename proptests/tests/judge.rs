//! `judge` before its shell: exit codes 0, 2, 3 and 4, and what it says. The properties hold of this unit, so 1 takes a seeded bug.

use lwp_model::lwp::{Config, Inputs};
use proptests::lwp::Properties;
use proptests::lwp::bench::play;
use proptests::lwp::scenario::{Scenario, scenario};
use proptests::runner::draw;
use sim_harness::capsule::{Capsule, Failure, Judge, RowWriter, Verdict, Way, origin};
use sim_harness::lwp::capsule::UNIT;
use sim_harness::lwp::flat::{OUT_WORDS, in_words, pack_inputs, pack_straps};
use sim_harness::rtl::BuildId;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

const BUILD: BuildId = BuildId::LwpW4;

struct Done {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

fn run(program: &mut Command) -> Done {
    let output = program.output().expect("it starts");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    let done = Done { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) };
    assert!(!done.stderr.contains("panicked"), "{}", done.stderr);
    done
}

fn judge(args: &[&str], capsule: &Path) -> Done {
    run(Command::new(env!("CARGO_BIN_EXE_judge")).args(args).arg(capsule))
}

fn verdict(name: &str, rows: &[u32]) -> Verdict {
    let straps = pack_straps(&Config::default());
    let mut model = (UNIT.model)(BUILD, &straps).expect("legal straps");
    let mut shown = vec![0; rows.len() / in_words(4) * OUT_WORDS];
    let each = rows.chunks_exact(in_words(4)).zip(shown.chunks_exact_mut(OUT_WORDS));
    each.for_each(|(inputs, row)| model.cycle(inputs, row));
    Properties.judge(name, BUILD, &straps, rows, &shown)
}

/// A run in which model and RTL agree and every property holds.
fn run_of_inputs() -> Vec<u32> {
    let drawn = Scenario { straps: Config::default(), polite: true, ..draw(5, &scenario(60)) };
    let (recording, _) = play::<4, 8, 31>(&drawn);
    let mut rows = vec![0; recording.cycles.len() * in_words(4)];
    let slots = rows.chunks_exact_mut(in_words(4)).zip(&recording.cycles);
    slots.for_each(|(row, cycle)| pack_inputs(&cycle.inputs, cycle.rst_n, row));
    rows
}

fn capsule(way: Way, cycle: u64, rows: &[u32]) -> Capsule {
    let mut writer = RowWriter::new(in_words(4));
    rows.chunks_exact(in_words(4)).for_each(|row| writer.push(row));
    let mut failure = Failure::new(way, cycle);
    failure.text = "as it was found".to_owned();
    let origin = origin("test", "cargo test", BTreeMap::new());
    Capsule::new(BUILD, &pack_straps(&Config::default()), writer, failure, origin).expect("legal straps")
}

fn property(name: &str) -> Way {
    Way::Property { name: name.to_owned() }
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn with(&self, name: &str, capsule: &Capsule) -> PathBuf {
        let path = self.0.path().join(name);
        capsule.save(&path).expect("it can be written");
        path
    }
}

#[test]
fn a_property_that_holds_is_0_and_does_not_shrink() {
    let (folder, rows) = (Folder(tempfile::tempdir().expect("a folder")), run_of_inputs());
    let cycles = rows.len() / in_words(4);
    assert_eq!(verdict("reading", &rows), Verdict::Holds);
    let path = folder.with("x.capsule", &capsule(property("reading"), 3, &rows));
    let replayed = judge(&["replay"], &path);
    assert_eq!(replayed.code, Some(0), "{}{}", replayed.stdout, replayed.stderr);
    assert!(replayed.stdout.contains(&format!("holds in all {cycles} cycles")), "{}", replayed.stdout);
    let shrunk = judge(&["shrink"], &path);
    assert_eq!(shrunk.code, Some(4), "{}", shrunk.stderr);
    assert!(!folder.0.path().join("x.small.capsule").exists());
}

/// The message about a property's capsule ends with commands, of which the first runs as it is printed.
#[test]
fn the_printed_command_runs() {
    let (folder, rows) = (Folder(tempfile::tempdir().expect("a folder")), run_of_inputs());
    let path = folder.with("it's one.capsule", &capsule(property("monitors"), 3, &rows));
    let advice = proptests::capsule::advice(Some(Ok(path)));
    let line = advice.lines().find(|line| line.contains(" replay ")).expect("a command");
    let done = run(Command::new("sh").args(["-c", line]));
    assert_eq!(done.code, Some(0), "{line}: {}", done.stderr);
    assert!(done.stdout.contains("monitors: holds in all"), "{}", done.stdout);
}

#[test]
fn what_is_wrong_is_2_and_what_cannot_be_read_3() {
    let (folder, rows) = (Folder(tempfile::tempdir().expect("a folder")), run_of_inputs());
    let mismatch = Way::Mismatch { field: "irq".to_owned() };
    let mismatch = folder.with("mismatch.capsule", &capsule(mismatch, 3, &rows));
    let unknown = folder.with("unknown.capsule", &capsule(property("manners"), 3, &rows));
    let good = folder.with("good.capsule", &capsule(property("reading"), 3, &rows));
    let bytes = std::fs::read(&good).expect("just written");
    let cut = folder.0.path().join("cut.capsule");
    std::fs::write(&cut, &bytes[..bytes.len() / 2]).expect("it can be written");
    for command in ["replay", "shrink"] {
        for (path, code, says) in [
            (mismatch.as_path(), 2, "`lwp-sim` replays and shrinks it"),
            (&unknown, 2, "manners"),
            (&cut, 2, "breaks off"),
            (Path::new("/proc/nonexistent"), 2, "there is no capsule"),
            (Path::new("/tmp"), 3, "cannot read"),
        ] {
            let done = judge(&[command], path);
            assert_eq!((done.code, done.stdout.as_str()), (Some(code), ""), "{command}: {}", done.stderr);
            assert!(done.stderr.contains(says), "{command}: {}", done.stderr);
        }
    }
    assert_eq!(judge(&["argue"], &good).code, Some(2));
}

#[test]
fn what_is_judged_is_not_lost_and_the_capsule_stays() {
    let (folder, rows) = (Folder(tempfile::tempdir().expect("a folder")), run_of_inputs());
    let path = folder.with("x.capsule", &capsule(property("reading"), 3, &rows));
    let before = std::fs::read(&path).expect("just written");
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
    for command in ["replay", "triage"] {
        let program =
            || Command::new(env!("CARGO_BIN_EXE_judge")).arg(command).arg(&path).stdout(full()).stderr(full()).status();
        assert_eq!(program().expect("it starts").code(), Some(3), "{command}");
    }
    let own = path.to_str().expect("text");
    for args in [["shrink", "-o", own], ["triage", "--json", own]] {
        let done = judge(&args, &path);
        assert!(done.code == Some(2) && done.stderr.contains("is the input"), "{args:?}: {}", done.stderr);
        assert_eq!(std::fs::read(&path).expect("still there"), before, "{args:?}");
    }
}

#[test]
fn a_folder_is_grouped() {
    let (folder, rows) = (Folder(tempfile::tempdir().expect("a folder")), run_of_inputs());
    folder.with("holds.capsule", &capsule(property("reading"), 3, &rows));
    folder.with("agrees.capsule", &capsule(Way::Mismatch { field: "irq".to_owned() }, 3, &rows));
    let done = judge(&["triage"], folder.0.path());
    assert_eq!(done.code, Some(0), "{}{}", done.stdout, done.stderr);
    assert!(done.stdout.starts_with("2 capsules: 0 fail in 0 ways, 2 pass, 0 cannot be used\n"), "{}", done.stdout);
    std::fs::write(folder.0.path().join("text.capsule"), "no capsule\n").expect("it can be written");
    let done = judge(&["triage", "--json", "-"], folder.0.path());
    assert_eq!(done.code, Some(2), "{}{}", done.stdout, done.stderr);
    assert!(done.stdout.contains("\"schema\": \"triage/1\""), "{}", done.stdout);
    assert!(done.stderr.contains("cannot be used: "), "{}", done.stderr);
    // What nobody can judge does not pass.
    let folder = Folder(tempfile::tempdir().expect("a folder"));
    folder.with("unknown.capsule", &capsule(property("manners"), 3, &rows));
    for args in [&["triage"][..], &["triage", "--as-found"]] {
        let done = judge(args, folder.0.path());
        assert_eq!(done.code, Some(2), "{}{}", done.stdout, done.stderr);
        assert!(done.stdout.contains("no checker evaluates the property `manners`"), "{}", done.stdout);
    }
    let empty = tempfile::tempdir().expect("a folder");
    for (path, says) in [(empty.path(), "no capsule is in"), (Path::new("/proc/nonexistent"), "there is no folder")] {
        let done = judge(&["triage"], path);
        assert_eq!((done.code, done.stdout.as_str()), (Some(2), ""), "{}", done.stderr);
        assert!(done.stderr.contains(says), "{}", done.stderr);
    }
}

/// A capsule of a few hundred bytes can have 2^40 idle cycles; to judge them all would take all memory.
#[test]
fn more_cycles_than_memory_has_room_for_are_refused_at_once() {
    let folder = Folder(tempfile::tempdir().expect("a folder"));
    let mut rows = RowWriter::new(in_words(4));
    let idle = idle_row();
    for _ in 0..4_000_001 {
        rows.push(&idle);
    }
    let failure = Failure::new(property("reading"), 4_000_000);
    let origin = origin("test", "cargo test", BTreeMap::new());
    let long = Capsule::new(BUILD, &pack_straps(&Config::default()), rows, failure, origin).expect("legal straps");
    let path = folder.with("long.capsule", &long);
    assert!(std::fs::metadata(&path).expect("just written").len() < 10_000);
    for command in ["replay", "shrink"] {
        let done = judge(&[command], &path);
        assert_eq!((done.code, done.stdout.as_str()), (Some(2), ""), "{command}: {}", done.stderr);
        assert!(done.stderr.contains("4000000") && done.stderr.contains("--longest"), "{command}: {}", done.stderr);
    }
    let short = folder.with("short.capsule", &capsule(property("reading"), 3, &run_of_inputs()));
    let done = judge(&["replay", "--longest", "3"], &short);
    assert_eq!(done.code, Some(2), "{}", done.stderr);
}

fn idle_row() -> Vec<u32> {
    let mut row = vec![0; in_words(4)];
    pack_inputs(&Inputs::<4>::default(), true, &mut row);
    row
}

/// A capsule of another unit is judged by that unit's properties.
mod of_another_unit {
    use super::{BuildId, Capsule, Folder, RowWriter, judge, origin, property};
    use lwp_model::Unit;
    use lwp_model::retire::{RegOp, RegRequest};
    use lwp_model::tsc::{self, Inputs, Tsc};
    use proptests::lockstep::{UnitCycle, recorded};
    use proptests::runner::draw;
    use proptests::tsc::scenario::scenario;
    use proptests::unit::Properties;
    use sim_harness::capsule::{Failure, Judge, Verdict};
    use sim_harness::rtl::strap_words;
    use std::collections::BTreeMap;

    type Two = Tsc<2>;
    const BUILD: BuildId = BuildId::TscLp2;

    fn case() -> (tsc::Config, recording::Rows) {
        let case = draw(7, &scenario(20));
        (case.straps, recorded::<Two>(&case.straps, &case.cycles).rows::<Two>(&case.straps))
    }

    #[test]
    fn what_holds_is_0_and_what_is_unknown_2() {
        let (folder, (straps, rows)) = (Folder(tempfile::tempdir().expect("a folder")), case());
        for (name, code, says) in [("monitors", 0, "holds in all"), ("reading", 0, "holds in all"), ("manners", 2, "")]
        {
            let mut writer = RowWriter::new(Two::INPUT_WORDS);
            rows.inputs.chunks_exact(Two::INPUT_WORDS).for_each(|row| writer.push(row));
            let origin = origin("test", "cargo test", BTreeMap::new());
            let failure = Failure::new(property(name), 3);
            let capsule = Capsule::new(BUILD, &strap_words::<Two>(&straps), writer, failure, origin);
            let path = folder.with(&format!("{name}.capsule"), &capsule.expect("legal straps"));
            let done = judge(&["replay"], &path);
            assert_eq!(done.code, Some(code), "{name}: {}{}", done.stdout, done.stderr);
            assert!(done.stdout.contains(says), "{name}: {}", done.stdout);
        }
    }

    /// A counter that goes back, which both properties know.
    #[test]
    fn a_violation_is_found_in_its_cycle() {
        let read = RegRequest { valid: true, op: RegOp::Rdtsc, ..RegRequest::default() };
        let cycles: Vec<_> =
            (0..20).map(|at| UnitCycle { reset: at == 0, inputs: Inputs { reg: read, ..Inputs::default() } }).collect();
        let straps = tsc::Config::default();
        let rows = recorded::<Two>(&straps, &cycles).rows::<Two>(&straps);
        let words = strap_words::<Two>(&straps);
        let judged = |name: &str, shown: &[u32]| Properties.judge(name, BUILD, &words, &rows.inputs, shown);
        assert_eq!(judged("reading", &rows.outputs), Verdict::Holds);
        assert_eq!(judged("monitors", &rows.outputs), Verdict::Holds);
        let field = |name: &str| Two::OUTPUT_FIELDS.iter().find(|field| field.name == name).expect("a field").word;
        let (rdata, counter) = (field("reg_rdata"), field("state.processors[0].counter"));
        let mut forged = rows.outputs.clone();
        forged[10 * Two::OUTPUT_WORDS + rdata] ^= 64;
        forged[10 * Two::OUTPUT_WORDS + counter] ^= 64;
        let Verdict::Violated(cycle, text) = judged("reading", &forged) else { panic!("the reading holds") };
        assert_eq!(cycle, 10, "{text}");
        let Verdict::Violated(cycle, text) = judged("monitors", &forged) else { panic!("the monitors hold") };
        assert!(cycle == 9 || cycle == 10, "{cycle}: {text}");
    }
}

/// The reading of the performance counters knows a count that is one too high.
mod of_the_counters {
    use super::{BuildId, Capsule, Folder, RowWriter, judge, origin, property};
    use lwp_model::Unit;
    use lwp_model::perf::{Config, Inputs, Perf};
    use lwp_model::retire::{RegOp, RegRequest};
    use proptests::lockstep::{UnitCycle, recorded};
    use proptests::perf::Sizes;
    use proptests::perf::counting::counting;
    use proptests::runner::draw;
    use proptests::unit::Properties;
    use sim_harness::capsule::{Failure, Judge, Verdict};
    use sim_harness::rtl::strap_words;
    use std::collections::BTreeMap;

    type P6 = Perf<1, 2, 0, 4>;
    const BUILD: BuildId = BuildId::PerfC2;

    fn case() -> (Config, recording::Rows) {
        let case = draw(7, &counting::<1, 4>(Sizes { general: 2, fixed: 0 }, 20));
        (case.straps, recorded::<P6>(&case.straps, &case.cycles).rows::<P6>(&case.straps))
    }

    #[test]
    fn what_holds_is_0() {
        let (folder, (straps, rows)) = (Folder(tempfile::tempdir().expect("a folder")), case());
        let mut writer = RowWriter::new(P6::INPUT_WORDS);
        rows.inputs.chunks_exact(P6::INPUT_WORDS).for_each(|row| writer.push(row));
        let origin = origin("test", "cargo test", BTreeMap::new());
        let failure = Failure::new(property("reading"), 3);
        let capsule = Capsule::new(BUILD, &strap_words::<P6>(&straps), writer, failure, origin);
        let path = folder.with("reading.capsule", &capsule.expect("legal straps"));
        let done = judge(&["replay"], &path);
        assert_eq!(done.code, Some(0), "{}{}", done.stdout, done.stderr);
        assert!(done.stdout.contains("reading: holds in all"), "{}", done.stdout);
    }

    /// A counter that was never written or enabled is 0.
    #[test]
    fn a_wrong_count_is_a_violation_in_its_cycle() {
        let read = RegRequest { valid: true, op: RegOp::Rdmsr, number: 0xC1, ..RegRequest::default() };
        let cycles: Vec<_> =
            (0..20).map(|at| UnitCycle { reset: at == 0, inputs: Inputs { reg: read, ..Inputs::default() } }).collect();
        let straps = Config::default();
        let rows = recorded::<P6>(&straps, &cycles).rows::<P6>(&straps);
        let words = strap_words::<P6>(&straps);
        let judged = |name: &str, shown: &[u32]| Properties.judge(name, BUILD, &words, &rows.inputs, shown);
        assert_eq!(judged("reading", &rows.outputs), Verdict::Holds);
        assert_eq!(judged("monitors", &rows.outputs), Verdict::Unknown);
        let field = P6::OUTPUT_FIELDS.iter().find(|field| field.name == "reg_rdata").expect("a field");
        let mut wrong = rows.outputs.clone();
        field.set(&mut wrong[10 * P6::OUTPUT_WORDS..][..P6::OUTPUT_WORDS], 64);
        let Verdict::Violated(cycle, text) = judged("reading", &wrong) else { panic!("the reading holds") };
        assert_eq!(cycle, 10, "{text}");
    }
}
