// The thresholds of counters 4 and 5 have 3 bits, those of 6 and 7 have 2: one's register does not take the other's.
use lwp_regs::bits::U3;
use lwp_regs::itanium::{Pmc45, Pmc67, PmcBus};

fn configure<B: PmcBus>(bus: &mut B) {
    let _ = Pmc67::PMC6.write(bus, Pmc45::new().with_threshold(U3::of::<7>()));
}

fn main() {}
