//! The tables of the page `docs/src/perf/timing.md`, row by row: what the inputs are, and what the registers hold before the edge
//! that ends the cycle.

use super::bench::{
    ALL, ANY, Answer, BRANCHES, Bench, C2, C4, CONTROL, COUNTER, DONE, EDGE, EN, FIXED, GP, INSTRUCTIONS, INT, INV,
    LVT, NOT_MINE, PC, SELECT, USR, version_1, version_2, version_3,
};
use crate::page::{Row, number, table};
use lwp_model::perf::{Config, Line, Sel1En};
use lwp_model::retire::{IntKind, OpMode, RegOp, RegRequest};

const PAGE: &str = include_str!("../../../docs/src/perf/timing.md");

/// A request as the page has it: "RDPMC 0", "WRMSR 187H, 100C4H". Numbers of registers are hexadecimal, with or without H.
fn request(text: &str) -> RegRequest {
    let (instruction, rest) = text.split_once(' ').unwrap();
    let (register, value) = rest.split_once(", ").unwrap_or((rest, "0"));
    let op = match instruction {
        "RDPMC" => RegOp::Rdpmc,
        "RDMSR" => RegOp::Rdmsr,
        "WRMSR" => RegOp::Wrmsr,
        _ => panic!("{text}"),
    };
    RegRequest { valid: true, op, lp: 0, number: number(register) as u32, wdata: number(value) }
}

/// What all tables of one logical processor say of a cycle.
fn show<const GENERAL: usize, const FIXED: usize>(
    bench: &mut Bench<1, GENERAL, FIXED, 4>,
    row: &Row<'_, '_>,
    level: u64,
) {
    let of = |head: &str| if row.has(head) { row.number(head) } else { 0 };
    bench.retire(of("instructions") as usize, of("branches") as usize);
    bench.inputs.lp[0].cpl = level as u8;
    bench.inputs.bus_tick = of("bus_tick") == 1;
    bench.inputs.lp[0].irq_ack = of("irq_ack") == 1;
    if row.has("request") && !row.text("request").is_empty() {
        assert_eq!(level, 0, "a request is made at level 0");
        bench.inputs.reg = request(row.text("request"));
    }
}

/// Each column `general[..]` that names a register.
fn check<const GENERAL: usize, const FIXED: usize>(bench: &Bench<1, GENERAL, FIXED, 4>, row: &Row<'_, '_>) {
    let state = bench.unit.state();
    for (c, general) in state.general[0].iter().enumerate() {
        for (name, value) in [
            ("counter", general.counter),
            ("held", general.held.into()),
            ("on", general.on.into()),
            ("status", general.status.into()),
            ("overflow", general.overflow.into()),
            ("due", general.due.into()),
            ("pin", general.pin.into()),
        ] {
            let head = format!("general[{c}].{name}");
            if row.has(&head) {
                assert_eq!(value, row.number(&head), "{head} in {row:?}");
            }
        }
    }
    let lp = &state.lp[0];
    for (head, value) in [
        ("pmi", u64::from(lp.pmi)),
        ("irq", lp.irq.into()),
        ("irq_mode", lp.irq_mode.into()),
        ("irq_vector", lp.irq_vector.into()),
        ("lvt_mask", lp.lvt_mask.into()),
        ("smm_frozen", lp.smm_frozen.into()),
    ] {
        if row.has(head) {
            assert_eq!(value, row.number(head), "{head} in {row:?}");
        }
    }
}

// P6-26, P6-40, P6-41, P6-42, P6-13
#[test]
fn start_and_stop() {
    let mut bench = C2::new(Config::default());
    for row in table(PAGE, "Start and stop: P6").rows() {
        check(&bench, &row);
        show(&mut bench, &row, row.number("level"));
        let asks = bench.inputs.reg.valid;
        bench.cycle();
        assert_eq!(bench.answer(), asks.then_some(DONE));
    }
}

// P6-16, P6-17, P6-18, P6-28, P6-29, P6-30, APM-23, APM-24, APM-31, APM-32, APM-33, APM-34
#[test]
fn threshold_inversion_edge() {
    let page = table(PAGE, "Threshold, inversion, edge");
    for column in ["0", "0, INV", "2", "2, INV", "1, E", "2, E", "2, INV, E"] {
        let mut bench = C2::new(Config { counters: 1, ..version_1() });
        let mut parts = column.split(", ");
        let cmask = number(parts.next().unwrap());
        let flags = parts.fold(0, |bits, flag| bits | if flag == "E" { EDGE } else { INV });
        // A threshold with INV holds in a cycle without instructions: level 0 is not looked at.
        bench.write(SELECT, EN | USR | 0xC0 | cmask << 24 | flags);
        for row in page.rows() {
            assert_eq!(bench.count(0), row.number(column), "{column}: {row:?}");
            show(&mut bench, &row, row.number("level"));
            bench.cycle();
        }
    }
}

// P6-04, P6EV-39, P6EV-89
#[test]
fn a_bus_signal() {
    let mut bench = C2::new(Config::default());
    bench.write(SELECT + 1, ALL | EDGE | 0x7A);
    bench.write(SELECT, EN | ALL | 0x7A);
    for row in table(PAGE, "A bus signal").rows() {
        check(&bench, &row);
        show(&mut bench, &row, 0);
        bench.inputs.lp[0].events.set(Line::BusHitDrv, row.flag("bus_hit_drv").into());
        bench.cycle();
    }
}

// APM-28, DCTL-12, DCTL-22
#[test]
fn overflow_interrupt_freeze() {
    let mut bench = C2::new(Config { width: 48, mask_on_delivery: true, ..version_2() });
    bench.write(COUNTER, 0xFFFF_FFFB);
    bench.write(COUNTER + 1, 7);
    bench.write(SELECT, EN | USR | INT | 0xC0);
    bench.write(SELECT + 1, EN | USR | 0xC4);
    bench.write(LVT, 0xEE);
    bench.inputs.lp[0].freeze_on_pmi = true;
    for row in table(PAGE, "Overflow, interrupt, freeze").rows() {
        check(&bench, &row);
        assert_eq!([0, 1].map(|c| u64::from(bench.general(c).on)), [row.number("on of both"); 2], "{row:?}");
        let vector = bench.unit.outputs().lp[0].irq_vector;
        assert_eq!(vector, if [3, 4].contains(&row.number("cycle")) { 0xEE } else { 0 });
        let level = if row.number("instructions") == 0 { 0 } else { 3 };
        show(&mut bench, &row, level);
        bench.cycle();
    }
}

// P6-24, P6-43: two overflows are one interrupt; one in the cycle of an acknowledgement is pending afterwards
#[test]
fn two_overflows_and_an_acknowledgement() {
    let mut bench = C2::new(version_1());
    bench.write(COUNTER, 0xFFFF_FFFE);
    bench.write(COUNTER + 1, 0xFFFF_FFFF);
    bench.write(SELECT, EN | USR | INT | 0xC0);
    bench.write(SELECT + 1, EN | USR | INT | 0xC4);
    bench.write(LVT, 0x40);
    for row in table(PAGE, "Two overflows, and an acknowledgement").rows() {
        check(&bench, &row);
        let level = if row.number("instructions") == 0 { 0 } else { 3 };
        show(&mut bench, &row, level);
        bench.cycle();
    }
}

// DCTL-13, DCTL-14
#[test]
fn system_management_mode() {
    let mut bench = C2::new(version_2());
    bench.write(SELECT, INSTRUCTIONS);
    bench.write(SELECT + 1, BRANCHES);
    bench.write(CONTROL, 1);
    for row in table(PAGE, "System-management mode").rows() {
        check(&bench, &row);
        show(&mut bench, &row, 0);
        let lp = &mut bench.inputs.lp[0];
        lp.freeze_while_smm = row.flag("freeze_while_smm");
        lp.int_valid = !row.text("interruption").is_empty();
        lp.int_kind = if row.text("interruption") == "RSM" { IntKind::Rsm } else { IntKind::Smi };
        bench.cycle();
    }
}

/// The table with these event codes; what is shown of the pins, cycle by cycle.
fn pins(code: u64, core_ratio: u8) -> Vec<[bool; 2]> {
    let mut bench = C2::new(Config::default());
    bench.inputs.core_ratio = core_ratio;
    bench.inputs.bus_tick = true;
    bench.write(COUNTER + 1, 0xFFFF_FFFC);
    bench.inputs.bus_tick = false;
    bench.write(SELECT + 1, ALL | code);
    bench.write(SELECT, EN | PC | ALL | code);
    let mut shown = Vec::new();
    for row in table(PAGE, "Pins").rows() {
        if code == 0xC0 {
            check(&bench, &row);
        }
        shown.push([0, 1].map(|c| bench.unit.outputs().general[0][c].pin));
        show(&mut bench, &row, 0);
        bench.inputs.lp[0].events.set(Line::BusHitDrv, 1);
        bench.cycle();
    }
    shown
}

// P6-20, P6-21, P6-22, P6-52, P6EV-39, APM-26, APM-27
#[test]
fn both_pins() {
    pins(0xC0, 6);
    // Five ticks overflow counter 1 at the fourth.
    let seen = |shown: Vec<[bool; 2]>| [0, 1].map(|c| shown.iter().any(|pins| pins[c]));
    assert_eq!(seen(pins(0x7A, 6)), [false, true]);
    assert_eq!(seen(pins(0x7A, 4)), [false, true]);
    assert_eq!(seen(pins(0x7A, 5)), [false, false]);
}

/// "2, 1": of logical processors or counters 0 and 1.
fn two(text: &str) -> [u64; 2] {
    let (first, second) = text.split_once(", ").unwrap();
    [number(first), number(second)]
}

// APM-37
#[test]
fn any_thread() {
    let mut bench = C4::new(version_3());
    for (counter, code) in [(0, 0xC0), (1, 0x3C)] {
        bench.write(SELECT + counter, EN | USR | ANY | code);
        bench.write_by(1, SELECT + counter, EN | USR | code);
    }
    for row in table(PAGE, "AnyThread").rows() {
        for lp in 0..2 {
            let shown = [0, 1].map(|c| bench.unit.state().general[lp][c].counter);
            assert_eq!(shown, two(row.text(&format!("general[{lp}][0], general[{lp}][1]"))), "{row:?}");
            let of = |head| two(row.text(head))[lp];
            bench.retire_by(lp, of("instructions of 0, 1") as usize, 0);
            bench.inputs.lp[lp].cpl = of("level of 0, 1") as u8;
            bench.inputs.lp[lp].halted = of("halted of 0, 1") == 1;
        }
        bench.cycle();
    }
}

fn mode(text: &str) -> OpMode {
    match text {
        "real" => OpMode::Real,
        "virtual-8086" => OpMode::Virtual8086,
        "protected" => OpMode::Protected,
        _ => panic!("{text}"),
    }
}

/// A unit whose counters hold what the page says.
fn holding(straps: Config) -> C4 {
    let mut bench = C4::new(straps);
    // 11_2233_4455H cannot be written by 32 bits where the counters are not written in full width.
    if straps.version() == 0 {
        return bench;
    }
    bench.write(0x4C1, 0x11_2233_4455);
    bench.write(FIXED, 7);
    bench
}

// P6-07, P6-08, P6-34, P6-37, P6-25
#[test]
fn requests() {
    let capabilities = lwp_regs::perf::architectural::Ia32PerfCapabilities::new().with_full_width_write(true);
    let version_3 = Config { counters: 2, fixed: 1, pdcm: true, capabilities, ..version_3() };
    for row in table(PAGE, "Requests").rows() {
        let text = row.text("request").replace(['`'], "");
        let p6 = text.ends_with(", P6");
        let straps = match text.split_once(", fast_read") {
            _ if p6 => Config::default(),
            Some((_, " = 0")) => Config { fast_read: false, ..version_3 },
            _ => version_3,
        };
        let text = text.split(", fast_read").next().unwrap().trim_end_matches(", P6");
        let mut answers = row.text("answer in the next cycle").split(';');
        let answer = answers.next().unwrap();
        let expected: Answer = match answer.split(", ").collect::<Vec<_>>()[..] {
            ["done"] => DONE,
            ["done", value] => Ok(number(value)),
            ["#GP(0)"] | ["#GP(0)", "0"] => GP,
            ["not mine", "0"] => NOT_MINE,
            _ => panic!("{answer}"),
        };
        let ask = |straps| {
            let mut bench = holding(straps);
            let lp = &mut bench.inputs.lp[0];
            lp.cpl = row.number("cpl") as u8;
            lp.op_mode = mode(row.text("op_mode"));
            lp.pce = row.flag("pce");
            let RegRequest { op, number, wdata, .. } = request(text);
            (bench.ask(op, number, wdata), bench)
        };
        let (answer, mut bench) = ask(straps);
        assert_eq!(answer, expected, "{row:?}");
        match answers.next() {
            None => {}
            Some(" then the counter is FF_8000_0000H (`width` 40)") => assert_eq!(bench.count(0), 0xFF_8000_0000),
            Some(" with `sel1_en` = ignored done, and 187H reads C0H") => {
                (_, bench) = ask(Config { sel1_en: Sel1En::Ignored, ..straps });
                assert_eq!((bench.answer(), bench.read(0x187)), (Some(DONE), 0xC0));
            }
            Some(more) => panic!("{more}"),
        }
    }
}
