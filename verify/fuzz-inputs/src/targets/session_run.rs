//! Session files that are run: the environment that they describe, around the model, for some thousand cycles.

use lwp_model::lwp::Lwp;
use lwp_regs::lwp::EventRecord;
use sim_harness::lwp::environment::{Computer, ReplayList};
use sim_harness::lwp::session::Session;
use sim_harness::traces::{Branch, BranchKind, Load, Retired};

/// Cycles of a run: enough for a few records, a fault, a switch.
const CYCLES: u64 = 3000;
/// Records that a run keeps: one takes 32 bytes, and a bad session must not take all memory.
const RECORDS: usize = CYCLES as usize * 4;

/// Whatever hardware is asked, it and its environment go on.
///
/// # Panics
/// If model or environment do.
pub fn one_input(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(session) = Session::parse("session.toml", text) else { return };
    let mut model = Lwp::<4, 8, 31>::new(session.straps).expect("straps of a session");
    let setup = session.setup(4, 1, 31);
    let mut environment =
        Computer::<4, _, Vec<EventRecord>>::new(&setup, ReplayList::new(program(), u64::MAX), Vec::new());
    for cycle in 0..CYCLES {
        if cycle == CYCLES / 2 {
            environment.stop();
        }
        let inputs = environment.cycle(&model.outputs());
        model.step(inputs);
    }
    assert!(environment.records().len() <= RECORDS, "more records than instructions");
}

/// A loop with everything in it that counts.
fn program() -> Vec<Retired> {
    let load = |at: u64| Load {
        addr: Some(0x7000 + 64 * at),
        size: 8,
        miss: at.is_multiple_of(3),
        latency: 200,
        source: 3,
        before_miss: 0,
    };
    let one = |at: u64| Retired {
        ip: 0x40_0000 + 4 * at,
        cpl: if at % 61 == 60 { 0 } else { 3 },
        branch: (at % 5 == 4).then_some(Branch {
            kind: BranchKind::ALL[at as usize % 10],
            taken: true,
            next: 0x40_0000 + 4 * (at + 1),
            predicted: Some(at.is_multiple_of(2)),
        }),
        loads: if at.is_multiple_of(4) { vec![load(at), load(at + 1)] } else { Vec::new() },
        ..Retired::default()
    };
    (0..128).map(one).collect()
}
