//! The RVFI bridge of the debug unit, and its registers.

use super::{Sources, notices_with, passes};

const ADAPTER: &str = "debug_retire_rvfi.sv";
const ACCESS: &str = "debug_rvfi_access.sv";

fn retire() -> Sources {
    let rtl = ["retire/retire_pkg", "debug/debug_pkg"].map(|file| format!("rtl/{file}.sv"));
    let adapters = ["lwp_rvfi_load", "debug_rvfi_access", "debug_retire_rvfi"];
    let adapters = adapters.map(|file| format!("rtl/adapters/{file}.sv"));
    let bench = ["mem_pkg", "debug_words", "debug_rvfi_tb"].map(|file| format!("verify/rtl-checks/adapters/{file}.sv"));
    Sources::new().files(&[&rtl[..], &adapters, &bench].concat())
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
fn debug_bench_notices_an_instruction_beside_a_pending_db() {
    retire_notices(ADAPTER, "&& !db_valid_i && !handler_q", "&& !handler_q");
}

/// What `make test` leaves out.
mod ci {
    use super::{ACCESS, ADAPTER, passes, retire, retire_notices};

    #[test]
    fn debug_instructions_in_other_sizes() {
        passes("debug_rvfi_tb", &retire(), &["Xlen=64", "Depth=16", "RvfiLate=1"]);
        passes("debug_rvfi_tb", &retire(), &["Xlen=64", "Depth=2", "RvfiLate=7"]);
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
        retire_notices(ADAPTER, "&& to_dr7 && !reg_user_i && (executes != '0)", "&& to_dr7 && (&executes)");
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
