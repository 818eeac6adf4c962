//! What a session file may say.

use super::*;

fn complaint(text: &str) -> String {
    Session::parse("s.toml", text).unwrap_err().to_string()
}

#[test]
fn an_empty_file_traces_user_mode() {
    let session = Session::parse("s.toml", "").unwrap();
    assert_eq!(session, Session::default());
    assert_eq!((session.sink, session.lbr, session.levels), (Sink::Memory, true, Levels::User));
}

#[test]
fn every_key_is_read() {
    let text = r#"
        sink = "bus"
        lbr = false
        levels = "all"
        latency = 7
        [straps]
        lbr_depth = "eight"
        [buffer]
        records = 10
        threshold = 5
        circular = true
        present = 9
        [pebs]
        event = "branches"
        period = 3
        records = 2
    "#;
    let session = Session::parse("s.toml", text).unwrap();
    assert_eq!((session.sink, session.lbr, session.levels, session.latency), (Sink::Bus, false, Levels::All, 7));
    assert_eq!(session.straps.lbr_depth, Depth::Eight);
    assert_eq!(session.buffer, Buffer { records: 10, threshold: 5, circular: true, present: Some(9) });
    assert_eq!(session.pebs, Some(Sampling { event: Event::Branches, period: 3, records: 2 }));
}

#[test]
fn what_makes_no_sense_is_refused() {
    for (text, what) in [
        ("sink = \"disk\"", "disk"),
        ("levels = 3", "3"),
        ("[buffer]\nrecords = 0", "0 records are not possible: 1 to 1048576"),
        ("[buffer]\nrecords = 4\nthreshold = 5", "1 to 4"),
        ("[pebs]\nperiod = 0", "1 to 4294967296"),
        ("[straps]\nds = false\nds_cpl = false\ndtes64 = false\npebs_counters = 0\n[pebs]\nperiod = 9", "no PEBS"),
        (
            "sink = \"memory\"\n[straps]\nds = false\nds_cpl = false\ndtes64 = false\npebs_counters = 0",
            "no debug store",
        ),
        ("[straps]\nds_cpl = false\n[buffer]\n[pebs]\nperiod = 4294967297", "1 to 4294967296"),
        ("levels = \"user\"\n[straps]\nds_cpl = false", "no levels to choose from"),
        ("[buffer]\nrecords = 4\npresent = 5", "5 records with pages are not possible: 0 to 4"),
        ("[buffer]\nrecord = 4", "records"),
        ("latency = 10001", "0 to 10000"),
        ("[straps]\nlbr_format = \"lines\"", "expected one of"),
        ("[straps]\npebs_format = 1\npebs_counters = 0", "pebs_format"),
        ("speed = 1", "speed"),
    ] {
        let said = complaint(text);
        assert!(said.contains(what), "{text}: {said}");
    }
}
