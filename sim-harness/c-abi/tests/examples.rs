//! Each example is built and run as its reader would, and must fail when told to inject a difference.

use crate::support::{Said, model_folder, package, run, scratch, succeed};
use std::path::Path;
use std::process::Command;

/// The one command of an example, with the model in `model`.
fn example(name: &str, model: &Path) -> Command {
    let mut command = Command::new(package().join("examples").join(name).join("run"));
    command.env("LWP_MODEL", model);
    command.env("LWP_EXAMPLE_OUT", concat!(env!("CARGO_TARGET_TMPDIR"), "/examples"));
    // Verilator's makefiles compile through ccache, if it is installed: the runtime is the same in every run.
    if Command::new("ccache").arg("--version").output().is_ok() {
        command.env("OBJCACHE", "ccache").env("CCACHE_DIR", package().join("../../target/ccache"));
    }
    command
}

fn passes(said: &Said, words: &str) {
    assert!(said.code == Some(0) && said.text.contains(words), "exit code {:?}:\n{}", said.code, said.text);
}

fn fails(said: &Said, words: &[&str]) {
    assert_eq!(said.code, Some(1), "{}", said.text);
    for words in words {
        assert!(said.text.contains(words), "no '{words}' in:\n{}", said.text);
    }
}

#[test]
fn cpp() {
    let model = model_folder("model-cpp");
    passes(&run(&mut example("cpp", &model)), "\nevery tenth instruction was recorded");
    fails(&run(example("cpp", &model).arg("--inject")), &["NOT every tenth instruction"]);
    passes(&run(example("cpp", &model).arg("--shared")), "\nevery tenth instruction was recorded");
    fails(&run(example("cpp", &model).args(["--shared", "--inject"])), &["NOT every tenth instruction"]);
}

#[test]
fn words() {
    let model = model_folder("model-words");
    let said = run(&mut example("words", &model));
    passes(&said, "\nlwp_model_check: the unit differs from the model: ");
    passes(&said, "tsc lp2: the counters are at 75 and 1038");
    let listed = run(example("words", &model).arg("--list"));
    passes(&listed, "tsc lp8: 2 words of straps, 4 of inputs, 49 of outputs and registers");
    passes(&listed, "rdt s8w4: 6 words of straps, 9 of inputs, 78 of outputs and registers");
    passes(&listed, "itanium b1e4: 1 words of straps, 20 of inputs, 56 of outputs and registers");
    fails(&run(example("words", &model).arg("--inject")), &["NOT as expected"]);
}

#[test]
fn a_unit_without_a_checker_is_refused() {
    let said = run(example("checker", &model_folder("model-checker")).arg("lwp"));
    assert_eq!(said.code, Some(2), "{}", said.text);
    assert!(said.text.contains("usage: ./run debug|itanium|perf|rdt|trace|tsc"), "{}", said.text);
}

/// A tool that is missing ends an example with the command that installs it, and does not pass it over.
#[test]
fn a_missing_tool_is_no_success() {
    let model = model_folder("model-missing");
    // What the script itself needs, and no compiler or simulator.
    let programs = scratch("programs");
    for program in ["bash", "env", "dirname", "basename", "mkdir", "rm", "cat"] {
        let path = succeed(Command::new("sh").args(["-c", &format!("command -v {program}")]));
        std::os::unix::fs::symlink(path.trim(), programs.join(program)).unwrap();
    }
    for (name, words) in [
        ("cpp", "g++ is missing: run tools/scripts/setup build"),
        ("words", "gcc is missing: run tools/scripts/setup build"),
        ("systemverilog", "verilator is missing: run tools/scripts/setup build"),
        ("python", "verilator is missing: run tools/scripts/setup build"),
    ] {
        let said = run(example(name, &model).env("PATH", &programs));
        assert_eq!(said.code, Some(127), "{}", said.text);
        assert!(said.text.contains(words), "{}", said.text);
    }
    let said = run(example("cpp", Path::new("/proc/nonexistent")).env("PATH", &programs));
    assert_eq!(said.code, Some(127), "{}", said.text);
    assert!(said.text.contains("no model in /proc/nonexistent: run make model-c"), "{}", said.text);
}

/// A line of a unit's RTL, what it is changed to, and what the checker says of it.
struct Change {
    unit: &'static str,
    file: &'static str,
    text: &'static str,
    other: &'static str,
    differs: &'static str,
}

const CHANGES: [Change; 6] = [
    Change {
        unit: "debug",
        file: "debug/debug_compare.sv",
        text: "2'b10:   mask = 3'd7;",
        other: "2'b10:   mask = 3'd3;",
        differs: "state.request.db_b: model 0x8, unit 0x0",
    },
    Change {
        unit: "itanium",
        file: "itanium/itanium_freeze.sv",
        text: "over_i & (oi_i | ",
        other: "over_i & (oi_i & ",
        differs: "state.freeze.fr: model 0x1, unit 0x0",
    },
    Change {
        unit: "perf",
        file: "perf/perf_filter.sv",
        text: "sum += hits[j]",
        other: "sum -= hits[j]",
        differs: "state.general[0][0].counter: model 0x",
    },
    Change {
        unit: "rdt",
        file: "rdt/rdt_set.sv",
        text: "word_i[w].age < target_age",
        other: "word_i[w].age != target_age",
        differs: "state.l3.word.line[1].age: model 0x1, unit 0x2",
    },
    Change {
        unit: "trace",
        file: "trace/trace_queue.sv",
        text: "= transfers_i[l].predicted;",
        other: "= !transfers_i[l].predicted;",
        differs: "state.queue.record[0].predicted: model 0x",
    },
    Change {
        unit: "tsc",
        file: "tsc/tsc_processor.sv",
        text: "? wdata_i[31:0]",
        other: "? wdata_i[32:1]",
        differs: "state.processors[0].aux: model 0x",
    },
];

/// The checker of the unit agrees with the RTL, and names the register of the changed RTL.
fn checked(model: &Path, change: &Change) {
    let Change { unit, file, text, other, differs } = change;
    let bench = || {
        let mut command = example("checker", model);
        command.arg(unit);
        command
    };
    passes(&run(&mut bench()), "seed 1: 20000 cycles compared");
    let rtl = scratch(&format!("checker-rtl-{unit}"));
    succeed(Command::new("cp").arg("-r").arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../../rtl/.")).arg(&rtl));
    let source = std::fs::read_to_string(rtl.join(file)).unwrap();
    assert_eq!(source.matches(text).count(), 1, "{file} has changed");
    std::fs::write(rtl.join(file), source.replace(text, other)).unwrap();
    let capsule = scratch(&format!("checker-capsule-{unit}")).join("found.capsule");
    let changed = format!("+lwp_capsule={}", capsule.display());
    // The unit's own assertions would be first.
    let said = run(bench().args([&changed, "+verilator+noassert"]).env("LWP_RTL_DIR", &rtl));
    fails(&said, &["u_model_check", "the unit differs from the model: ", differs, "the failure capsule: "]);
    assert!(capsule.is_file(), "no capsule:\n{}", said.text);
}

/// What only `make nightly` runs.
mod nightly {
    use super::{CHANGES, Command, checked, example, fails, model_folder, passes, run};

    #[test]
    fn systemverilog() {
        let model = model_folder("model-systemverilog");
        passes(&run(&mut example("systemverilog", &model)), "seed 1: 20000 cycles compared");
        // Built once: the program alone.
        let bench = || Command::new(concat!(env!("CARGO_TARGET_TMPDIR"), "/examples/systemverilog/tb"));
        passes(&run(bench().args(["+seed=2", "+cycles=5000"])), "seed 2: 5000 cycles compared");
        let said = run(example("systemverilog", &model).arg("+inject=700"));
        fails(&said, &["u_lwp.u_check", "the unit differs from the model: mem_wdata: model 0x"]);
    }

    #[test]
    fn python() {
        let model = model_folder("model-python");
        passes(&run(&mut example("python", &model)), "3000 cycles compared");
        let said = run(example("python", &model).env("INJECT", "200"));
        fails(
            &said,
            &["cycle 201: lwp_model_check: the unit differs from the model", "state.was_ring3: model 0x1, unit 0x0"],
        );
    }

    /// The checkers that are made for a build of each other unit.
    #[test]
    fn checkers() {
        let model = model_folder("model-checkers");
        CHANGES.iter().for_each(|change| checked(&model, change));
    }
}
