//! The tables of the page `docs/src/tsc/timing.md`, row by row: what the inputs are, and what the registers hold before the edge
//! that ends the cycle.

use super::bench::{AUX, Answer, Bench, TSC};
use crate::page::{Row, number, table};
use lwp_model::Choice;
use lwp_model::retire::{RegOp, RegRequest};
use lwp_model::tsc::{Config, DeepSleep};
use lwp_regs::tsc::{TscRate, TscWrite};

const PAGE: &str = include_str!("../../../docs/src/tsc/timing.md");

/// A request as the page has it: "RDTSC, `tsd` = 1, `cpl` = 0", "WRMSR 10H, 1000", "WRMSR 10H, 0 by 1".
fn request<const LP: usize>(bench: &mut Bench<LP>, text: &str) {
    let mut parts = text.split(", ");
    let words: Vec<_> = parts.next().unwrap().split(' ').collect();
    let [instruction, register @ ..] = &words[..] else { panic!("{text}") };
    let op = RegOp::from_name(instruction).unwrap_or_else(|| panic!("{text}"));
    let mut reg = RegRequest { valid: true, op, ..RegRequest::default() };
    if let [register] = register {
        reg.number = number(register) as u32;
    }
    for part in parts {
        match part.split_once(" = ") {
            Some(("`tsd`", value)) => bench.inputs.tsd = number(value) == 1,
            Some(("`cpl`", value)) => bench.inputs.cpl = number(value) as u8,
            Some(_) => panic!("{text}"),
            None => {
                let (value, by) = part.split_once(" by ").unwrap_or((part, "0"));
                (reg.wdata, reg.lp) = (number(value), number(by) as u8);
            }
        }
    }
    bench.inputs.reg = reg;
}

/// An answer as the page has it: "", "done", "done, 83", "done, 166 and `reg_aux` = 7", "#GP(0), `reg_rdata` = 0".
fn answer(text: &str) -> Option<Answer> {
    let (result, value) = text.split_once(", ").unwrap_or((text, "0"));
    let (rdata, aux) = value.split_once(" and `reg_aux` = ").unwrap_or((value, "0"));
    match result {
        "" => None,
        "done" => Some(Answer::Done { rdata: number(rdata), aux: number(aux) as u32 }),
        "#GP(0)" => {
            assert_eq!(value, "`reg_rdata` = 0");
            Some(Answer::GP)
        }
        _ => panic!("{text}"),
    }
}

fn check_answer<const LP: usize>(bench: &Bench<LP>, row: &Row<'_, '_>) {
    assert_eq!(Answer::of(bench.unit.outputs()), answer(row.text("answer")), "{row:?}");
}

fn check_counter<const LP: usize>(bench: &Bench<LP>, row: &Row<'_, '_>) {
    let shown = (bench.counter(0), u64::from(bench.unit.state().rate.fraction));
    assert_eq!(shown, (row.number("counter"), row.number("fraction")), "{row:?}");
}

// TSC-11, TSC-14, TSC-15, TSC-25
#[test]
fn rdtsc_and_rdtscp() {
    let mut bench = Bench::<1>::new(Config::default());
    bench.write(AUX, 7);
    bench.cycle();
    for row in table(PAGE, "RDTSC and RDTSCP").rows() {
        check_counter(&bench, &row);
        check_answer(&bench, &row);
        (bench.inputs.cpl, bench.inputs.tsd) = (3, false);
        bench.inputs.processor.crystal_tick = row.flag("crystal_tick");
        if !row.text("request").is_empty() {
            request(&mut bench, row.text("request"));
        }
        bench.cycle();
    }
}

// TSC-12, TSC-21, TSC-22, TSC-23
#[test]
fn wrmsr_of_the_counter_and_of_ia32_tsc_adjust() {
    let mut bench = Bench::<1>::new(Config::default());
    bench.ticks(1);
    for row in table(PAGE, "WRMSR of the counter and of IA32_TSC_ADJUST").rows() {
        check_counter(&bench, &row);
        check_answer(&bench, &row);
        assert_eq!(bench.adjust(0), row.number("adjust"), "{row:?}");
        assert!([83, 166].contains(&bench.counter(0).wrapping_sub(bench.adjust(0))), "{row:?}");
        bench.inputs.processor.crystal_tick = row.flag("crystal_tick");
        if !row.text("request").is_empty() {
            request(&mut bench, row.text("request"));
        }
        bench.cycle();
    }
}

// TSC-12, TSC-21: below the same table, `write_width` = low32
#[test]
fn wrmsr_of_32_bits() {
    let text = "`counter` = 1_0000_0010H and `adjust` = 0, WRMSR 10H of 7_0000_0010H in a cycle without a tick leaves \
                `counter` = 10H and `adjust` = FFFF_FFFF_0000_0000H";
    assert!(PAGE.replace('\n', " ").contains(text));
    // 65,537 ticks of the crystal at 65,535 + 17 / 65,535 are 2^32 - 1 and 17 more.
    let straps = Config {
        write_width: TscWrite::Low32,
        art_whole: 65_535,
        art_rest: 17,
        art_denominator: 65_535,
        ..Config::default()
    };
    let mut bench = Bench::<1>::new(straps);
    bench.ticks(65_537);
    assert_eq!((bench.counter(0), bench.adjust(0)), (number("1_0000_0010H"), 0));
    bench.write(TSC, number("7_0000_0010H"));
    assert_eq!((bench.counter(0), bench.adjust(0)), (number("10H"), number("FFFF_FFFF_0000_0000H")));
}

// TSC-17, TSC-18, TSC-19, TSC-23, TSC-24
#[test]
fn two_logical_processors() {
    let mut bench = Bench::<2>::new(Config { rate: TscRate::Variable, ..Config::default() });
    bench.inputs.processor.core_ratio = 2;
    bench.inputs.processor.bus_tick = true;
    bench.ticks(50);
    for row in table(PAGE, "Two logical processors").rows() {
        for lp in 0..2 {
            let text = row.text(&format!("processors[{lp}]: counter, adjust"));
            let (counter, adjust) = text.split_once(", ").unwrap();
            assert_eq!((bench.counter(lp), bench.adjust(lp)), (number(counter), number(adjust)), "{row:?}");
        }
        if !row.text("request").is_empty() {
            request(&mut bench, row.text("request"));
        }
        bench.cycle();
    }
}

// TSC-04, TSC-05
#[test]
fn hlt_stpclk_and_dpslp() {
    let straps = Config { rate: TscRate::ConstantMax, max_ratio: 15, deep_sleep: DeepSleep::Stop, ..Config::default() };
    let mut bench = Bench::<1>::new(straps);
    let mut awake = Bench::<1>::new(Config { deep_sleep: DeepSleep::Count, ..straps });
    let page = table(PAGE, "HLT, STPCLK# and DPSLP#");
    for row in page.rows() {
        check_counter(&bench, &row);
        if row.number("cycle") == 7 {
            assert!(PAGE.contains("With `deep_sleep` = count the counter would be 52 in cycle 7."));
            assert_eq!(awake.counter(0), 52);
        }
        let pins = &mut bench.inputs.processor;
        pins.bus_tick = true;
        pins.halted = row.flag("halted");
        pins.stpclk = row.flag("stpclk");
        pins.dpslp = row.flag("dpslp");
        awake.inputs = bench.inputs;
        bench.cycle();
        awake.cycle();
    }
}

// TSC-06, TSC-07, TSC-13
#[test]
fn a_change_of_the_ratio() {
    let page = table(PAGE, "A change of the ratio");
    for &rate in TscRate::ALL {
        let mut bench = Bench::<1>::new(Config { rate, ..Config::default() });
        for row in page.rows() {
            assert_eq!(bench.counter(0), row.number(rate.name()), "{row:?}");
            bench.inputs.processor.core_ratio = row.number("core_ratio") as u8;
            bench.ticks(1);
        }
    }
}
