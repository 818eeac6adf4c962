//! The performance counters and LWP on one core: neither observes the other. Source: Lightweight Profiling Proposal, "Overview".

use super::super::beside::{Beside, ROUNDS, System, run, seeded};
use super::bench::{C2, CONTROL, COUNTER, EN, INT, LVT, OS, PC, SELECT, USR, version_2};
use lwp_model::lwp::{self, Lane};
use lwp_model::perf::State;
use lwp_model::retire::{BranchKind, RegOp, RegRequest};

impl Beside for C2 {
    type Registers = State<1, 2, 0>;

    fn cycle(&mut self, cpl: u8, lanes: &[Lane; 4], write: Option<(u32, u64)>) {
        self.inputs.lp[0].cpl = cpl;
        for (to, lane) in self.inputs.lanes[0].iter_mut().zip(lanes) {
            (to.valid, to.counts, to.branch_taken) = (lane.valid, lane.counts, lane.branch_taken);
            let jumps = lane.branch_kind == lwp::BranchKind::Jcc;
            to.branch_kind = if jumps { BranchKind::Cond } else { BranchKind::None };
        }
        if let Some((number, wdata)) = write {
            self.inputs.reg = RegRequest { valid: true, op: RegOp::Wrmsr, lp: 0, number, wdata };
        }
        C2::cycle(self);
    }

    fn registers(&self) -> Self::Registers {
        *self.unit.state()
    }
}

/// In each round one of the registers: what is selected, a counter close to its overflow, which counters run, the interrupt's entry.
fn anything(round: u64) -> Option<(u32, u64)> {
    let value = seeded(round);
    let event = if value & 1 == 0 { 0xC0 } else { 0xC4 };
    Some(match round % 6 {
        0 | 1 => (SELECT + (round % 2) as u32, EN | INT | USR | event | value & (OS | PC | 1 << 24)),
        2 | 3 => (COUNTER + (round % 2) as u32, 0xFFFF_FF00 | value),
        4 => (CONTROL, value & 3),
        _ => (LVT, value & 0xFF | 0x20),
    })
}

const WITHOUT: System = System { writes: |_| None, profiles: true };
const WITH: System = System { writes: anything, profiles: true };
const ALONE: System = System { writes: anything, profiles: false };

// LWP-OVR-09: writes of PERFEVTSEL and the other registers of the counters leave every register of LWP in every cycle as without them;
// LWP sessions that begin and end leave every register of the counters as without them. Both units count and interrupt meanwhile.
#[test]
fn counters_and_lwp_share_nothing() {
    let bench = || C2::new(version_2());
    let (lwp_without, idle, _) = run(bench(), WITHOUT);
    let (lwp_with, counters, interrupts) = run(bench(), WITH);
    let (_, counters_alone, _) = run(bench(), ALONE);
    assert!(lwp_with == lwp_without, "LWP observes the counters");
    assert!(counters == counters_alone, "the counters observe LWP");
    assert!(counters != idle);
    let pmis = counters.iter().filter(|state| state.lp[0].pmi).count();
    assert!(interrupts > 10 && pmis > 10, "{interrupts} {pmis} in {ROUNDS} rounds");
}
