//! Descriptions of words that consist of flags and fields.

use lwp_regs::layout::{FieldInfo, Layout};
use lwp_regs::lwp::FilterWord;

/// Returns the fields of `layout` that are set in `value`, and the reserved bits that are set.
pub(super) fn bits(layout: &Layout, value: u64) -> String {
    let show = |field: &FieldInfo| {
        let part = (value & field.mask()) >> field.offset;
        match (part, field.bits) {
            (0, _) => None,
            (_, 1) => Some(field.name.to_owned()),
            _ => Some(format!("{} {part}", field.name)),
        }
    };
    let mut parts: Vec<String> = layout.fields.iter().filter_map(show).collect();
    if value & layout.reserved != 0 {
        parts.push(format!("reserved bits {:#x}", value & layout.reserved));
    }
    if parts.is_empty() { "nothing set".to_owned() } else { parts.join(" ") }
}

/// Returns the fields of the filters, with the latency in cycles.
pub(super) fn filter(word: FilterWord) -> String {
    let text = bits(&FilterWord::LAYOUT, word.into_bits().into());
    if word.min_latency() == 0 { text } else { format!("{text} (from {} cycles on)", word.min_latency_cycles()) }
}

/// Returns the enabled bytes of an aligned 8-byte word.
pub(super) fn bytes(enables: u64) -> String {
    match enables {
        0 => "no byte".to_owned(),
        0xFF => "all eight bytes".to_owned(),
        _ => {
            let named: Vec<String> =
                (0..8).filter(|byte| enables >> byte & 1 == 1).map(|byte| byte.to_string()).collect();
            format!("bytes {}", named.join(" "))
        }
    }
}

/// Returns a threshold in records.
pub(super) fn threshold(bytes: u64) -> String {
    if bytes == 0 { "no threshold".to_owned() } else { format!("{} records", bytes / 32) }
}
