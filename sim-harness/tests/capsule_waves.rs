//! Waves of the RTL's inner signals from a capsule.

use crate::lockstep_support::{inputs, recording, straps};
use sim_harness::capsule::{Capsule, Failure, Way, origin, waves};
use sim_harness::lockstep::Window;
use sim_harness::rtl::BuildId;
use sim_harness::unit::{UNITS, Unit};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// A capsule of a run that does not fail, with a property in this cycle.
fn capsule(build: BuildId, cycles: usize, cycle: u64) -> Capsule {
    let mut recording = recording(build, &inputs(build, 5, cycles));
    let failure = Failure::new(Way::Property { name: "none".to_owned() }, cycle);
    let origin = origin("test", "cargo test", BTreeMap::new());
    Capsule::record(build, &straps(build), &mut recording, failure, origin).unwrap()
}

/// Instances of modules below the flat image, and the names of all signals.
fn names(path: &Path) -> (BTreeSet<String>, BTreeSet<String>, Vec<u64>) {
    let waves = wellen::simple::read(path).unwrap();
    let hierarchy = waves.hierarchy();
    let scopes = hierarchy.all_scopes().map(|scope| hierarchy[scope].full_name(hierarchy)).collect();
    let signals = hierarchy.all_vars().map(|var| hierarchy[var].full_name(hierarchy)).collect();
    (scopes, signals, waves.time_table().to_vec())
}

#[test]
fn every_unit_shows_the_signals_inside() {
    let folder = tempfile::tempdir().unwrap();
    for unit in UNITS {
        let build = BuildId::of_unit(unit.name).next().unwrap();
        let path = folder.path().join("x.fst");
        let written = waves(&capsule(build, 300, 200), Window { before: 50, after: 20 }, &path).unwrap();
        assert_eq!((written.first_cycle, written.cycles, written.fails), (150, 71, None));
        let (scopes, signals, times) = names(&path);
        assert_eq!((times.first(), times.last()), (Some(&1500), Some(&2205)));
        let inside = format!("u_flat.u_{}.", unit.name);
        let instances = scopes.iter().filter(|scope| scope.contains(&inside)).count();
        assert!(instances > 3, "{}: {scopes:?}", unit.name);
        // Ports of modules inside the unit, which no row of the harness has.
        let ports = |name: &&String| {
            name.split_once(&inside)
                .is_some_and(|(_, rest)| rest.contains(".") && (rest.ends_with("_i") || rest.ends_with("_o")))
        };
        let ports = signals.iter().filter(ports).count();
        assert!(ports > 10, "{}: {ports} ports inside", unit.name);
        assert!(signals.len() > (unit.capsule.fields)(build).len(), "{}", unit.name);
    }
}

#[test]
fn the_window_may_reach_beyond_the_capsule() {
    let (folder, build) = (tempfile::tempdir().unwrap(), BuildId::ALL[0]);
    let path = folder.path().join("x.fst");
    // The capsule has 32 cycles after its failure, and idle ones follow.
    let written = waves(&capsule(build, 300, 30), Window { before: 1000, after: 900 }, &path).unwrap();
    assert_eq!((written.first_cycle, written.cycles), (0, 931));
    assert_eq!(names(&path).2.last(), Some(&9305));
}

#[test]
fn the_command_writes_a_new_file_each_time() {
    let (folder, build) = (tempfile::tempdir().unwrap(), BuildId::ALL[0]);
    let path = folder.path().join("x.capsule");
    let good = capsule(build, 300, 200);
    good.save(&path).unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lwp-sim"));
        let output = command.current_dir(folder.path()).arg("waves").args(arguments).output().unwrap();
        let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(!text.contains("panicked"), "{text}");
        (output.status.code(), text)
    };
    let (code, text) = run(&["x.capsule"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("waves     x.fst: cycles 0 to 220\n") && text.contains("nothing fails"), "{text}");
    assert!(run(&["x.capsule"]).1.contains("waves     x-2.fst: "));
    assert_eq!(run(&["x.capsule", "-q", "-o", "y.fst"]), (Some(0), String::new()));
    for file in ["x.fst", "x-2.fst", "y.fst"] {
        assert!(names(&folder.path().join(file)).1.len() > 100, "{file}");
    }
    assert_eq!(run(&["nothing.capsule"]).0, Some(2));
    assert_eq!(run(&["x.capsule", "-o", "/proc/nonexistent/x.fst"]).0, Some(3));
    assert_eq!(Unit::of(build).name, good.header().unit);
}
