// A field of one register cannot be read from another of the same width.
use lwp_regs::lwp::{CounterWord, FlagsWord};

fn main() {
    let _ = FlagsWord::new().to_tock().is_set(FlagsWord::tock_field("DME"));
    let _ = CounterWord::new().to_tock().is_set(FlagsWord::tock_field("DME"));
}
