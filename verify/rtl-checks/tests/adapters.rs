//! Each adapter against its bench with several seeds, in the sizes that differ, and broken once.

use std::process::Command;

use rtl_checks::{Bench, Built, Sources, Verilator, seeds, with_seed};
use tempfile::TempDir;

mod control;
mod debug;
mod perf;
mod top;
mod waves;
mod wiring;

const SEEDS: std::ops::Range<u32> = 1..9;

/// A bench around files of `rtl/adapters`.
fn sources(adapter: &[&str], bench: &[&str]) -> Sources {
    let under =
        |folder: &str, names: &[&str]| names.iter().map(|name| format!("{folder}/{name}.sv")).collect::<Vec<_>>();
    let mut files = vec!["rtl/lwp/lwp_pkg.sv".to_owned(), "verify/rtl-checks/adapters/mem_pkg.sv".to_owned()];
    files.extend(under("rtl/adapters", adapter));
    files.extend(under("verify/rtl-checks/adapters", bench));
    Sources::new().files(&files)
}

fn build(top: &str, sources: Sources, parameters: &[&str], folder: &TempDir) -> Built {
    Bench { top, sources, parameters, options: &[] }.build(Verilator::Oldest, folder.path()).unwrap()
}

/// The bench passes with each seed.
fn passes(top: &str, sources: &Sources, parameters: &[&str]) {
    let folder = TempDir::new().unwrap();
    let built = build(top, sources.clone(), parameters, &folder);
    for seed in seeds(SEEDS) {
        with_seed(&built, seed, &[]).unwrap();
    }
}

/// The bench fails with one seed at least once `text` of the adapter has become `other`.
fn notices(top: &str, sources: &Sources, file: &str, text: &str, other: &str) {
    notices_with(&[], top, sources, file, text, other);
}

/// The same with parameters of the bench.
fn notices_with(parameters: &[&str], top: &str, sources: &Sources, file: &str, text: &str, other: &str) {
    let folder = TempDir::new().unwrap();
    let broken = sources.clone().broken(file, text, other, folder.path()).unwrap();
    if std::env::var_os(TEXTS_ALONE).is_some() {
        return;
    }
    let built = build(top, broken, parameters, &folder);
    let noticed = SEEDS.into_iter().any(|seed| with_seed(&built, seed, &[]).is_err());
    assert!(noticed, "{file}: `{other}` instead of `{text}`, and the bench passes");
}

/// Set by `what_a_bench_shall_notice_is_in_its_file` alone: a bench is not run.
const TEXTS_ALONE: &str = "RTL_CHECKS_TEXTS_ALONE";

/// Most broken adapters run at night alone. That their texts are still in the files is looked up by day: runs the tests of this program
/// that break an adapter, each up to its bench.
#[test]
fn what_a_bench_shall_notice_is_in_its_file() {
    let program = std::env::current_exe().unwrap();
    let listed = Command::new(&program).args(["--list", "--format", "terse", "adapters::"]).output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    let names: Vec<_> = listed.lines().filter_map(|line| line.strip_suffix(": test")).collect();
    let names: Vec<_> = names.into_iter().filter(|name| name.contains("_notices_")).collect();
    assert!(names.len() > 50, "only {} tests break an adapter", names.len());
    let done = Command::new(&program).arg("--exact").args(&names).env(TEXTS_ALONE, "1").output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stdout));
}

fn axi4() -> Sources {
    sources(&["lwp_mem_axi4"], &["mem_driver", "axi4_tb"])
}

fn reqgnt() -> Sources {
    sources(&["lwp_mem_reqgnt"], &["mem_driver", "reqgnt_tb"])
}

fn rvfi() -> Sources {
    sources(&["lwp_rvfi_branch", "lwp_rvfi_load", "lwp_rvfi_assert", "lwp_retire_rvfi"], &["rvfi_words", "rvfi_tb"])
}

fn etrace() -> Sources {
    sources(&["lwp_etrace_branch", "lwp_retire_etrace"], &["etrace_tb"])
}

#[test]
fn axi4_bridge() {
    passes("axi4_tb", &axi4(), &["AddrWidth=40"]);
}

#[test]
fn request_grant_of_64_bits() {
    passes("reqgnt_tb", &reqgnt(), &["DataWidth=64"]);
}

#[test]
fn rvfi_lanes() {
    passes("rvfi_tb", &rvfi(), &["Lanes=2", "Xlen=64"]);
    passes("rvfi_tb", &rvfi(), &["Lanes=4", "Xlen=32"]);
}

#[test]
fn request_grant_bench_notices_an_address_that_aliases() {
    let (text, other) = ("assign outside = |mem_addr_i[63:AddrWidth];", "assign outside = 1'b0;");
    notices_with(&["DataWidth=32", "AddrWidth=32"], "reqgnt_tb", &reqgnt(), "lwp_mem_reqgnt.sv", text, other);
}

#[test]
fn etrace_bench_notices_a_target_taken_from_the_wrong_block() {
    let (text, other) = ("assign sent  = valid_q && (!waits_q || known);", "assign sent  = valid_q;");
    notices("etrace_tb", &etrace(), "lwp_retire_etrace.sv", text, other);
}

#[test]
fn etrace_bench_notices_an_operation_that_waits_for_ever() {
    notices("etrace_tb", &etrace(), "lwp_retire_etrace.sv", "(itype_i == 4'd2) || op_wait_i;", "(itype_i == 4'd2);");
}

/// What `make test` leaves out.
mod ci {
    use super::{axi4, etrace, notices, notices_with, passes, reqgnt, rvfi};

    #[test]
    fn axi4_bench_notices_an_answer_before_b() {
        let (text, early) =
            ("assign got_b     = axi_bvalid_i && axi_bready_o;", "assign got_b     = w_q && axi_wready_i;");
        notices("axi4_tb", &axi4(), "lwp_mem_axi4.sv", text, early);
    }

    #[test]
    fn axi4_bench_notices_a_lost_error() {
        notices("axi4_tb", &axi4(), "lwp_mem_axi4.sv", "(got_r && axi_rresp_i[1])", "(got_r && &axi_rresp_i)");
    }

    #[test]
    fn axi4_bench_notices_a_request_taken_back() {
        notices("axi4_tb", &axi4(), "lwp_mem_axi4.sv", "w_d      = w_q && !axi_wready_i;", "w_d      = 1'b0;");
    }

    #[test]
    fn axi4_bench_notices_a_path_without_a_register() {
        let (text, other) =
            ("assign axi_arvalid_o = ar_q;", "assign axi_arvalid_o = ar_q || (taken && (mem_cmd_i == MemRead));");
        notices("axi4_tb", &axi4(), "lwp_mem_axi4.sv", text, other);
    }

    #[test]
    fn request_grant_of_32_bits() {
        passes("reqgnt_tb", &reqgnt(), &["DataWidth=32", "AddrWidth=32"]);
    }

    #[test]
    fn request_grant_bench_notices_a_probe_that_writes() {
        notices(
            "reqgnt_tb",
            &reqgnt(),
            "lwp_mem_reqgnt.sv",
            "assign be_o        = probe_o ? '0 : be_q;",
            "assign be_o        = be_q;",
        );
    }

    #[test]
    fn rvfi_bench_notices_a_return_taken_for_a_jump() {
        notices("rvfi_tb", &rvfi(), "lwp_rvfi_branch.sv", "is_link(reads) ? Ret : JmpIndirect", "JmpIndirect");
    }

    #[test]
    fn rvfi_bench_notices_a_late_mode() {
        notices("rvfi_tb", &rvfi(), "lwp_retire_rvfi.sv", "(held_q || user_d) ? 2'd3", "(held_q || user_q) ? 2'd3");
    }

    #[test]
    fn rvfi_lanes_without_user_mode() {
        passes("rvfi_tb", &rvfi(), &["Lanes=1", "Xlen=32", "MachineIsUser=1'b1", "RvfiLate=0"]);
    }

    #[test]
    fn rvfi_lanes_of_expanded_words() {
        passes("rvfi_tb", &rvfi(), &["Lanes=2", "Xlen=32", "ExpandedInsn=1'b1", "RvfiLate=1"]);
    }

    #[test]
    fn rvfi_bench_notices_a_read_mask_that_is_believed() {
        let (text, other) = ("miss_i[l] && loads[l]", "miss_i[l] && (rvfi_mem_rmask_i[l] != '0)");
        notices("rvfi_tb", &rvfi(), "lwp_retire_rvfi.sv", text, other);
    }

    #[test]
    fn rvfi_bench_notices_an_operation_that_overtakes() {
        notices("rvfi_tb", &rvfi(), "lwp_retire_rvfi.sv", "|| (op_wait_i && !shown);", ";");
    }

    #[test]
    fn rvfi_bench_notices_an_operation_of_another_mode() {
        notices("rvfi_tb", &rvfi(), "lwp_retire_rvfi.sv", "op_now ? op_user_i : ", "");
    }

    #[test]
    fn rvfi_bench_notices_an_expanded_branch_not_taken() {
        let parameters = ["Xlen=32", "ExpandedInsn=1'b1"];
        notices_with(
            &parameters,
            "rvfi_tb",
            &rvfi(),
            "lwp_retire_rvfi.sv",
            "rvfi_insn_i[l][11:8], 1'b0};",
            "4'b0, 1'b0};",
        );
    }

    #[test]
    fn etrace_blocks() {
        passes("etrace_tb", &etrace(), &["Lanes=4"]);
        passes("etrace_tb", &etrace(), &["Lanes=1", "Single=1'b1", "Compressed=1'b1"]);
    }
}

/// What only `make nightly` runs.
mod nightly {
    use super::{etrace, passes, reqgnt};

    #[test]
    fn request_grant_of_32_bits_with_long_addresses() {
        passes("reqgnt_tb", &reqgnt(), &["DataWidth=32"]);
    }

    #[test]
    fn etrace_blocks_in_other_sizes() {
        passes("etrace_tb", &etrace(), &["Lanes=8"]);
        passes("etrace_tb", &etrace(), &["Lanes=1", "Compressed=1'b1"]);
    }
}
