//! CPUID, time-stamp counter.

use crate::serial::say;
use lwp_regs::access::{Cpuid, TimeBus};
use lwp_regs::bare_metal::Unprivileged;
use lwp_regs::debug::DebugCaps;
use lwp_regs::lwp::{PresenceBit, cpuid};

pub(crate) fn show(cpu: &impl Cpuid) {
    let [_, ebx, ecx, edx] = cpu.cpuid(0, 0);
    let vendor = [ebx, edx, ecx].map(u32::to_le_bytes);
    say!("processor: {}", str::from_utf8(vendor.as_flattened()).expect("a vendor's name is ASCII"));

    let [_, _, ecx, edx] = cpu.leaf(cpuid::LEAF_PRESENCE, 0).expect("a leaf of every 64-bit processor");
    say!("LWP: {}", if PresenceBit::default().is_set(ecx, edx) { "present" } else { "none" });

    let caps = DebugCaps::detect(cpu);
    assert!(caps.long_mode, "we run in it");
    say!("ok: CPUID");

    let Ok(before) = Unprivileged.rdtsc();
    let Ok((after, _)) = Unprivileged.rdtscp();
    assert!(before < after, "{before} {after}");
    say!("ok: the time-stamp counter counts");
}
