// LWP-LLW-04: starting makes the processor write user memory; the caller has to vouch for it.
use lwp_regs::lwp::session::{Idle, Paused};
use lwp_regs::lwp::{LwpInstructions, Session};

fn start<I: LwpInstructions>(session: Session<I, Idle<'_>>) {
    let _ = session.start();
}

fn resume<I: LwpInstructions>(session: Session<I, Paused<'_>>) {
    let _ = session.resume();
}

fn main() {}
