//! The unit with all that a core with RVFI needs, beside a random core.

use super::{SEEDS, TempDir, Verilator, build, with_seed};
use rtl_checks::{Bench, Sources, seeds};

/// The bench around the unit and all adapters.
pub(super) fn top() -> Sources {
    let bench = ["mem_pkg", "top_memory", "top_tb"].map(|name| format!("verify/rtl-checks/adapters/{name}.sv"));
    Sources::new().lists(&["lwp/lwp.f", "adapters/adapters.f"]).unwrap().files(&bench)
}

fn passes(parameters: &[&str]) {
    let folder = TempDir::new().unwrap();
    let built = build("top_tb", top(), parameters, &folder);
    for seed in seeds(SEEDS) {
        with_seed(&built, seed, &[]).unwrap();
    }
}

#[test]
fn sessions_of_a_program_and_its_kernel() {
    passes(&["Late=1"]);
}

#[test]
fn straps_that_rvfi_does_not_permit_are_refused() {
    let folder = TempDir::new().unwrap();
    let (text, other) = ("rvfi_straps.store_timing   = StoreAsync;", "rvfi_straps.store_timing   = StoreSync;");
    let sources = top().broken("lwp_config_pkg.sv", text, other, folder.path()).unwrap();
    let bench = Bench { top: "top_tb", sources, parameters: &[], options: &["-Werror-USERERROR"] };
    let said = bench.build(Verilator::Oldest, folder.path()).unwrap_err().to_string();
    assert!(said.contains("start from lwp_config_pkg::ConfigRvfi"), "{said}");
}

/// What `make test` leaves out.
mod ci {
    use super::top;
    use crate::adapters::notices;

    fn top_notices(text: &str, other: &str) {
        notices("top_tb", &top(), "lwp_rvfi_top.sv", text, other);
    }

    #[test]
    fn bench_notices_a_session_that_starts_outside_user_mode() {
        top_notices(".op_user_i   (op_user),", ".op_user_i   (1'b0),");
    }

    #[test]
    fn bench_notices_lost_misses() {
        top_notices(".miss_i,", ".miss_i('0),");
    }

    #[test]
    fn bench_notices_a_ring_that_aliases() {
        top_notices(".AddrWidth(AddrWidth)", ".AddrWidth(64)");
    }

    #[test]
    fn bench_notices_a_latency_that_wraps() {
        top_notices("(latency_i[l] > MaxLatency) ? MaxLatency : latency_i[l]", "latency_i[l]");
    }

    #[test]
    fn bench_notices_a_page_fault_that_is_never_acknowledged() {
        top_notices(".pf_ack_i         (pf_ack),", ".pf_ack_i         (1'b0),");
    }
}

/// What only `make nightly` runs.
mod nightly {
    use super::{TempDir, build, passes, top};

    #[test]
    fn sessions_of_a_core_with_prompt_rvfi() {
        passes(&["Late=0"]);
    }

    #[test]
    fn sessions_of_a_core_with_late_rvfi() {
        passes(&["Late=6"]);
    }

    #[test]
    fn sessions_of_a_core_without_user_mode() {
        passes(&["Late=2", "MachineIsUser=1'b1"]);
    }

    #[test]
    fn rvfi_later_than_said_says_what_to_set() {
        let folder = TempDir::new().unwrap();
        let built = build("top_tb", top(), &["Late=6", "Told=1"], &folder);
        let said = built.must_fail(&[]).unwrap();
        assert!(said.contains("set RvfiLate to the delay of the core's RVFI"), "{said}");
    }
}
