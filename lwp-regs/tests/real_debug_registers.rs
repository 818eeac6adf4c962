//! The match rule of `debug` against the processor that runs this: breakpoints of ours in the debug registers of a child,
//! which executes one instruction at a time. Where that cannot be done the tests fail: nothing has been shown there.

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod by_hand;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod cases;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod instructions;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod machine;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod prediction;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod random;

/// What a test does, on the system where it can be done.
macro_rules! on_linux_x86_64 {
    ($test:path) => {
        #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
        $test();
        #[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
        panic!("the debug registers are reached by ptrace: this test needs Linux on x86-64");
    };
}

// DBG-29: any byte of the access in the range of the breakpoint, for breakpoints and accesses of all sizes, aligned or
// not, across pages too. DBG-12: all breakpoints that are hit are reported together.
#[test]
fn accesses_hit_what_the_rule_says() {
    on_linux_x86_64!(random::accesses_hit_what_the_rule_says);
}

#[test]
fn repeated_instructions_stop_where_the_rule_says() {
    on_linux_x86_64!(random::repeated_instructions_stop_where_the_rule_says);
}

// One of two lines of the cache takes seconds on some machines.
#[test]
fn a_locked_access_is_one_of_one_line() {
    on_linux_x86_64!(random::a_locked_access_is_one_of_one_line);
}

// DBG-52: the store is done, and the saved address is that of the next instruction
#[test]
fn a_data_breakpoint_stops_after_the_instruction() {
    on_linux_x86_64!(by_hand::a_data_breakpoint_stops_after_the_instruction);
}

// DBG-36: nothing of the instruction is done. DBG-39: without RF it is hit again. DBG-40, DBG-41, DBG-48: with RF it is
// executed, once. DBG-50: RF does not hold back the data breakpoint that it hits.
#[test]
fn an_instruction_breakpoint_stops_before_the_instruction() {
    on_linux_x86_64!(by_hand::an_instruction_breakpoint_stops_before_the_instruction);
}

// DBG-32, DBG-14, DBG-64: BS and B1 at once, after the instruction. DBG-50: RF holds back neither.
#[test]
fn single_step_and_a_breakpoint_are_reported_together() {
    on_linux_x86_64!(by_hand::single_step_and_a_breakpoint_are_reported_together);
}

#[test]
fn a_compare_and_exchange_that_fails_counts_as_a_write() {
    on_linux_x86_64!(by_hand::a_compare_and_exchange_that_fails_counts_as_a_write);
}

// DBG-57: the trap of a data breakpoint. DBG-73: that of a single step.
#[test]
fn traps_after_a_load_of_ss_wait_for_the_next_instruction() {
    on_linux_x86_64!(by_hand::traps_after_a_load_of_ss_wait_for_the_next_instruction);
}

// DBG-43. DBG-50: RF does not hold back the fault.
#[test]
fn a_fault_saves_rf_set() {
    on_linux_x86_64!(by_hand::a_fault_saves_rf_set);
}

// Not after the last one. Processors differ in what a trap before it saves if RF was 0.
#[test]
fn rf_of_a_trap_between_two_repetitions() {
    on_linux_x86_64!(by_hand::rf_of_a_trap_between_two_repetitions);
}
