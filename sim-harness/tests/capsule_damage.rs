//! Whatever is done to the bytes of a capsule: an error in words, no panic, and no more memory than the file deserves.
//!
//! A checksum finds damage by chance, and nothing else here would ever be reached behind it. So the damaged ones are sealed anew.

use crate::capsule_support::seal::{seal, text_and_body};
use crate::capsule_support::{BUGS, capsule_of};
use nix::sys::resource::{Resource, setrlimit};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use sim_harness::capsule::{Capsule, CapsuleError};
use sim_harness::tier::Tier;
use std::sync::LazyLock;

/// Far above what a sound capsule takes, far below what a damaged length may say.
const ADDRESS_SPACE: u64 = 2 << 30;

static GOOD: LazyLock<Capsule> = LazyLock::new(|| {
    setrlimit(Resource::RLIMIT_AS, ADDRESS_SPACE, ADDRESS_SPACE).unwrap();
    capsule_of(BUGS[0])
});

/// Reads it, and all of its rows; what the reader says.
fn read(bytes: &[u8]) -> Result<Capsule, CapsuleError> {
    let read = Capsule::from_bytes(bytes);
    match &read {
        Ok(capsule) => assert_eq!(
            capsule.inputs().len() as u64,
            capsule.header().cycles * capsule.header().in_words as u64,
            "a capsule that was accepted has its rows"
        ),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    read
}

#[test]
fn every_byte_of_the_rows_may_be_wrong() {
    let good = GOOD.to_bytes();
    let (text, body) = text_and_body(&good);
    let (mut taken, mut refused) = (0, 0);
    let step = Tier::get().pick(3, 1, 1);
    for at in (0..body.len()).step_by(step) {
        let mut body = body.to_vec();
        body[at] ^= 1 << (at % 8);
        *(if read(&seal(text, &body)).is_ok() { &mut taken } else { &mut refused }) += 1;
    }
    let tried = body.len().div_ceil(step);
    assert!(refused > tried / 20 && taken + refused == tried, "{taken} taken, {refused} refused");
}

#[test]
fn every_byte_of_the_text_may_be_wrong() {
    let good = GOOD.to_bytes();
    let (text, body) = text_and_body(&good);
    let mut refused = 0;
    for at in 0..text.len() {
        let mut text = text.to_vec();
        text[at] ^= 1 << (at % 8);
        refused += usize::from(read(&seal(&text, body)).is_err());
    }
    assert!(refused > text.len() / 4, "{refused} of {}", text.len());
}

#[test]
fn rows_and_text_may_end_anywhere() {
    let good = GOOD.to_bytes();
    let (text, body) = text_and_body(&good);
    for length in 0..body.len() {
        // Only what says how the last row goes on may be missing.
        assert!(read(&seal(text, &body[..length])).map_or(true, |short| short.inputs() == GOOD.inputs()), "{length}");
    }
    for length in 0..text.len() {
        let _ = read(&seal(&text[..length], body));
    }
}

/// Numbers in the text that are far too large.
#[test]
fn huge_numbers_are_refused_and_not_believed() {
    let good = GOOD.to_bytes();
    let (text, body) = text_and_body(&good);
    let text = std::str::from_utf8(text).unwrap();
    let lines = text.lines().filter(|line| line.split(" = ").nth(1).is_some_and(|value| value.parse::<u64>().is_ok()));
    let mut tried = 0;
    for line in lines {
        let key = line.split(" = ").next().unwrap();
        for huge in [u64::from(u32::MAX), 1 << 40, i64::MAX as u64] {
            let changed = text.replacen(line, &format!("{key} = {huge}"), 1);
            let read = read(&seal(changed.as_bytes(), body));
            let refused = ["cycles", "in_words", "cycle", "RetireLanes", "EventSlots", "LatencyBits"].contains(&key);
            assert!(read.is_err() || !refused, "{key} = {huge}");
            tried += 1;
        }
    }
    assert!(tried >= 18, "{tried}");
    for second in ["bytes 18446744073709551615 text 5 sha256 00", "bytes 3 text 18446744073709551615 sha256 00"] {
        let bytes = format!("failure-capsule 1\n{second}\nabc");
        assert!(matches!(read(bytes.as_bytes()), Err(CapsuleError::Truncated { .. } | CapsuleError::Damaged { .. })));
    }
}

/// One change of bytes: where, as a fraction of all, how many go, what comes.
type Change = (prop::sample::Index, usize, Vec<u8>);

fn damaged(bytes: &[u8], changes: &[Change]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for (at, gone, new) in changes {
        let at = at.index(bytes.len() + 1);
        let end = (at + gone).min(bytes.len());
        bytes.splice(at..end, new.iter().copied());
    }
    bytes
}

/// Bytes that are lost, added and replaced, in the rows, in the text, and in the file as it is.
#[test]
fn any_damage_is_an_error_or_another_capsule() {
    let good = GOOD.to_bytes();
    let (text, body) = text_and_body(&good);
    let change = (any::<prop::sample::Index>(), 0..9_usize, prop::collection::vec(any::<u8>(), 0..9));
    let changes = prop::collection::vec(change, 1..5);
    // The same cases in every run.
    let mut runner = TestRunner::deterministic();
    let result = runner.run(&(0..3, changes), |(part, changes)| {
        let bytes = match part {
            0 => seal(text, &damaged(body, &changes)),
            1 => seal(&damaged(text, &changes), body),
            _ => damaged(&good, &changes),
        };
        let read = read(&bytes);
        prop_assert!(part < 2 || bytes == good || read.is_err(), "the checksum was not looked at");
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
}
