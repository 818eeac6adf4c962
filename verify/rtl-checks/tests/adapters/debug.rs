//! The RVFI bridge of the debug unit, and the unit with all that a core with RVFI needs.

use super::{Sources, notices_with, passes};

const ADAPTER: &str = "debug_retire_rvfi.sv";
const ACCESS: &str = "retire_rvfi_access.sv";

fn retire() -> Sources {
    let rtl = ["retire/retire_pkg", "debug/debug_pkg"].map(|file| format!("rtl/{file}.sv"));
    let adapters = ["lwp_rvfi_load", "retire_rvfi_access", "debug_retire_rvfi"];
    let adapters = adapters.map(|file| format!("rtl/adapters/{file}.sv"));
    let bench = ["mem_pkg", "debug_words", "debug_rvfi_tb"].map(|file| format!("verify/rtl-checks/adapters/{file}.sv"));
    Sources::new().files(&[&rtl[..], &adapters, &bench].concat())
}

/// The bench around the unit and its adapters.
fn top() -> Sources {
    let bench = ["mem_pkg", "debug_words", "debug_top_tb"].map(|file| format!("verify/rtl-checks/adapters/{file}.sv"));
    Sources::new().lists(&["debug/debug.f", "adapters/debug_adapters.f"]).unwrap().files(&bench)
}

/// The bench fails once `text` of the file has become `other`.
fn retire_notices(file: &str, text: &str, other: &str) {
    notices_with(&[], "debug_rvfi_tb", &retire(), file, text, other);
}

#[test]
fn debug_instructions() {
    passes("debug_rvfi_tb", &retire(), &[]);
}

#[test]
fn debug_next_to_a_core() {
    passes("debug_top_tb", &top(), &[]);
}

#[test]
fn debug_bench_notices_an_instruction_beside_a_pending_db() {
    retire_notices(ADAPTER, "&& !db_valid_i && !handler_q", "&& !handler_q");
}

#[test]
fn debug_bench_notices_a_program_that_waits_for_its_own_db() {
    retire_notices(ADAPTER, "assign reg_ready_o = reg_user_i || (settled_o", "assign reg_ready_o = (settled_o");
}

/// What `make test` leaves out.
mod ci {
    use super::{ACCESS, ADAPTER, notices_with, passes, retire_notices, top};

    #[test]
    fn debug_next_to_other_cores() {
        passes("debug_top_tb", &top(), &["Late=0"]);
        passes("debug_top_tb", &top(), &["Xlen=64", "Late=6", "Depth=32"]);
    }

    const TOP: &str = "debug_rvfi_top.sv";
    const REGISTERS: &str = "debug_db_mmio.sv";

    /// The bench of the whole fails once `text` of the file has become `other`.
    fn top_notices(file: &str, text: &str, other: &str) {
        notices_with(&[], "debug_top_tb", &top(), file, text, other);
    }

    #[test]
    fn debug_top_notices_a_status_that_does_not_wait() {
        top_notices(REGISTERS, "if (look_q && settled_i) begin", "if (look_q) begin");
    }

    #[test]
    fn debug_top_notices_accesses_that_are_not_refused() {
        top_notices(REGISTERS, "Ack:                    bad = !ctl_we_i;", "Ack:                    bad = 1'b0;");
        top_notices(REGISTERS, "bad = bad || (ctl_we_i && (ctl_be_i != '1));", "");
    }

    #[test]
    fn debug_top_notices_responses_of_two_pages_that_are_mixed_up() {
        top_notices("ctl_split.sv", "taken ? second_i : second_q;", "second_i;");
    }

    #[test]
    fn debug_top_notices_a_user_with_the_rights_of_the_kernel() {
        top_notices(TOP, ".reg_user_i (user),", ".reg_user_i (1'b0),");
    }

    #[test]
    fn debug_top_notices_a_program_that_waits_for_its_own_db() {
        top_notices(ADAPTER, "assign reg_ready_o = reg_user_i || (settled_o", "assign reg_ready_o = (settled_o");
    }

    #[test]
    fn debug_bench_notices_an_answer_of_another_operation() {
        retire_notices(ADAPTER, "reg_result: ResultNotMine", "reg_result: ResultGp");
    }

    #[test]
    fn debug_top_notices_a_mask_of_the_other_direction() {
        top_notices("retire_rvfi_access.sv", "(store ? mem_wmask_i : '0)", "(store ? mem_rmask_i : '0)");
    }

    #[test]
    fn debug_top_notices_a_breakpoint_of_the_wrong_length() {
        top_notices("debug_compare.sv", "2'b10:   mask = 3'd7;", "2'b10:   mask = 3'd3;");
    }

    #[test]
    fn debug_bench_notices_an_instruction_beside_the_handler() {
        retire_notices(ADAPTER, "!db_valid_i && !handler_q && !other_q", "!db_valid_i && !other_q");
    }

    #[test]
    fn debug_bench_notices_a_lane_in_the_first_cycle_of_a_mode() {
        retire_notices(ADAPTER, "&& !other_q && !asked", "&& !asked");
    }

    #[test]
    fn debug_bench_notices_an_instruction_that_trapped() {
        retire_notices(ADAPTER, "rvfi_valid_i && !rvfi_trap_i &&", "rvfi_valid_i &&");
    }

    #[test]
    fn debug_bench_notices_instructions_of_machine_mode() {
        retire_notices(ADAPTER, "&& (rvfi_mode_i == 2'd0);", ";");
    }

    #[test]
    fn debug_bench_notices_a_loss_that_nobody_sees() {
        retire_notices(ADAPTER, "(lost_q && !found_i) || (retires && !fits)", "lost_q && !found_i");
    }

    #[test]
    fn debug_bench_notices_a_request_that_overtakes() {
        retire_notices(ADAPTER, "handler_q || (count_q == '0);", "1'b1;");
    }

    #[test]
    fn debug_bench_notices_a_request_that_is_too_early() {
        retire_notices(ADAPTER, "assign settled_o = (waited_q == 6'(RvfiLate)) &&", "assign settled_o = wait_i &&");
    }

    #[test]
    fn debug_bench_notices_an_instruction_breakpoint() {
        retire_notices(ADAPTER, "(to_dr7 && (executes != '0))", "(to_dr7 && (&executes))");
    }

    #[test]
    fn debug_bench_notices_the_frame_of_the_wrong_instruction() {
        retire_notices(ADAPTER, "shown ? oldest.next : from_q;", "shown ? oldest.ip : from_q;");
    }

    #[test]
    fn debug_bench_notices_a_store_that_is_not_decoded() {
        retire_notices(ACCESS, "insn_i[31:27] != 5'b00010;", "insn_i[31:27] == 5'b00011;");
    }

    #[test]
    fn debug_bench_notices_a_mask_that_is_believed() {
        retire_notices(ACCESS, "read: load,", "read: mem_rmask_i != '0,");
    }

    #[test]
    fn debug_bench_notices_an_offset_that_is_lost() {
        retire_notices(ACCESS, "mem_addr_i + Xlen'(first);", "mem_addr_i;");
    }
}

/// What only `make nightly` runs.
mod nightly {
    use super::{passes, retire};

    #[test]
    fn debug_instructions_in_other_sizes() {
        passes("debug_rvfi_tb", &retire(), &["Xlen=64", "Depth=16", "RvfiLate=1"]);
        passes("debug_rvfi_tb", &retire(), &["Xlen=64", "Depth=2", "RvfiLate=7"]);
    }
}
