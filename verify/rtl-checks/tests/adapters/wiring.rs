//! Wrong wiring is caught by an assertion that says what to connect.

use super::control::mmio;
use super::perf;
use super::{Built, Sources, TempDir, build, reqgnt, rvfi};

/// A bench of `sources`.
fn bench(top: &str, sources: Sources, parameters: &[&str]) -> (TempDir, Built) {
    let folder = TempDir::new().unwrap();
    let built = build(top, sources, parameters, &folder);
    (folder, built)
}

/// The bench, wired wrongly, stops at this assertion with this message.
fn says(built: &Built, arguments: &[&str], assertion: &str, message: &str) {
    let said = built.must_fail(arguments).unwrap();
    let line = said.lines().find(|line| line.contains("Assertion failed")).unwrap_or_else(|| panic!("{said}"));
    assert!(line.contains(assertion) && line.contains(message), "{arguments:?}: no {assertion} `{message}` in: {said}");
}

#[test]
fn rvfi_wired_wrongly_says_what_to_connect() {
    let (_folder, built) = bench("rvfi_tb", rvfi(), &[]);
    for (wrong, assertion, message) in [
        ("+wrong=mode", "RvfiModeFollowsReturn", "connect rvfi_mode, the mode of the instruction, to rvfi_mode_i"),
        ("+wrong=miss", "RvfiMissIsLoad", "it goes with the instruction on RVFI, not with the access on the bus"),
        ("+wrong=offset", "RvfiOneOffset", "tie rvfi_mem_rmask_i to 0"),
        ("+wrong=modes", "RvfiOneMode", "give each channel of rvfi_mode_i the mode of its instruction"),
        ("+wrong=blink", "RvfiModeLasts", "give rvfi_mode_i the mode of the instruction that retires"),
    ] {
        says(&built, &[wrong], assertion, message);
    }
}

/// What `make test` leaves out.
mod ci {
    use super::{bench, mmio, perf, reqgnt, says};

    #[test]
    fn requests_wired_wrongly_say_what_to_connect() {
        let (_folder, built) = bench("reg_mmio_tb", perf::requests(), &[]);
        says(&built, &["+wrong=change"], "RegStands", "hold it, as OBI requires");
        says(&built, &["+wrong=unaligned"], "RegWhole", "connect the address of the word and byte enables");
        says(&built, &["+wrong=answer"], "RegAnswer", "nothing else may drive the register requests of the unit");
    }

    #[test]
    fn counters_wired_wrongly_say_what_to_connect() {
        let (_folder, built) = bench("perf_rvfi_tb", perf::retire(), &[]);
        says(&built, &["+wrong=mode"], "PerfModeGap", "connect rvfi_mode to rvfi_mode_i");
        says(&built, &["+wrong=gap"], "PerfIntGap", "less than two cycles between an instruction and a handler");
        says(&built, &["+wrong=intr"], "PerfModeFollows", "connect rvfi_intr to rvfi_intr_i");
        says(&built, &["+wrong=late"], "PerfCoreWaits", "RvfiLate is too small");
    }

    #[test]
    fn registers_wired_wrongly_say_what_to_connect() {
        let (_folder, built) = bench("mmio_tb", mmio(), &["Shim=0"]);
        says(&built, &["+wrong=change", "+eager"], "CtlStands", "hold it, as OBI requires");
        says(&built, &["+wrong=unaligned"], "CtlWhole", "connect the address of the word and byte enables");
        says(&built, &["+wrong=driver"], "CtlResponse", "nothing else may drive ctl_valid_i of the unit");
    }

    #[test]
    fn bus_wired_wrongly_says_what_to_connect() {
        let (_folder, built) = bench("reqgnt_tb", reqgnt(), &["DataWidth=32"]);
        says(&built, &["+wrong=response"], "ReqGntExpected", "none of them in the cycle of its grant");
    }

    #[test]
    fn apb_wired_wrongly_says_what_to_connect() {
        let (_folder, built) = bench("mmio_tb", mmio(), &["Shim=1"]);
        says(&built, &["+wrong=enable"], "ApbStands", "hold PSEL, PADDR, PWRITE and PSTRB");
    }

    #[test]
    fn a_coprocessor_interface_wired_wrongly_says_what_to_connect() {
        let (_folder, built) = bench("mmio_tb", mmio(), &["Shim=3", "Split=1'b1", "ShimSplit=1'b0"]);
        says(&built, &[], "CvxifTogether", "set IssueRegisterSplit");
        let (_folder, built) = bench("mmio_tb", mmio(), &["Shim=3", "ShimSplit=1'b1"]);
        says(&built, &[], "CvxifSplit", "IssueRegisterSplit must be X_ISSUE_REGISTER_SPLIT");
    }

    #[test]
    fn tilelink_wired_wrongly_says_what_to_connect() {
        let (_folder, built) = bench("mmio_tb", mmio(), &["Shim=2"]);
        says(&built, &["+wrong=size"], "TlulOneWord", "put a width converter");
        says(&built, &["+wrong=response"], "TlulExpected", "nothing else may use the port");
    }
}
