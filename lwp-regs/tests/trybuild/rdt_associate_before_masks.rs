// Detected capabilities associate no thread: the result of `configure` alone does.
use lwp_regs::access::MsrBus;
use lwp_regs::rdt::{Association, CatCaps, Cos, L3, Rmid};

fn associate<B: MsrBus>(bus: &mut B, core: &mut Association, caps: CatCaps<L3>) {
    let _ = caps.associate(bus, core, Rmid::DEFAULT, Cos::DEFAULT);
}

fn main() {}
