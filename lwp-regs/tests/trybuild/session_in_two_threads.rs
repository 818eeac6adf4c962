// LWP-OVR-12: a session acts on the thread that uses it; no other one can have or share it, in any state.
use lwp_regs::lwp::Session;

fn send<T: Send>() {}
fn sync<T: Sync>() {}

fn any<I: Send + Sync, S: Send + Sync>() {
    send::<Session<I, S>>();
    sync::<Session<I, S>>();
}

fn main() {}
