//! A record is in memory before the head that publishes it, and the head moves once for it.

use super::{Step, ensure};
use lwp_model::lwp::{HeadFlush, MemCmd, StoreState};

/// The words of the record in flight that have reached memory.
#[derive(Debug, Default)]
pub(super) struct Publish {
    written: [bool; 4],
    tail_read: bool,
}

impl Publish {
    pub(super) fn check<const W: usize>(&mut self, step: &Step<'_, W>) -> Result<(), String> {
        let (now, next) = (step.now, step.next);
        if step.response() == Some(true) {
            match now.store.st {
                StoreState::Write if step.out.mem_cmd == MemCmd::Write => {
                    self.written[(step.out.mem_addr / 8 % 4) as usize] = true;
                }
                StoreState::Tail => self.tail_read = true,
                _ => {}
            }
        }
        let restarted = now.store.st == StoreState::Idle && next.store.st != StoreState::Idle;
        if restarted {
            *self = Self::default();
        }
        let advanced = now.session.active && next.session.active && now.ring.head != next.ring.head;
        let publishing = next.store.st == StoreState::Head && now.store.st != StoreState::Head;
        if publishing || advanced {
            // LWP-STO-14, LWP-FLT-11
            ensure!(self.written == [true; 4], "published with words {:?} written", self.written);
        }
        let counted = now.session.active && next.session.active && next.ring.missed > now.ring.missed;
        if counted {
            // LWP-ACC-09
            ensure!(self.tail_read, "missed without a look at the tail");
        }
        // LWP-OVR-11
        ensure!(follows(now.store.st, next.store.st), "{:?} is followed by {:?}", now.store.st, next.store.st);
        if advanced && step.straps.head_flush == HeadFlush::EachRecord {
            let acknowledged = now.store.st == StoreState::Head && step.response() == Some(true);
            ensure!(acknowledged, "the head moves in {:?}", now.store.st);
        }
        Ok(())
    }
}

/// Whether one state may follow the other: Gather, Store, Report, Reset, and the states of Store in between.
fn follows(now: StoreState, next: StoreState) -> bool {
    use StoreState::{FullHead, Head, Idle, Interval, MissRead, MissWrite, Report, Reset, Tail, Write};
    now == next
        || matches!(
            (now, next),
            (Idle, Interval | Write | Tail | MissRead)
                | (Interval, Write | Tail)
                | (Write, Tail | Head | Report)
                | (Tail, Write | Head | FullHead | Report | Reset)
                | (Head, Report)
                | (Report | FullHead, Reset)
                | (MissRead, MissWrite)
                | (_, Idle)
        )
}
