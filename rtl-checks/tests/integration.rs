//! The worked integration: the program profiles itself, and says so when something on the way is broken.

use rtl_checks::{Bench, Built, Sources, Verilator, root, run};
use std::fs;
use std::process::Command;
use tempfile::TempDir;

const EXAMPLE: &str = "rtl/examples/self_profiling";

fn sources() -> Sources {
    let lists = ["lwp/lwp.f", "adapters/adapters.f", "examples/self_profiling/self_profiling.f"];
    Sources::new().lists(&lists).unwrap().files(&["rtl/examples/self_profiling/sp_tb.sv"])
}

fn build(sources: Sources, verilator: Verilator, folder: &TempDir) -> Built {
    let program = "Program=\"examples/self_profiling/program.hex\"";
    Bench { top: "sp_tb", sources, parameters: &[program], options: &[] }.build(verilator, folder.path()).unwrap()
}

/// What the bench says once `text` of `file` has become `other`.
fn broken(file: &str, text: &str, other: &str) -> String {
    let folder = TempDir::new().unwrap();
    let sources = sources().broken(file, text, other, folder.path()).unwrap();
    build(sources, Verilator::Oldest, &folder).must_fail(&[]).unwrap()
}

#[test]
fn program_profiles_itself() {
    let folder = TempDir::new().unwrap();
    build(sources(), Verilator::Oldest, &folder).run(&[]).unwrap();
}

#[test]
fn program_profiles_itself_under_a_recent_verilator() {
    let folder = TempDir::new().unwrap();
    build(sources(), Verilator::Recent, &folder).run(&[]).unwrap();
}

#[test]
fn program_is_what_the_assembler_makes() {
    let mut command = Command::new("python3");
    let made = run(command.args(["assemble.py", "program.s"]).current_dir(root().join(EXAMPLE))).unwrap();
    let kept = fs::read_to_string(root().join(EXAMPLE).join("program.hex")).unwrap();
    assert!(made == kept, "program.hex is stale: python3 assemble.py program.s > program.hex, in {EXAMPLE}");
}

/// Too few records: check 26 of the program.
#[test]
fn program_notices_a_doubled_interval() {
    let (text, other) = ("counter_d = (interval_q & reload_keep_i)", "counter_d = ((interval_q << 1) & reload_keep_i)");
    let said = broken("lwp_event.sv", text, other);
    assert!(said.contains("FAIL check 26"), "{said}");
}

/// Too many records: the same check from the other side.
#[test]
fn program_notices_a_halved_interval() {
    let (text, other) = ("counter_d = (interval_q & reload_keep_i)", "counter_d = ((interval_q >> 1) & reload_keep_i)");
    let said = broken("lwp_event.sv", text, other);
    assert!(said.contains("FAIL check 26"), "{said}");
}

/// A retire port connected wrongly: the target of a branch is the branch itself.
#[test]
fn program_notices_a_wrong_target() {
    let (text, other) = ("branch_next:       64'(rvfi_pc_wdata_i[l])", "branch_next:       64'(rvfi_pc_rdata_i[l])");
    let said = broken("lwp_retire_rvfi.sv", text, other);
    assert!(said.contains("FAIL check 22"), "{said}");
}

/// An interrupt that is never acknowledged comes again and again.
#[test]
fn program_notices_a_missing_acknowledge() {
    let said = broken("sp_core.sv", "assign irq_ack_o = take_irq;", "assign irq_ack_o = 1'b0;");
    assert!(said.contains("FAIL"), "{said}");
}
