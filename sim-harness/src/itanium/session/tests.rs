//! What a session file may say.

use super::*;

fn parse(text: &str) -> Result<Session, SessionError> {
    Session::parse("s.toml", text)
}

fn complaint(text: &str) -> String {
    parse(text).expect_err(text).to_string()
}

fn writes(session: &Session) -> Vec<(u32, u64)> {
    session.writes.iter().map(|write| (write.number, write.value)).collect()
}

#[test]
fn an_empty_file_counts_an_application() {
    let session = parse("").unwrap();
    assert_eq!((session.straps, session.build.name()), (Config::default(), "itanium_b1e4"));
    assert_eq!(writes(&session), [(4, 0x1508), (5, 0x6C08), (6, 0x6D08), (7, 0x1208), (0, 0)]);
    assert_eq!((session.psr.up(), session.psr.pp(), session.timer, session.core_clock), (true, true, 0, 1));
    assert_eq!(Session { timer: 10_000, ..session }, Session::default());
}

#[test]
fn every_key_is_read() {
    let text = r#"
        bundles = 2
        [straps]
        freeze_always = true
        [[counter]]
        event = "LOADS_RETIRED"
        umask = 5
        threshold = 6
        levels = [0, 3]
        system = true
        code = "ia-32"
        interrupt = true
        pin = true
        start = 0xffff_fff0
        [[counter]]
        event = 0x12
        code = "ia-64"
        [[write]]
        file = "dbr"
        index = 1
        value = "0xff00000000000000"
        [psr]
        up = false
        [timer]
        every = 500
        [core]
        clock = 3
    "#;
    let session = parse(text).unwrap();
    assert_eq!(session.build.name(), "itanium_b2e16");
    assert!(session.straps.freeze_always);
    assert_eq!(writes(&session), [(4, 0x0165_6C79), (5, 0x0200_1208), (0x301, 0xFF << 56), (0, 0)]);
    assert_eq!(session.start, [0xFFFF_FFF0, 0, 0, 0]);
    assert_eq!((session.psr.up(), session.psr.pp(), session.timer, session.core_clock), (false, true, 500, 3));
}

#[test]
fn mistakes_are_told_with_their_place() {
    for (text, parts) in [
        ("bundles = 3", ["3 bundles", "line 1, column 11"]),
        ("[[counter]]\nevent = \"loads-retierd\"", ["did you mean `loads-retired`?", "line 2, column 9"]),
        ("[[counter]]\nevent = 200", ["there is no event 200", "line 2, column 9"]),
        ("[[counter]]\nevent = 8\nlevels = []", ["never counts", "line 3, column 10"]),
        (
            "[[counter]]\nevent = 8\n[[counter]]\nevent = 8\n[[counter]]\nevent = 8\nthreshold = 4",
            ["two bits", "line 7, column 13"],
        ),
        ("[[write]]\nfile = \"ibr\"\nindex = 8\nvalue = 0", ["there is no ibr[8]: 0 to 7", "line 3, column 9"]),
        ("[[write]]\nfile = \"cr\"\nindex = 2\nvalue = 0", ["DCR", "line 3, column 9"]),
        ("[[write]]\nfile = \"msr\"\nindex = 2\nvalue = 0", ["no choice `msr`", "line 2, column 8"]),
        ("[timer]\nevery = 0", ["at least 1", "line 2, column 9"]),
        ("[core]\nclock = 0", ["at least 1", "line 2, column 9"]),
        ("[psr]\nsp = true", ["unknown field `sp`", "line 2, column 1"]),
    ] {
        let told = complaint(text);
        for part in parts {
            assert!(told.contains(part), "{text}: {told}");
        }
    }
}

#[test]
fn there_are_four_counters() {
    let text = "[[counter]]\nevent = 8\n".repeat(5);
    assert!(complaint(&text).contains("there are 4 counters"));
}
