//! The choices that the proposal leaves to the implementation, one type for each.

/// Declares the choices of a strap: the first one is the default, and the order is that of the RTL's codes.
macro_rules! strap {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum $name {
            #[default]
            $($(#[$doc])* $variant),+
        }

        impl $name {
            /// Every choice, in the order of the RTL's codes.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name of the choice, as in the book.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text),+
                }
            }

            /// The choice of that name.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|choice| choice.name() == name)
            }
        }

        impl $crate::flat::Place for $name {
            #[inline]
            fn bits(self) -> u64 {
                self as u64
            }

            #[inline]
            fn from_bits(bits: u64) -> Option<Self> {
                Self::ALL.get(bits as usize).copied()
            }
        }
    };
}

strap! {
    /// How many records are gathered at a time.
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
    /// Which of several expired events of one instruction is gathered.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "Multiple simultaneous events".
    GatherSelect {
        /// The one that the earliest slot of the block selects.
        LowestSlot = "lowest",
        /// The next one after that chosen last.
        Rotating = "rotating",
        /// Any.
        Random = "random",
    }
}
strap! {
    /// Which occurrence of an event is recorded.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "Overview" step 2.
    GatherTarget {
        /// The one that brings the counter to zero.
        Same = "same",
        /// The one after it.
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
    /// What becomes of records that reach the store together.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "Overview" step 3.
    Collision {
        /// They are stored one after another.
        Delay = "delay",
        /// One is stored, the other events choose another instruction.
        Discard = "discard",
    }
}
strap! {
    /// What becomes of a record that is not yet stored when ring 3 is left.
    LeavePolicy {
        /// It is dropped; its counter stays at zero.
        Discard = "discard",
        /// The core waits until it is stored.
        Drain = "drain",
        /// It is kept, and saved with the thread's state.
        Hold = "hold",
    }
}
strap! {
    /// What a page fault of a store means.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "TLB and Cache misses during LWP logging".
    FaultPolicy {
        /// The instruction has retired, the record is dropped, then #PF.
        Trap = "trap",
        /// The instruction is undone, then #PF; it is executed again.
        Fault = "fault",
        /// As trap, but the record is stored before the next instruction retires.
        TrapPending = "trap+pending",
        /// Block and buffer are in memory; it does not happen.
        Nonpaged = "nonpaged",
    }
}
strap! {
    /// How a DCache-miss record comes to the address of the data.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "Reporting the DCache miss data address".
    AddressPolicy {
        /// Each load carries its address.
        SameLoad = "same",
        /// Addresses are kept only while the counter is zero; the next eligible load is reported.
        NextLoad = "next",
        /// The next eligible load is tagged, aborted and replayed.
        Replay = "replay",
        /// There is no address.
        None = "none",
    }
}
strap! {
    /// Who measures the latency of a load.
    LatencySource {
        /// The core presents it.
        Core = "core",
        /// The unit's miss address buffer.
        Buffer = "buffer",
    }
}
strap! {
    /// To what the miss address buffer rounds latencies down.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "Measuring latency".
    LatencyStep {
        /// Cycles.
        One = "1",
        /// 16 cycles.
        Sixteen = "16",
    }
}
strap! {
    /// When the 16-cycle periods of the miss address buffer start.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "Measuring latency".
    LatencyPhase {
        /// With the load.
        Exact = "exact",
        /// With a counter that runs freely.
        FreeRunning = "free-running",
    }
}
strap! {
    /// Of which branches it is known whether they were predicted.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "Branches Retired".
    Prediction {
        /// Of those of which the core says so.
        Some = "some",
        /// Of all.
        All = "all",
        /// Of none.
        None = "none",
    }
}
strap! {
    /// When BufferHeadOffset is written to the block.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "LWPCB Access".
    HeadFlush {
        /// With each record.
        EachRecord = "each",
        /// When the threshold is reached or the ring is full, and with each flush of the state.
        Deferred = "deferred",
    }
}
strap! {
    /// When BufferTailOffset is read.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "LWPCB Access".
    TailReread {
        /// With each record.
        EachRecord = "each",
        /// While the threshold appears reached or the ring appears full.
        Lazy = "lazy",
    }
}
strap! {
    /// Where a counter's interval comes from.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "LWPCB Access".
    IntervalSource {
        /// From the registers that LLWPCB filled.
        Cached = "cached",
        /// From the block, for each record.
        Reread = "reread",
    }
}
strap! {
    /// Where missed events are counted.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "LWPCB Access".
    MissedMode {
        /// In the block.
        Memory = "memory",
        /// In a register, which is added to the block with each flush of the state.
        Cached = "cached",
    }
}
strap! {
    /// Whether a record that finds the ring full is written to the unpublished place at head.
    ///
    /// Source: Lightweight Profiling Proposal (2007-07-20), "LWP Control Block", field MissedEvents, and "Overview" step 3.
    WriteOnFull {
        /// It is.
        WriteSlot = "write-slot",
        /// It is not written at all.
        Skip = "skip",
    }
}
strap! {
    /// What a misaligned control block means.
    Misaligned {
        /// #GP(0).
        Fault = "fault",
        /// The low four bits are ignored.
        Truncate = "truncate",
    }
}
strap! {
    /// Whether LLWPCB, SLWPCB and LWPMSR1 flush the session outside ring 3.
    FlushOutside {
        /// At once.
        Sync = "sync",
        /// Never: the state goes through the save port.
        Skip = "skip",
    }
}
strap! {
    /// Where random bits come from.
    Entropy {
        /// From the unit's LFSR.
        Lfsr = "lfsr",
        /// From a port.
        Port = "port",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
