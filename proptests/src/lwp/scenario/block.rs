//! Control blocks: most of them such that a session runs.

use lwp_regs::bits::{U4, U6, U26, U28};
use lwp_regs::lwp::CounterWord;
use lwp_regs::lwp::{FilterWord, LwpcbImage, SizeWord, SlotImage, SlotWord};
use proptest::prelude::*;

/// One event slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotChoice {
    /// The EventId field, 6 bits.
    pub id: u8,
    /// The EventInterval field.
    pub interval: u32,
    /// The EventCounter word, reserved bits included.
    pub counter: u32,
}

/// A control block as software writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The BufferSize field.
    pub size: u32,
    /// The Random field.
    pub random: u8,
    /// The BufferHeadOffset field.
    pub head: u32,
    /// The BufferTailOffset field.
    pub tail: u32,
    /// The MissedEvents field.
    pub missed: u64,
    /// The Threshold field.
    pub threshold: u32,
    /// The filter word.
    pub filter: u32,
    /// The first slots of the block.
    pub slots: Vec<SlotChoice>,
}

impl Block {
    /// Returns the bytes of the block for hardware with `slots` slots and a buffer at `base`.
    #[must_use]
    pub fn bytes(&self, base: u64, slots: usize) -> Vec<u8> {
        let mut image = LwpcbImage {
            size: SizeWord::new().with_buffer_size(U28::masked(self.size)).with_random(U4::masked(self.random)),
            base,
            head: self.head,
            tail: self.tail,
            missed: self.missed,
            threshold: self.threshold,
            filter: FilterWord::from_bits(self.filter),
            ..LwpcbImage::zeroed()
        };
        for (slot, choice) in image.slots.iter_mut().zip(&self.slots) {
            *slot = SlotImage {
                word: SlotWord::new().with_event_id(U6::masked(choice.id)).with_interval(U26::masked(choice.interval)),
                counter: CounterWord::from_bits(choice.counter),
            };
        }
        let mut bytes = vec![0; lwp_regs::lwp::lwpcb_bytes(slots)];
        image.write_bytes(slots, &mut bytes);
        bytes
    }
}

/// Generates slots that mostly select the three events, each once.
pub fn slots() -> BoxedStrategy<Vec<SlotChoice>> {
    let id = prop_oneof![4 => 1_u8..=3, 1 => Just(0), 1 => 0_u8..64];
    let interval = prop_oneof![8 => 0_u32..12, 1 => 0_u32..0x400_0000];
    let counter = prop_oneof![8 => 0_u32..12, 1 => any::<u32>()];
    let slot = (id, interval, counter).prop_map(|(id, interval, counter)| SlotChoice { id, interval, counter });
    prop::collection::vec(slot, 1..6).boxed()
}

/// Generates blocks with small rings, so that wrapping and fullness are common.
pub fn block() -> BoxedStrategy<Block> {
    let size = prop_oneof![4 => Just(64_u32), 8 => (2_u32..9).prop_map(|records| records * 32), 1 => 0_u32..300];
    let offset = || prop_oneof![6 => Just(0_u32), 3 => (0_u32..9).prop_map(|records| records * 32), 1 => 0_u32..300];
    let threshold = prop_oneof![2 => Just(0_u32), 6 => (1_u32..8).prop_map(|records| records * 32), 1 => 0_u32..400];
    let random = prop_oneof![3 => Just(0_u8), 2 => 0_u8..16];
    let missed = prop_oneof![4 => Just(0_u64), 1 => Just(u64::MAX), 1 => Just(0xFFFF_FFFF_u64)];
    let filter = prop_oneof![3 => Just(0_u32), 2 => any::<u32>()];
    (size, random, offset(), offset(), missed, threshold, filter, slots())
        .prop_map(|(size, random, head, tail, missed, threshold, filter, slots)| Block {
            size,
            random,
            head,
            tail,
            missed,
            threshold,
            filter,
            slots,
        })
        .boxed()
}
