// LWP-MSR1-02, LWP-MSR1-03: accesses that make the processor write user memory are unsafe.
use lwp_regs::lwp::LwpMsr1;
use lwp_regs::access::MsrBus;

fn stop<B: MsrBus>(bus: &mut B) {
    let _ = LwpMsr1::read(bus);
    let _ = LwpMsr1::INACTIVE.write(bus);
}

fn main() {}
