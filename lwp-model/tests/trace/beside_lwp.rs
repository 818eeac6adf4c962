//! Branch records and LWP on one core: neither observes the other. Source: Lightweight Profiling Proposal, "Overview".

use super::super::beside::{Beside, System, run, seeded};
use super::bench::{Bench, DEBUGCTL, LBR, TR, deep, jump};
use lwp_model::lwp::{BranchKind, Lane};
use lwp_model::retire::{self, RegOp, RegRequest};
use lwp_model::trace::{Inputs, State};

type Large = Bench<4, 32>;

impl Beside for Large {
    type Registers = State<32>;

    fn cycle(&mut self, cpl: u8, lanes: &[Lane; 4], write: Option<(u32, u64)>) {
        self.stays.mode.cpl = cpl;
        let lanes = lanes.map(|lane| {
            let mut watched = jump(lane.ip, lane.branch_next);
            (watched.retired.valid, watched.retired.counts) = (lane.valid, lane.counts);
            watched.branch.taken = lane.branch_taken;
            let jumps = lane.branch_kind == BranchKind::Jcc;
            watched.branch.kind = if jumps { retire::BranchKind::Cond } else { retire::BranchKind::None };
            watched
        });
        let (number, wdata) = write.unwrap_or_default();
        let reg = RegRequest { valid: write.is_some(), op: RegOp::Wrmsr, lp: 0, number, wdata };
        assert!(!self.out().stall || !lanes[0].retired.valid, "nothing retires while the unit stalls");
        Large::cycle(self, Inputs { lanes, reg, ..Inputs::default() });
    }

    fn registers(&self) -> Self::Registers {
        *self.unit.state()
    }
}

/// Any bits of IA32_DEBUGCTL but BTS and BTINT, which need an area in memory; TR in every fourth round.
fn anything(round: u64) -> Option<(u32, u64)> {
    let value = seeded(round) & 0x5E03 | LBR;
    Some((DEBUGCTL, if round.is_multiple_of(4) { value | TR } else { value }))
}

const WITHOUT: System = System { writes: |_| None, profiles: true };
const WITH: System = System { writes: anything, profiles: true };
const ALONE: System = System { writes: anything, profiles: false };

// LWP-OVR-09: writes of IA32_DEBUGCTL leave every register of LWP in every cycle as without them; LWP sessions that begin and end leave
// every register of the branch records as without them. Both units record meanwhile.
#[test]
fn branch_records_and_lwp_share_nothing() {
    let bench = || Large::new(deep());
    let (lwp_without, idle, _) = run(bench(), WITHOUT);
    let (lwp_with, records, interrupts) = run(bench(), WITH);
    let (_, records_alone, _) = run(bench(), ALONE);
    assert!(lwp_with == lwp_without, "LWP observes the branch records");
    assert!(records == records_alone, "the branch records observe LWP");
    assert!(records != idle && interrupts > 10, "{interrupts}");
    let last = records.last().unwrap();
    assert!(last.lbr.entry.iter().all(|entry| entry.from != 0), "all entries are written");
}
