//! The features change no layout: registers are written as their raw integers, and can be logged.
//!
//! `cargo test -p lwp-regs --features serde,defmt --test features`
#![cfg(all(feature = "serde", feature = "defmt"))]

use lwp_regs::Refused;
use lwp_regs::access::{DebugFault, GeneralProtection};
use lwp_regs::debug::{Dr7, Enable};
use lwp_regs::lwp::{EventRecord, Features, LwpMsr0};
use lwp_regs::perf::architectural::Ia32PerfEvtSel;
use lwp_regs::rdt::QmCtr;
use lwp_regs::trace::LbrInfo;
use serde::Serialize;
use serde::de::DeserializeOwned;

fn round_trip<T: Serialize + DeserializeOwned>(value: &T, json: &str) {
    assert_eq!(serde_json::to_string(value).unwrap(), json);
    let back: T = serde_json::from_str(json).unwrap();
    assert_eq!(serde_json::to_string(&back).unwrap(), json);
}

#[test]
fn registers_are_their_raw_integers() {
    round_trip(&LwpMsr0::from_bits(0x8000_0005), "2147483653");
    round_trip(&Dr7::from_bits(u64::MAX), "18446744073709551615"); // reserved bits too
    round_trip(&Ia32PerfEvtSel::from_bits(0x0041_00C5), "4260037");
    round_trip(&QmCtr::from_bits(1 << 63), "9223372036854775808");
    round_trip(&LbrInfo::from_bits(7), "7");
}

#[test]
fn sets_are_written_by_name() {
    round_trip(&(Features::IRE | Features::INT), "\"IRE | INT\"");
    round_trip(&Enable::LOCAL, "\"LOCAL\"");
}

#[test]
fn a_number_that_does_not_fit_is_an_error() {
    assert!(serde_json::from_str::<LwpMsr0>("18446744073709551616").is_err());
    assert!(serde_json::from_str::<LwpMsr0>("-1").is_err());
}

#[test]
fn registers_records_and_faults_can_be_logged() {
    const fn logged<T: defmt::Format>() -> usize {
        size_of::<T>()
    }
    let sizes = [logged::<LwpMsr0>(), logged::<Dr7>(), logged::<EventRecord>(), logged::<Features>()];
    assert_eq!(sizes, [8, 8, 32, 4]);
    assert!(logged::<Refused>() > 0 && logged::<GeneralProtection>() > 0 && logged::<DebugFault>() > 0);
}
