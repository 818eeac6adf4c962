// LWP-LCB-03, LWP-LCB-04: a session that hardware uses or that is paused has no setters.
use lwp_regs::lwp::session::{Active, Paused};
use lwp_regs::lwp::{LwpInstructions, Lwpcb, Session};

fn active<I: LwpInstructions>(mut session: Session<I, Active<'_>>, block: &Lwpcb) {
    session.edit(|block| block.set_interval(0, 7));
    session.replace(block);
}

fn paused<I: LwpInstructions>(mut session: Session<I, Paused<'_>>) {
    session.edit(|block| block.set_interval(0, 7));
}

fn main() {}
