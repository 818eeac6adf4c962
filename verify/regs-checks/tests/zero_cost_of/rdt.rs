//! Resource Director Technology.

use super::draw::Draw;
use super::row;
use lwp_regs::rdt::{Cos, Count, PqrAssoc, QmCtr, RdtCaps, Rmid};
use regs_checks::Row;

/// A processor with RMIDs up to 3FFH and classes up to 15.
fn caps() -> RdtCaps {
    RdtCaps::enumerate(&|leaf, subleaf| match (leaf, subleaf) {
        (0, _) => [0x10, 0, 0, 0],
        (0x07, 0) => [0, 1 << 12 | 1 << 15, 0, 0],
        (0x0F, 0) => [0, 0x3FF, 0, 0b10],
        (0x0F, 1) => [0, 0x1_0000, 0x3FF, 0b111],
        (0x10, 0) => [0, 0b10, 0, 0],
        (0x10, 1) => [10, 0, 0, 15],
        _ => [0; 4],
    })
}

impl Draw for Rmid {
    fn from_word(word: u64) -> Self {
        Self::new(word as u32 % 0x400, &caps()).expect("the processor has it")
    }
}

impl Draw for Cos {
    fn from_word(word: u64) -> Self {
        Self::new(word as u32 % 16, &caps()).expect("the processor has it")
    }
}

pub(crate) fn rows() -> Vec<Row> {
    vec![
        row!(
            "IA32_PQR_ASSOC: of an RMID and a class of service",
            (rmid: Rmid, cos: Cos),
            u64,
            PqrAssoc::of(rmid, cos).into_bits(),
            u64::from(rmid.get()) | u64::from(cos.get()) << 32,
            "tock-registers" =>
                (const { PqrAssoc::tock_field("RMID") }.val(rmid.get().into())
                    + const { PqrAssoc::tock_field("COS") }.val(cos.get().into()))
                .value
        ),
        row!(
            "IA32_QM_CTR: the count, or none",
            (counter: u64),
            u64,
            QmCtr::from_bits(counter).count().map_or(u64::MAX, Count::units),
            if counter >> 62 == 0 { counter } else { u64::MAX }
        ),
    ]
}
