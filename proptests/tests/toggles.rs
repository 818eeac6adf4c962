//! Every bit of every port and register that can change does, both ways, in lockstep.

use proptests::coverage::toggles::{SHORT, Toggles, Unchanging, four_lanes, one_lane, waited};

/// Cases of each family beside the directed runs.
const CASES: u64 = 250;

fn complete(toggles: &Toggles, claims: &Unchanging) {
    let compared = toggles.compare(claims);
    assert!(compared.wrong.is_empty(), "{} bits:\n{}", compared.wrong.len(), compared.wrong.join("\n"));
    assert_eq!(compared.seen + compared.out + compared.long, compared.ways);
}

fn claims() -> Unchanging {
    Unchanging::get().expect("the list is right")
}

/// Latencies that the unit measures cross every power of two: as many bits as the quick tests have time for, or as many as
/// `LWP_WAIT_BITS` says. With 31 no bit is left out.
#[test]
fn every_bit_of_four_lanes_toggles() {
    let bits = std::env::var("LWP_WAIT_BITS").map_or(SHORT, |bits| bits.parse().expect("LWP_WAIT_BITS is a number"));
    assert!((SHORT..=31).contains(&bits), "LWP_WAIT_BITS is a number from {SHORT} to 31");
    let mut toggles = four_lanes(2007, CASES).expect("model and RTL agree");
    waited(bits, &mut toggles).expect("model and RTL agree");
    complete(&toggles, &if bits == 31 { claims().in_the_long_run() } else { claims() });
}

#[test]
fn every_bit_of_one_lane_toggles() {
    complete(&one_lane(2007, CASES).expect("model and RTL agree"), &claims());
}
