// What can only be written has no read and no update: an update of the overflow control would clear what it never read.
use lwp_regs::access::MsrBus;
use lwp_regs::delivery::X2ApicEoi;
use lwp_regs::perf::architectural::Ia32PerfGlobalOvfCtrl;

fn read<B: MsrBus>(bus: &mut B) {
    let _ = X2ApicEoi::MSR.read(bus);
    let _ = X2ApicEoi::MSR.update_unchecked(bus, |eoi| eoi);
    let _ = Ia32PerfGlobalOvfCtrl::MSR.read(bus);
    let _ = Ia32PerfGlobalOvfCtrl::MSR.update_unchecked(bus, |clear| clear.with_clear(1));
}

fn main() {}
