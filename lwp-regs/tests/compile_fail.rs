//! What must not compile.

/// A few of them: what needs `unsafe`.
#[test]
fn some_misuse_does_not_compile() {
    trybuild::TestCases::new().compile_fail("tests/trybuild/*_without_unsafe.rs");
}

/// What `make test` leaves out.
mod ci {
    // LWP-OVR-12, LWP-LCB-01, LWP-LCB-03, LWP-LCB-04, LWP-LCB-05, LWP-CPU-32, LWP-REC-11, LWP-SEC-03, LWP-SEC-05,
    // LWP-LLW-04, LWP-MSR1-02, LWP-MSR1-03, BTS-25, BTS-26, BTS-27, BTS-42, BTS-46, VPC-58: each file says which it shows
    #[test]
    fn misuse_does_not_compile() {
        trybuild::TestCases::new().compile_fail("tests/trybuild/*.rs");
    }
}
