//! The memory-mapped registers and the shims in front of them.

use super::{SEEDS, Sources, TempDir, build, notices_with, passes, sources};
use rtl_checks::{seeds, with_seed};

pub(super) fn mmio() -> Sources {
    sources(
        &["lwp_ctl_mmio", "lwp_ctl_apb", "lwp_ctl_tlul", "lwp_ctl_cvxif"],
        &["mmio_check", "cvxif_driver", "mmio_tb"],
    )
}

const OBI: &[&str] = &["Shim=0"];
const APB: &[&str] = &["Shim=1"];
const TLUL: &[&str] = &["Shim=2"];
const CVXIF: &[&str] = &["Shim=3"];
const CVXIF_SPLIT: &[&str] = &["Shim=3", "Xlen=64", "IdWidth=3", "Split=1'b1"];

/// The bench fails once `text` of the file has become `other`.
fn mmio_notices(parameters: &[&str], file: &str, text: &str, other: &str) {
    notices_with(parameters, "mmio_tb", &mmio(), file, text, other);
}

#[test]
fn registers() {
    let folder = TempDir::new().unwrap();
    let built = build("mmio_tb", mmio(), OBI, &folder);
    for seed in seeds(SEEDS) {
        with_seed(&built, seed, &[]).unwrap();
        with_seed(&built, seed, &["+eager"]).unwrap();
    }
}

#[test]
fn registers_through_a_coprocessor_interface() {
    passes("mmio_tb", &mmio(), CVXIF);
}

#[test]
fn bench_notices_a_kernel_operation_from_the_user_page() {
    let (text, other) = ("(ctl_wdata_i[3:0] > OpSlwpcb)", "(ctl_wdata_i[3:0] > OpRestore)");
    mmio_notices(OBI, "lwp_ctl_mmio.sv", text, other);
}

/// What `make test` leaves out.
mod ci {
    use super::{APB, CVXIF, CVXIF_SPLIT, OBI, TLUL, mmio, mmio_notices, passes};

    #[test]
    fn registers_through_apb() {
        passes("mmio_tb", &mmio(), APB);
    }

    #[test]
    fn registers_through_tilelink() {
        passes("mmio_tb", &mmio(), TLUL);
    }

    #[test]
    fn registers_through_a_coprocessor_interface_of_64_bits() {
        passes("mmio_tb", &mmio(), &["Shim=3", "Xlen=64"]);
    }

    #[test]
    fn registers_through_a_coprocessor_interface_of_few_identifiers() {
        passes("mmio_tb", &mmio(), &["Shim=3", "IdWidth=3"]);
    }

    #[test]
    fn registers_through_a_coprocessor_interface_with_operands_after_the_issue() {
        passes("mmio_tb", &mmio(), CVXIF_SPLIT);
        passes("mmio_tb", &mmio(), &["Shim=3", "Split=1'b1"]);
    }

    #[test]
    fn bench_notices_an_operation_beside_lanes() {
        let (text, other) = ("op_wait_o && !busy_i && !stall_i", "op_wait_o && !stall_i");
        mmio_notices(OBI, "lwp_ctl_mmio.sv", text, other);
    }

    #[test]
    fn bench_notices_the_operand_of_the_other_page() {
        let (text, other) = ("wdata_d  = pages_q[kernel].operand;", "wdata_d  = pages_q[!kernel].operand;");
        mmio_notices(OBI, "lwp_ctl_mmio.sv", text, other);
    }

    #[test]
    fn bench_notices_an_operand_that_changes_while_the_operation_waits() {
        let (text, other) = ("assign op_wdata_o = wdata_q;", "assign op_wdata_o = pages_q[kernel_q].operand;");
        mmio_notices(OBI, "lwp_ctl_mmio.sv", text, other);
    }

    #[test]
    fn bench_notices_the_address_before_llwpcb_that_is_lost() {
        mmio_notices(OBI, "lwp_ctl_mmio.sv", "{OpLlwpcb, OpSlwpcb, OpRdMsr0", "{OpSlwpcb, OpRdMsr0");
    }

    #[test]
    fn bench_notices_an_answer_before_the_operation_is_done() {
        let (text, other) = ("rvalid_d = !hold_d && !look_d;", "rvalid_d = !look_d;");
        mmio_notices(OBI, "lwp_ctl_mmio.sv", text, other);
    }

    #[test]
    fn bench_notices_an_acknowledge_from_the_user_page() {
        mmio_notices(OBI, "lwp_ctl_mmio.sv", "Ack: bad = !ctl_we_i || !kernel;", "Ack: bad = !ctl_we_i;");
    }

    #[test]
    fn bench_notices_a_result_after_a_fault() {
        mmio_notices(OBI, "lwp_ctl_mmio.sv", "(rsp_fault_i == FaultNone) && has_result", "has_result");
    }

    #[test]
    fn bench_notices_a_transfer_on_apb_that_is_made_twice() {
        mmio_notices(APB, "lwp_ctl_apb.sv", "psel_i && penable_i && !sent_q", "psel_i && penable_i");
    }

    #[test]
    fn bench_notices_strobes_of_apb_that_are_lost() {
        mmio_notices(APB, "lwp_ctl_apb.sv", "pwrite_i ? pstrb_i : '1", "'1");
    }

    #[test]
    fn bench_notices_an_error_that_tilelink_does_not_show() {
        mmio_notices(TLUL, "lwp_ctl_tlul.sv", "denied_d = ctl_err_i;", "denied_d = 1'b0;");
    }

    #[test]
    fn bench_notices_the_source_of_another_request() {
        mmio_notices(TLUL, "lwp_ctl_tlul.sv", "assign d_source_o  = source_q;", "assign d_source_o  = a_source_i;");
    }

    #[test]
    fn bench_notices_an_instruction_that_was_killed() {
        let (text, other) = ("assign killed = open_q && kills && !newer;", "assign killed = 1'b0;");
        mmio_notices(CVXIF, "lwp_ctl_cvxif.sv", text, other);
    }

    #[test]
    fn bench_notices_the_commit_of_an_older_instruction_that_releases() {
        let (text, other) = ("!(frees && !older)", "!frees");
        mmio_notices(CVXIF, "lwp_ctl_cvxif.sv", text, other);
    }

    #[test]
    fn bench_notices_the_commit_of_a_newer_instruction_that_releases_nothing() {
        let (text, other) = ("!(frees && !older)", "!(frees && same)");
        mmio_notices(CVXIF, "lwp_ctl_cvxif.sv", text, other);
    }

    #[test]
    fn bench_notices_the_kill_of_an_older_instruction_that_kills_it_alone() {
        let (text, other) = ("kills && !newer;", "kills && same;");
        mmio_notices(CVXIF, "lwp_ctl_cvxif.sv", text, other);
    }

    #[test]
    fn bench_notices_the_kill_of_a_newer_instruction_that_kills_all() {
        let (text, other) = ("kills && !newer;", "kills;");
        mmio_notices(CVXIF, "lwp_ctl_cvxif.sv", text, other);
    }

    #[test]
    fn bench_notices_a_kill_after_the_release() {
        let (text, other) = ("open_q && kills && !newer;", "(state_q == Decided) && kills && !newer;");
        mmio_notices(CVXIF, "lwp_ctl_cvxif.sv", text, other);
    }

    #[test]
    fn bench_notices_offers_that_are_ordered_by_distance() {
        let (text, other) = ("((commit_id_i - id_q) <= (offer_d - id_q)) || back[IdWidth-1]", "back[IdWidth-1]");
        mmio_notices(CVXIF, "lwp_ctl_cvxif.sv", text, other);
    }

    #[test]
    fn bench_notices_identifiers_of_another_coprocessor_that_are_all_older() {
        let (text, other) = ("(offer_d - id_q)) || back[IdWidth-1]", "(offer_d - id_q))");
        mmio_notices(CVXIF, "lwp_ctl_cvxif.sv", text, other);
    }

    #[test]
    fn bench_notices_a_commit_before_the_acceptance_that_is_lost() {
        let (text, other) = ("assign stays     = offered_q && (issue_id_i == offer_q);", "assign stays     = 1'b0;");
        mmio_notices(CVXIF, "lwp_ctl_cvxif.sv", text, other);
    }

    #[test]
    fn bench_notices_the_commit_of_a_retracted_instruction_that_lasts() {
        let (text, other) =
            ("assign stays     = offered_q && (issue_id_i == offer_q);", "assign stays     = offered_q;");
        mmio_notices(CVXIF, "lwp_ctl_cvxif.sv", text, other);
    }

    #[test]
    fn bench_notices_an_offer_that_an_older_kill_leaves() {
        let (text, other) = ("dead || (kills &&", "dead || (kills && (commit_id_i == issue_id_i) &&");
        mmio_notices(CVXIF, "lwp_ctl_cvxif.sv", text, other);
    }

    #[test]
    fn bench_notices_an_offer_that_is_killed_after_its_release() {
        let (text, other) = ("(kills && !(stays && freed_q))", "kills");
        mmio_notices(CVXIF, "lwp_ctl_cvxif.sv", text, other);
    }

    #[test]
    fn bench_notices_a_commit_in_the_cycle_of_the_acceptance_that_is_lost() {
        let (text, other) = ("taken ? !freed_d :", "taken ? !(stays && freed_q) :");
        mmio_notices(CVXIF, "lwp_ctl_cvxif.sv", text, other);
    }

    #[test]
    fn bench_notices_an_instruction_without_its_operand() {
        let (text, other) = ("!open_q && (!reads || given || dead)", "!open_q");
        mmio_notices(CVXIF, "lwp_ctl_cvxif.sv", text, other);
    }

    #[test]
    fn bench_notices_a_killed_instruction_that_waits_for_its_operand() {
        let (text, other) = ("(!reads || given || dead)", "(!reads || given)");
        mmio_notices(CVXIF, "lwp_ctl_cvxif.sv", text, other);
    }

    #[test]
    fn bench_notices_an_operand_that_is_not_read_and_waited_for() {
        let (text, other) = ("(!reads || given || dead)", "(given || dead)");
        mmio_notices(CVXIF, "lwp_ctl_cvxif.sv", text, other);
    }

    #[test]
    fn bench_notices_a_rejected_instruction_that_is_forgotten() {
        let (text, other) = ("(state_q == Idle) && !open_q &&", "(state_q == Idle) &&");
        mmio_notices(CVXIF, "lwp_ctl_cvxif.sv", text, other);
    }

    #[test]
    fn bench_notices_the_operand_of_another_instruction() {
        let (text, other) = ("&& (register_id_i == id_q)", "&& 1'b1");
        mmio_notices(CVXIF_SPLIT, "lwp_ctl_cvxif.sv", text, other);
    }

    #[test]
    fn bench_notices_a_result_before_the_register_transaction() {
        let (text, other) =
            ("assign ready     = !open_d && operand_d &&", "assign ready     = !open_d && (operand_d || stores_q) &&");
        mmio_notices(CVXIF_SPLIT, "lwp_ctl_cvxif.sv", text, other);
    }

    #[test]
    fn bench_notices_a_mark_of_validity_that_the_core_need_not_give() {
        let (text, other) = (
            "register_valid_i && (register_id_i == id_q)",
            "register_valid_i && register_rs1_valid_i && (register_id_i == id_q)",
        );
        mmio_notices(CVXIF_SPLIT, "lwp_ctl_cvxif.sv", text, other);
    }

    #[test]
    fn bench_notices_a_pointer_that_llwpcb_does_not_return() {
        let (text, other) = (
            "state_d = (ctl_rdata_i[1:0] == '0) ? Read : Show;",
            "state_d = (stores_q && (ctl_rdata_i[1:0] == '0)) ? Read : Show;",
        );
        mmio_notices(CVXIF, "lwp_ctl_cvxif.sv", text, other);
    }

    #[test]
    fn bench_notices_an_instruction_that_a_posted_operation_swallows() {
        mmio_notices(CVXIF, "lwp_ctl_cvxif.sv", "own_done && !ctl_err_i", "own_done");
    }
}
