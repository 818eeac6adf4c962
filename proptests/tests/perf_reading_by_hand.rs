//! The independent reading of the performance counters, followed by hand: runs at the ports, to be read with the documents open. Each value
//! is computed here from the text; the model shows it, and the reading accepts it and nothing else.

use lwp_model::Unit;
use lwp_model::perf::{Config, Events, Inputs, Lane, Line, Lp, Outputs, Perf, Personality};
use lwp_model::retire::{BranchKind, OpMode, RegOp, RegRequest, RegResult};
use lwp_regs::perf::architectural::Ia32PerfCapabilities;
use proptests::perf::reading::Reading;

const SEL0: u32 = 0x186;
const SEL1: u32 = 0x187;
const CTR0: u32 = 0xC1;
const CTR1: u32 = 0xC2;
const USR: u64 = 1 << 16;
const OS: u64 = 1 << 17;
const EDGE: u64 = 1 << 18;
const INT: u64 = 1 << 20;
const ANY: u64 = 1 << 21;
const EN: u64 = 1 << 22;
const INV: u64 = 1 << 23;
/// DATA_MEM_REFS with unit mask 00H: a line of the bus.
const REFS: u64 = 0x43;

/// A run of a unit, whose first logical processor makes the requests, and the reading of it.
struct Run<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize>
where
    Perf<LP, GENERAL, FIXED, LANES>: Unit,
{
    unit: Perf<LP, GENERAL, FIXED, LANES>,
    reading: Reading<LP, GENERAL, FIXED, LANES>,
    /// What holds in each cycle.
    now: Inputs<LP, LANES>,
}

impl<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> Run<LP, GENERAL, FIXED, LANES>
where
    Perf<LP, GENERAL, FIXED, LANES>:
        Unit<Config = Config, Inputs = Inputs<LP, LANES>, Outputs = Outputs<LP, GENERAL, FIXED>>,
{
    fn new(straps: Config) -> Self {
        let unit = <Perf<LP, GENERAL, FIXED, LANES> as Unit>::new(straps).unwrap_or_else(|_| panic!("illegal straps"));
        let now = Inputs { core_clock: true, bus_tick: true, core_ratio: 4, ..Inputs::default() };
        Self { unit, reading: Reading::new(&straps), now }
    }

    /// A cycle with this request. The reading must accept it.
    fn cycle(&mut self, reg: RegRequest) -> Outputs<LP, GENERAL, FIXED> {
        let inputs = Inputs { reg, ..self.now };
        let out = self.unit.outputs();
        self.reading.cycle(true, &inputs, &out).unwrap_or_else(|text| panic!("the reading refuses the model: {text}"));
        self.unit.step(&inputs);
        out
    }

    /// Cycles with `refs` occurrences of DATA_MEM_REFS each.
    fn refs(&mut self, refs: &[u8]) {
        for number in refs {
            self.now.lp[0].events = Events::default().with(Line::DataMemRefs, *number);
            self.cycle(RegRequest::default());
        }
        self.now.lp[0].events = Events::default();
    }

    /// Makes a request, in a cycle without events, and returns its result. The reading must refuse every other result.
    fn ask(&mut self, op: RegOp, number: u32, wdata: u64) -> (RegResult, u64) {
        self.cycle(RegRequest { valid: true, op, lp: 0, number, wdata });
        let out = self.unit.outputs();
        let idle = Inputs { reg: RegRequest::default(), ..self.now };
        for bit in 0..64 {
            let wrong = Outputs { reg_rdata: out.reg_rdata ^ 1 << bit, ..out };
            assert!(self.reading.clone().cycle(true, &idle, &wrong).is_err(), "bit {bit} of {:#x}", out.reg_rdata);
        }
        let wrong = Outputs { reg_done: false, reg_result: RegResult::Done, reg_rdata: 0, ..out };
        assert!(self.reading.clone().cycle(true, &idle, &wrong).is_err(), "no answer");
        (out.reg_result, out.reg_rdata)
    }

    fn wrmsr(&mut self, number: u32, value: u64) {
        assert_eq!(self.ask(RegOp::Wrmsr, number, value), (RegResult::Done, 0), "WRMSR {number:#x}");
    }

    fn rdmsr(&mut self, number: u32) -> u64 {
        let (result, value) = self.ask(RegOp::Rdmsr, number, 0);
        assert_eq!(result, RegResult::Done, "RDMSR {number:#x}");
        value
    }

    fn rdpmc(&mut self, number: u32) -> u64 {
        let (result, value) = self.ask(RegOp::Rdpmc, number, 0);
        assert_eq!(result, RegResult::Done, "RDPMC {number:#x}");
        value
    }
}

fn p6() -> Run<1, 2, 0, 4> {
    Run::new(Config::default())
}

// P6-40: "the counters begin counting following the execution of a WRMSR instruction that sets the enable counter flag".
#[test]
fn a_counter_starts_after_the_wrmsr_of_en() {
    let mut run = p6();
    run.wrmsr(SEL0, REFS | USR | OS);
    run.refs(&[5, 5]);
    assert_eq!(run.rdmsr(CTR0), 0);
    run.now.lp[0].events.set(Line::DataMemRefs, 3);
    // The 3 of the cycle of the write are older than the write.
    run.wrmsr(SEL0, REFS | USR | OS | EN);
    run.refs(&[2, 0, 4]);
    assert_eq!(run.rdmsr(CTR0), 6);
    // P6-41: stopped by clearing EN.
    run.wrmsr(SEL0, REFS | USR | OS);
    run.refs(&[9]);
    assert_eq!(run.rdpmc(0), 6);
}

// P6-26, P6-42: EN of PerfEvtSel0 enables both counters; counter 1 alone is stopped by clearing PerfEvtSel1.
#[test]
fn en_of_the_first_select_enables_both_counters() {
    let mut run = p6();
    run.wrmsr(SEL1, REFS | OS);
    run.refs(&[7]);
    assert_eq!(run.rdpmc(1), 0);
    run.wrmsr(SEL0, REFS | OS | EN);
    run.refs(&[7]);
    assert_eq!((run.rdpmc(0), run.rdpmc(1)), (7, 7));
    run.wrmsr(SEL1, 0);
    run.refs(&[1]);
    assert_eq!((run.rdpmc(0), run.rdpmc(1)), (8, 7));
    // P6-25: EN exists in PerfEvtSel0 only; the strap says that it faults in the other.
    assert_eq!(run.ask(RegOp::Wrmsr, SEL1, REFS | OS | EN), (RegResult::GeneralProtection, 0));
}

// P6-13 to P6-15: the privilege levels.
#[test]
fn usr_and_os_select_the_levels() {
    for (levels, counted) in [(0, [0; 4]), (OS, [1, 0, 0, 0]), (USR, [0, 1, 1, 1]), (USR | OS, [1; 4])] {
        let mut run = p6();
        run.wrmsr(SEL0, REFS | levels | EN);
        let mut count = 0;
        for (cpl, one) in counted.iter().enumerate() {
            run.now.lp[0] = Lp { cpl: cpl as u8, op_mode: OpMode::Protected, pce: true, ..Lp::default() };
            run.refs(&[6]);
            count += 6 * one;
            assert_eq!(run.rdpmc(0), count, "levels {levels:#x}, CPL {cpl}");
        }
    }
}

// P6-28, P6-30, P6-31: 0, 1, 2 and 3 occurrences in a cycle, of which the cycles are 8 4 2 and 1.
#[test]
fn the_counter_mask_compares_and_inv_inverts() {
    let cycles = [[0; 8].as_slice(), &[1; 4], &[2; 2], &[3]].concat();
    for (mask, invert, count) in [
        (0_u64, 0, 4 + 2 * 2 + 3),
        // "if counter-mask is programmed to zero, INV flag is ignored"; the strap says the same of a P6.
        (0, INV, 4 + 2 * 2 + 3),
        (1, 0, 4 + 2 + 1),
        (2, 0, 2 + 1),
        (3, 0, 1),
        (4, 0, 0),
        (2, INV, 8 + 4),
    ] {
        let mut run = p6();
        run.wrmsr(SEL0, REFS | OS | EN | invert | mask << 24);
        run.refs(&cycles);
        run.wrmsr(SEL0, 0);
        // The cycle that asks for the write and the one that asks for the read have no occurrence, and the first of them is counted too.
        let last = u64::from(invert != 0 && mask > 0);
        assert_eq!(run.rdpmc(0), count + last, "CMASK {mask}, INV {invert:#x}");
    }
}

// P6-17, P6-18: transitions from deasserted to asserted; back-to-back assertions are one.
#[test]
fn edges_are_transitions() {
    let mut run = p6();
    run.wrmsr(SEL0, REFS | OS | EN | EDGE);
    run.refs(&[0, 2, 3, 0, 0, 1, 0, 15, 15, 15, 0]);
    assert_eq!(run.rdpmc(0), 3);
    // The condition is expressed by the other fields: with a mask of 3 there are the transitions to 3 and to 15.
    run.wrmsr(SEL0, REFS | OS | EN | EDGE | 3 << 24);
    run.refs(&[0, 2, 3, 0, 0, 1, 0, 15, 15, 15, 0]);
    assert_eq!(run.rdpmc(0), 5);
}

// P6-37: "the lower-order 32 bits of each MSR may be written with any value and the high-order 8 bits are sign-extended".
#[test]
fn a_write_is_sign_extended() {
    let mut run = p6();
    run.wrmsr(CTR0, 0x8000_0000);
    assert_eq!(run.rdmsr(CTR0), 0xFF_8000_0000);
    run.wrmsr(CTR1, 0x1234_5678_7FFF_FFFF);
    assert_eq!(run.rdpmc(1), 0x7FFF_FFFF);
}

// P6-07, P6-08, P6-34: the permissions.
#[test]
fn rdpmc_obeys_pce_and_the_msrs_the_level() {
    for (mode, cpl, level) in [
        (OpMode::Real, 3, 0),
        (OpMode::Protected, 0, 0),
        (OpMode::Protected, 1, 1),
        (OpMode::Long64, 3, 3),
        (OpMode::Virtual8086, 0, 3),
    ] {
        for pce in [false, true] {
            let mut run = p6();
            run.now.lp[0] = Lp { op_mode: mode, cpl, pce, ..Lp::default() };
            let answer = |allowed: bool| (if allowed { RegResult::Done } else { RegResult::GeneralProtection }, 0);
            assert_eq!(run.ask(RegOp::Rdpmc, 1, 0), answer(level == 0 || pce), "{mode:?} {cpl} {pce}");
            assert_eq!(run.ask(RegOp::Rdmsr, CTR1, 0), answer(level == 0), "{mode:?} {cpl} {pce}");
            assert_eq!(run.ask(RegOp::Wrmsr, CTR1, 0), answer(level == 0), "{mode:?} {cpl} {pce}");
            assert_eq!(run.ask(RegOp::Rdmsr, 0x188, 0), (RegResult::NotMine, 0));
        }
    }
}

// P6-24, P6-38, P6-43, P6-46: a counter at -2 overflows after two occurrences, through an entry that is masked or not.
#[test]
fn an_overflow_interrupts_through_the_entry() {
    for (entry, irq) in [(0x0_00C0, Some((0, 0xC0))), (0x1_00C0, None), (0x0_0400, Some((4, 0))), (0x1_0400, None)] {
        for int in [0, INT] {
            let mut run = p6();
            run.now.apic = lwp_model::perf::Apic { write: true, lp: 0, wdata: entry };
            run.cycle(RegRequest::default());
            run.now.apic.write = false;
            run.wrmsr(CTR0, 2_u64.wrapping_neg());
            run.wrmsr(SEL0, REFS | OS | EN | int);
            run.refs(&[1, 1]);
            let out = run.unit.outputs();
            assert!(out.general[0][0].overflow);
            assert_eq!(out.lp[0].pmi, int != 0);
            let expected = irq.filter(|_| int != 0);
            assert_eq!(out.lp[0].irq.then_some((out.lp[0].irq_mode, out.lp[0].irq_vector)), expected);
            let idle = run.now;
            let mut wrong = out;
            wrong.lp[0].irq = !out.lp[0].irq;
            assert!(run.reading.clone().cycle(true, &idle, &wrong).is_err());
            wrong = out;
            wrong.general[0][0].overflow = false;
            assert!(run.reading.clone().cycle(true, &idle, &wrong).is_err());
            run.now.lp[0].irq_ack = true;
            run.refs(&[1]);
            assert!(!run.unit.outputs().lp[0].irq);
            assert_eq!(run.rdpmc(0), 1);
        }
    }
}

// P6EV-12, P6EV-22, P6EV-86, P6EV-87: unit masks, and bus clocks.
#[test]
fn unit_masks_select_states_and_agents() {
    let numbers = [(Line::L2LdI, 1), (Line::L2LdS, 2), (Line::L2LdE, 4), (Line::L2LdM, 8)];
    let lines = numbers.iter().fold(Events::default(), |lines, (line, number)| lines.with(*line, *number));
    for mask in 0..16_u64 {
        let mut run = p6();
        run.wrmsr(SEL0, 0x29 | mask << 8 | OS | EN);
        run.now.lp[0].events = lines;
        run.cycle(RegRequest::default());
        run.now.lp[0].events = Events::default();
        assert_eq!(run.rdpmc(0), mask);
    }
    // DRDY#: of this processor in bus clocks, of any agent in processor clocks.
    for (mask, count) in [(0_u64, 3), (0x20, 2)] {
        let mut run = p6();
        run.wrmsr(SEL0, 0x62 | mask << 8 | OS | EN);
        run.now.lp[0].events = Events::default().with(Line::BusDrdySelf, 1).with(Line::BusDrdyAny, 1);
        for (bus_tick, core_clock) in [(true, false), (true, true), (false, true), (true, false), (false, false)] {
            (run.now.bus_tick, run.now.core_clock) = (bus_tick, core_clock);
            run.cycle(RegRequest::default());
        }
        run.now.lp[0].events = Events::default();
        assert_eq!(run.rdpmc(0), count, "unit mask {mask:#x}");
    }
}

// P6EV-53, P6EV-61 to P6EV-64: what retires.
#[test]
fn retired_branches_are_counted() {
    let lane = |branch_taken: bool, known: bool, right: bool| Lane {
        valid: true,
        counts: true,
        branch_kind: BranchKind::Cond,
        branch_taken,
        branch_pred_valid: known,
        branch_pred_ok: right,
    };
    let last = Lane { valid: true, counts: false, ..Lane::default() };
    let lanes = [lane(true, true, false), lane(false, true, false), lane(true, false, false), last];
    for (event, count) in [(0xC0, 3), (0xC4, 3), (0xC5, 2), (0xC9, 2), (0xCA, 1)] {
        let mut run = p6();
        run.wrmsr(SEL0, event | OS | EN);
        run.now.lanes = [lanes];
        run.cycle(RegRequest::default());
        run.now.lanes = [[Lane::default(); 4]];
        assert_eq!(run.rdpmc(0), count, "event {event:#x}");
    }
}

/// Version 2 with a fixed counter, and writes in full width.
fn version_2() -> Run<1, 2, 1, 4> {
    let full = Ia32PerfCapabilities::from_bits(1 << 13);
    Run::new(Config {
        personality: Personality::Version2,
        width: 44,
        fixed: 1,
        fixed_width: 33,
        pdcm: true,
        capabilities: full,
        ..Config::default()
    })
}

// The facts of versions 2 and 3: a counter needs its EN and its bit of IA32_PERF_GLOBAL_CTRL; an overflow sets a bit of the status,
// which IA32_PERF_GLOBAL_OVF_CTRL clears.
#[test]
fn the_global_registers_enable_show_and_clear() {
    let mut run = version_2();
    run.wrmsr(0x38F, 0);
    run.wrmsr(SEL1, 0xC0 | OS | EN);
    run.wrmsr(0x4C2, 0xFFF_FFFF_FFFE);
    run.wrmsr(0x38D, 0b1001);
    run.now.lanes[0][0] = Lane { valid: true, counts: true, ..Lane::default() };
    run.refs(&[0, 0]);
    assert_eq!((run.rdmsr(CTR1), run.rdmsr(0x309)), (0xFFF_FFFF_FFFE, 0));
    run.now.lanes = [[Lane::default(); 4]];
    run.wrmsr(0x38F, 2 | 1 << 32);
    run.now.lanes[0][0] = Lane { valid: true, counts: true, ..Lane::default() };
    run.refs(&[0, 0, 0]);
    run.now.lanes = [[Lane::default(); 4]];
    assert_eq!((run.rdpmc(1), run.rdpmc(1 << 30)), (1, 3));
    assert_eq!(run.rdmsr(0x38E), 2);
    assert_eq!(run.ask(RegOp::Wrmsr, 0x38E, 0), (RegResult::GeneralProtection, 0));
    run.wrmsr(0x390, 1);
    assert_eq!(run.rdmsr(0x38E), 2);
    run.wrmsr(0x390, 2);
    assert_eq!((run.rdmsr(0x38E), run.rdmsr(0x390)), (0, 0));
}

/// Version 3 with AnyThread. The first logical processor is in level 0, the second in level 3. Both are halted.
fn version_3() -> Run<2, 4, 3, 2> {
    let (personality, fixed) = (Personality::Version3, 3);
    let mut run = Run::new(Config { personality, counters: 4, fixed, any_thread: true, ..Config::default() });
    for (lp, cpl) in run.now.lp.iter_mut().zip([0, 3]) {
        *lp = Lp { cpl, op_mode: OpMode::Long64, halted: true, ..Lp::default() };
    }
    run.wrmsr(0x38F, 0xF | 7 << 32);
    run
}

// SDM 3B, 18.2.3: the events of both logical processors, each at its own privilege level. CMASK, INV and edges see the sum.
#[test]
fn any_thread_adds_the_references_of_both_processors() {
    // References to the last-level cache of the first and the second logical processor; the sums are 2, 4, 5 and 0.
    let cycles = [(2, 0), (1, 3), (0, 5), (0, 0)];
    let both = USR | OS;
    for (bits, count) in [
        (both, 2 + 1),
        (ANY | both, 2 + 4 + 5),
        (ANY | OS, 2 + 1),
        (ANY | USR, 3 + 5),
        (ANY, 0),
        (ANY | both | 4 << 24, 2),
        // The cycles with the sums 2 and 0, and the one that asks for the write of 0.
        (ANY | both | 4 << 24 | INV, 2 + 1),
        // A transition from 2 to 4; from 4 to 5 there is none.
        (ANY | both | 4 << 24 | EDGE, 1),
    ] {
        let mut run = version_3();
        run.wrmsr(SEL0, 0x4F2E | EN | bits);
        for (first, second) in cycles {
            run.now.lp[0].events.set(Line::LlcReferences, first);
            run.now.lp[1].events.set(Line::LlcReferences, second);
            run.cycle(RegRequest::default());
        }
        run.wrmsr(SEL0, 0);
        assert_eq!(run.rdpmc(0), count, "bits {bits:#x}");
    }
}

// SDM 3B, table 19-3, 3CH with AnyThread: "Cycles while at least one logical processor is not in a halt state". Instructions are added.
#[test]
fn any_thread_counts_a_clock_once() {
    for (any, clocks, instructions) in [(0, 2, 2), (4, 3, 4)] {
        let mut run = version_3();
        run.wrmsr(SEL0, 0x3C | USR | OS | EN | if any > 0 { ANY } else { 0 });
        run.wrmsr(0x38D, (3 | any) | (3 | any) << 4 | (3 | any) << 8);
        for halted in [[false, false], [true, false], [false, true], [true, true]] {
            for (lp, halted) in halted.into_iter().enumerate() {
                run.now.lp[lp].halted = halted;
                run.now.lanes[lp][0] = Lane { valid: !halted, counts: true, ..Lane::default() };
            }
            run.cycle(RegRequest::default());
        }
        assert_eq!((run.rdpmc(0), run.rdpmc(1 << 30)), (clocks, instructions));
        assert_eq!((run.rdpmc(1 << 30 | 1), run.rdpmc(1 << 30 | 2)), (clocks, clocks));
    }
}
