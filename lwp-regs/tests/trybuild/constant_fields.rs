// LWP-LCB-03: what must not change during a session has no setter on the active view.
use lwp_regs::lwp::{ActiveLwpcb, FilterWord, LwpcbHeader};

fn view(mut view: ActiveLwpcb<'_>) {
    view.set_threshold_records(1);
    view.set_interval(0, 1);
    view.edit(|image| image.filter = FilterWord::new());
}

fn header(header: &LwpcbHeader) {
    unsafe { header.size.write(0) };
    unsafe { header.base.write(0) };
    unsafe { header.threshold.write(0) };
    unsafe { header.filter.write(0) };
}

fn main() {}
