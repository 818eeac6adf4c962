// Arming a breakpoint commits the system to handling #DB; the caller has to vouch for it.
use lwp_regs::access::DebugBus;
use lwp_regs::debug::{BreakpointSet, DebugEntry, Dr6, Dr7};

fn arm<B: DebugBus>(bus: &mut B, set: &BreakpointSet, entry: DebugEntry) {
    let _ = set.arm(bus);
    let _ = Dr7::DR.write(bus, set.control);
    let _ = entry.leave(bus);
}

// What arms nothing is safe.
fn disarm<B: DebugBus>(bus: &mut B) {
    let _ = Dr7::disarm(bus);
    let _ = Dr6::clear(bus);
}

fn main() {}
