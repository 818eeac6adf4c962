// LWP-CPU-33: the size of a block with 27 slots does not fit its field.
use lwp_regs::lwp::LwpcbBlock;

const BYTES: usize = LwpcbBlock::<27>::BYTES;

fn main() {
    let _ = BYTES;
}
