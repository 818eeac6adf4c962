use super::*;
use lwp_regs::debug::{Condition, Length, Slot};

fn error(text: &str) -> String {
    Session::parse("s.toml", text).unwrap_err().to_string()
}

#[test]
fn a_session_with_everything() {
    let text = r#"
        single_step = "branches"
        step_from = "main"
        step_to = "0x40_1180"
        [straps]
        string_group = 3
        status = "all"
        [[breakpoint]]
        register = 2
        symbol = "counter"
        kind = "write"
        length = 8
        [[breakpoint]]
        address = "0x401136"
        [[breakpoint]]
        address = 0x3f8
        kind = "io"
    "#;
    let Session { straps, watches, steps, .. } = Session::parse("", text).unwrap();
    assert_eq!((straps.string_group, straps.status), (3, lwp_regs::debug::StatusKept::All));
    let at = text.find("\"main\"").unwrap();
    let main = Symbol { name: "main".to_owned(), at: Some(at..at + 6) };
    let (from, to) = (Some(Place::Symbol(main)), Some(Place::Address(0x40_1180)));
    assert_eq!(steps, Some(Steps { branches: true, from, to }));
    let places: Vec<_> = watches.iter().map(|watch| (watch.slot, watch.condition, watch.length)).collect();
    let expected = [
        (Slot::Dr2, Condition::Write, Length::Eight),
        (Slot::Dr0, Condition::Execute, Length::One),
        (Slot::Dr1, Condition::Io, Length::One),
    ];
    assert_eq!(places, expected);
    assert_eq!(watches[2].place, Place::Address(0x3F8));
}

#[test]
fn what_makes_no_sense_is_refused() {
    for (text, said) in [
        ("step_from = \"main\"", "the program is not stepped: `single_step` is missing"),
        ("single_step = \"lines\"", "there is no choice `lines` here, expected one of `instructions`, `branches`"),
        ("single_step = \"branches\"\nstep_to = \"0xzz\"", "`0xzz` is no address of 64 bits"),
        ("[[breakpoint]]", "a breakpoint needs either an `address` or a `symbol`"),
        ("[[breakpoint]]\naddress = 1\nsymbol = \"a\"", "a breakpoint needs either an `address` or a `symbol`"),
        ("[[breakpoint]]\naddress = 2\nlength = 3", "a breakpoint covers 1, 2, 4 or 8 bytes, not 3"),
        ("[[breakpoint]]\nsymbol = \"a\"\nkind = \"io\"", "an I/O breakpoint is at a port: give its `address`"),
        ("[[breakpoint]]\nregister = 4\naddress = 0", "a number from 0 to 3"),
        (
            "[[breakpoint]]\nregister = 1\naddress = 0\n[[breakpoint]]\nregister = 1\naddress = 1",
            "DR1 is taken by another breakpoint",
        ),
    ] {
        assert!(error(text).contains(said), "{text}: {}", error(text));
    }
    let five = "[[breakpoint]]\naddress = 0\n".repeat(5);
    assert!(error(&five).contains("there are four breakpoints"), "{}", error(&five));
    let misaligned = "[[breakpoint]]\naddress = 2\nkind = \"write\"\nlength = 4";
    assert!(error(misaligned).contains("DR0"), "{}", error(misaligned));
    let long = "[straps]\nlong_mode = false\n[[breakpoint]]\naddress = 8\nkind = \"write\"\nlength = 8";
    assert!(error(long).contains("DR"), "{}", error(long));
}
