// LWP-LCB-05: hardware's fields can be read but not written, by name or through the cells.
use lwp_regs::lwp::{ActiveLwpcb, LwpcbBlock, LwpcbHeader};

fn view(mut view: ActiveLwpcb<'_>) {
    view.set_head(0);
    view.set_missed_events(0);
    view.set_counter(0, 0);
}

fn header(header: &LwpcbHeader) {
    unsafe { header.tail.write(0) };
    unsafe { header.flags.write(0) };
    unsafe { header.head.write(0) };
    unsafe { header.missed.write(0) };
}

fn slots(block: &LwpcbBlock<1>) {
    unsafe { block.slots[0].counter.write(0) };
}

fn main() {}
