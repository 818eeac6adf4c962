//! CPUID of a processor with these straps: the chapter Ports, by hand.

use super::bench::{Bench, amd, l3_only, load};
use lwp_model::rdt::{Config, Scope};

/// Leaves and subleaves that are about the unit.
const LEAVES: [(u32, u32); 8] = [(7, 0), (0xF, 0), (0xF, 1), (0x10, 0), (0x10, 1), (0x10, 2), (0x10, 3), (0x10, 4)];

fn all(straps: Config) -> [[u32; 4]; 8] {
    LEAVES.map(|(leaf, subleaf)| straps.cpuid(leaf, subleaf))
}

// RDTM-04, RDTM-13, RDTA-03, RDTA-06, RDTA-30: what there is of monitoring and allocation, and the details of each resource
#[test]
fn the_default_straps() {
    let expected = [
        [0, 1 << 12 | 1 << 15, 0, 0],
        [0, 3, 0, 2],
        [0, 64, 3, 7],
        [0, 0b1110, 0, 0],
        [3, 0, 1 << 2, 3],
        [1, 0, 1 << 2, 3],
        [89, 0, 0b101, 3],
        [0; 4],
    ];
    assert_eq!(all(Config::default()), expected);
}

#[test]
fn each_strap_in_its_place() {
    let straps =
        Config { line: 8, scale: 3, width: 44, events: 0b101, max_rmid: 2, l3_max_rmid: 1, ..Config::default() };
    assert_eq!([straps.cpuid(0xF, 0), straps.cpuid(0xF, 1)], [[0, 2, 0, 2], [20, 1 << 11, 1, 0b101]]);
    let straps = Config { sparse: true, l3_cdp: false, l3_cos: 2, l2_cos: 1, ..Config::default() };
    assert_eq!([straps.cpuid(0x10, 1), straps.cpuid(0x10, 2)], [[3, 0, 1 << 3, 2], [1, 0, 1 << 2 | 1 << 3, 1]]);
    let straps = Config { mba_linear: false, mba_max: 0xFFF, mba_scope: Scope::Core, mba_cos: 1, ..Config::default() };
    assert_eq!(straps.cpuid(0x10, 3), [0xFFE, 0, 0, 1]);
    // Only the vendor differs: "AuthenticAMD".
    let straps = Config { width: 44, ..Config::default() };
    assert_eq!(all(amd(straps)), all(straps));
    let [_, ebx, ecx, edx] = amd(straps).cpuid(0, 0);
    let name: Vec<u8> = [ebx, edx, ecx].iter().flat_map(|part| part.to_le_bytes()).collect();
    assert_eq!(name, b"AuthenticAMD");
}

// RDTM-01, RDTA-01: two groups of features: monitoring without allocation, allocation without monitoring, and neither; each resource alone
#[test]
fn what_is_left_out() {
    let unmonitored = Config { events: 0, max_rmid: 0, l3_max_rmid: 0, ..Config::default() };
    let [features, monitoring, l3, resources, ..] = all(unmonitored);
    assert_eq!((features, monitoring, l3, resources), ([0, 1 << 15, 0, 0], [0; 4], [0; 4], [0, 0b1110, 0, 0]));
    let masks = Config { mba: false, mba_cos: 0, ..l3_only() };
    assert_eq!(all(masks)[3..], [[0, 0b0010, 0, 0], [3, 0, 1 << 2, 3], [0; 4], [0; 4], [0; 4]]);
    let delays = Config { l3_cat: false, l3_cdp: false, l3_cos: 0, ..l3_only() };
    assert_eq!(all(delays)[3..], [[0, 0b1000, 0, 0], [0; 4], [0; 4], [89, 0, 0b101, 3], [0; 4]]);
    let neither = Config { mba: false, mba_cos: 0, ..delays };
    assert_eq!((all(neither)[0], all(neither)[3]), ([0, 1 << 12, 0, 0], [0; 4]));
    let nothing = Config { events: 0, max_rmid: 0, l3_max_rmid: 0, ..neither };
    assert_eq!(all(nothing), [[0; 4]; 8]);
}

// RDTM-28: a count times the upscaling factor is bytes: four lines of 128 bytes
#[test]
fn a_count_is_bytes() {
    let mut bench = Bench::new(Config { line: 7, scale: 1, ..l3_only() });
    bench.accesses(0, &[load(16), load(18), load(20), load(22), load(23)]);
    let [_, upscaling, ..] = bench.unit.config().cpuid(0xF, 1);
    for event in 1..=3 {
        assert_eq!(bench.select(0, event, 0).unwrap() * u64::from(upscaling), 4 * 128, "{event}");
    }
}
