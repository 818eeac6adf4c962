//! P6 performance counters.

use super::row;
use lwp_regs::perf::p6::{EventSelect, Levels, P6Model, PerfCtr, PerfEvtSel0, SamplePeriod, event};
use regs_checks::Row;
use tock_registers::fields::Field;

pub(crate) fn rows() -> Vec<Row> {
    vec![
        row!(
            "PerfEvtSel0: count an event at all levels",
            (event: u8, umask: u8),
            u64,
            PerfEvtSel0::new().with_event(event).with_umask(umask).with_user(true).with_os(true).with_enable(true).into_bits(),
            u64::from(event) | u64::from(umask) << 8 | 0x43_0000,
            "tock-registers" => {
                const EVENT: Field<u64, PerfEvtSel0> = PerfEvtSel0::tock_field("EVENT");
                const UMASK: Field<u64, PerfEvtSel0> = PerfEvtSel0::tock_field("UMASK");
                const USR: Field<u64, PerfEvtSel0> = PerfEvtSel0::tock_field("USER");
                const OS: Field<u64, PerfEvtSel0> = PerfEvtSel0::tock_field("OS");
                const EN: Field<u64, PerfEvtSel0> = PerfEvtSel0::tock_field("ENABLE");
                let event = EVENT.val(event.into()) + UMASK.val(umask.into());
                (event + USR.val(1) + OS.val(1) + EN.val(1)).value
            }
        ),
        row!(
            "PerfEvtSel1: a checked selection of a named event",
            (),
            u64,
            match EventSelect::new(&event::INST_RETIRED)
                .levels(Levels::User)
                .cycles_with_at_least(2)
                .counter1(P6Model::PentiumIII)
            {
                Ok(select) => select.into_bits(),
                Err(_) => 0,
            },
            0x0201_00C0
        ),
        row!(
            "PerfCtr: set to overflow after a period, if there is such",
            (period: u32),
            u64,
            SamplePeriod::new(period).map_or(0, |period| PerfCtr::preset(period).into_bits()),
            if period.wrapping_sub(1) < 0x8000_0000 { u64::from(period).wrapping_neg() & 0xFF_FFFF_FFFF } else { 0 }
        ),
        row!(
            "PerfCtr: events between two readings",
            (start: u64, now: u64),
            u64,
            PerfCtr::from_bits(now).since(PerfCtr::from_bits(start)),
            now.wrapping_sub(start) & 0xFF_FFFF_FFFF
        ),
    ]
}
