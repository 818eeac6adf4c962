//! One program, and two that only meet in the cache.

use super::{Bench, Whole, loads, rounds, stores};

/// One program without limits.
fn alone(log: String, args: &[&str]) -> Whole {
    Bench::new(&[log]).direct(1, args).wholes()[0]
}

// 64 lines, twice, through a cache of 32: with LRU each is gone before it comes again. 128 lines of 64 bytes are read.
#[test]
fn a_stream_over_more_lines_than_the_cache_has_never_hits() {
    assert_eq!(alone(loads(rounds(64, 2)), &[]), Whole { hits: 0, misses: 128, lines: 32, bytes: 128 * 64 });
}

// 16 lines, five times: 16 misses, then only hits.
#[test]
fn a_loop_that_fits_misses_once() {
    assert_eq!(alone(loads(rounds(16, 5)), &[]), Whole { hits: 64, misses: 16, lines: 16, bytes: 16 * 64 });
}

// 33 lines in a cache of 32: lines 0, 8, 16, 24 and 32 share set 0 and miss always, 5 in each of 4 rounds; the other 28 miss once.
#[test]
fn one_line_too_many_costs_its_set() {
    assert_eq!(alone(loads(rounds(33, 4)), &[]), Whole { hits: 28 * 3, misses: 28 + 20, lines: 32, bytes: 48 * 64 });
}

// Eight bytes at 103CH are in the lines 40H and 41H: two accesses, which both miss; the third one hits line 41H.
#[test]
fn an_access_across_the_end_of_a_line_is_two() {
    let log = "{\"ip\":\"0x1000\",\"loads\":[{\"addr\":\"0x103c\",\"size\":8},{\"addr\":\"0x1040\",\"size\":8}]}\n";
    assert_eq!(alone(log.to_owned(), &[]), Whole { hits: 1, misses: 2, lines: 2, bytes: 2 * 64 });
}

// A set of one way. Line 0 is read because it is written, and goes back when line 8 comes; line 8 was not written, and does not.
#[test]
fn a_line_that_was_written_goes_back() {
    let log = stores([0]) + &loads([8, 16]);
    let one_way = ["--ways", "1"];
    assert_eq!(alone(log.clone(), &one_way), Whole { hits: 0, misses: 3, lines: 1, bytes: 4 * 64 });
    let bench = Bench::new(&[log]);
    bench.write("s.toml", "[cache]\nsets = 8\nways = 1\n[straps]\nwrite_backs = 0\n");
    let reads = bench.direct(1, &["--session", "s.toml"]).wholes()[0];
    assert_eq!(reads.bytes, 3 * 64, "the strap leaves reads alone");
}

// A set of one way, which both programs use. Logical processor 1 is chosen first: it reads line 0; then program 0 writes its line 0, which
// program 1 displaces with line 8 and then with line 16. What program 0 wrote is charged to it.
#[test]
fn a_line_is_charged_to_the_one_that_filled_it() {
    let bench = Bench::new(&[stores([0]), loads([0, 8, 16])]);
    let expected =
        [Whole { hits: 0, misses: 1, lines: 0, bytes: 2 * 64 }, Whole { hits: 0, misses: 3, lines: 1, bytes: 3 * 64 }];
    assert_eq!(bench.direct(2, &["--ways", "1"]).wholes(), expected);
}

// The same addresses of two programs are other lines: nobody hits.
#[test]
fn programs_have_their_own_memory() {
    let bench = Bench::new(&[loads(0..8), loads(0..8)]);
    let each = Whole { hits: 0, misses: 8, lines: 8, bytes: 8 * 64 };
    assert_eq!(bench.direct(2, &[]).wholes(), [each, each]);
}

// Ten lines of memory of another package: they are moved, but not locally.
#[test]
fn remote_memory_is_not_local() {
    let bench = Bench::new(&[loads(0..10), loads(0..5)]);
    bench.write("s.toml", "[memory]\nremote = [0]\n");
    let done = bench.direct(2, &["--session", "s.toml"]);
    assert_eq!(done.wholes()[0].bytes, 640);
    let local: Vec<u64> =
        done.json[done.json.len() - 2..].iter().map(|line| line["local_bytes"].as_u64().unwrap()).collect();
    assert_eq!(local, [0, 320]);
}

// A first-level cache of one line. Line of code, line 1, line 2: three reads that miss. When line 2 comes, line 1 goes back, and hits.
#[test]
fn a_first_level_cache_reads_before_it_writes_back() {
    let bench = Bench::new(&[stores([1, 2, 2, 2])]);
    let args = ["--program", "0.jsonl", "--l1", "64", "--l1-ways", "1", "--json", "json"];
    let done = bench.run(&args);
    assert_eq!(done.wholes(), [Whole { hits: 1, misses: 3, lines: 3, bytes: 3 * 64 }]);
    assert!(done.stdout.contains("L3 64 sets of 16 ways, 64 KiB"), "{}", done.stdout);
    let row = done.stdout.lines().next_back().unwrap().split_whitespace().collect::<Vec<_>>();
    assert_eq!(row[4..6], ["4", "2"], "accesses and hits of the first level: {}", done.stdout);
}

// L2: 4 sets of 2 ways in front. 16 lines, twice: in each of its sets 4 lines come round, so that it never hits, and the L3 cache does.
// 8 lines, three times: the L2 cache holds them.
#[test]
fn an_l2_cache_comes_with_a_session() {
    let numbers = |log: String| {
        let bench = Bench::new(&[log]);
        bench.write("s.toml", "[l2]\nsets = 4\nways = 2\n");
        let done = bench.direct(1, &["--session", "s.toml"]);
        assert_eq!(done.code, 0, "{}", done.stderr);
        let last = done.json.last().unwrap().clone();
        ["l2_hits", "l2_misses", "hits", "misses"].map(|key| last[key].as_u64().unwrap())
    };
    assert_eq!(numbers(loads(rounds(16, 2))), [0, 32, 16, 16]);
    assert_eq!(numbers(loads(rounds(8, 3))), [16, 8, 0, 8]);
}

// A counter of 24 or 25 bits in lines begins 3 below its end, and wraps around; what is shown are differences.
#[test]
fn a_counter_that_wraps_around_goes_on() {
    for (vendor, width) in [("intel", 24), ("amd", 25)] {
        let bench = Bench::new(&[loads(0..100)]);
        let start = (1 << width) - 3;
        let straps = format!("vendor = \"{vendor}\"\nwidth = {width}\nstart = {start}\n");
        bench.write("s.toml", &format!("[straps]\n{straps}[[sample]]\nevery = 100\n"));
        assert_eq!(bench.direct(1, &["--session", "s.toml"]).wholes()[0].bytes, 6400, "{vendor}");
    }
}

// A unit of the counter is 4 lines: 9 lines are 2 units.
#[test]
fn a_counter_may_count_in_larger_units() {
    let bench = Bench::new(&[loads(0..9)]);
    bench.write("s.toml", "[straps]\nscale = 2\n");
    let whole = bench.direct(1, &["--session", "s.toml"]).wholes()[0];
    assert_eq!(whole, Whole { hits: 0, misses: 9, lines: 8, bytes: 8 * 64 });
}

// 4096 sets of 16 ways: 65,536 lines. 70,000 lines, twice: 4464 lines are too many for as many sets, 17 in each of them, which miss always.
#[test]
fn a_large_cache_has_no_rtl_and_counts_alike() {
    let whole = |args: &[&str]| {
        let done =
            Bench::new(&[loads(rounds(70_000, 2))]).direct(1, &[&["--sets", "4096", "--ways", "16"], args].concat());
        assert!(
            done.stdout.contains("compared        nothing: no build of the RTL has a cache of this size"),
            "{}",
            done.stdout
        );
        done.wholes()[0]
    };
    // 4096 sets: 70,000 = 17 x 4096 + 368, so that 368 sets have 18 lines and the others 17: none hits.
    assert_eq!(whole(&[]), Whole { hits: 0, misses: 140_000, lines: 65_536, bytes: 140_000 * 64 });
}
