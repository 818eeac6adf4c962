// An event that is not in the table cannot be made, since its counts would be undefined: not of another one either.
use lwp_regs::perf::p6::{Event, event};

const TEMPERATURE: Event = Event { code: 0x3C, ..event::CPU_CLK_UNHALTED };

fn main() {
    let _ = TEMPERATURE;
}
