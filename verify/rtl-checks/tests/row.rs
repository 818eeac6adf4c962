//! Lockstep compares rows: every register of the RTL has to be in them.

use rtl_checks::{Remembered, Sources};
use tempfile::TempDir;

/// Registers that no row has. A build without fixed counters has a bit in the place of their enables, which is always 0.
const OUTSIDE: &[(&str, &[&str])] = &[(
    "perf_c2",
    &[
        "u_flat.u_perf.gen_processors[0].u_processor.u_global.fixed_on_q",
        "u_flat.u_perf.gen_processors[0].u_processor.u_global.fixed_status_q",
    ],
)];

fn sources(unit: &str, build: &str, folder: &TempDir) -> Sources {
    Sources::new().lists(&[&format!("{unit}/{unit}.f")]).unwrap().flat(build, folder.path()).unwrap()
}

#[test]
fn every_register_of_every_build_is_in_the_row() {
    for build in flat_image::builds() {
        let folder = TempDir::new().unwrap();
        let unit = build.split('_').next().unwrap();
        let found = Remembered::of(unit, &sources(unit, &build, &folder), folder.path()).unwrap();
        let outside = OUTSIDE.iter().find(|(of, _)| *of == build).map_or(&[][..], |(_, names)| names);
        assert_eq!(found.outside, outside, "{build}");
        assert!(found.bits > 200, "{build}: only {} bits of registers", found.bits);
        // The tags of the two caches, a set of which the row shows.
        assert_eq!(found.memories, if unit == "rdt" { 2 } else { 0 }, "{build}");
    }
}

#[test]
fn a_register_that_the_row_leaves_out_is_found() {
    let (folder, copy) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let (text, other) = ("assign state_o = lfsr_q;", "assign state_o = {lfsr_q[31:1], 1'b0};");
    let broken = sources("lwp", "lwp_w1", &folder).broken("lwp_lfsr.sv", text, other, copy.path()).unwrap();
    let found = Remembered::of("lwp", &broken, folder.path()).unwrap();
    assert_eq!(found.outside, ["u_flat.u_lwp.u_deliver.u_reset.u_lfsr.lfsr_q"]);
}
