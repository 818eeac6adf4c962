//! Architectural performance monitoring.
#![allow(unsafe_code, reason = "promises an overflow handler")]

use super::row;
use lwp_regs::bits::U4;
use lwp_regs::perf::Levels;
use lwp_regs::perf::OverflowHandler;
use lwp_regs::perf::architectural::PerfmonCaps;
use lwp_regs::perf::architectural::{ArchitecturalEvent, Ia32FixedCtrCtrl, Ia32PerfEvtSel, PerfEvtSelBuilder};
use lwp_regs::perf::virtual_counter::CounterWidth;
use raw_cpuid::{CpuId, CpuIdResult};
use regs_checks::Row;
use tock_registers::fields::Field;

/// CPUID 0AH of a processor with version 3: four counters of 48 bits, all events, three fixed-function counters.
const LEAF_0A: [u32; 4] = [0x0730_0403, 0, 0, 0x0603];

pub(crate) fn rows() -> Vec<Row> {
    vec![
        row!(
            "IA32_PERFEVTSEL: count an event at all levels",
            (event: u8, umask: u8),
            u64,
            Ia32PerfEvtSel::new()
                .with_event(event)
                .with_umask(umask)
                .with_user(true)
                .with_os(true)
                .with_enable(true)
                .into_bits(),
            u64::from(event) | u64::from(umask) << 8 | 0x43_0000,
            "tock-registers" => {
                const EVENT: Field<u64, Ia32PerfEvtSel> = Ia32PerfEvtSel::tock_field("EVENT");
                const UMASK: Field<u64, Ia32PerfEvtSel> = Ia32PerfEvtSel::tock_field("UMASK");
                const USER: Field<u64, Ia32PerfEvtSel> = Ia32PerfEvtSel::tock_field("USER");
                const OS: Field<u64, Ia32PerfEvtSel> = Ia32PerfEvtSel::tock_field("OS");
                const ENABLE: Field<u64, Ia32PerfEvtSel> = Ia32PerfEvtSel::tock_field("ENABLE");
                let event = EVENT.val(event.into()) + UMASK.val(umask.into());
                (event + USER.val(1) + OS.val(1) + ENABLE.val(1)).value
            }
        ),
        row!(
            "IA32_PERFEVTSEL: the checked builder, constant arguments",
            (),
            u64,
            {
                let caps = PerfmonCaps::from_cpuid(LEAF_0A).unwrap();
                // SAFETY: the value is not written.
                let handler = unsafe { OverflowHandler::installed() };
                let builder = PerfEvtSelBuilder::new(&caps, ArchitecturalEvent::LlcMisses)
                    .levels(Levels::User)
                    .interrupt(&handler);
                builder.build(caps.counter(1).unwrap()).map_or(0, Ia32PerfEvtSel::into_bits)
            },
            0x0051_412E
        ),
        row!(
            "IA32_FIXED_CTR_CTRL: counter 1 counts at all levels",
            (control: u64),
            u64,
            Ia32FixedCtrCtrl::from_bits(control).with_ctr1(U4::of::<0b0011>()).into_bits(),
            control & !0xF0 | 0x30
        ),
        row!(
            "counter of any width: events between two readings",
            (start: u64, now: u64, bits: u8),
            u64,
            CounterWidth::new(bits).map_or(0, |width| width.delta(start, now)),
            if bits == 0 || bits > 64 { 0 } else { now.wrapping_sub(start) & u64::MAX >> (64 - bits) }
        ),
        row!(
            "CPUID 0AH: number of counters, 0 without any",
            (eax: u32, ebx: u32, ecx: u32, edx: u32),
            u8,
            PerfmonCaps::from_cpuid([eax, ebx, ecx, edx]).map_or(0, |caps| caps.counters),
            {
                let _ = (ebx, ecx, edx);
                if eax & 0xFF == 0 { 0 } else { (eax >> 8) as u8 }
            },
            "raw-cpuid" => {
                let leaf = move |leaf: u32, _: u32| match leaf {
                    0 => CpuIdResult { eax: 0xA, ebx: 0, ecx: 0, edx: 0 },
                    _ => CpuIdResult { eax, ebx, ecx, edx },
                };
                match CpuId::with_cpuid_reader(leaf).get_performance_monitoring_info() {
                    Some(info) if info.version_id() != 0 => info.number_of_counters(),
                    _ => 0,
                }
            }
        ),
        row!(
            "CPUID 0AH: whether LLC misses can be counted",
            (eax: u32, ebx: u32, ecx: u32, edx: u32),
            bool,
            PerfmonCaps::from_cpuid([eax, ebx, ecx, edx])
                .is_some_and(|caps| caps.events.has(ArchitecturalEvent::LlcMisses)),
            {
                let _ = (ecx, edx);
                eax & 0xFF != 0 && eax >> 24 > 4 && ebx & 1 << 4 == 0
            };
            because "all events that there are become a set first, of which this asks for one"
        ),
    ]
}
