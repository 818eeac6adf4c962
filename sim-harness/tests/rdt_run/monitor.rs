//! `lwp-sim rdt monitor`.

use super::{Bench, loads, rounds};

// RDTM-36: two threads get RMIDs of their own, and their occupancy and bandwidth are sampled over time. One goes round in 8 lines, one of each
// set, and uses each again after one line of the other in its set; so it keeps them. The other streams, and has the 24 that are left. It
// moves 64 bytes for each access, the first one 512 bytes in all.
#[test]
fn a_stream_and_a_small_loop_are_told_apart() {
    let bench = Bench::new(&[loads(0..2000), loads(rounds(8, 250))]);
    let done = bench.direct_of("monitor", 2, &["--interval", "2000"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let samples = |rmid: u64| done.json.iter().filter(move |line| line["rmid"] == rmid && line.get("cycle").is_some());
    assert!(samples(1).count() > 5);
    for (stream, small) in samples(1).zip(samples(2)) {
        assert_eq!((stream["lines"].as_u64(), small["lines"].as_u64()), (Some(24), Some(8)), "{stream} {small}");
        assert_eq!(small["total_bytes"], 512);
    }
    let bytes: Vec<u64> = samples(1).map(|line| line["total_bytes"].as_u64().unwrap()).collect();
    assert!(bytes.windows(2).all(|pair| pair[0] < pair[1]), "{bytes:?}");
    assert_eq!(bytes.last(), Some(&(2000 * 64)));
    let table = done.stdout.split("\n\ncycle").nth(2).unwrap();
    let rows: Vec<Vec<&str>> = table.lines().skip(2).take(2).map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0][..5], ["0", "1", "0", "1.5", "24"], "{table}");
    assert_eq!(rows[1], ["1", "2", "1", "0.5", "8", "0", "0", "0"], "{table}");
}

// RDTM-36: whatever the session says, each program has an RMID of its own; its class stays. Logical processor 1 is chosen first: its lines 0 to 7
// go to way 0, from which program 0, which has this way alone, displaces them one by one. The 12 others are in the ways 1 and 2.
#[test]
fn every_program_gets_an_rmid() {
    let bench = Bench::new(&[loads(0..20), loads(0..20)]);
    bench.write(
        "s.toml",
        "[[program]]\nrmid = 3\nclass = 1\n[[program]]\nrmid = 3\n[[class]]\n[[class]]\nl3_mask = 0x1\n",
    );
    let done = bench.direct_of("monitor", 2, &["--session", "s.toml"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let last: Vec<_> = done.json.iter().filter(|line| line.get("hits").is_some()).collect();
    let keys = |at: usize| ["rmid", "class", "lines"].map(|key| last[at][key].as_u64().unwrap());
    assert_eq!([keys(0), keys(1)], [[1, 1, 8], [2, 0, 12]]);
    bench.write("s.toml", "[straps]\nmax_rmid = 1\nl3_max_rmid = 1\n");
    let done = bench.direct_of("monitor", 2, &["--session", "s.toml"]);
    assert_eq!(done.code, 2);
    assert!(done.stderr.contains("2 programs need 2 RMIDs"), "{}", done.stderr);
}
