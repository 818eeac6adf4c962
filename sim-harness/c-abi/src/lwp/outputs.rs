//! Outputs: from the model's type to the header's struct; and what differs between two rows.

use crate::abi::LwpOutputs;
use lwp_model::lwp::Outputs;
use lwp_model::lwp::flat::OUT_WORDS;
use lwp_model::lwp::flat::fields::FIELDS;
use std::fmt::Write;

impl From<&Outputs> for LwpOutputs {
    #[inline]
    fn from(from: &Outputs) -> Self {
        Self {
            stall: from.stall.into(),
            cut_valid: from.cut_valid.into(),
            cut_lane: from.cut_lane,
            drain: from.drain.into(),
            flush_req: from.flush_req.into(),
            addr_track: from.addr_track.into(),
            rsp_valid: from.rsp_valid.into(),
            rsp_fault: from.rsp_fault as u8,
            rsp_fault_write: from.rsp_fault_write.into(),
            mem_req: from.mem_req.into(),
            mem_cmd: from.mem_cmd as u8,
            mem_be: from.mem_be,
            pf_valid: from.pf_valid.into(),
            pf_write: from.pf_write.into(),
            pf_abort: from.pf_abort.into(),
            irq: from.irq.into(),
            msr0: from.msr0,
            reserved: 0,
            rsp_rdata: from.rsp_rdata,
            rsp_fault_addr: from.rsp_fault_addr,
            mem_addr: from.mem_addr,
            mem_wdata: from.mem_wdata,
            pf_addr: from.pf_addr,
        }
    }
}

/// A row of outputs and probe.
pub(crate) type Row = [u32; OUT_WORDS];

/// Fields that a text names before it only counts them.
const NAMED: usize = 8;

/// Names what differs: each field with the model's value and the other unit's. `None` if nothing does.
pub(crate) fn difference(model: &Row, unit: &Row) -> Option<String> {
    if model == unit {
        return None;
    }
    let differing: Vec<_> = FIELDS.iter().filter(|field| field.of(model) != field.of(unit)).collect();
    let mut text = String::from("the unit differs from the model");
    for (index, field) in differing.iter().take(NAMED).enumerate() {
        let between = if index == 0 { ": " } else { "; " };
        let _ = write!(text, "{between}{}: model {:#x}, unit {:#x}", field.name, field.of(model), field.of(unit));
    }
    if differing.len() > NAMED {
        let _ = write!(text, "; and {} more fields", differing.len() - NAMED);
    }
    if differing.is_empty() {
        let words: Vec<_> = (0..OUT_WORDS).filter(|&word| model[word] != unit[word]).collect();
        let _ = write!(text, " in bits of the words {words:?} that belong to no field and must be 0");
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rows_do_not_differ() {
        assert_eq!(difference(&[7; OUT_WORDS], &[7; OUT_WORDS]), None);
    }

    #[test]
    fn every_flipped_bit_is_told() {
        for bit in 0..OUT_WORDS * 32 {
            let (model, mut unit) = ([0; OUT_WORDS], [0; OUT_WORDS]);
            unit[bit / 32] |= 1 << (bit % 32);
            let text = difference(&model, &unit).unwrap();
            let named = text.contains("model 0x0, unit 0x");
            assert!(named || text.contains(&format!("words [{}]", bit / 32)), "bit {bit}: {text}");
        }
    }

    #[test]
    fn many_differences_are_counted() {
        let text = difference(&[0; OUT_WORDS], &[u32::MAX; OUT_WORDS]).unwrap();
        assert!(text.starts_with("the unit differs from the model: stall: model 0x0, unit 0x1; rsp_valid: "), "{text}");
        assert!(text.ends_with(&format!("; and {} more fields", FIELDS.len() - NAMED)), "{text}");
    }
}
