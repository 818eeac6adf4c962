//! Hardware writes the ring and its own fields, never the tail or what the program configured.

use super::{Step, ensure};
use lwp_model::lwp::{CtlState, MemCmd, StoreState};
use lwp_regs::lwp::offset;

pub(super) fn check<const W: usize>(step: &Step<'_, W>) -> Result<(), String> {
    let port = step.next_out;
    if !port.mem_req || port.mem_cmd != MemCmd::Write {
        return Ok(());
    }
    let (session, block) = (&step.next.session, &step.next.block);
    ensure!(port.mem_addr.is_multiple_of(8), "write to {:#x}, which is not aligned", port.mem_addr);
    let field = |at: u64| port.mem_addr.wrapping_sub(at);
    let allowed = match step.next.store.st {
        StoreState::Write => port.mem_addr.wrapping_sub(block.base) < u64::from(block.size) && port.mem_be == 0xFF,
        StoreState::Head | StoreState::FullHead => field(session.lwpcb) == offset::HEAD as u64 && port.mem_be == 0x0F,
        StoreState::MissWrite => field(session.lwpcb) == offset::MISSED as u64 && port.mem_be == 0xFF,
        _ => match step.next.ctl.st {
            CtlState::Flush => {
                let at = field(session.lwpcb);
                let head = at == offset::HEAD as u64 && port.mem_be == 0x0F;
                let counter = at >= offset::SLOTS as u64 && at < offset::slot(26) as u64 && port.mem_be == 0xF0;
                let missed = at == offset::MISSED as u64 && port.mem_be == 0xFF;
                head || counter || missed
            }
            CtlState::Flags => field(step.next.ctl.arg) == offset::FLAGS as u64 && port.mem_be == 0x0F,
            _ => false,
        },
    };
    // LWP-LCB-09, LWP-LCB-15, LWP-STO-01: each write is one of those above.
    ensure!(allowed, "write to {:#x} with byte enables {:#04x}", port.mem_addr, port.mem_be);
    Ok(())
}
