//! What can be recorded: taken branches and interruptions, in program order.

use super::bits::{Bits, ones};
use super::ports::{LaneIn, PortsIn, Straps};

/// Reason of a control transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Cause {
    /// A taken branch.
    Branch,
    /// An external interrupt or an NMI.
    Interrupt,
    /// An exception other than #DB.
    Exception,
    /// #DB.
    Debug,
    /// SMI.
    Smi,
    /// Delivery of RSM. Its branch is a lane.
    Rsm,
}

/// One control transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Event {
    /// Reason.
    pub(super) cause: Cause,
    from: u64,
    to: u64,
    from_base: u64,
    to_base: u64,
    from_long: bool,
    to_long: bool,
    /// Whether the ports contradict themselves about the target.
    loose_to: bool,
    /// Whether the branch was predicted correctly, if known.
    predicted: Option<bool>,
    in_tx: Option<bool>,
    abort: Option<bool>,
    /// Privilege level in this cycle.
    pub(super) level: u8,
    /// Whether the processor is in IA-32e mode in this cycle.
    pub(super) ia32e: bool,
    /// Whether it is a transfer in every reading of the ports.
    pub(super) certain: bool,
}

/// A record as the LBR stack holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Entry {
    /// Source.
    pub(super) from: Bits,
    /// Destination.
    pub(super) to: Bits,
    /// Flags of MSR_LBR_INFO.
    pub(super) info: Bits,
    /// The two counts of elapsed cycles that are possible. Without them any count is.
    pub(super) cycles: Option<(u64, u64)>,
}

impl Entry {
    /// An entry with any contents.
    pub(super) const ANY: Self = Self { from: Bits::ANY, to: Bits::ANY, info: Bits::ANY, cycles: None };
}

/// Returns the transfers of a cycle without `stall`.
pub(super) fn events(straps: &Straps, inputs: &PortsIn) -> Vec<Event> {
    if inputs.int_valid {
        return vec![interruption(inputs)];
    }
    if inputs.partial {
        return Vec::new();
    }
    inputs.lanes.iter().filter(|lane| lane.valid).filter_map(|lane| branch(straps, inputs, lane)).collect()
}

fn interruption(inputs: &PortsIn) -> Event {
    let cause = match (inputs.int_kind & 7, inputs.int_vector) {
        (1, 1) => Cause::Debug,
        (1, _) => Cause::Exception,
        (3, _) => Cause::Smi,
        (4, _) => Cause::Rsm,
        _ => Cause::Interrupt,
    };
    Event {
        cause,
        from: inputs.int_from,
        to: inputs.int_to,
        from_base: inputs.cs_base,
        to_base: inputs.far_base,
        from_long: inputs.long(),
        to_long: inputs.far_long,
        loose_to: false,
        predicted: None,
        in_tx: None,
        abort: None,
        level: inputs.level(),
        ia32e: inputs.ia32e(),
        certain: true,
    }
}

fn branch(straps: &Straps, inputs: &PortsIn, lane: &LaneIn) -> Option<Event> {
    let abort = straps.rtm && lane.tx_abort;
    let taken = lane.branch_kind != 0 && lane.branch_taken;
    // What a core shows: an abort is a branch of kind system.
    if !taken {
        return None;
    }
    let far = lane.branch_kind >= 7;
    Some(Event {
        cause: Cause::Branch,
        from: lane.ip,
        to: lane.branch_next,
        from_base: inputs.cs_base,
        to_base: if far { inputs.far_base } else { inputs.cs_base },
        from_long: inputs.long(),
        to_long: if far { inputs.far_long } else { inputs.long() },
        loose_to: abort && !far,
        predicted: lane.branch_pred_valid.then_some(lane.branch_pred_ok),
        in_tx: Some(straps.rtm && lane.in_tx),
        abort: Some(abort),
        level: inputs.level(),
        ia32e: inputs.ia32e(),
        certain: taken,
    })
}

impl Event {
    /// Whether both have the same source and destination.
    pub(super) fn looks_like(&self, other: &Self) -> bool {
        (self.from, self.to) == (other.from, other.to)
    }

    /// Returns source and destination as a trace record has them: linear addresses.
    pub(super) fn trace(&self, straps: &Straps) -> (Bits, Bits, Option<bool>) {
        let to = if self.loose_to { Bits::ANY } else { traced(straps, self.to, self.to_long) };
        (traced(straps, self.from, self.from_long), to, self.predicted)
    }

    /// Returns source and destination as linear addresses with their upper half cleared outside 64-bit mode.
    pub(super) fn linear(&self, straps: &Straps) -> (Bits, Bits) {
        let mut from = linear(straps, self.from, self.from_long);
        if matches!(straps.lbr_format, 3 | 4) {
            for bit in 61..64 {
                from = from.with(bit, None);
            }
        }
        (from, if self.loose_to { Bits::ANY } else { linear(straps, self.to, self.to_long) })
    }

    /// Returns source and destination as the format of the LBR stack has them, without flags.
    pub(super) fn addresses(&self, straps: &Straps) -> (Bits, Bits) {
        let from = address(straps, self.from, self.from_base, self.from_long);
        (from, if self.loose_to { Bits::ANY } else { address(straps, self.to, self.to_base, self.to_long) })
    }

    /// Returns the record in the format of the LBR stack, without elapsed cycles.
    pub(super) fn entry(&self, straps: &Straps) -> Entry {
        let (mut from, mut to) = self.addresses(straps);
        let (mispredicted, in_tx, abort) =
            (self.predicted.map(|ok| !ok), self.tx(straps, self.in_tx), self.tx(straps, self.abort));
        // LBR-09 and LBR-14 disagree outside 64-bit mode: a flag that is 1 may be shown or not.
        let shown = |flag: Option<bool>| if self.from_long || flag == Some(false) { flag } else { None };
        if matches!(straps.lbr_format, 3 | 4) {
            from = from.with(63, shown(mispredicted));
        }
        if straps.lbr_format == 4 {
            from = from.with(62, shown(in_tx)).with(61, shown(abort));
        }
        // The ports: one register of an entry holds both offsets.
        if straps.lbr_format == 0 {
            (from, to) = (from.joined(to), Bits::exact(0));
        }
        let info = Bits::ANY.with(63, mispredicted).with(62, in_tx).with(61, abort);
        Entry { from, to, info, cycles: None }
    }

    fn tx(&self, straps: &Straps, flag: Option<bool>) -> Option<bool> {
        if straps.rtm { flag } else { Some(false) }
    }
}

/// Returns an address as the format of the LBR stack has it.
fn address(straps: &Straps, address: u64, base: u64, long: bool) -> Bits {
    let offset = address.wrapping_sub(base) & ones(32);
    match straps.lbr_format {
        // In 64-bit mode the base is 0, say the ports. The result of another one is open.
        0 if long && base != 0 => Bits::masked(0, !ones(32)),
        0 => Bits::exact(offset),
        1 => linear(straps, address, long),
        _ if long && base != 0 => Bits::ANY,
        _ if long => linear(straps, address, long),
        _ => Bits::exact(offset),
    }
}

fn linear(straps: &Straps, address: u64, long: bool) -> Bits {
    if !long {
        return Bits::exact(address & ones(32));
    }
    if straps.canonical(address) { Bits::exact(address) } else { Bits::low(address, straps.width()) }
}

fn traced(straps: &Straps, address: u64, long: bool) -> Bits {
    if !long && address >> 32 != 0 { Bits::low(address, 32) } else { linear(straps, address, long) }
}
