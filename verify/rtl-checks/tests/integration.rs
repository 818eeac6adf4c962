//! The worked integration: the program profiles itself, and says so when something on the way is broken.

use rtl_checks::{Bench, Built, Sources, Verilator, root, run};
use std::fs;
use std::process::Command;
use tempfile::TempDir;

const EXAMPLE: &str = "rtl/examples/self_profiling";

fn sources() -> Sources {
    let lists = ["lwp/lwp.f", "adapters/adapters.f", "examples/self_profiling/self_profiling.f"];
    Sources::new().lists(&lists).unwrap().files(&["sp_check.sv", "sp_tb.sv"].map(|file| format!("{EXAMPLE}/{file}")))
}

fn build(sources: Sources, verilator: Verilator, folder: &TempDir) -> Built {
    let program = "Program=\"examples/self_profiling/program.hex\"";
    Bench { top: "sp_tb", sources, parameters: &[program], options: &[] }.build(verilator, folder.path()).unwrap()
}

/// Once `text` of `file` has become `other`, the bench says `bench`, and `program` if it leaves the checking to the program.
fn notices(file: &str, text: &str, other: &str, bench: &str, program: &str) {
    let folder = TempDir::new().unwrap();
    let sources = sources().broken(file, text, other, folder.path()).unwrap();
    let built = build(sources, Verilator::Oldest, &folder);
    for (arguments, expected) in [(&[][..], bench), (&["+alone"], program)] {
        let said = built.must_fail(arguments).unwrap();
        assert!(said.contains(expected), "no `{expected}` in: {said}");
    }
}

#[test]
fn program_profiles_itself() {
    let folder = TempDir::new().unwrap();
    let bench = build(sources(), Verilator::Oldest, &folder);
    for arguments in [&[][..], &["+alone"]] {
        let output = bench.run(arguments).unwrap();
        assert!(output.contains("; 1 interrupt"), "{output}");
    }
}

#[test]
fn program_is_what_the_assembler_makes() {
    let mut command = Command::new("python3");
    let made = run(command.args(["assemble.py", "program.s"]).current_dir(root().join(EXAMPLE))).unwrap();
    let kept = fs::read_to_string(root().join(EXAMPLE).join("program.hex")).unwrap();
    assert!(made == kept, "program.hex is stale: python3 assemble.py program.s > program.hex, in {EXAMPLE}");
}

/// What `make test` leaves out.
mod ci {
    use super::notices;

    /// Too few records.
    #[test]
    fn a_doubled_interval_is_noticed() {
        let (text, other) =
            ("counter_d = (interval_q & reload_keep_i)", "counter_d = ((interval_q << 1) & reload_keep_i)");
        notices("lwp_event.sv", text, other, "FAIL record of event", "FAIL check 26 of the program");
    }

    /// An interrupt that is never acknowledged comes again and again, and the program gets no further.
    #[test]
    fn a_missing_acknowledge_is_noticed() {
        let (text, other) = ("assign irq_ack_o = take_irq;", "assign irq_ack_o = 1'b0;");
        notices("sp_core.sv", text, other, "FAIL no end", "FAIL no end");
    }
}

/// What only `make nightly` runs.
mod nightly {
    use super::{TempDir, Verilator, build, notices, sources};

    #[test]
    fn program_profiles_itself_under_a_recent_verilator() {
        let folder = TempDir::new().unwrap();
        build(sources(), Verilator::Recent, &folder).run(&[]).unwrap();
    }

    /// A retire port connected wrongly: the target of a branch is the branch itself.
    #[test]
    fn a_wrong_target_is_noticed() {
        let (text, other) =
            ("branch_next:       64'(rvfi_pc_wdata_i[l])", "branch_next:       64'(rvfi_pc_rdata_i[l])");
        notices("lwp_retire_rvfi.sv", text, other, "FAIL record of event 2", "FAIL check 22 of the program");
    }

    /// A memory port connected wrongly: the head takes the tail beside it along, so the ring is full too early.
    #[test]
    fn a_wrong_strobe_is_noticed() {
        let (text, other) = ("(mem_cmd_i == MemProbe) ? '0 : mem_be_i", "(mem_cmd_i == MemProbe) ? '0 : '1");
        notices("lwp_mem_axi4.sv", text, other, "FAIL head", "FAIL no end");
    }
}
