//! Masks and delays: who depends on whom.

use super::{Bench, Whole, loads, rounds};

/// A loop over 24 lines, four times, and a stream of 96 lines. The two take turns.
fn loop_and_stream() -> Bench {
    Bench::new(&[loads(rounds(24, 4)), loads(0..96)])
}

const STREAM: Whole = Whole { hits: 0, misses: 96, lines: 0, bytes: 96 * 64 };

// The loop has three ways of each set, 24 lines, to itself: it misses 24 times, whatever the stream does in the fourth way, and also alone.
#[test]
fn with_disjoint_masks_the_counts_do_not_depend_on_each_other() {
    let limits = ["--class", "0,1", "--mask", "0=0x7", "--mask", "1=0x8"];
    let bench = loop_and_stream();
    let expected = Whole { hits: 72, misses: 24, lines: 24, bytes: 24 * 64 };
    assert_eq!(bench.direct(2, &limits).wholes(), [expected, Whole { lines: 8, ..STREAM }]);
    let alone = bench.direct(1, &["--class", "0", "--mask", "0=0x7"]);
    assert_eq!(alone.wholes(), [expected]);
    let longer = Bench::new(&[loads(rounds(24, 4)), loads(0..1000)]);
    assert_eq!(longer.direct(2, &limits).wholes()[0], expected);
}

// With one mask for both, each set gets three lines of the stream between two uses of a line of the loop, besides two others of the loop:
// five, and there are four ways. The loop always misses. The stream ends with the loop: three rounds of eight lines of each are left.
#[test]
fn with_the_same_mask_they_do() {
    let both = loop_and_stream().direct(2, &[]).wholes();
    assert_eq!((both[0].hits, both[0].misses, both[0].bytes), (0, 96, 96 * 64));
    assert_eq!((both[1].hits, both[1].misses, both[0].lines + both[1].lines), (0, 96, 32));
    // Without the stream the loop fits.
    assert_eq!(loop_and_stream().direct(1, &[]).wholes()[0].misses, 24);
}

// A miss takes 7 cycles, and 8 once a line has to leave for it: 32 x 7 + 368 x 8. With a delay of 90 percent a request may go every
// 100 x 8 / (100 - 90) = 80 cycles; the first one waits for as much, one cycle after it was made, and the last one takes 7 from there.
#[test]
fn a_delay_lengthens_a_stream_by_its_factor() {
    let bench = Bench::new(&[loads(0..400)]);
    assert_eq!(bench.direct(1, &[]).cycles(), [3168]);
    let delayed = bench.direct(1, &["--class", "1", "--delay", "1=90"]);
    assert_eq!(delayed.cycles(), [1 + 80 + 399 * 80 + 7]);
    assert_eq!(delayed.wholes(), [Whole { hits: 0, misses: 400, lines: 32, bytes: 400 * 64 }], "the same accesses");
}

// A delay of 50 percent is one request in 16 cycles, of hits too: 4 cycles without it. 7 misses more than a hit by 3.
#[test]
fn a_delay_holds_for_hits_of_the_cache_too() {
    let bench = Bench::new(&[loads(rounds(8, 50))]);
    assert_eq!(bench.direct(1, &[]).cycles(), [400 * 4 + 8 * 3]);
    assert_eq!(bench.direct(1, &["--class", "1", "--delay", "1=50"]).cycles(), [1 + 16 + 399 * 16 + 3]);
}

// RDTA-35: the shares of the plan are what the programs then have: a stream gets the quarter of the cache that was planned for it
#[test]
fn a_plan_holds_on_the_unit() {
    let bench = loop_and_stream();
    let plan =
        bench.command(&["plan", "--app", "default:cache=75%", "--app", "noisy:cache=25%", "--format", "session"]);
    let fragment = { plan }.output().unwrap();
    assert_eq!(fragment.status.code(), Some(0), "{}", String::from_utf8_lossy(&fragment.stderr));
    let programs = "[memory]\nlatency = 1\n[[program]]\nclass = 0\n[[program]]\nclass = 1\n";
    bench.write("s.toml", &(programs.to_owned() + std::str::from_utf8(&fragment.stdout).unwrap()));
    let whole = bench.direct(2, &["--session", "s.toml"]).wholes();
    assert_eq!(whole, [Whole { hits: 72, misses: 24, lines: 24, bytes: 24 * 64 }, Whole { lines: 8, ..STREAM }]);
}

// The noisy neighbour, tamed: the loop hits 72 times of 96 alone, never with the stream, and again with the limits.
#[test]
fn a_comparison_shows_each_run_beside_the_others() {
    let bench = loop_and_stream();
    let args = ["--class", "0,1", "--mask", "0=0x7", "--mask", "1=0x8", "--compare", "--page", "page.html"];
    let done = bench.direct(2, &args);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let row = |name: &str| {
        let line = done.stdout.lines().find(|line| line.starts_with(&format!("  {name} "))).unwrap();
        line[name.len() + 2..]
            .split("  ")
            .map(str::trim)
            .filter(|cell| !cell.is_empty())
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(row("hit rate"), ["75.0 %", "0.0 %", "75.0 %"]);
    assert_eq!(row("misses"), ["24", "96", "24"]);
    assert_eq!(row("bytes"), ["1,536", "6,144", "1,536"]);
    let runs: Vec<&str> =
        done.json.iter().filter(|line| line.get("hits").is_some()).map(|line| line["run"].as_str().unwrap()).collect();
    assert_eq!(
        runs,
        ["0 alone", "0 alone", "1 alone", "1 alone", "together", "together", "with limits", "with limits"]
    );
    let page = std::fs::read_to_string(bench.path("page.html")).unwrap();
    assert!(page.contains("<td>75.0 %</td><td>0.0 %</td><td>75.0 %</td>"), "{page}");
    assert_eq!(page.matches("<svg ").count(), 4, "lines and bytes of two runs");
}
