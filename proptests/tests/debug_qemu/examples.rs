//! Reports in which the unit and QEMU agree, line by line.

use super::agreed;

// DBG-36, DBG-47, DBG-48: a fault before the instruction, RF = 0 in its frame; RF = 1 in the image lets it pass
#[test]
fn an_instruction_breakpoint_is_passed_with_rf() {
    agreed(
        "fetch: passed with RF",
        false,
        &["#1 +1 rf=0 tf=0 dr6=ffff0ff1 dr7=00000402", "end dr6=ffff0ff0 dr7=00000402"],
    );
}

// DBG-39: the handler returns without RF once
#[test]
fn an_instruction_breakpoint_repeats() {
    let line = "#1 +1 rf=0 tf=0 dr6=ffff0ff1 dr7=00000402";
    agreed("fetch: again without RF", false, &[line, line, "end dr6=ffff0ff0 dr7=00000402"]);
}

// DBG-40 to 42: RF of an IRET's image passes the breakpoint of one instruction, at +9, and not that of the next; that of POPF passes none
#[test]
fn rf_of_an_image_lasts_for_one_instruction() {
    agreed(
        "fetch: behind IRET, RF = 1",
        false,
        &["#1 +10 rf=0 tf=0 dr6=ffff0ff2 dr7=0000040a", "end dr6=ffff0ff0 dr7=0000040a"],
    );
    agreed(
        "fetch: behind POPF of RF",
        false,
        &["#1 +6 rf=0 tf=0 dr6=ffff0ff1 dr7=00000402", "end dr6=ffff0ff0 dr7=00000402"],
    );
}

// DBG-50, DBG-52: RF passes no data breakpoint, which is a trap behind the store
#[test]
fn rf_passes_no_data_breakpoint() {
    agreed(
        "fetch: RF passes nothing else",
        false,
        &["#1 +4 rf=0 tf=0 dr6=ffff0ff1 dr7=000f0402", "end dr6=ffff0ff0 dr7=000f0402"],
    );
}

// DBG-37: the breakpoint before the fault of the same instruction
#[test]
fn an_instruction_breakpoint_comes_before_the_fault() {
    agreed(
        "fault: #PF at a breakpoint, repaired",
        false,
        &["#1 +7 rf=0 tf=0 dr6=ffff0ff1 dr7=00000402", "#14 +7 rf=1 tf=0", "end dr6=ffff0ff0 dr7=00000402"],
    );
}

// DBG-64, DBG-65: not behind the POPF that sets TF, at +6, but behind the one that clears it
#[test]
fn steps_begin_and_end_by_popf() {
    agreed(
        "step: POPF sets TF",
        false,
        &[
            "#1 +8 rf=0 tf=1 dr6=ffff4ff0 dr7=00000400",
            "#1 +9 rf=0 tf=1 dr6=ffff4ff0 dr7=00000400",
            "#1 +10 rf=0 tf=1 dr6=ffff4ff0 dr7=00000400",
            "end dr6=ffff0ff0 dr7=00000400",
        ],
    );
    agreed(
        "step: POPF clears TF",
        false,
        &[
            "#1 +1 rf=0 tf=1 dr6=ffff4ff0 dr7=00000400",
            "#1 +6 rf=0 tf=1 dr6=ffff4ff0 dr7=00000400",
            "#1 +7 rf=0 tf=0 dr6=ffff4ff0 dr7=00000400",
            "end dr6=ffff0ff0 dr7=00000400",
        ],
    );
}

// DBG-68, DBG-76: INT n and INT3 run their handlers without a step; TF is in the image
#[test]
fn software_interrupts_clear_tf() {
    agreed(
        "step: INT n",
        false,
        &[
            "#1 +1 rf=0 tf=1 dr6=ffff4ff0 dr7=00000400",
            "#49 +3 rf=0 tf=1",
            "#1 +4 rf=0 tf=1 dr6=ffff4ff0 dr7=00000400",
            "#1 +5 rf=0 tf=1 dr6=ffff4ff0 dr7=00000400",
            "end dr6=ffff0ff0 dr7=00000400",
        ],
    );
    agreed(
        "step: INT3",
        false,
        &[
            "#1 +1 rf=0 tf=1 dr6=ffff4ff0 dr7=00000400",
            "#3 +2 rf=0 tf=1",
            "#1 +3 rf=0 tf=1 dr6=ffff4ff0 dr7=00000400",
            "#1 +4 rf=0 tf=1 dr6=ffff4ff0 dr7=00000400",
            "end dr6=ffff0ff0 dr7=00000400",
        ],
    );
}

// DBG-73: no step behind the SS load, at +3
#[test]
fn an_ss_load_is_not_stepped() {
    agreed(
        "SS load: step",
        false,
        &[
            "#1 +4 rf=0 tf=1 dr6=ffff4ff0 dr7=00000400",
            "#1 +5 rf=0 tf=1 dr6=ffff4ff0 dr7=00000400",
            "#1 +6 rf=0 tf=1 dr6=ffff4ff0 dr7=00000400",
            "end dr6=ffff0ff0 dr7=00000400",
        ],
    );
}

// DBG-70, DBG-71: the step first; with a trap gate, which leaves IF, the interrupt comes before the first instruction of its handler, with TF = 0
#[test]
fn an_interrupt_waits_for_the_step() {
    let name = "interrupt: POPF with TF enables it, stepped";
    agreed(
        name,
        true,
        &[
            "#1 +1 rf=0 tf=1 dr6=ffff4ff0 dr7=00000400",
            "#1 +6 rf=0 tf=1 dr6=ffff4ff0 dr7=00000400",
            "#32 entry 1 rf=0 tf=0",
            "#1 +7 rf=0 tf=1 dr6=ffff4ff0 dr7=00000400",
            "#1 +8 rf=0 tf=1 dr6=ffff4ff0 dr7=00000400",
            "#1 +9 rf=0 tf=1 dr6=ffff4ff0 dr7=00000400",
            "end dr6=ffff0ff0 dr7=00000400",
        ],
    );
    agreed(
        "interrupt: enabled by STI, trap of data",
        true,
        &["#32 entry 1 rf=0 tf=0", "#1 +6 rf=0 tf=0 dr6=ffff0ff1 dr7=000f0402", "end dr6=ffff0ff0 dr7=000f0402"],
    );
}

// DBG-18: L alone
#[test]
fn a_local_breakpoint_hits() {
    agreed("fetch: L alone", false, &["#1 +1 rf=0 tf=0 dr6=ffff0ff1 dr7=00000401", "end dr6=ffff0ff0 dr7=00000401"]);
}
