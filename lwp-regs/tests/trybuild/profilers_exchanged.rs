// LWP-LCB-04: the session of a profiler cannot be exchanged for another, nor the profiler that the work is lent: one block
// could be changed then while hardware uses it.
use lwp_regs::lwp::driver::{Profiler, ScopedProfiler};

fn sessions<'a, I: lwp_regs::lwp::LwpInstructions>(one: &mut Profiler<'a, I>, other: &mut Profiler<'a, I>) {
    std::mem::swap(one.session(), other.session());
}

fn in_work<'a, I>(lent: &mut ScopedProfiler<'_, 'a, I>, other: &mut Profiler<'a, I>) {
    std::mem::swap(lent, other);
}

fn in_parts<'a, I>(lent: &mut ScopedProfiler<'_, 'a, I>, other: &mut Profiler<'a, I>) {
    std::mem::swap(lent.0, other);
}

fn main() {}
