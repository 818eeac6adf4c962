// LWP-SEC-03, LWP-SEC-05: no switch without giving hardware the state of the thread that comes, and no state twice.
use lwp_regs::lwp::context::{Leaving, SavedContext, SavedPointer};
use lwp_regs::lwp::{ContextSwitch, LwpContextPort};
use lwp_regs::access::MsrBus;

// Hardware still has the old thread's pointer.
fn forgotten<P: LwpContextPort>(core: ContextSwitch<P>) -> Option<ContextSwitch<P>> {
    let (saved, core) = unsafe { core.save() }.ok()?;
    saved.discard();
    Some(core)
}

// The thread has gone on since the first restore.
fn twice<P: LwpContextPort>(a: ContextSwitch<P, Leaving>, b: ContextSwitch<P, Leaving>, saved: SavedContext) {
    let _ = unsafe { a.restore(saved) };
    let _ = unsafe { b.restore(saved) };
}

fn cloned(saved: &SavedContext) -> SavedContext {
    saved.clone()
}

fn copied(saved: &SavedPointer) -> SavedPointer {
    *saved
}

// What the port saved is not in the block.
fn other_path<P: LwpContextPort + MsrBus>(core: ContextSwitch<P>) {
    let (saved, core) = unsafe { core.save() }.ok().unwrap();
    let _ = unsafe { core.restore_pointer(saved) };
}

fn main() {}
