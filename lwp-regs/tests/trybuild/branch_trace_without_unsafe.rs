// BTS-25, BTS-42: what makes the processor write branch records to memory is unsafe.
use lwp_regs::access::MsrBus;
use lwp_regs::trace::{DebugCtl, DsArea};

fn trace<B: MsrBus>(bus: &mut B, area: u64) {
    let _ = DsArea::new().with_address(area).write(bus);
    let _ = DebugCtl::new().with_tr(true).with_bts(true).write(bus);
}

fn main() {}
