// LWP-CPU-32: what the processor has is not what user software may use.
use lwp_regs::lwp::{AvailableFeatures, Features, LwpCaps, LwpcbBuilder};

fn with(caps: &LwpCaps) {
    let available = AvailableFeatures::new(Features::all());
    let _ = LwpcbBuilder::new(caps).enabled(available);
}

fn main() {}
