// LWP-SEC-03, LWP-SEC-05: a processor that has left a thread is nothing to go on with before the next one is entered.
use lwp_regs::access::MsrBus;
use lwp_regs::lwp::driver::Processor;

fn forgets_to_enter<B: MsrBus>(processor: Processor<B>) -> Processor<B> {
    // SAFETY: the address space is that of the thread that leaves.
    let (saved, between) = unsafe { processor.leave() }.unwrap_or_else(|_| loop {});
    saved.discard();
    between
}

fn main() {}
