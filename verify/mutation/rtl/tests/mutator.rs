//! The mutator finds what it says, and writes what it found. `tools/scripts/setup linters` installs what it needs.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").canonicalize().unwrap()
}

fn mutate(rtl: &Path, arguments: &[&str]) -> Output {
    mutate_unit(rtl, "lwp", arguments)
}

fn mutate_unit(rtl: &Path, unit: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(root().join("target/tools/rtl-venv/bin/python"));
    command.env("PYTHONPATH", root().join("verify/mutation/rtl")).env("PYTHONDONTWRITEBYTECODE", "1");
    command.args(["-m", "mutate", "--rtl"]).arg(rtl).args(["--unit", unit]).args(arguments);
    command.output().expect("tools/scripts/setup linters installs Python with slang")
}

fn list(rtl: &Path, file: &Path) -> Vec<serde_json::Value> {
    let output = mutate(rtl, &["list", "--out", file.to_str().unwrap()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    fs::read_to_string(file).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_mutant_has_an_id_of_its_own_and_is_in_the_tree() {
    let folder = tempfile::tempdir().unwrap();
    let mutants = list(&root().join("rtl"), &folder.path().join("list"));
    let ids: BTreeSet<&str> = mutants.iter().map(|mutant| mutant["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), mutants.len());
    assert!(ids.len() > 4000, "only {}", ids.len());
    for module in ["lwp", "lwp_stage_pkg", "lwp_store", "lwp_control"] {
        assert!(mutants.iter().any(|mutant| mutant["module"] == module), "none in {module}");
    }
    for mutant in &mutants {
        assert_ne!(mutant["before"], mutant["after"], "{mutant}");
        assert!(!mutant["module"].as_str().unwrap().starts_with("lwp_assert"), "{mutant}");
    }

    let (numbers, tree) = (folder.path().join("numbers"), folder.path().join("tree"));
    let all: String = mutants.iter().map(|mutant| format!("{}\n", mutant["number"])).collect();
    fs::write(&numbers, all).unwrap();
    let written = ["tree", "--only", numbers.to_str().unwrap(), "--out", tree.to_str().unwrap()];
    assert!(mutate(&root().join("rtl"), &written).status.success());
    let mut text = String::new();
    for file in fs::read_dir(tree.join("lwp")).unwrap() {
        text.push_str(&fs::read_to_string(file.unwrap().path()).unwrap());
    }
    let number = |rest: &str| rest.split(|c: char| !c.is_ascii_digit()).next().unwrap().parse::<u64>().unwrap();
    let mut found: BTreeSet<u64> = text.split("lwp_mutant_pkg::sel == ").skip(1).map(number).collect();
    // What follows a statement is a case of one select.
    for cases in text.split("case (lwp_mutant_pkg::sel) ").skip(1) {
        let cases = cases.split(" default: ; endcase").next().unwrap();
        found.extend(cases.match_indices(": begin ").map(|(at, _)| {
            let before = &cases[..at];
            number(&before[before.rfind(' ').map_or(0, |blank| blank + 1)..])
        }));
    }
    assert_eq!(found, (1..=mutants.len() as u64).collect());
}

/// The unit has mutants of its own modules alone, of both classes, and their tree is RTL.
fn has_mutants_of_its_own(unit: &str) {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join(unit);
    let output = mutate_unit(&root().join("rtl"), unit, &["list", "--out", out.to_str().unwrap()]);
    assert!(output.status.success(), "{unit}: {}", String::from_utf8_lossy(&output.stderr));
    let text = fs::read_to_string(&out).unwrap();
    let mutants: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for class in ["change", "fault"] {
        assert!(mutants.iter().any(|mutant| mutant["class"] == class), "{unit} has no {class}");
    }
    for mutant in &mutants {
        assert!(mutant["file"].as_str().unwrap().starts_with(&format!("{unit}/")), "{mutant}");
    }
    assert_is_rtl(unit, &mutants, &folder.path().join(format!("{unit}-rtl")));
}

#[test]
fn a_unit_has_mutants_of_its_own() {
    has_mutants_of_its_own("tsc");
}

#[test]
fn a_unit_that_does_not_exist_is_refused() {
    let output = mutate_unit(&root().join("rtl"), "none", &["list", "--out", "/dev/null"]);
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("no unit none"));
}

/// slang elaborates the tree of all mutants of a unit.
fn assert_is_rtl(unit: &str, mutants: &[serde_json::Value], tree: &Path) {
    let (numbers, none) = (tree.with_extension("numbers"), tree.with_extension("none"));
    let all: String = mutants.iter().map(|mutant| format!("{}\n", mutant["number"])).collect();
    fs::write(&numbers, all).unwrap();
    let written = mutate_unit(
        &root().join("rtl"),
        unit,
        &["tree", "--only", numbers.to_str().unwrap(), "--out", tree.to_str().unwrap()],
    );
    assert!(written.status.success(), "{unit}: {}", String::from_utf8_lossy(&written.stderr));
    // Its own mutants are so many that some share an id, so they are not listed.
    fs::write(&none, "").unwrap();
    let again = tree.with_extension("again");
    let read = mutate_unit(tree, unit, &["tree", "--only", none.to_str().unwrap(), "--out", again.to_str().unwrap()]);
    assert!(read.status.success(), "{unit}: {}", String::from_utf8_lossy(&read.stderr));
}

/// Every module with a register has bits of it that are stuck at either level; what was once put in by hand and not found is among the
/// places; every bit and value is drawn, but the same each time.
#[test]
fn faults_of_the_data_path_are_made_for_every_register_and_adder() {
    let folder = tempfile::tempdir().unwrap();
    let mutants = list(&root().join("rtl"), &folder.path().join("list"));
    let faults: Vec<_> = mutants.iter().filter(|mutant| mutant["class"] == "fault").collect();
    assert!(faults.len() > 600, "only {}", faults.len());
    for entry in fs::read_dir(root().join("rtl/lwp")).unwrap() {
        let path = entry.unwrap().path();
        let module = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let registers = fs::read_to_string(&path).unwrap().contains("always_ff") && !module.starts_with("lwp_assert");
        for level in ["<= 1'b0;", "<= 1'b1;"] {
            let stuck = |mutant: &&&serde_json::Value| {
                let after = mutant["after"].as_str().unwrap();
                mutant["module"] == *module && mutant["operator"] == "stuck-bit" && after.ends_with(level)
            };
            assert_eq!(faults.iter().any(|mutant| stuck(&mutant)), registers, "{module} {level}");
        }
    }
    for (operator, before) in
        [("saturation", "missed_q + 16'd1"), ("carry", "missed_q + 16'd1"), ("stuck-bit", "head_q <= head_d;")]
    {
        let high = |mutant: &&&serde_json::Value| mutant["operator"] == operator && mutant["before"] == before;
        assert!(faults.iter().filter(high).count() >= 4, "{operator} of {before}");
    }
    let ids = |mutants: &[serde_json::Value]| mutants.iter().map(|mutant| mutant["id"].to_string()).collect::<Vec<_>>();
    assert_eq!(ids(&mutants), ids(&list(&root().join("rtl"), &folder.path().join("again"))));
}

/// A register that is written in parts has bits that are stuck at either level in each part; of the elements that a variable chooses, one.
#[test]
fn parts_of_registers_have_faults() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("list");
    let output = mutate_unit(&root().join("rtl"), "itanium", &["list", "--out", out.to_str().unwrap()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = fs::read_to_string(&out).unwrap();
    let mutants: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |operator: &str| -> Vec<(&str, &str)> {
        let registers = mutants.iter().filter(|mutant| mutant["module"] == "itanium_registers");
        let wanted = registers.filter(|mutant| mutant["operator"] == operator);
        wanted.map(|mutant| (mutant["before"].as_str().unwrap(), mutant["after"].as_str().unwrap())).collect()
    };
    let (stuck, parts) = (of("stuck-bit"), of("statement"));
    let parts: Vec<&str> =
        parts.iter().map(|(before, _)| *before).filter(|before| before.contains("wdata_i")).collect();
    assert!(parts.len() > 30, "only {}", parts.len());
    for part in parts {
        for level in ["<= 1'b0;", "<= 1'b1;"] {
            let here = stuck.iter().filter(|(before, after)| *before == part && after.ends_with(level));
            let wrong = here.clone().find(|(before, after)| before.contains("[k]") != after.contains("k == "));
            assert!(here.count() > 0 && wrong.is_none(), "{part} {level}: {wrong:?}");
        }
    }
}

/// The text of a cut carry is what an adder does whose carry is cut; that of a counter stops at its value.
#[test]
fn faults_do_what_they_are_called() {
    let program = r#"
from mutate.faults import _cut, _saturated, bits
import re
W = 5
def value(text, a, b):
    text = re.sub(r"\d+'(h|d)([0-9a-f]+)", lambda m: str(int(m[2], 16 if m[1] == "h" else 10)), text)
    text = re.sub(r"^(.*) \? (\S+) : (.*)$", r"(\2) if (\1) else (\3)", text).replace("&&", "and")
    # Each sum is one of W bits.
    text = re.sub(r"\b[ab]\b", r"N(\g<0>)", text)
    return N(eval(text, {"N": N, "a": a, "b": b})).v
class N:
    def __init__(self, v): self.v = (v.v if isinstance(v, N) else v) % (1 << W)
    def __add__(self, o): return N(self.v + N(o).v)
    def __sub__(self, o): return N(self.v - N(o).v)
    def __and__(self, o): return N(self.v & N(o).v)
    def __or__(self, o): return N(self.v | N(o).v)
    def __rshift__(self, o): return N(self.v >> o)
    def __lshift__(self, o): return N(self.v << o)
    def __le__(self, o): return self.v <= N(o).v
    def __ge__(self, o): return self.v >= N(o).v
    def __lt__(self, o): return self.v < N(o).v
    def __gt__(self, o): return self.v > N(o).v
def ripple(a, b, subtract, cut):
    carry, total = 0, 0
    for at in range(W):
        carry = 0 if at == cut else carry
        x, y = a >> at & 1, b >> at & 1
        total |= (x ^ y ^ carry) << at
        carry = (x + y + carry) > 1 if not subtract else (x - y - carry) < 0
    return total
for symbol in "+-":
    for a in range(1 << W):
        for b in range(1 << W):
            for cut in range(1, W):
                assert value(_cut("a", symbol, "b", cut), a, b) == ripple(a, b, symbol == "-", cut), (symbol, a, b, cut)
for a in range(1 << W):
    up, down = value(_saturated("a", "+", "b", "5'd9"), a, 1), value(_saturated("a", "-", "b", "5'd9"), a, 1)
    assert up == (9 if a == 9 else (a + 1) % 32) and down == (9 if a == 9 else (a - 1) % 32), (a, up, down)
assert bits("x", 0, 4) == [0, 1, 2, 3] and len(bits("x", 0, 64)) == 4 and bits("x", 0, 64)[-1] == 63
print("fine")
"#;
    let mut command = Command::new(root().join("target/tools/rtl-venv/bin/python"));
    command
        .env("PYTHONPATH", root().join("verify/mutation/rtl"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .args(["-c", program]);
    let output = command.output().expect("tools/scripts/setup linters installs Python with slang");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "fine\n", "{}", String::from_utf8_lossy(&output.stderr));
}

/// A copy of the RTL in which a line of one file is another.
fn changed(folder: &Path, file: &str, before: &str, after: &str) -> PathBuf {
    let copy = folder.join("rtl");
    fs::create_dir_all(copy.join("lwp")).unwrap();
    for entry in fs::read_dir(root().join("rtl/lwp")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, copy.join("lwp").join(path.file_name().unwrap())).unwrap();
    }
    let path = copy.join("lwp").join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(before), "{file} has no longer: {before}");
    fs::write(&path, text.replacen(before, after, 1)).unwrap();
    copy
}

/// Ids are what proofs are kept by: a line more, or another one changed, leaves them as they are.
#[test]
fn ids_do_not_depend_on_other_lines() {
    let folder = tempfile::tempdir().unwrap();
    let line = "assign restore_o = '{";
    let copy = changed(folder.path(), "lwp_context.sv", line, &format!("// A line more.\n  {line}"));
    let ids = |rtl: &Path| -> BTreeSet<String> {
        list(rtl, &folder.path().join("list")).iter().map(|mutant| mutant["id"].to_string()).collect()
    };
    assert_eq!(ids(&root().join("rtl")), ids(&copy));
}

/// An `else` stays with its `if` when the branch before it can be left out.
#[test]
fn an_else_stays_with_its_if() {
    let folder = tempfile::tempdir().unwrap();
    let (numbers, tree) = (folder.path().join("numbers"), folder.path().join("tree"));
    let mutants = list(&root().join("rtl"), &folder.path().join("list"));
    let left_out = |mutant: &&serde_json::Value| mutant["module"] == "lwp_store" && mutant["operator"] == "statement";
    let some: String = mutants.iter().filter(left_out).map(|mutant| format!("{}\n", mutant["number"])).collect();
    fs::write(&numbers, some).unwrap();
    let written = ["tree", "--only", numbers.to_str().unwrap(), "--out", tree.to_str().unwrap()];
    assert!(mutate(&root().join("rtl"), &written).status.success());
    let text = fs::read_to_string(tree.join("lwp/lwp_store.sv")).unwrap();
    let line = text.lines().find(|line| line.contains("if (reread_i)")).unwrap();
    assert!(line.contains("if (reread_i) begin if (!(") && line.ends_with("end end"), "{line}");
}

#[test]
fn what_is_not_there_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let output = mutate(&root().join("rtl"), &["one", "--id", "store-nothing", "--out", out]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no mutant store-nothing"));
    let broken = changed(folder.path(), "lwp_store.sv", "endmodule", "");
    let output = mutate(&broken, &["list", "--out", folder.path().join("list").to_str().unwrap()]);
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("slang refuses the RTL"));
}

/// What only `make nightly` runs.
mod nightly {
    use super::{PathBuf, fs, has_mutants_of_its_own};

    #[test]
    fn each_unit_has_mutants_of_its_own() {
        let entries = fs::read_dir(env!("CARGO_MANIFEST_DIR")).unwrap().map(|entry| entry.unwrap().path());
        let units: Vec<PathBuf> = entries.filter(|path| path.join("unit.toml").is_file()).collect();
        assert!(units.len() >= 2, "{units:?}");
        for unit in units {
            has_mutants_of_its_own(unit.file_name().unwrap().to_str().unwrap());
        }
    }
}
