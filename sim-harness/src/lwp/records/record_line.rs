//! One record as a line of JSON.

use lwp_regs::lwp::EventRecord;
use serde::Serialize;

/// The keys of a line, in this order. Numbers are those in the record.
#[derive(Serialize)]
pub(super) struct RecordLine {
    /// Number of the record, from 0.
    seq: u64,
    /// Byte 0.
    event_id: u8,
    /// Byte 1.
    core: u8,
    /// Bytes 2 and 3.
    flags: u16,
    /// Bytes 8 to 15.
    ip: u64,
    /// Bytes 4 to 7.
    data: u32,
    /// Bytes 16 to 23.
    address: u64,
}

impl RecordLine {
    pub(super) fn new(seq: u64, record: &EventRecord) -> Self {
        let word = record.word();
        Self {
            seq,
            event_id: word.event_id(),
            core: word.core(),
            flags: word.flags(),
            ip: record.address(),
            data: word.data(),
            address: record.extra(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_numbers() {
        let bytes: [u8; 32] = std::array::from_fn(|index| index as u8 + 1);
        let line = serde_json::to_string(&RecordLine::new(5, &EventRecord::from_bytes(&bytes))).unwrap();
        let expected = r#"{"seq":5,"event_id":1,"core":2,"flags":1027,"ip":1157159078456920585,"data":134678021,"address":1735880461161533969}"#;
        assert_eq!(line, expected);
    }
}
