//! A record is in memory before the head that publishes it, and the head moves once for it. LWP-STO-14, LWP-FLT-11,
//! LWP-OVR-11, LWP-STO-05.

use super::{Step, ensure};
use lwp_model::lwp::{MemCmd, StoreState};

/// Which words of the record in flight have reached memory.
#[derive(Debug, Default)]
pub(super) struct Publish {
    written: [bool; 4],
    tail_read: bool,
}

impl Publish {
    pub(super) fn check<const W: usize>(&mut self, step: &Step<'_, W>) -> Result<(), String> {
        let (now, next) = (step.now, step.next);
        if step.response() == Some(true) {
            match now.store_st {
                StoreState::Write if now.port.cmd == MemCmd::Write => {
                    self.written[(now.port.addr / 8 % 4) as usize] = true;
                }
                StoreState::Tail => self.tail_read = true,
                _ => {}
            }
        }
        let publishing = matches!(next.store_st, StoreState::Head | StoreState::MissRead);
        if publishing && !matches!(now.store_st, StoreState::Head | StoreState::MissRead) {
            ensure!(self.written == [true; 4], "published with words {:?} written", self.written);
            ensure!(self.tail_read, "published without a look at the tail");
        }
        let order = matches!(
            (now.store_st, next.store_st),
            (StoreState::Write, StoreState::Tail)
                | (StoreState::Tail, StoreState::Head | StoreState::MissRead)
                | (StoreState::Head, StoreState::Report)
                | (StoreState::MissRead, StoreState::MissWrite)
                | (StoreState::Report | StoreState::MissWrite, StoreState::Reset)
                | (StoreState::Idle, StoreState::Write)
                | (_, StoreState::Idle)
        );
        ensure!(now.store_st == next.store_st || order, "{:?} is followed by {:?}", now.store_st, next.store_st);
        if now.session.active && next.session.active && now.session.head != next.session.head {
            let acknowledged = now.store_st == StoreState::Head && step.response() == Some(true);
            ensure!(acknowledged, "the head moves in {:?}", now.store_st);
        }
        if next.store_st == StoreState::Idle {
            *self = Self::default();
        }
        Ok(())
    }
}
