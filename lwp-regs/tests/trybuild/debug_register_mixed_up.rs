// A debug register takes only its own content, and there is no fifth breakpoint.
use lwp_regs::access::DebugBus;
use lwp_regs::debug::{BreakpointSet, Dr6, Dr7, Slot};

fn status_as_control<B: DebugBus>(bus: &mut B) {
    let _ = unsafe { Dr7::DR.write(bus, Dr6::RESET) };
}

fn control_as_status(set: &BreakpointSet, control: Dr7) {
    let _ = set.hits(control);
}

fn fifth(set: &BreakpointSet) {
    let _ = set.get(Slot::Dr4);
}

fn main() {}
