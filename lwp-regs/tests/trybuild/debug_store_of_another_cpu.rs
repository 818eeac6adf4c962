// BTS-46: each processor has its own area, buffers and state; a running area cannot be handed to another processor.
use lwp_regs::trace::RunningDs;

fn send_to_another_cpu<T: Send>(_: T) {}

fn migrate(running: RunningDs<'static>) {
    send_to_another_cpu(running);
}

fn main() {}
