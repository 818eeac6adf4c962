//! The register requests on a bus, and the RVFI bridge of the performance counters.

use super::{Sources, notices_with, passes};

const ADAPTER: &str = "perf_retire_rvfi.sv";
const REG: &str = "reg_mmio.sv";

fn under(rtl: &[&str], adapters: &[&str], bench: &[&str]) -> Sources {
    let named =
        |folder: &str, names: &[&str]| names.iter().map(|name| format!("{folder}/{name}.sv")).collect::<Vec<_>>();
    let files = [named("rtl", rtl), named("rtl/adapters", adapters), named("verify/rtl-checks/adapters", bench)];
    Sources::new().files(&files.concat())
}

pub(super) fn requests() -> Sources {
    under(&["retire/retire_pkg"], &["reg_mmio"], &["mem_pkg", "reg_mmio_tb"])
}

pub(super) fn retire() -> Sources {
    under(
        &["retire/retire_pkg", "perf/perf_pkg"],
        &["lwp_rvfi_branch", "lwp_rvfi_load", "retire_rvfi_access", "perf_retire_rvfi"],
        &["mem_pkg", "debug_words", "perf_rvfi_tb"],
    )
}

/// The bench fails once `text` of reg_mmio has become `other`.
fn requests_notice(text: &str, other: &str) {
    notices_with(&[], "reg_mmio_tb", &requests(), REG, text, other);
}

/// The bench fails once `text` of the bridge has become `other`.
fn retire_notices(text: &str, other: &str) {
    notices_with(&[], "perf_rvfi_tb", &retire(), ADAPTER, text, other);
}

#[test]
fn register_requests() {
    passes("reg_mmio_tb", &requests(), &[]);
}

#[test]
fn counted_instructions() {
    passes("perf_rvfi_tb", &retire(), &[]);
}

#[test]
fn perf_bench_notices_a_lane_with_the_mode_of_the_next() {
    retire_notices("(reg_ready_o ? reg_user_i : user_q)", "(reg_ready_o ? reg_user_i : user_d)");
}

/// What `make test` leaves out.
mod ci {
    use super::{requests_notice, retire_notices};

    #[test]
    fn request_bench_notices_the_rights_of_the_kernel_in_the_user_page() {
        requests_notice("assign reg_user_o = !kernel_q;", "assign reg_user_o = 1'b0;");
    }

    #[test]
    fn request_bench_notices_a_request_that_is_made_twice() {
        requests_notice("(state_q == Pending) && reg_ready_i", "(state_q == Pending) && reg_ready_i && op_q[0]");
    }

    #[test]
    fn request_bench_notices_the_value_of_the_other_page() {
        requests_notice("reg_wdata:  pages_q[kernel_q].wdata", "reg_wdata:  pages_q[0].wdata");
    }

    #[test]
    fn request_bench_notices_a_response_before_the_answer() {
        requests_notice("rvalid_d = (taken && !starts) || done;", "rvalid_d = taken || done;");
    }

    #[test]
    fn request_bench_notices_a_part_of_a_word() {
        requests_notice("(ctl_we_i && (ctl_be_i != '1));", "(ctl_we_i && (ctl_be_i == '0));");
    }

    #[test]
    fn request_bench_notices_an_answer_in_the_other_page() {
        requests_notice("if (done && (kernel_q == p[0]))", "if (done)");
    }

    #[test]
    fn perf_bench_notices_an_instruction_that_trapped() {
        retire_notices("if (rvfi_valid_i && !rvfi_trap_i) begin", "if (rvfi_valid_i) begin");
    }

    #[test]
    fn perf_bench_notices_an_access_that_is_split() {
        retire_notices("(past_word > 5'(BusBytes)) ? 4'd2 : 4'd1", "4'd1");
    }

    #[test]
    fn perf_bench_notices_a_line_that_is_not_crossed() {
        retire_notices("accesses && (past_line > 5'd8)", "accesses && (past_line > 5'd7)");
    }

    #[test]
    fn perf_bench_notices_a_branch_that_is_none() {
        retire_notices("(kind != BranchNone) && (!system || transfers)", "kind != BranchNone");
    }

    #[test]
    fn perf_bench_notices_a_jump_to_the_next_instruction() {
        retire_notices("((kind != BranchCond) || (rvfi_pc_wdata_i != sequential))", "(rvfi_pc_wdata_i != sequential)");
    }

    #[test]
    fn perf_bench_notices_an_exception_that_is_an_interrupt() {
        retire_notices("trapped_q ? IntException : IntInterrupt", "IntInterrupt");
    }

    #[test]
    fn perf_bench_notices_a_request_that_overtakes() {
        retire_notices("&& !recent_q.lane.valid && !group_q.lane.valid;", "&& !group_q.lane.valid;");
    }

    #[test]
    fn perf_bench_notices_a_request_that_is_too_early() {
        retire_notices("waited_q == 6'(RvfiLate - 1)", "waited_q == 6'(RvfiLate - 2)");
    }
}

/// What only `make nightly` runs.
mod nightly {
    use super::{passes, retire};

    #[test]
    fn counted_instructions_in_other_sizes() {
        passes("perf_rvfi_tb", &retire(), &["Xlen=64", "BusBytes=8", "RvfiLate=1"]);
        passes("perf_rvfi_tb", &retire(), &["Xlen=64", "BusBytes=4", "RvfiLate=7"]);
    }
}
