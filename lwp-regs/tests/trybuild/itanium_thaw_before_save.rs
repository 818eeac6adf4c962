// ITA-19: what has not been saved cannot be thawed or loaded.
use lwp_regs::itanium::{Counter, Frozen, PmcBus, Pmd, Unsaved};

fn handler<B: PmcBus>(mut frozen: Frozen<B, Unsaved>) {
    let _ = frozen.load(Counter::Four, Pmd::new());
    let _ = frozen.thaw();
}

fn main() {}
