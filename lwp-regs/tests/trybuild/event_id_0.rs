// LWP-REC-11: 0 is not an event, so it has no constructor that could make it.
use lwp_regs::lwp::EventId;

fn main() {
    let _ = EventId(core::num::NonZeroU8::MIN);
}
