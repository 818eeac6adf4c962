//! The debug unit: its stops are the processor's.

use lwp_regs::debug::Length;
use processor::debug::{
    Facts, Instruction, Processor, Program, Watch, calibrate, cases, compare, differences, program, repeated,
};
use proptests::runner::{DEFAULT_SEED, draw, setting};
use sim_harness::tier::Tier;

fn asked() -> (Processor, Facts) {
    let mut processor = Processor::new().unwrap_or_else(|error| panic!("{error}"));
    let facts = calibrate(&mut processor).unwrap_or_else(|error| panic!("{error}"));
    (processor, facts)
}

/// The stops on processor and unit, which have to be these: the second ones where a data breakpoint is merged with the next
/// instruction's.
fn both(program: &Program, [apart, merged]: [&str; 2]) {
    let (mut processor, facts) = asked();
    let stops = if facts.straps.merge_next { merged } else { apart };
    let (seen, unit) = repeated(&mut processor, &facts, program).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(unit, stops, "the unit");
    assert_eq!(seen, stops, "the processor");
}

// DBG-52, DBG-36, DBG-47, DBG-37: by hand: a store of two bytes at the end of the watched four, and the instruction behind it with a
// breakpoint. The trap saves the address of the next instruction, the fault that of its own.
#[test]
fn a_trap_then_a_fault() {
    let code = [Instruction::Store(2, 0x103), Instruction::Nop(1)];
    let watch = Watch::Data { at: 0x104, length: Length::Four, reads: false };
    let program = Program::new(&code).watching(&[watch, Watch::Execute(1)]);
    both(&program, ["#DB B0 at +7; #DB B1 at +7, RF; #BP at +9", "#DB B0 B1 at +7, RF; #BP at +9"]);
}

// DBG-57, DBG-73: the data breakpoint and the step of an SS load come behind the next instruction, in one #DB
#[test]
fn an_ss_load() {
    let watch = Watch::Data { at: 0xF00, length: Length::Two, reads: true };
    let program = Program::new(&[Instruction::LoadSsFrom, Instruction::Nop(3)]).watching(&[watch]).stepped();
    both(&program, ["#DB B0 BS at +9; #BP at +10"; 2]);
}

// DBG-59: the instruction behind the SS load faults, and its data breakpoint is lost; DBG-43: RF of the fault
#[test]
fn an_ss_load_before_a_fault() {
    let watch = Watch::Data { at: 0xF00, length: Length::Two, reads: true };
    both(
        &Program::new(&[Instruction::LoadSsFrom, Instruction::Undefined]).watching(&[watch]),
        ["#UD at +6, RF; #BP at +9"; 2],
    );
}

// Whether a breakpoint behind an SS load hits, and RF between two iterations, follow straps that are taken from the processor.
#[test]
fn programs_stop_as_on_the_processor() {
    let count = setting("LWP_CASES").unwrap_or_else(|| Tier::get().pick(500, 5000, 300_000));
    assert_ne!(count, 0, "LWP_CASES is 0: nothing would be compared");
    let (mut processor, facts) = asked();
    let first = setting("LWP_SEED").unwrap_or(DEFAULT_SEED);
    match cases(&mut processor, &facts, first, count, |_| {}) {
        Ok(totals) => {
            println!("{} programs, {} stops, {} run again", totals.programs, totals.stops, totals.disturbed);
            let met = totals.situations.iter().all(|count| *count > 0);
            assert!(met || count < 500, "a situation was never met: {:?}", totals.situations);
            assert!(totals.disturbed * 100 <= totals.programs.max(100), "too many disturbed runs");
        }
        Err((seed, reason)) => panic!(
            "{reason}\n\nstraps: {:?}\nrepeat with: LWP_SEED={seed} LWP_CASES=1 cargo test --release -p processor --test suite \
             -- --exact debug::programs_stop_as_on_the_processor",
            facts.straps
        ),
    }
}

// One of two lines of the cache takes seconds on some machines.
#[test]
fn a_locked_access_is_one_of_one_line() {
    let programs = (0..2000).map(|seed| draw(seed, &program()));
    let exchanges = programs.flat_map(|program| program.instructions).filter_map(|one| match one {
        Instruction::Exchange(at) => Some(at % 64),
        _ => None,
    });
    let last = exchanges.max().expect("a program with a locked access");
    assert_eq!(last, 60, "the last place in a line at which four bytes are locked");
}

/// What is wrong with what is known of the processor.
type Wrong = (&'static str, fn(&mut Facts));

// A step is not merged with the next instruction's breakpoint, whatever the processor does with data.
#[test]
fn a_step_then_a_fault() {
    let program = Program::new(&[Instruction::Nop(2), Instruction::Nop(1)]).watching(&[Watch::Execute(1)]);
    both(&program.stepped(), ["#DB BS at +2; #DB B0 at +2, RF; #DB BS at +3; #BP at +4"; 2]);
}

// The comparison notices a unit of other straps, and a core that is told another address of INT1 or other accesses to selectors.
#[test]
fn a_unit_that_does_otherwise_is_noticed() {
    let (mut processor, facts) = asked();
    let wrong: [Wrong; 11] = [
        ("INT1", |facts| facts.int1_stays ^= true),
        ("merge_next", |facts| facts.straps.merge_next ^= true),
        ("ss_chain", |facts| facts.straps.ss_chain ^= true),
        ("ss_fetch", |facts| facts.straps.ss_fetch ^= true),
        ("rep_rf", |facts| facts.straps.rep_rf ^= true),
        ("string_group", |facts| facts.straps.string_group ^= 1),
        ("int1_step", |facts| facts.straps.int1_step ^= true),
        ("fault_rf", |facts| (facts.straps.fault_rf, facts.straps.long_mode) = (false, false)),
        ("IRETQ", |facts| facts.selectors.iret ^= 2 ^ 8),
        ("PUSH SS", |facts| facts.selectors.push ^= 2 ^ 4),
        ("POP SS", |facts| facts.selectors.pop ^= 2 ^ 4),
    ];
    for (name, change) in wrong {
        let mut other = facts;
        change(&mut other);
        let noticed = (0..20_000).any(|seed| compare(&mut processor, &other, &draw(seed, &program())).is_err());
        assert!(noticed, "{name}");
    }
}

// What no strap covers is as listed, or as the documents say.
#[test]
fn differences_are_those_that_are_known() {
    let (mut processor, facts) = asked();
    for difference in differences::all(&facts) {
        let (seen, unit) =
            repeated(&mut processor, &facts, &difference.program).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(unit, difference.unit, "{}: the unit", difference.about);
        let known = seen == difference.unit || seen == difference.seen;
        assert!(known, "{}: the processor stops with {seen}", difference.about);
    }
}
