//! The straps of a run as a failure report tells them: every one, by the names of session files.

use sim_harness::unit::UNITS;

/// Every strap is told in a report, whatever the sizes of the build: as changed, or as it is by default.
#[test]
fn a_report_tells_every_strap_by_name() {
    for unit in UNITS {
        let default = (unit.capsule.default_straps)();
        let straps = unit.capsule.straps;
        assert_eq!(
            ((unit.capsule.changed_straps)(&default), (unit.capsule.kept_straps)(&default).len()),
            (vec![], straps.len())
        );
        for strap in straps {
            let mut words = default.clone();
            strap.set(&mut words, strap.of(&default) ^ 1);
            let told = (unit.capsule.changed_straps)(&words);
            assert!(told.len() == 1 && told[0].starts_with(&format!("{}: ", strap.name)), "{told:?}");
            assert_eq!((unit.capsule.kept_straps)(&words).len(), straps.len() - 1);
        }
    }
    let perf = UNITS.iter().find(|unit| unit.name == "perf").expect("it is in the list");
    let mut words = (perf.capsule.default_straps)();
    let mut set = |name: &str, value| {
        let strap = perf.capsule.straps.iter().find(|strap| strap.name == name).expect("a strap");
        strap.set(&mut words, value);
    };
    // Version 3 with four counters, which the smallest build does not have; the codes are those of the ports' page.
    set("personality", 3);
    set("counters", 4);
    set("any_thread", 1);
    let told = (perf.capsule.changed_straps)(&words);
    assert_eq!(told, ["personality: version 3", "counters: 4", "any_thread: true"]);
}
