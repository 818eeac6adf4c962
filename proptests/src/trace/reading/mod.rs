//! The independent reading of the branch records and the debug store, which is a specification checker: it checks what core, system bus,
//! memory and software see of the unit `trace`.
//!
//! It is written from the documents and the ports alone: the document on debugging, branch records, TSC and RDT (sections 1 and 3 to 6), its
//! requirements DCTL-01 to DCTL-26, LBR-01 to LBR-26 and BTS-01 to BTS-54, the facts about real hardware, the ports page of the unit and the
//! chapters on what a core shows. It knows no register, state or model of the unit.
//!
//! The checker has no timing of its own. It follows three things:
//!
//! - The branch records that tracing covers, in program order (`queue`). Each leaves once: as a message, as a record in memory, or as `lost`.
//! - The debug store (`store`, `area`, `pebs`, `threshold`), from what the unit reads and writes at the memory port.
//! - The states in which IA32_DEBUGCTL, the freeze and the LBR stack may be (`world`, `stack`, `ler`). A read leaves those that agree.
//!
//! The unit, or the checker, is wrong when something leaves that is not due, or no state is left.
//!
//! # What the documents leave open
//!
//! | what | allowed |
//! |---|---|
//! | values after reset | IA32_DEBUGCTL and IA32_PEBS_ENABLE are 0; all others have any value |
//! | the freeze, and its end (notes 31) | clears LBR until a write sets it; or an invisible freeze until a write, a write with FREEZE_LBRS_ON_PMI = 0, with LBR = 0 or with LBR = 1; the same each time |
//! | transfers in the cycle of `pmi` or `ds_pmi`; a write of IA32_DEBUGCTL, #DB, SMI or RSM in that cycle | before the freeze or behind it |
//! | `pmi` with LBR = 0 | freezes, or does not |
//! | `ds_pmi` without `pmi` | freezes by itself, or does not; the same each time |
//! | whether an SMI is recorded, with and without FREEZE_WHILE_SMM; the delivery of RSM | yes or no; RSM by the old or the restored IA32_DEBUGCTL; the same each time in the stack, free in a trace |
//! | RSM: whose FREEZE_WHILE_SMM counts | that of the SMI, or that of RSM |
//! | RSM without an SMI that saved a copy; an SMI before RSM | restores the old copy or nothing; the copy is replaced or stays |
//! | a freeze at RSM that restores | lasts or ends |
//! | a freeze in SMM that clears LBR (DCTL-11, DCTL-25 against DCTL-14) | clears LBR of the saved copy, too, or leaves it; the same each time |
//! | TR with LBR = 0 and `lbr_tr`: a #DB, and what BTS_OFF_OS or BTS_OFF_USR skips | updates the stack, or does not; the same each time |
//! | the prediction of an interruption and of a branch without `branch_pred_valid` | either value |
//! | the transaction bits of an interruption | either value |
//! | flags in FROM outside 64-bit mode (LBR-09 against LBR-14) | shown, or 0 |
//! | reserved bits of MSR_LBR_INFO, of MSR_LASTBRANCH_TOS and of the third word of a BTS record | any value |
//! | elapsed clocks | from one update to the next with either end; saturated or modulo 2^16; any for the first and after a write of the stack |
//! | LER: format | linear addresses, or the format of the stack |
//! | LER with LBR = 0, with a frozen stack, for #DB and for SMI | updated, or not |
//! | LER: the last branch | the last branch that is recorded, or that is taken; an interruption counts as one or not |
//! | bits of IA32_DEBUGCTL and IA32_PEBS_ENABLE that do not exist | WRMSR faults and changes nothing, or drops them |
//! | WRMSR of TOS, stack, INFO and LER | faults, is ignored, or writes, of an address at least the lower half |
//! | IA32_DS_AREA that is not canonical or not a multiple of 8 | faults, or is written with or without the odd bits |
//! | an area that is not a multiple of 8; fields of it that are not aligned, no linear addresses, or overlap the management area | the records until `stored` or `lost` are not judged |
//! | an index outside its buffer | the record goes to the base, or is lost |
//! | a full buffer with BTINT = 1 (notes 27) | the record is lost; `ds_pmi` comes with it or not |
//! | a circular buffer: when the index returns to the base | behind the last record that fits, or with the next record |
//! | the threshold (BTS-16, BTS-40) | `ds_pmi` at the record that makes the index reach it, that is stored at it, each once, from then on, or on equality; also at the full buffer, or only there; the same each time for a buffer |
//! | page faults of the debug store (BTS-29) | records may be lost until one is stored; of a read, also the reload of a counter |
//! | PEBS: two events in one cycle | one record, or one each |
//! | PEBS: an overflow before the reload; a counter that is disabled while armed and enabled again | armed again, or not |
//! | PEBS: a lost record | reloads, or does not |
//! | PEBS: reset values of the 32-bit format for counters above 0 | 20H, 20H + 8n or 20H + 4n, of 4 or 8 bytes |
//! | PEBS: format where the mode changes with the event | that of either mode |
//! | the order of branch records and PEBS records | any |
//! | when a record leaves the queue (`stall`); the notices | two records earlier or later; 16 cycles behind the index, `lost` 2 behind `reg_ready` |
//!
//! Where the core contradicts the ports, either meaning is allowed: `tx_abort` without a system branch, a base of CS in 64-bit mode, addresses
//! that are not canonical, IA-32e mode with 32-bit linear addresses, `pebs_event` without an instruction.
//!
//! # Taken literally
//!
//! - BTS_OFF_OS, BTS_OFF_USR, TR, BTS and BTINT are those of the cycle in which the event is shown, and the level is that before the event.
//! - BTS_OFF_OS and BTS_OFF_USR skip messages as well as records (DCTL-09, DCTL-10). BTS without TR traces nothing (BTS-38).
//! - A frozen stack stands still, even with TR and `lbr_tr` (DCTL-11). Tracing continues.
//! - #DB is exception 1. INT n and INT3 are branches. LER follows interruptions only. RSM is no exception.
//! - A PEBS buffer is never circular. The overflow is shown one cycle late, so an event in that cycle is the next one.
//! - A unit reads the fields of an area again after tracing (or PEBS) was switched on, or IA32_DS_AREA written (BTS-19, BTS-49).
//! - The messages of a BTM do not depend on BTINT, and its addresses are linear whatever the LBR format is.
//!
//! # Not checked
//!
//! What the unit reads from memory, when, and in which order. FREEZE_PERFMON_ON_PMI beyond output `freeze_on_pmi`, and what software must do.

mod area;
mod bits;
mod coverage;
mod event;
mod ler;
mod memory;
mod pebs;
mod ports;
mod queue;
mod record;
mod registers;
mod stack;
mod store;
mod threshold;
mod violation;
mod world;

#[cfg(test)]
mod tests;

pub use coverage::Coverage;
pub use ports::{LaneIn, PortsIn, PortsOut, Straps};
pub use violation::Violation;

use area::Buffer;
use bits::Bits;
use ler::Ler;
use registers::{Register, Request, quiet, written_area};
use stack::{Clocks, Stack};
use std::collections::HashSet;
use store::Store;
use violation::{Fault, check};
use world::{BTF, BTS, FREEZE_SMM, LBR, TR, World};

/// Number of states above which the contents of the stack are forgotten.
const MOST: usize = 4096;

/// The specification checker of one unit.
#[derive(Clone, Debug)]
pub struct Reading {
    straps: Straps,
    lanes: usize,
    cycle: u64,
    clocks: u64,
    /// The states in which the unit may be.
    worlds: Vec<World>,
    ler: Ler,
    store: Store,
    request: Option<Request>,
    /// The last cycle delivered an interruption: `btf` may still be old.
    interrupted: bool,
    seen: Coverage,
}

impl Reading {
    /// Returns the checker of a unit with these straps and this number of lanes, at reset.
    #[must_use]
    pub fn new(straps: Straps, lanes: usize) -> Self {
        Self {
            straps,
            lanes,
            cycle: 0,
            clocks: 0,
            worlds: vec![World::new(straps.depth())],
            ler: Ler::new(),
            store: Store::new(),
            request: None,
            interrupted: false,
            seen: Coverage::default(),
        }
    }

    /// Resets the state. What the unit does the same way each time remains known.
    pub fn reset(&mut self) {
        let worlds = self.worlds.iter().map(|world| world.reset(self.straps.depth())).collect();
        let store = self.store.reset();
        *self = Self { worlds: unique(worlds), store, seen: self.seen, ..Self::new(self.straps, self.lanes) };
    }

    /// Returns how much was checked.
    #[must_use]
    pub fn coverage(&self) -> Coverage {
        let mut seen = self.seen;
        seen += self.store.seen;
        seen
    }

    /// Checks one cycle behind reset: its inputs, and the outputs of the same cycle, which are functions of the registers at its beginning.
    ///
    /// # Errors
    ///
    /// Describes what the unit shows and what the documents define instead.
    pub fn cycle(&mut self, inputs: &PortsIn, outputs: &PortsOut) -> Result<(), Violation> {
        let cycle = self.cycle;
        self.step(inputs, outputs).map_err(|(row, text)| Violation { row, cycle, text })?;
        self.cycle += 1;
        Ok(())
    }

    /// Checks what is left at the end of a run.
    ///
    /// # Errors
    ///
    /// As [`Self::cycle`].
    pub fn finish(&mut self) -> Result<(), Violation> {
        let cycle = self.cycle;
        self.store.finish(cycle).map_err(|(row, text)| Violation { row, cycle, text })
    }

    fn step(&mut self, inputs: &PortsIn, out: &PortsOut) -> Result<(), Fault> {
        self.answer(out)?;
        self.controls(out)?;
        self.store.cycle((&self.straps, self.lanes), inputs, out, self.cycle)?;
        self.accept(inputs, out);
        let now = Clocks { before: self.clocks, with: self.clocks + u64::from(inputs.core_clock) };
        let events = if out.stall { Vec::new() } else { event::events(&self.straps, inputs) };
        let recorded =
            !inputs.pmi && !out.ds_pmi && self.worlds.iter().all(|world| world.ctl & LBR != 0 && !world.frozen);
        self.count(&events, inputs.pmi || out.ds_pmi);
        for event in &events {
            self.store.queue.push(event, &self.worlds, &self.straps, self.cycle);
            self.ler.event(event, &self.straps, recorded);
        }
        self.store.pebs.inputs(&self.straps, inputs, out, self.cycle)?;
        self.worlds = self.behind(&events, inputs, out, now);
        if self.worlds.len() > MOST {
            self.worlds.iter_mut().for_each(|world| world.stack = Stack::new(self.straps.depth()));
            self.worlds = unique(std::mem::take(&mut self.worlds));
            self.seen.forgotten += 1;
        }
        (self.clocks, self.interrupted) = (now.with, inputs.int_valid && !out.stall);
        Ok(())
    }

    /// Returns the states behind the events and freezes of a cycle.
    fn behind(&self, events: &[event::Event], inputs: &PortsIn, out: &PortsOut, now: Clocks) -> Vec<World> {
        let all = |worlds: &[World]| {
            let mut worlds = worlds.to_vec();
            for event in events {
                worlds = worlds.iter().flat_map(|world| world.event(event, &self.straps, now)).collect();
            }
            worlds
        };
        let freeze = |worlds: &[World]| -> Vec<World> {
            let own = |world: &World| if out.ds_pmi { world.own_freeze(world.ctl) } else { vec![world.clone()] };
            let asked = |world: World| if inputs.pmi { world.freeze(world.ctl) } else { vec![world] };
            worlds.iter().flat_map(own).flat_map(asked).collect()
        };
        match (events.is_empty(), inputs.pmi || out.ds_pmi) {
            (true, false) => self.worlds.clone(),
            (false, false) => unique(all(&self.worlds)),
            (true, true) => unique(freeze(&self.worlds)),
            (false, true) => unique([all(&freeze(&self.worlds)), freeze(&all(&self.worlds))].concat()),
        }
    }

    /// Checks the outputs that show IA32_DEBUGCTL. Rows: DCTL-03, DCTL-05, DCTL-12, DCTL-13, DCTL-15, DCTL-19.
    fn controls(&mut self, out: &PortsOut) -> Result<(), Fault> {
        let shown = [
            (out.freeze_on_pmi, 1 << 12),
            (out.freeze_while_smm, FREEZE_SMM),
            (out.rtm_debug, 1 << 15),
            (out.btf, BTF),
        ];
        let checked = if self.interrupted { &shown[..3] } else { &shown };
        let agrees = |world: &World| checked.iter().all(|&(shown, bit)| shown == (world.ctl & bit != 0));
        let known: HashSet<u64> = self.worlds.iter().map(|world| world.ctl).collect();
        self.worlds.retain(agrees);
        check(!self.worlds.is_empty(), "DCTL-03", || {
            let [pmi, smm, rtm, btf] = shown.map(|(shown, _)| u8::from(shown));
            let text = format!("btf {btf}, freeze_on_pmi {pmi}, freeze_while_smm {smm}, rtm_debug {rtm}");
            format!("{text}, but IA32_DEBUGCTL is one of {known:x?}")
        })
    }

    /// Follows the acceptance of a request: its values are those of this cycle.
    fn accept(&mut self, inputs: &PortsIn, out: &PortsOut) {
        self.request = Request::accepted(&self.straps, inputs, out);
        let Some(request) = &self.request else { return };
        // A freeze that comes with `ds_pmi` may be visible already.
        if out.ds_pmi && request.register == Some(Register::DebugCtl) {
            let early: Vec<World> = self.worlds.iter().flat_map(|world| world.own_freeze(world.ctl)).collect();
            self.worlds.extend(early);
        }
        for world in &mut self.worlds {
            world.asked = world.ctl;
        }
        self.worlds = unique(std::mem::take(&mut self.worlds));
    }

    /// Checks the answer to the request of the last cycle.
    fn answer(&mut self, out: &PortsOut) -> Result<(), Fault> {
        let Some(request) = self.request.take() else { return quiet(out, false, false) };
        quiet(out, true, !request.write)?;
        let done = request.result(&self.straps, out)?;
        self.seen.answers += 1;
        self.seen.faults += u64::from(request.register.is_some() && !done);
        self.seen.absent += u64::from(request.register.is_none());
        match (request.register.filter(|_| done), request.write) {
            (None, _) => Ok(()),
            (Some(register), true) => {
                self.write(register, &request);
                Ok(())
            }
            (Some(register), false) => self.read(register, out.reg_rdata),
        }
    }

    /// Follows a WRMSR that is done.
    fn write(&mut self, register: Register, request: &Request) {
        let value = request.data & request.exists(&self.straps).unwrap_or(u64::MAX);
        match register {
            Register::DebugCtl => {
                let tracing = |ctl: u64| ctl & (TR | BTS) == TR | BTS;
                if tracing(value) && self.worlds.iter().any(|world| !tracing(world.ctl)) {
                    self.store.switched_on(&self.straps, Buffer::Bts);
                }
                self.each(|world| world.write(value, request.pmi, request.ds_pmi));
            }
            Register::Tos => {
                self.ler.stack_written();
                self.each(|world| with_stacks(world, world.stack.write_top(value)));
            }
            Register::Stack(number, part) => {
                self.ler.stack_written();
                self.each(|world| {
                    let mut stacks = world.stack.numbered();
                    stacks.iter_mut().for_each(|stack| stack.write(number, part, value));
                    with_stacks(world, stacks)
                });
            }
            Register::Ler(source) => self.ler.write(source, value),
            Register::DsArea => self.store.area_written(written_area(&self.straps, value)),
            Register::PebsEnable => {
                if value != 0 && self.store.pebs.enable == 0 {
                    self.store.switched_on(&self.straps, Buffer::Pebs);
                }
                self.store.pebs.write(u8::try_from(value).unwrap_or(0), request.overflow);
            }
        }
    }

    /// Checks what a RDMSR shows.
    fn read(&mut self, register: Register, value: u64) -> Result<(), Fault> {
        self.count_read(register);
        let agrees = match register {
            Register::DebugCtl => {
                self.keep(|world| if world.asked == value { vec![world.clone()] } else { Vec::new() })
            }
            Register::Tos => self.keep(|world| {
                let mut stack = world.stack.clone();
                if stack.read_top(value) { vec![world.with(stack)] } else { Vec::new() }
            }),
            Register::Stack(number, part) => self.keep(|world| {
                let mut stacks = world.stack.numbered();
                stacks.retain_mut(|stack| stack.read(number, part, value));
                with_stacks(world, stacks)
            }),
            Register::Ler(source) => self.ler.read(source, value),
            Register::DsArea => self.store.area.allows(value),
            Register::PebsEnable => value == u64::from(self.store.pebs.enable),
        };
        if register == Register::DsArea && agrees {
            self.store.area = Bits::exact(value);
        }
        check(agrees, register.row(), || {
            format!("RDMSR of {register:?} is {value:#x}, but it can be {}", self.expected(register))
        })
    }

    /// Returns the values that a register may have, as text.
    fn expected(&self, register: Register) -> String {
        let mut texts: Vec<String> = match register {
            Register::DebugCtl => self.worlds.iter().map(|world| format!("{:#x}", world.asked)).collect(),
            Register::Tos => self.worlds.iter().map(|world| world.stack.expected_top()).collect(),
            Register::Stack(number, part) => {
                let stacks = self.worlds.iter().take(8).flat_map(|world| world.stack.numbered());
                stacks.map(|stack| stack.expected(number, part)).collect()
            }
            Register::Ler(source) => vec![self.ler.expected(source)],
            Register::DsArea => vec![self.store.area.to_string()],
            Register::PebsEnable => vec![format!("{:#x}", self.store.pebs.enable)],
        };
        texts.sort_unstable();
        texts.dedup();
        texts.join(" or ")
    }

    /// Replaces each state by those that agree with a read. Returns whether there is one; if not, nothing changes.
    fn keep(&mut self, step: impl FnMut(&World) -> Vec<World>) -> bool {
        let worlds: Vec<World> = self.worlds.iter().flat_map(step).collect();
        let some = !worlds.is_empty();
        if some {
            self.worlds = unique(worlds);
        }
        some
    }

    /// Replaces each state by those that follow from it.
    fn each(&mut self, step: impl FnMut(&World) -> Vec<World>) {
        self.worlds = unique(self.worlds.iter().flat_map(step).collect());
    }
}

fn with_stacks(world: &World, stacks: Vec<Stack>) -> Vec<World> {
    stacks.into_iter().map(|stack| world.with(stack)).collect()
}

/// Returns the states without repetition.
fn unique(worlds: Vec<World>) -> Vec<World> {
    if worlds.len() < 2 {
        return worlds;
    }
    let mut known = HashSet::new();
    worlds.into_iter().filter(|world| known.insert(world.clone())).collect()
}
