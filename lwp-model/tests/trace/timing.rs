//! The examples of the page `docs/src/trace/timing.md`, one after the other.

use super::area::*;
use super::bench::*;
use lwp_model::retire::{IntKind, MemAnswer, MemCmd, OpMode, RegOp, RegRequest};
use lwp_model::trace::{Config, Format, Inputs, Precise, Step};

type Small = Bench<1, 4>;

/// Address of the management area.
const AREA: u64 = 0x3000;

/// The step of a cycle, and its request.
fn port(bench: &Small) -> (Step, Option<(MemCmd, u64, u64)>) {
    let mem = bench.out().mem;
    (bench.unit.state().store.step, mem.req.then_some((mem.cmd, mem.addr, mem.wdata)))
}

/// Three cycles of an access.
fn access(bench: &mut Small, step: Step, cmd: MemCmd, addr: u64, wdata: u64) {
    assert_eq!((port(bench), bench.unit.state().port.mem_wait), ((step, None), false));
    bench.idle();
    assert_eq!(port(bench), (step, Some((cmd, addr, wdata))));
    bench.idle();
    assert_eq!((port(bench), bench.unit.state().port.mem_wait), ((step, None), true));
    bench.idle();
}

// LBR-08, LBR-19, LBR-22, LBR-24: "Two branches into the stack"
#[test]
fn two_branches_into_the_stack() {
    for vector in [14, DB] {
        let mut bench = Bench::<4, 32>::on(Config { lbr_format: Format::Info, ..deep() }, LBR);
        bench.pass(6);
        assert_eq!(bench.unit.state().lbr.elapsed, 7);
        bench.group(&[jump(0x100, 0x200), predicted(jump(0x203, 0x300), false)]);
        let lbr = bench.unit.state().lbr;
        let [_, first, second, ..] = lbr.entry;
        assert_eq!((lbr.tos, lbr.elapsed), (2, 0));
        assert_eq!((first.from, first.to, first.cycles, first.mispredicted), (0x100, 0x200, 8, false));
        assert_eq!((second.from, second.to, second.cycles, second.mispredicted), (0x203, 0x300, 0, true));
        bench.idle();
        assert_eq!(bench.unit.state().lbr.elapsed, 1);
        bench.interrupt(IntKind::Exception, vector, 0x304, 0x9000);
        let lbr = bench.unit.state().lbr;
        assert_eq!((lbr.ler_from, lbr.ler_to), (0x203, 0x300));
        let third = (lbr.entry[3].from, lbr.entry[3].to, lbr.entry[3].cycles);
        let expected = if vector == DB { (2, 2, 0, (0, 0, 0)) } else { (3, 0, 1, (0x304, 0x9000, 2)) };
        assert_eq!((lbr.tos, lbr.elapsed, bench.debugctl(), third), expected);
    }
}

// BTS-02, BTS-05, DCTL-06: "Messages"
#[test]
fn messages() {
    let mut bench = Small::on(Config::default(), TR);
    let mut cycle = |lane: Option<(u64, u64)>, btm_ready, expected: (u8, bool, Option<(u64, u64)>)| {
        let out = bench.out();
        let message = out.btm_valid.then_some((out.btm_from, out.btm_to));
        let count = bench.unit.state().queue.count;
        assert_eq!((count, out.stall, message, out.reg_ready), (expected.0, expected.1, expected.2, expected.0 == 0));
        bench.stays.btm_ready = btm_ready;
        bench.group(&lane.map(|(from, to)| jump(from, to)).into_iter().collect::<Vec<_>>());
    };
    cycle(Some((0x100, 0x200)), false, (0, false, None));
    cycle(Some((0x200, 0x300)), false, (1, false, Some((0x100, 0x200))));
    cycle(Some((0x300, 0x400)), true, (2, true, Some((0x100, 0x200))));
    cycle(Some((0x300, 0x400)), true, (1, false, Some((0x200, 0x300))));
    cycle(None, true, (1, false, Some((0x300, 0x400))));
    cycle(None, false, (0, false, None));
}

/// The example of the store, behind cycle 1.
fn traced(debugctl: u64) -> Small {
    let mut bench = Small::new(Config::default());
    bench.describe(AREA, true, false, [0x1_0000, 0x1_0000, 0x1_0060, 0x1_0018]);
    bench.write(DS_AREA, AREA);
    bench.write(DEBUGCTL, debugctl);
    bench.jump(0x100, 0x200);
    bench
}

// BTS-08, BTS-14, BTS-16, BTS-20, BTS-21, BTS-22: "A record of the branch trace store"
#[test]
fn a_record_of_the_branch_trace_store() {
    let mut bench = traced(LBR | TR | BTS | BTINT);
    assert_eq!((port(&bench), bench.unit.state().queue.count), ((Step::Idle, None), 1));
    bench.idle();
    access(&mut bench, Step::Base, MemCmd::Read, 0x3000, 0);
    assert_eq!(bench.unit.state().store.base, 0x1_0000);
    access(&mut bench, Step::Index, MemCmd::Read, 0x3008, 0);
    assert_eq!(bench.unit.state().store.index, 0x1_0000);
    access(&mut bench, Step::Maximum, MemCmd::Read, 0x3010, 0);
    assert_eq!(bench.unit.state().store.maximum, 0x1_0060);
    access(&mut bench, Step::Threshold, MemCmd::Read, 0x3018, 0);
    assert_eq!(bench.unit.state().store.threshold, 0x1_0018);
    assert_eq!(port(&bench), (Step::Place, None));
    bench.idle();
    for (value, field, next) in [(0x100, 0, 1), (0x200, 1, 2), (0, 2, 0)] {
        access(&mut bench, Step::Record, MemCmd::Write, 0x1_0000 + 8 * field, value);
        assert_eq!(bench.unit.state().store.field, next);
    }
    access(&mut bench, Step::Publish, MemCmd::Write, 0x3008, 0x1_0018);
    let out = bench.out();
    assert_eq!((bench.unit.state().store.step, bench.unit.state().queue.count), (Step::Idle, 0));
    assert_eq!((out.stored, out.ds_pmi, out.lost, out.reg_ready), (true, true, false, true));
    let out = bench.idle();
    assert_eq!((out.stored, out.ds_pmi), (false, false));
}

// BTS-08, BTS-20: the WRMSR that waits from cycle 2 on, and the 32-bit format
#[test]
fn how_long_a_record_takes() {
    let mut bench = traced(LBR | TR | BTS | BTINT);
    let reg = RegRequest { valid: true, op: RegOp::Wrmsr, lp: 0, number: DEBUGCTL, wdata: 0 };
    let answered = (2..).find(|_| bench.cycle(Inputs { reg, ..Inputs::default() }).reg_done);
    assert_eq!(answered, Some(28), "accepted in this cycle");
    let mut bench = Small::new(without_dtes64());
    bench.stays.mode.op_mode = OpMode::Protected;
    bench.describe(AREA, false, false, [0x1_0000, 0x1_0000, 0x1_0060, 0x1_0018]);
    bench.write(DS_AREA, AREA);
    bench.write(DEBUGCTL, TR | BTS);
    bench.jump(0x100, 0x200);
    let steps: Vec<_> = (2..22)
        .map(|_| {
            let step = bench.unit.state().store.step;
            assert!(!bench.out().stored);
            bench.idle();
            step
        })
        .collect();
    assert_eq!(steps[1..7], [Step::Base, Step::Base, Step::Base, Step::Maximum, Step::Maximum, Step::Maximum]);
    assert!(bench.out().stored);
}

// TRC-17: `mem_err` in cycle 21
#[test]
fn a_fault_in_the_second_field() {
    let mut bench = traced(LBR | TR | BTS | BTINT);
    bench.pass(19);
    let fault = MemAnswer { rvalid: true, err: true, ..MemAnswer::default() };
    let out = bench.answered(Inputs::default(), fault);
    let state = bench.unit.state();
    assert_eq!((out.lost, out.stored, state.store.step, state.queue.count), (true, false, Step::Idle, 0));
    assert_eq!(bench.index(AREA, true, false), 0x1_0000);
}

// DCTL-11, DCTL-24: "The record that freezes the stack", and a request of the counters in the same cycle
#[test]
fn the_record_that_freezes_the_stack() {
    let flags = LBR | TR | BTS | FREEZE_LBRS;
    for (debugctl, pmi) in [(flags | BTINT, false), (flags, true)] {
        let mut bench = traced(debugctl);
        bench.pass(26);
        assert_eq!((bench.out().ds_pmi, bench.debugctl(), bench.tos()), (!pmi, debugctl, 1));
        let mut inputs = Inputs { pmi, ..Inputs::default() };
        inputs.lanes[0] = jump(0x200, 0x300);
        bench.cycle(inputs);
        assert_eq!((bench.debugctl(), bench.tos()), (debugctl & !LBR, 2));
        bench.jump(0x300, 0x400);
        assert_eq!((bench.debugctl(), bench.tos(), bench.unit.state().queue.count), (debugctl & !LBR, 2, 2));
    }
}

/// The example of PEBS, behind cycle 3.
fn precise(index: u64) -> Small {
    let mut bench = Small::new(Config::default());
    bench.describe(AREA, true, true, [0x2_0000, index, 0x2_0090, 0x2_0090]);
    bench.memory.set_field(AREA + 0x40, true, 0xFFFF_FFFF_FFFF_F000);
    bench.write(DS_AREA, AREA);
    bench.write(PEBS_ENABLE, 1);
    bench.overflow(1);
    bench.idle();
    assert_eq!((bench.out().pebs_armed, bench.out().stall), (1, false));
    bench.precise(&[at(0x100)], 1);
    bench
}

// BTS-09, BTS-10, BTS-17, BTS-18: "A PEBS record"
#[test]
fn a_pebs_record() {
    let mut bench = precise(0x2_0000);
    let pebs = bench.unit.state().pebs;
    assert_eq!((port(&bench), pebs.armed, pebs.pending, bench.out().stall), ((Step::Idle, None), 0, 1, true));
    bench.idle();
    let reads = [Step::Base, Step::Index, Step::Maximum, Step::Threshold];
    for (step, addr) in reads.into_iter().zip([0x3020, 0x3028, 0x3030, 0x3038]) {
        access(&mut bench, step, MemCmd::Read, addr, 0);
    }
    assert_eq!(port(&bench), (Step::Place, None));
    bench.idle();
    for field in 0..18 {
        assert_eq!(u64::from(bench.out().state_index), field);
        access(&mut bench, Step::Record, MemCmd::Write, 0x2_0000 + 8 * field, 0x1000 + field);
    }
    access(&mut bench, Step::Publish, MemCmd::Write, 0x3028, 0x2_0090);
    let out = bench.out();
    assert_eq!((out.stored, out.ds_pmi, out.stall, out.reload_valid), (true, true, true, false));
    access(&mut bench, Step::Reset, MemCmd::Read, 0x3040, 0);
    let out = bench.out();
    assert_eq!((out.reload_valid, out.reload_counter, out.reload_value), (true, 0, 0xFFFF_FFFF_FFFF_F000));
    assert_eq!((bench.unit.state().store.step, out.stall, out.reg_ready), (Step::Idle, false, true));
}

// BTS-09, BTS-10: cycle by cycle: where the table's numbers come from, an event in cycle 1, and no room
#[test]
fn how_long_a_pebs_record_takes() {
    let mut bench = precise(0x2_0000);
    let cycles = (5..).find(|_| bench.idle().reload_valid);
    assert_eq!(cycles, Some(78));
    let mut bench = precise(0x2_0000);
    bench.cycle(Inputs { pebs: Precise { overflow: 1, event: 0, state_value: 0 }, ..Inputs::default() });
    bench.rest();
    let both = Precise { overflow: 1, event: 1, state_value: 0 };
    bench.cycle(Inputs { pebs: both, ..Inputs::default() });
    assert_eq!(bench.unit.state().pebs.pending, 1);
    let mut bench = precise(0x2_0090);
    bench.pass(14);
    assert_eq!((bench.unit.state().store.step, bench.out().lost), (Step::Reset, true));
    bench.pass(3);
    assert!(bench.out().reload_valid);
}
