//! Seeded mutations of the corpora: what can be found without a fuzzer is found in every run of the tests.
use fuzz_inputs::mutate::{Random, mutate};
use fuzz_inputs::{TARGETS, Target, corpus, limits};
use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// Inputs of each target, if nothing else is asked for: the same ones in every run.
const INPUTS: u64 = 2000;

/// A number from the environment.
fn setting<T: std::str::FromStr>(name: &str) -> Option<T> {
    let text = env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}={text} is no number")))
}

/// `FUZZ_TARGET` is the only target, `FUZZ_SEED` where to begin, `FUZZ_INPUTS` how many inputs, `FUZZ_SECONDS` how long instead.
#[test]
fn mutations_keep_the_promises() {
    let seed = setting("FUZZ_SEED").unwrap_or(1);
    let only = env::var("FUZZ_TARGET").ok();
    let wanted = |target: &&Target| only.as_ref().is_none_or(|only| only == target.name);
    assert!(TARGETS.iter().any(|target| wanted(&target)), "FUZZ_TARGET={only:?} is no target");
    for target in TARGETS.iter().filter(wanted) {
        let (began, count) = (Instant::now(), run(target, seed));
        println!("{:14} {count:8} mutated inputs in {:?}", target.name, began.elapsed());
        assert_ne!(count, 0, "{}: no input was tried", target.name);
    }
}

fn run(target: &Target, seed: u64) -> u64 {
    let mut pool: Vec<Vec<u8>> = corpus::of(target.name).into_iter().map(|(_, bytes)| bytes).collect();
    let time = setting("FUZZ_SECONDS").map(Duration::from_secs_f64);
    let limit = setting("FUZZ_INPUTS").unwrap_or(if time.is_some() { u64::MAX } else { INPUTS });
    let began = Instant::now();
    let mut random = Random(seed);
    let mut count = 0;
    while count < limit && time.is_none_or(|time| began.elapsed() < time) {
        let from = random.below(pool.len());
        let mut input = pool[from].clone();
        let other = random.below(pool.len());
        mutate(&mut input, &pool[other], &mut random);
        count += 1;
        let kept = catch_unwind(AssertUnwindSafe(|| limits::call(target, &input)));
        if kept.is_err() {
            fail(target, &input, seed, count);
        }
        // Mutants of mutants, for as long as they stay small.
        if random.below(16) == 0 && input.len() < 4096 && pool.len() < 256 {
            pool.push(input);
        }
    }
    count
}

fn fail(target: &Target, input: &[u8], seed: u64, count: u64) -> ! {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("found-{}", target.name));
    let _ = std::fs::write(&path, input);
    panic!(
        "{}: a promise is broken (see above). The input is {}; keep it in verify/fuzz/corpus/{} once it is understood. To repeat: \
         FUZZ_TARGET={} FUZZ_SEED={seed} FUZZ_INPUTS={count} cargo test --release -p fuzz-inputs --test suite mutations",
        target.name,
        path.display(),
        target.name,
        target.name
    );
}
