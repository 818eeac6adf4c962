//! The safe wrapper around Verilated RTL.

use crate::lockstep_support::{RESET, fresh, inputs, recording, straps};
use sim_harness::rtl::{BuildId, Flavour, Rtl};
use std::thread;

#[test]
fn sizes_are_those_of_the_table() {
    for &build in BuildId::ALL {
        let rtl = fresh(build, Flavour::Fast);
        assert_eq!((rtl.in_words(), rtl.out_words()), (build.info().in_words, build.info().out_words));
        assert_eq!(BuildId::from_name(build.name()), Some(build));
        assert!(build.info().parameters.iter().all(|(name, value)| build.parameter(name) == Some(*value)));
    }
}

#[test]
fn the_stimulus_stirs_the_registers() {
    for &build in BuildId::ALL {
        let recording = recording(build, &inputs(build, 1, 2000));
        let rows: Vec<_> = recording.expected().chunks(build.info().out_words).collect();
        assert!(rows[..RESET].iter().all(|row| *row == rows[0]), "registers stay at their reset values");
        let changes = rows.windows(2).filter(|pair| pair[0] != pair[1]).count();
        assert!(changes > 1000, "{changes} of 2000 cycles changed a register of {}", build.name());
    }
}

/// Compares step, run and replay with each other, and the flavours, which are built with other optimisations.
#[test]
fn both_flavours_and_all_calls_agree() {
    for &build in BuildId::ALL {
        let mut ins = inputs(build, 2, 5000);
        // A reset in the middle acts in its own cycle.
        let row = build.info().in_words;
        ins[3000 * row] &= !1;
        let recording = recording(build, &ins);
        let out_row = build.info().out_words;
        assert_eq!(recording.expected()[3000 * out_row..][..out_row], recording.expected()[..out_row]);
        for flavour in [Flavour::Fast, Flavour::Traced] {
            let mut rtl = fresh(build, flavour);
            assert_eq!(rtl.replay(&ins, recording.expected()), Ok(()));
            let mut rtl = fresh(build, flavour);
            rtl.run(&ins[..1000 * row]);
            assert_eq!(rtl.replay(&ins[1000 * row..], &recording.expected()[1000 * out_row..]), Ok(()));
        }
    }
}

/// A cycle in two parts is a cycle; a reset in the inputs shows one part later.
#[test]
fn a_cycle_in_two_parts_agrees() {
    for &build in BuildId::ALL {
        let ins = inputs(build, 7, 2000);
        let recording = recording(build, &ins);
        let (in_row, out_row) = (build.info().in_words, build.info().out_words);
        for flavour in [Flavour::Fast, Flavour::Traced] {
            let mut rtl = fresh(build, flavour);
            let mut out = vec![0; out_row];
            for (cycle, row) in ins.chunks(in_row).enumerate() {
                rtl.advance(&mut out);
                assert_eq!(
                    out,
                    recording.expected()[cycle * out_row..][..out_row],
                    "cycle {cycle} of {}",
                    build.name()
                );
                rtl.present(row);
            }
        }
    }
}

#[test]
fn replay_stops_at_a_flipped_bit_and_can_go_on() {
    for &build in BuildId::ALL {
        for flavour in [Flavour::Fast, Flavour::Traced] {
            let ins = inputs(build, 3, 300);
            let recording = recording(build, &ins);
            let (in_row, out_row) = (build.info().in_words, build.info().out_words);
            for (cycle, bit) in [(0, 0), (1, 40), (150, out_row * 32 - 1), (299, 77)] {
                let mut expected = recording.expected().to_vec();
                expected[cycle * out_row + bit / 32] ^= 1 << (bit % 32);
                let mut rtl = fresh(build, flavour);
                let found = rtl.replay(&ins, &expected).unwrap_err();
                assert_eq!((found.cycle_in_batch, found.differs, found.assertion_failed), (cycle, true, false));
                assert_eq!(found.actual, recording.expected()[cycle * out_row..][..out_row]);
                let rest = cycle + 1;
                assert_eq!(rtl.replay(&ins[rest * in_row..], &recording.expected()[rest * out_row..]), Ok(()));
            }
        }
    }
}

#[test]
fn instances_on_two_threads_are_independent() {
    let work = |build: BuildId, flavour, seed| {
        move || {
            let ins = inputs(build, seed, 20_000);
            let recording = recording(build, &ins);
            (0..3).all(|_| fresh(build, flavour).replay(&ins, recording.expected()).is_ok())
        }
    };
    let build = BuildId::ALL[0];
    let threads = [(Flavour::Fast, 4), (Flavour::Fast, 5), (Flavour::Traced, 6), (Flavour::Traced, 7)]
        .map(|(flavour, seed)| thread::spawn(work(build, flavour, seed)));
    assert!(threads.into_iter().all(|thread| thread.join().unwrap()));
}

/// Moves an instance to another thread in the middle of a run.
#[test]
fn an_instance_may_move_between_threads() {
    let build = BuildId::ALL[0];
    let ins = inputs(build, 8, 2000);
    let recording = recording(build, &ins);
    let (in_row, out_row) = (build.info().in_words, build.info().out_words);
    let mut rtl = fresh(build, Flavour::Traced);
    rtl.run(&ins[..1000 * in_row]);
    let result = thread::spawn(move || rtl.replay(&ins[1000 * in_row..], &recording.expected()[1000 * out_row..]));
    assert_eq!(result.join().unwrap(), Ok(()));
}

/// An LFSR seed of zero is outside the contract of the LWP unit, and its RTL says so at reset.
#[test]
fn a_failed_assertion_is_reported_once() {
    let build = BuildId::LwpW4;
    let (info, ins) = (build.info(), inputs(build, 9, 50));
    let (straps, mut out) = (vec![0; info.strap_words], vec![0; info.out_words]);
    let mut expected = Vec::new();
    let mut rtl = Rtl::new(build, Flavour::Fast, &straps);
    for row in ins.chunks(info.in_words) {
        rtl.step(row, &mut out);
        expected.extend_from_slice(&out);
    }
    assert!(!rtl.take_assertion(), "the fast flavour has none");
    let mut rtl = Rtl::new(build, Flavour::Traced, &straps);
    let stop = rtl.replay(&ins, &expected).unwrap_err();
    assert_eq!((stop.cycle_in_batch, stop.differs, stop.assertion_failed), (0, false, true));
    assert_eq!(rtl.replay(&ins[info.in_words..], &expected[info.out_words..]), Ok(()));
    let mut rtl = Rtl::new(build, Flavour::Traced, &straps);
    rtl.run(&ins);
    assert!(rtl.take_assertion() && !rtl.take_assertion());
}

#[test]
#[should_panic(expected = "words of straps")]
fn straps_of_another_length_are_refused() {
    let _ = Rtl::new(BuildId::ALL[0], Flavour::Fast, &[]);
}

#[test]
#[should_panic(expected = "rows of expected outputs")]
fn rows_that_do_not_match_are_refused() {
    let build = BuildId::ALL[0];
    let _ = fresh(build, Flavour::Fast).replay(&inputs(build, 1, 2), &straps(build));
}
