//! Wrong wiring is caught by an assertion that says what to connect.

use super::{TempDir, build, rvfi};

/// The bench, wired wrongly, stops with this message.
#[test]
fn rvfi_wired_wrongly_says_what_to_connect() {
    let folder = TempDir::new().unwrap();
    let built = build("rvfi_tb", rvfi(), &[], &folder);
    for (wrong, expected) in [
        ("+wrong=mode", "connect rvfi_mode, the mode of the instruction, to rvfi_mode_i"),
        ("+wrong=miss", "it goes with the instruction on RVFI, not with the access on the bus"),
        ("+wrong=offset", "tie rvfi_mem_rmask_i to 0"),
    ] {
        let said = built.must_fail(&[wrong]).unwrap();
        assert!(said.contains(expected), "{wrong}: no `{expected}` in: {said}");
    }
}
