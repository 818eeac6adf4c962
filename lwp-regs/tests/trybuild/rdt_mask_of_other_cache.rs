// The index of an L2 mask cannot address an L3 mask, nor is a mask of the one a mask of the other. A class is a checked
// number.
use lwp_regs::rdt::{CatCaps, L2, L3, L3Mask, MaskIndex};

fn address(l2: MaskIndex<L2>) {
    let _ = L3Mask::msr(l2);
}

fn capacity(l2: CatCaps<L2>, l3: CatCaps<L3>) {
    let _ = l3.capacity(1).unwrap().is_apart_from(l2.capacity(1).unwrap());
    let _ = l3.mask(0);
}

fn main() {}
