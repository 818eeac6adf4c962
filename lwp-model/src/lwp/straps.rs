//! The choices that the proposal leaves to the implementation, one type for each.

/// Declares the choices of a strap. The first one is the default, and the order is that of the RTL's codes.
macro_rules! strap {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum $name {
            #[default]
            $($(#[$doc])* $variant),+
        }

        $crate::choice::choice!($name { $($variant = $text),+ });
    };
}

strap! {
    /// Number of records that are gathered at a time.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "Overview" step 2.
    GatherPolicy {
        /// "A basic LWP implementation may choose one of the eligible events."
        One = "one",
        /// "An advanced LWP implementation may gather one event record per event and write them sequentially."
        All = "all",
    }
}
strap! {
    /// Choice among several expired events of one instruction.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "Multiple simultaneous events".
    GatherSelect {
        /// The event that the lowest slot of the block selects.
        LowestSlot = "lowest",
        /// The event after the one chosen last.
        Rotating = "rotating",
        /// A random event.
        Random = "random",
    }
}
strap! {
    /// Occurrence of an event that is recorded.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "Overview" step 2.
    GatherTarget {
        /// The occurrence that brings the counter to zero.
        Same = "same",
        /// The occurrence after the one that brings the counter to zero.
        Next = "next",
    }
}
strap! {
    /// Whether retirement waits for the store.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "Overview" step 3.
    StoreTiming {
        /// Records are buffered and stored while instructions retire.
        Async = "async",
        /// Retirement stalls until the record is stored.
        Sync = "sync",
    }
}
strap! {
    /// Treatment of records that reach the store together.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "Overview" step 3.
    Collision {
        /// The records are stored one after another.
        Delay = "delay",
        /// One record is stored; the other events are recorded with a later instruction.
        Discard = "discard",
    }
}
strap! {
    /// Treatment of a record that is not yet stored when ring 3 is left.
    LeavePolicy {
        /// The record is discarded; its counter stays at zero.
        Discard = "discard",
        /// The core waits until the record is stored.
        Drain = "drain",
        /// The record is kept, and saved with the thread's state.
        Hold = "hold",
    }
}
strap! {
    /// Treatment of a page fault of the store.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "TLB and Cache misses during LWP logging".
    FaultPolicy {
        /// The instruction has retired; the record is discarded, and #PF follows.
        Trap = "trap",
        /// The instruction is undone, and #PF follows; the instruction is executed again.
        Fault = "fault",
        /// The instruction has retired, and #PF follows; the record is stored before the next instruction retires.
        TrapPending = "trap+pending",
        /// No page fault occurs: the operating system keeps block and buffer in memory.
        Nonpaged = "nonpaged",
    }
}
strap! {
    /// Origin of the data address in a DCache-miss record.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "Reporting the DCache miss data address".
    AddressPolicy {
        /// Every load carries its address.
        SameLoad = "same",
        /// Addresses are kept only while the counter is zero; the record reports the next eligible load.
        NextLoad = "next",
        /// The next eligible load is tagged, aborted and replayed.
        Replay = "replay",
        /// No address is recorded.
        None = "none",
    }
}
strap! {
    /// Origin of the latency of a load.
    LatencySource {
        /// The core presents the latency.
        Core = "core",
        /// The unit's miss address buffer measures the latency.
        Buffer = "buffer",
    }
}
strap! {
    /// Multiple to which the miss address buffer rounds latencies down.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "Measuring latency".
    LatencyStep {
        /// 1 cycle.
        One = "1",
        /// 16 cycles.
        Sixteen = "16",
    }
}
strap! {
    /// Start of the 16-cycle periods of the miss address buffer.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "Measuring latency".
    LatencyPhase {
        /// The periods of an entry start with its load.
        Exact = "exact",
        /// The periods of all entries follow a free-running counter.
        FreeRunning = "free-running",
    }
}
strap! {
    /// Branches for which the core reports the outcome of the prediction.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "Branches Retired".
    Prediction {
        /// Branches with `branch_pred_valid`.
        Some = "some",
        /// All branches; `branch_pred_valid` is ignored.
        All = "all",
        /// No branch; `branch_pred_valid` is ignored.
        None = "none",
    }
}
strap! {
    /// Moments at which BufferHeadOffset is written to the block.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "LWPCB Access".
    HeadFlush {
        /// For each record.
        EachRecord = "each",
        /// When the threshold is reached or the ring is full, and with each flush.
        Deferred = "deferred",
    }
}
strap! {
    /// Moments at which BufferTailOffset is read.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "LWPCB Access".
    TailReread {
        /// For each record.
        EachRecord = "each",
        /// Only while the threshold appears reached or the ring appears full.
        Lazy = "lazy",
    }
}
strap! {
    /// Origin of the interval with which a counter is reloaded.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "LWPCB Access".
    IntervalSource {
        /// The registers that LLWPCB loaded.
        Cached = "cached",
        /// The block, which is read for each record.
        Reread = "reread",
    }
}
strap! {
    /// Place where missed events are counted.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "LWPCB Access".
    MissedMode {
        /// MissedEvents in the block.
        Memory = "memory",
        /// A register, which is added to MissedEvents with each flush, or when it is full.
        Cached = "cached",
    }
}
strap! {
    /// Whether a record that finds the ring full is written to the unpublished entry at the head.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "LWP Control Block", field MissedEvents, and "Overview" step 3.
    WriteOnFull {
        /// The record is written before the unit knows that the ring is full.
        WriteSlot = "write-slot",
        /// The record is not written.
        Skip = "skip",
    }
}
strap! {
    /// Treatment of a control block that is not aligned to 16 bytes.
    Misaligned {
        /// The operation raises #GP(0).
        Fault = "fault",
        /// The low four bits of the address are ignored.
        Truncate = "truncate",
    }
}
strap! {
    /// Whether operations outside ring 3 flush the session: LLWPCB, SLWPCB, and accesses to LWPMSR1.
    FlushOutside {
        /// The operation flushes the session.
        Sync = "sync",
        /// The operation does not flush; the system uses save and restore.
        Skip = "skip",
    }
}
strap! {
    /// Origin of random bits.
    Entropy {
        /// The LFSR of the unit.
        Lfsr = "lfsr",
        /// The input `entropy`.
        Port = "port",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Choice;

    #[test]
    fn names_lead_back_to_their_choice() {
        for choice in FaultPolicy::ALL {
            assert_eq!(FaultPolicy::from_name(choice.name()), Some(*choice));
        }
        assert_eq!(FaultPolicy::from_name("no such policy"), None);
        assert_eq!(AddressPolicy::default(), AddressPolicy::SameLoad);
        assert_eq!(AddressPolicy::None as u8, 3);
    }
}
