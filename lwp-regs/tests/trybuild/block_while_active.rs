// LWP-LCB-04: the memory of a block cannot be reached while hardware may use it.
use lwp_regs::lwp::{Lwpcb, LwpcbMemory};

fn reload(memory: &mut LwpcbMemory, block: &Lwpcb) {
    let view = memory.load(block);
    let _ = memory.image(1);
    let _ = memory.load(block);
    let _ = view.head();
}

fn main() {}
