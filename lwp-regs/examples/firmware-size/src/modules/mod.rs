//! One file for each part of `lwp-regs`, each behind a feature of its name.

use crate::machine::Machine;

/// Declares the modules, and the function that runs those that are built.
macro_rules! modules {
    ($($name:ident $feature:literal),* $(,)?) => {
        $(#[cfg(feature = $feature)] mod $name;)*

        /// Runs every part; gives how many failed.
        #[allow(unused_mut)] // in the firmware without parts
        pub fn run(_machine: &mut Machine) -> u32 {
            let mut failed = 0;
            $(#[cfg(feature = $feature)] {
                failed += u32::from($name::run(_machine).is_err());
            })*
            failed
        }
    };
}

modules! {
    lwp_driver "lwp-driver",
    lwp_session "lwp-session",
    lwp_switch "lwp-switch",
    architectural "architectural",
    p6 "p6",
    amd "amd",
    metrics "metrics",
    task_counters "task-counters",
    debug "debug",
    lbr "lbr",
    debug_store "debug-store",
    tsc "tsc",
    rdt "rdt",
    itanium "itanium",
    delivery "delivery",
}
