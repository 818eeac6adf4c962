//! Stage stack: the LBR stack, and the last exception record.

use super::collect::Transfer;
use super::config::{Config, Format};
use super::inputs::Inputs;
use super::now::{Now, code};
use super::state::{Entry, Lbr};
use crate::retire::IntKind;
use lwp_regs::bits::{U61, U63};
use lwp_regs::trace::{AddressKind, FromAndTo, FromWithFlags, FromWithTsx, LbrInfo, LbrTos};

impl<const ENTRIES: usize> Lbr<ENTRIES> {
    /// A cycle with these transfers.
    #[inline]
    pub(super) fn step<const LANES: usize>(
        &mut self,
        now: &Now,
        transfers: &[Transfer],
        inputs: &Inputs<LANES>,
        straps: &Config,
    ) {
        self.elapsed = self.elapsed.saturating_add(inputs.core_clock.into());
        if !now.recording {
            return;
        }
        if now.int.is_some_and(|kind| kind != IntKind::Rsm) {
            self.note_exception(straps);
        }
        for transfer in transfers.iter().filter(|transfer| !transfer.debug) {
            let tos = straps.lbr_depth.registers().next(LbrTos::from_bits(self.tos.into()));
            self.tos = tos.index().get();
            self.entry[usize::from(self.tos)] = Entry::of(transfer, self.elapsed, now, inputs, straps.lbr_format);
            self.elapsed = 0;
        }
    }

    /// Copies the newest entry to the last exception record.
    #[inline]
    fn note_exception(&mut self, straps: &Config) {
        let Entry { from, to, .. } = self.entry[usize::from(self.tos)];
        (self.ler_from, self.ler_to) = if straps.lbr_format.registers().is_one_register() {
            let both = FromAndTo::from_bits(from);
            (both.source().into(), both.destination().into())
        } else {
            (from, to)
        };
    }
}

impl Entry {
    /// The entry of a transfer, so many clocks after the previous one.
    #[inline]
    fn of<const LANES: usize>(
        transfer: &Transfer,
        cycles: u16,
        now: &Now,
        inputs: &Inputs<LANES>,
        format: Format,
    ) -> Self {
        let kind = format.registers().address_kind().unwrap_or(AddressKind::Effective);
        let (base, mode) =
            if transfer.far { (inputs.far_base, code(inputs.far_long)) } else { (inputs.cs_base, now.code) };
        let from = kind.address(inputs.cs_base, transfer.from.wrapping_sub(inputs.cs_base), now.code);
        let to = kind.address(base, transfer.to.wrapping_sub(base), mode);
        let (mispredicted, transaction) = (transfer.mispredicted, transfer.transaction);
        match format {
            Format::Offset32 => {
                let both = FromAndTo::new().with_source(from as u32).with_destination(to as u32);
                Self { from: both.into_bits(), ..Self::default() }
            }
            Format::Linear | Format::Effective => Self { from, to, ..Self::default() },
            Format::Flags => {
                let flags = FromWithFlags::new().with_address(U63::masked(from)).with_mispredicted(mispredicted);
                Self { from: flags.into_bits(), to, ..Self::default() }
            }
            Format::Tsx => {
                let flags = FromWithTsx::new()
                    .with_address(U61::masked(from))
                    .with_tsx_abort(transaction.tx_abort)
                    .with_in_tsx(transaction.in_tx)
                    .with_mispredicted(mispredicted);
                Self { from: flags.into_bits(), to, ..Self::default() }
            }
            Format::Info => {
                Self { from, to, cycles, tsx_abort: transaction.tx_abort, in_tx: transaction.in_tx, mispredicted }
            }
        }
    }

    /// MSR_LBR_INFO_x.
    #[inline]
    pub(super) const fn info(&self) -> LbrInfo {
        LbrInfo::new()
            .with_cycles(self.cycles)
            .with_tsx_abort(self.tsx_abort)
            .with_in_tsx(self.in_tx)
            .with_mispredicted(self.mispredicted)
    }

    /// A WRMSR of MSR_LBR_INFO_x.
    #[inline]
    pub(super) const fn set_info(&mut self, info: LbrInfo) {
        (self.cycles, self.tsx_abort) = (info.cycles(), info.tsx_abort());
        (self.in_tx, self.mispredicted) = (info.in_tsx(), info.mispredicted());
    }
}
