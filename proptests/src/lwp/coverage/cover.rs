//! The names of the crosses.

macro_rules! covers {
    ($($variant:ident = $id:literal),+ $(,)?) => {
        /// A cross of the contract. The order is that of the counters.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(usize)]
        #[allow(missing_docs, reason = "the book's table says what each one counts")]
        pub enum Cover {
            $($variant),+
        }

        impl Cover {
            /// The ids, in order.
            pub const IDS: [&'static str; Self::COUNT] = [$($id),+];
            /// The number of crosses.
            pub const COUNT: usize = [$($id),+].len();

            /// Returns the id in the book.
            #[must_use]
            pub const fn id(self) -> &'static str {
                Self::IDS[self as usize]
            }
        }

        impl From<Cover> for usize {
            fn from(cover: Cover) -> Self {
                cover as Self
            }
        }
    };
}

covers! {
    StrapValue = "COV-STR-01",
    StrapGather = "COV-STR-02",
    StrapStore = "COV-STR-03",
    StrapEnding = "COV-STR-04",
    StrapRing = "COV-STR-05",
    StrapOperation = "COV-STR-06",
    EventFate = "COV-EVT-01",
    EventRing = "COV-EVT-02",
    EventStore = "COV-EVT-03",
    EventMode = "COV-EVT-04",
    QueueGrowth = "COV-EVT-05",
    EventCut = "COV-EVT-06",
    BranchFate = "COV-EVT-07",
    LoadFate = "COV-EVT-08",
    EventFaultPolicy = "COV-EVT-09",
    RingShape = "COV-RNG-01",
    ThresholdMissed = "COV-RNG-02",
    RecordEnd = "COV-RNG-03",
    TailRead = "COV-RNG-04",
    HeadPlace = "COV-RNG-05",
    AccessEnding = "COV-FLT-01",
    StoreFaultPolicy = "COV-FLT-02",
    StoreFaultRing = "COV-FLT-03",
    ControlFault = "COV-FLT-04",
    FaultQueue = "COV-FLT-05",
    StoreStep = "COV-STG-01",
    ControlStep = "COV-STG-02",
    StoreControl = "COV-STG-03",
    StorePort = "COV-STG-04",
    ControlPort = "COV-STG-05",
    StoreReset = "COV-STG-06",
    ControlReset = "COV-STG-07",
    OperationEnding = "COV-CTL-01",
    OperationMode = "COV-CTL-02",
    OperationStore = "COV-CTL-03",
    OperationSession = "COV-CTL-04",
    ContextWord = "COV-CTL-05",
    LoadEnd = "COV-CTL-06",
    Mode = "COV-MOD-01",
    LeaveStore = "COV-MOD-02",
    LeaveControl = "COV-MOD-03",
    EnterSession = "COV-MOD-04",
    LeaveRing = "COV-MOD-05",
    ModeChange = "COV-MOD-06",
    Interrupt = "COV-IRQ-01",
    InterruptSituation = "COV-IRQ-02",
    BufferEntry = "COV-MAB-01",
    Latency = "COV-MAB-02",
    TagLife = "COV-MAB-03",
    CandidateLife = "COV-MAB-04",
}
