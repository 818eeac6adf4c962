//! The check can fail: each promise is broken once in a small repository, and is seen to be broken.
//!
//! In the files of these repositories `§` stands for the beginning of an identifier.
use requirements::{Evidence, Repository, Results, State, Trace, matrix};
use std::path::Path;
use tempfile::TempDir;

const GOOD: &[(&str, &str)] = &[
    ("Cargo.toml", "[package]\nname = \"unit\"\nversion = \"0.1.0\"\nedition = \"2024\"\n"),
    (
        "src/lib.rs",
        "mod inner;\npub struct Item;\n#[cfg(test)]\nmod tests {\n    // §A-01\n    #[test]\n    fn shown() {}\n}\n",
    ),
    ("src/inner.rs", "/// §A-02 to 03: a range.\n#[test]\nfn shown() {\n    // §A-04 inside.\n}\n"),
    ("tests/whole.rs", "//! §A-05.\n\nmod common;\n#[test]\nfn one() {}\n#[test]\nfn two() {}\n"),
    ("tests/other.rs", "//! §A-10.\n#[test]\nfn three() {}\n"),
    ("tests/must_not/compile.rs", "// §A-10\nfn main() {}\n"),
    ("tests/must_not/compile.stderr", "error\n"),
    ("verify/formal/unit/proofs.toml", "[[proof]]\nkind = \"prove\"\nfamily = [\"unit\"]\nruns = [\"small\"]\n"),
    (
        "verify/formal/unit/props/formal_unit.sv",
        "module formal_unit;\n  always @* begin\n    // §A-10\n    Proved: assert (x);\n  end\nendmodule\n",
    ),
    ("tests/common/mod.rs", "// §A-01 is only named here.\npub fn help() {}\n"),
    ("properties/rule.rs", "//! A rule.\nfn check() {\n    // §A-06\n    ensure!(true, \"text\");\n}\n"),
    (
        "rtl/unit.sv",
        "module unit;\n  // §A-07: holds.\n  Holds: assert property (@(posedge clk) x);\n\
         \x20 Other: assert property (@(posedge clk) y);\nendmodule\n",
    ),
    ("rtl/top.sv", "module top; unit u(); endmodule\n"),
    ("docs/src/SUMMARY.md", "- [Chapter](chapter.md)\n"),
    ("docs/src/chapter.md", "# Chapter\n\n## Some words\n\n§A-08\n"),
    (
        "verify/requirements/families.toml",
        "[[family]]\nfiles = [\"properties/\", \"rtl/unit.sv\"]\nrun_by = [\"tests/whole.rs::one\"]\n\
         [[family]]\nfiles = [\"tests/must_not/\"]\nrun_by = [\"tests/whole.rs::two\"]\n\
         [[shows]]\ntests = [\"src/\"]\nsides = [\"model\", \"rtl\"]\nlockstep = true\n\
         [[shows]]\ntests = [\"tests/whole.rs\", \"tests/other.rs\"]\nsides = [\"model\", \"rtl\"]\n",
    ),
    (
        "verify/requirements/lwp.csv",
        "id,section,area,kind,statement,check,shown_by\n§A-01,1,A,must,s,c,\n§A-02,1,A,must,s,c,\n§A-03,1,A,option,s,c,\n\
         §A-04,1,A,must,s,c,\n§A-05,1,A,must,s,c,\n§A-06,1,A,must,s,c,\n§A-07,1,A,software,s,c,\n\
         §A-08,1,A,software,s,c,doc:docs/src/chapter.md#some-words\n\
         §A-09,1,A,must,s,doc only,item:src/lib.rs::Item rtl:unit\n\
         §A-10,1,A,must,s,c,test:tests/whole.rs::two sva:rtl/unit.sv::Other\n",
    ),
    (
        "verify/requirements/monitoring.csv",
        "id,section,area,kind,statement,check,shown_by\nB-01,1,B,register,s,c,test:tests/whole.rs::one\n\
         B-02,1,B,behaviour,s,c,\n",
    ),
    ("verify/requirements/needs.toml", LATER),
];

const LATER: &str = "[[later]]\nrows = [\"B-02\"]\nuntil = \"the unit B\"\n";

struct Broken {
    folder: TempDir,
}

impl Broken {
    /// The good repository with `old` replaced by `new` in `file`, or with another file if `old` is empty.
    fn new(file: &str, old: &str, new: &str) -> Broken {
        let folder = TempDir::new().unwrap();
        let write = |file: &str, text: &str| {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text.replace('§', "LWP-")).unwrap();
        };
        GOOD.iter().for_each(|(file, text)| write(file, text));
        if old.is_empty() {
            write(file, new);
        } else {
            let (_, text) = GOOD.iter().find(|(name, _)| *name == file).unwrap();
            assert!(text.contains(old), "{file} holds no {old}");
            write(file, &text.replacen(old, new, 1));
        }
        Broken { folder }
    }

    fn good() -> Broken {
        Broken::new("more.md", "", "")
    }

    fn repository(&self) -> Repository {
        Repository::open(self.folder.path()).unwrap()
    }

    fn trace(&self) -> Trace {
        Trace::of(&self.repository()).unwrap()
    }
}

/// Problems and missing rows, with `§`.
fn found(file: &str, old: &str, new: &str) -> (Vec<String>, Vec<String>) {
    let trace = Broken::new(file, old, new).trace();
    let problems = trace.problems.iter().map(|problem| format!("{}: {}", problem.place, problem.what));
    let missing = trace.missing().map(|row| row.id.clone());
    let short = |text: String| text.replace("LWP-", "§");
    (problems.map(short).collect(), missing.map(short).collect())
}

fn names(trace: &Trace, id: &str) -> Vec<String> {
    let name = |one: &Evidence| format!("{}:{}", one.kind.word(), one.name);
    trace.evidence(&id.replace('§', "LWP-")).iter().map(name).collect()
}

#[test]
fn a_good_repository_is_good() {
    let trace = Broken::good().trace();
    assert_eq!((trace.problems.as_slice(), trace.missing().count()), ([].as_slice(), 0));
    assert_eq!(names(&trace, "§A-01"), ["test:src/lib.rs::shown"]);
    for id in ["§A-02", "§A-03", "§A-04"] {
        assert_eq!(names(&trace, id), ["test:src/inner.rs::shown"]);
    }
    assert_eq!(names(&trace, "§A-05"), ["test:tests/whole.rs::one", "test:tests/whole.rs::two"]);
    assert_eq!(names(&trace, "§A-06"), ["prop:properties/rule.rs::check"]);
    assert_eq!(names(&trace, "§A-07"), ["sva:rtl/unit.sv::Holds"]);
    let all = [
        "test:tests/other.rs::three",
        "test:tests/whole.rs::two",
        "prop:tests/must_not/compile.rs",
        "sva:rtl/unit.sv::Other",
        "proof:verify/formal/unit/props/formal_unit.sv::Proved",
    ];
    assert_eq!(names(&trace, "§A-10"), all);
    assert_eq!(names(&trace, "§A-08"), ["doc:docs/src/chapter.md#some-words"]);
    assert_eq!(names(&trace, "§A-09"), ["item:src/lib.rs::Item", "rtl:unit"]);
}

/// What is broken, and the problem that must be the only one.
#[test]
fn names_that_do_not_exist_are_found() {
    let csv = "verify/requirements/lwp.csv";
    let families = "verify/requirements/families.toml";
    let cases = [
        (
            csv,
            "whole.rs::two",
            "whole.rs::three",
            "§A-10: `test:tests/whole.rs::three`: tests/whole.rs has no test three; it has one, two",
        ),
        (csv, "whole.rs::two", "none.rs::two", "§A-10: `test:tests/none.rs::two`: there is no file tests/none.rs"),
        (csv, "sv::Other", "sv::Another", "§A-10: `sva:rtl/unit.sv::Another`: rtl/unit.sv has no assertion Another"),
        (csv, "rtl:unit", "rtl:nothing", "§A-09: `rtl:nothing`: no file below rtl/ has a module of that name"),
        (csv, "::Item", "::Nothing", "§A-09: `item:src/lib.rs::Nothing`: src/lib.rs has no item Nothing"),
        (csv, "#some-words", "#other", "§A-08: `doc:docs/src/chapter.md#other`: no heading has the anchor other"),
        (
            csv,
            "src/chapter.md",
            "src/none.md",
            "§A-08: `doc:docs/src/none.md#some-words`: there is no file docs/src/none.md",
        ),
        (
            "docs/src/SUMMARY.md",
            "chapter.md",
            "other.md",
            "§A-08: `doc:docs/src/chapter.md#some-words`: chapter.md is not in the book",
        ),
        (
            csv,
            "§A-01,1,A,must,s,c,",
            "§A-01,1,A,must,s,c,test:src/lib.rs::shown",
            "§A-01: src/lib.rs::shown claims the row itself, at src/lib.rs:5",
        ),
        (families, "whole.rs::one", "whole.rs::none", "tests/whole.rs has no test none; it has one, two"),
        (families, "properties/", "rules/", "there is no rules/"),
        (families, "run_by", "tests", "unknown field `tests`, expected `files` or `run_by`"),
    ];
    for (file, old, new, what) in cases {
        let (problems, _) = found(file, old, new);
        assert!(problems.iter().any(|problem| problem.ends_with(what)), "{what}\nis not in\n{}", problems.join("\n"));
    }
}

#[test]
fn claims_of_rows_that_do_not_exist_are_found() {
    let cases = [
        ("src/inner.rs", "§A-04", "§A-99", "src/inner.rs:4: there is no row §A-99"),
        ("src/inner.rs", "§A-02 to 03", "§A-02 to 11", "src/inner.rs:1: there is no row §A-11 in §A-02 to 11"),
        ("src/inner.rs", "§A-02 to 03", "§A-09 to\n/// 11", "src/inner.rs:1: there is no row §A-11 in §A-09 to 11"),
        ("src/inner.rs", "§A-02 to 03", "§A-03 to 02", "src/inner.rs:1: §A-03 to 02 is not a range"),
        (
            "src/lib.rs",
            "struct Item",
            "const TEXT: &str = \"§B-01\"; pub struct Item",
            "src/lib.rs:2: there is no row §B-01",
        ),
        ("rtl/unit.sv", "§A-07", "§A-7", "rtl/unit.sv:2: there is no row §A-7"),
        ("docs/src/chapter.md", "§A-08", "§A-80", "docs/src/chapter.md:5: there is no row §A-80"),
        ("docs/src/chapter.md", "§A-08", "B-03", "docs/src/chapter.md:5: there is no row B-03"),
    ];
    for (file, old, new, what) in cases {
        let (problems, _) = found(file, old, new);
        assert_eq!(problems, [what]);
    }
}

#[test]
fn tests_that_do_not_run_show_nothing() {
    let cases = [
        ("src/lib.rs", "#[test]", "#[test]\n    #[ignore]", "§A-01"),
        ("src/lib.rs", "#[test]", "#[test]\n    #[cfg(windows)]", "§A-01"),
        ("src/lib.rs", "#[cfg(test)]", "#[cfg(feature = \"x\")]", "§A-01"),
        ("src/lib.rs", "mod inner;", "", "§A-02"),
        ("Cargo.toml", "[package]", "[lib]\ntest = false\n[package]", "§A-01"),
        (
            "Cargo.toml",
            "[package]",
            "[features]\nx = []\n[[test]]\nname = \"whole\"\nrequired-features = [\"x\"]\n[package]",
            "§A-05",
        ),
    ];
    for (file, old, new, id) in cases {
        let (problems, missing) = found(file, old, new);
        let said = |problem: &String| problem.contains(&format!("claims {id} but never runs"));
        assert!(problems.iter().any(said), "{new}: {problems:?}");
        assert_eq!(missing.first().map(String::as_str), Some(id), "{new}");
    }
    // Without a claim there is nothing to complain about but the row.
    for (old, new) in [("#[test]", "// #[test]"), ("#[test]\n    fn shown() {}", ""), ("    #[test]", "\n    #[test]")]
    {
        assert_eq!(found("src/lib.rs", old, new), (vec![], vec!["§A-01".to_owned()]));
    }
    assert_eq!(found("tests/whole.rs", "//! §A-05.", "").1, ["§A-05"]);
}

/// What needs a feature runs if the feature is on by default, and shows nothing if it is not.
#[test]
fn default_features_are_on() {
    for (default, missing) in [("[\"x\"]", vec![]), ("[]", vec!["§A-02", "§A-03", "§A-04", "§A-05"])] {
        let features = format!(
            "[features]\ndefault = {default}\nx = []\n[[test]]\nname = \"whole\"\nrequired-features = [\"x\"]\n[package]"
        );
        let broken = Broken::new("Cargo.toml", "[package]", &features);
        let lib = broken.folder.path().join("src/lib.rs");
        let text = std::fs::read_to_string(&lib).unwrap();
        std::fs::write(&lib, text.replace("mod inner;", "#[cfg(feature = \"x\")]\nmod inner;")).unwrap();
        let trace = broken.trace();
        let ids = trace.missing().map(|row| row.id.replace("LWP-", "§"));
        let found: Vec<String> = ids.filter(|id| missing.contains(&id.as_str())).collect();
        assert_eq!(found, missing);
        assert_eq!(trace.problems.is_empty(), missing.is_empty(), "{:?}", trace.problems);
    }
}

#[test]
fn assertions_that_do_not_run_show_nothing() {
    let unit = "rtl/unit.sv";
    let cases = [
        (unit, "module unit;", "module unit;\n`ifdef FORMAL", "Holds may not be compiled: `ifdef FORMAL is around it"),
        ("rtl/top.sv", "unit u();", "", "no other file uses the module unit of Holds"),
        ("verify/requirements/families.toml", ", \"rtl/unit.sv\"", "", "no test runs the assertions of rtl/unit.sv"),
    ];
    for (file, old, new, what) in cases {
        let (problems, missing) = found(file, old, new);
        assert!(problems.iter().any(|problem| problem.ends_with(what)), "{problems:?}");
        assert!(missing.contains(&"§A-07".to_owned()));
    }
    for (old, new) in
        [("Holds: assert", "// Holds: assert"), ("Holds: assert", "assert"), ("§A-07: holds.", "§A-07: holds.\n")]
    {
        assert_eq!(found(unit, old, new).1, ["§A-07"]);
    }
}

#[test]
fn properties_that_nothing_runs_are_found() {
    let (problems, missing) = found("verify/requirements/families.toml", "\"properties/\", ", "");
    assert_eq!(problems, ["properties/rule.rs:3: §A-06: cargo does not compile the file, so it shows nothing"]);
    assert_eq!(missing, ["§A-06"]);
}

#[test]
fn rows_need_what_their_kind_asks_for() {
    let csv = "verify/requirements/lwp.csv";
    for (old, new, missing) in [
        ("#some-words\n", "#some-words\n§A-11,1,A,must,s,c,\n", Some("§A-11")),
        ("#some-words\n", "#some-words\n§A-11,1,A,option,s,c,doc:docs/src/chapter.md#some-words\n", Some("§A-11")),
        ("#some-words\n", "#some-words\n§A-11,1,A,option,s,c,item:src/lib.rs::Item\n", Some("§A-11")),
        ("#some-words\n", "#some-words\n§A-11,1,A,option,s,doc only: x,doc:docs/src/chapter.md#some-words\n", None),
        ("#some-words\n", "#some-words\n§A-11,1,A,must,s,doc only: x,rtl:unit\n", Some("§A-11")),
        ("#some-words\n", "#some-words\n§A-11,1,A,info,s,c,rtl:unit\n", Some("§A-11")),
        ("#some-words\n", "#some-words\n§A-11,1,A,info,s,c,test:tests/whole.rs::one\n", None),
        ("doc:docs/src/chapter.md#some-words", "item:src/lib.rs::Item", Some("§A-08")),
    ] {
        assert_eq!(found(csv, old, new), (vec![], missing.into_iter().map(str::to_owned).collect()), "{new}");
    }
    // A register is asked for, and a behaviour unless its unit does not exist.
    let registers = "verify/requirements/monitoring.csv";
    assert_eq!(found(registers, "test:tests/whole.rs::one", "item:src/lib.rs::Item").1, ["B-01"]);
    assert_eq!(found("verify/requirements/needs.toml", LATER, "").1, ["B-02"]);
}

#[test]
fn sources_that_cannot_be_read_show_nothing() {
    let (problems, missing) = found("src/inner.rs", "fn shown", "fn (");
    assert!(problems[0].starts_with("src/inner.rs:3: this is not Rust"), "{problems:?}");
    assert_eq!(missing, ["§A-02", "§A-03", "§A-04"]);
}

fn case(program: &str, name: &str, inside: &str) -> String {
    format!("<testsuite name=\"{program}\"><testcase name=\"{name}\">{inside}</testcase></testsuite>")
}

fn states(broken: &Broken, report: &str) -> (Vec<State>, String) {
    let repository = broken.repository();
    let trace = Trace::of(&repository).unwrap();
    let path = broken.folder.path().join("junit.xml");
    std::fs::write(&path, format!("<testsuites timestamp=\"today\">{report}</testsuites>")).unwrap();
    let mut results = Results::default();
    results.add(&path).unwrap();
    let page = matrix::page(&repository, &trace, &results);
    (trace.rows.iter().map(|row| results.of_row(&trace, row)).collect(), page)
}

#[test]
fn the_matrix_shows_what_ran() {
    let broken = Broken::new("verify/requirements/lwp.csv", "#some-words\n", "#some-words\n§A-11,1,A,must,s,c,\n");
    let report = case("unit", "tests::shown", "")
        + &case("unit", "inner::shown", "<failure/>")
        + &case("unit::whole", "one", "");
    let (states, page) = states(&broken, &report);
    let (green, red, not_run, text, open) = (State::Green, State::Red, State::NotRun, State::Text, State::Open);
    let later = State::Later;
    assert_eq!(states, [green, red, red, red, not_run, green, green, text, open, text, not_run, green, later]);
    for part in [
        "of today",
        "10 / 11",
        "<code>properties/rule.rs::check</code>, run by <code>tests/whole.rs::one</code>",
        "chapter.html#some-words",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
}

#[test]
fn a_side_that_a_proof_alone_shows_did_not_run() {
    let report = ["one", "two"].map(|name| case("unit::whole", name, "")).concat() + &case("unit::other", "three", "");
    let sides = "\"tests/other.rs\"]\nsides = [\"model\", \"rtl\"]";
    for (now, state) in [(sides, State::Green), (&sides.replace(", \"rtl\"", ""), State::NotRun)] {
        let broken = Broken::new("verify/requirements/families.toml", sides, now);
        let list = broken.folder.path().join("verify/requirements/lwp.csv");
        let text = std::fs::read_to_string(&list).unwrap();
        std::fs::write(&list, text.replace(" sva:rtl/unit.sv::Other", "")).unwrap();
        assert_eq!(states(&broken, &report).0[9], state, "{now}");
    }
}

#[test]
fn results_of_another_program_do_not_count() {
    let report = case("other", "tests::shown", "") + &case("unit", "shown", "") + &case("unit::tests", "shown", "");
    assert_eq!(states(&Broken::good(), &report).0[0], State::NotRun);
}

#[test]
fn a_report_that_is_not_there_is_an_error() {
    let error = Results::default().add(Path::new("no/such/junit.xml")).unwrap_err().to_string();
    assert!(error.starts_with("no/such/junit.xml: "), "{error}");
}

/// What is broken, and the rows that nothing shows then.
#[test]
fn a_claim_counts_only_where_something_fails() {
    let (csv, families) = ("verify/requirements/lwp.csv", "verify/requirements/families.toml");
    let cases: [(&str, &str, &str, &[&str]); 6] = [
        // A claim beside no rule, and a rule that cannot fail.
        ("properties/rule.rs", "    // §A-06\n", "    // §A-06\n\n", &["§A-06"]),
        ("properties/rule.rs", "ensure!", "log!", &["§A-06"]),
        // One side alone is not hardware; agreement that is not looked at every cycle is not lockstep.
        (families, "sides = [\"model\", \"rtl\"]", "sides = [\"model\"]", &["§A-01", "§A-02", "§A-03", "§A-04"]),
        (families, "lockstep = true", "lockstep = false", &[]),
        (csv, "§A-05,1,A,must,s,c,", "§A-05,1,A,must,s,SVA: c,", &["§A-05"]),
        (csv, "§A-01,1,A,must,s,c,", "§A-01,1,A,must,s,SVA: c,", &[]),
    ];
    for (file, old, new, rows) in cases {
        assert_eq!(found(file, old, new).1, rows, "{new}");
    }
}

#[test]
fn a_file_of_tests_that_no_program_holds_is_found() {
    let (problems, _) = found("Cargo.toml", "[package]", "[[test]]\nname = \"whole\"\n[package]\nautotests = false");
    assert!(problems.contains(&"tests/other.rs:1: no program of tests holds the file".to_owned()), "{problems:?}");
}

#[test]
fn rows_that_wait_for_a_unit_are_not_shown_meanwhile() {
    let needs = |text: &str| found("verify/requirements/needs.toml", "", text);
    let later = |row: &str| needs(&format!("[[later]]\nrows = [\"{row}\"]\nuntil = \"x\"\n")).0;
    assert_eq!(later("B-01"), ["verify/requirements/monitoring.csv:2: B-01 is shown already"]);
    assert_eq!(later("B-09"), ["verify/requirements/needs.toml:2: B-09: there is no such row"]);
    let same = "[[needs]]\nrows = [\"§A-01\"]\nsides = [\"model\", \"rtl\"]\nreason = \"x\"\n";
    assert_eq!(needs(same).0, ["verify/requirements/needs.toml:2: §A-01: the rule says the same"]);
}
