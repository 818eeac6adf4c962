//! Step 8 of a cycle, deliver: the local APIC's entry, and the interrupt.

use super::config::{Config, X2apic};
use super::inputs::{Apic, Lp};
use super::request::{Kind, Write};
use super::state::Processor;
use lwp_regs::delivery::{DeliveryMode, LvtPerformance};

/// The registers of the next cycle. `pmi` is whether a performance interrupt is asked for in this cycle; `apic` is a write in
/// memory of this logical processor's entry.
#[inline]
pub(super) fn next(
    processor: &mut Processor,
    (lp, pmi): (&Lp, bool),
    write: &Write,
    apic: Option<&Apic>,
    straps: &Config,
) {
    // Most cycles: nothing asks for an interrupt or writes the entry. A request is without mode and vector once it is taken.
    if !pmi & apic.is_none() & (write.register.kind != Kind::Lvt) {
        let stays = processor.irq & !lp.irq_ack;
        processor.irq = stays;
        processor.irq_mode = if stays { processor.irq_mode } else { 0 };
        processor.irq_vector = if stays { processor.irq_vector } else { 0 };
        processor.pmi = false;
        return;
    }
    let entry = processor.lvt();
    let delivered = pmi && !entry.mask() && entry.delivers();
    if !processor.irq || lp.irq_ack {
        processor.irq = delivered;
        processor.irq_mode = if delivered { entry.delivery_mode().get() } else { 0 };
        let fixed = matches!(entry.mode(), DeliveryMode::Fixed);
        processor.irq_vector = if delivered && fixed { entry.vector() } else { 0 };
    }
    let mut next = entry;
    if let (X2apic::Msr, Some(written)) = (straps.x2apic, write.to(Kind::Lvt)) {
        next = LvtPerformance::from_bits(written);
    }
    if let (X2apic::Memory, Some(apic)) = (straps.x2apic, apic) {
        next = entry.written_in_memory(apic.wdata);
    }
    set(processor, next.with_mask(next.mask() || delivered && straps.mask_on_delivery));
    processor.pmi = pmi;
}

const fn set(processor: &mut Processor, entry: LvtPerformance) {
    processor.lvt_vector = entry.vector();
    processor.lvt_mode = entry.delivery_mode().get();
    processor.lvt_mask = entry.mask();
}
