//! Session files: what is refused and how it is said, and what goes to the hardware with a warning.

use lwp_model::lwp::Config;
use miette::Diagnostic;
use sim_harness::lwp::environment::{Drain, MemoryTiming};
use sim_harness::lwp::session::{Session, SessionError};

fn parse(text: &str) -> Result<Session, SessionError> {
    Session::parse("s.toml", text)
}

fn refused(text: &str) -> String {
    parse(text).expect_err(text).to_string()
}

/// A block with one event and these keys more.
fn lwpcb(keys: &str) -> String {
    format!("[lwpcb]\n{keys}\n[[lwpcb.event]]\nid = 1\ninterval = 1000\n")
}

fn warnings(text: &str) -> Vec<String> {
    parse(text).unwrap().warnings()
}

#[test]
fn the_example_and_the_default_are_without_warnings() {
    let example = Session::load("sessions/example.toml".as_ref()).unwrap();
    assert_eq!((example.warnings(), Session::default().warnings()), (vec![], vec![]));
    assert_eq!(example.image, Session::default().image, "the example shows the default block");
    assert_eq!(example.memory, MemoryTiming { latency: (4, 20), stall: 0.1, fault: 0.001, seed: 1 });
    let empty = parse("").unwrap();
    assert_eq!(empty.drain, Drain::Never);
    assert_eq!(empty, Session { drain: Drain::Never, ..Session::default() });
}

#[test]
fn every_key_of_the_block_arrives() {
    let text = "[lwpcb]\naddress = 0x1230\nbuffer_base = \"0xffff_8000_0000_1000\"\nbuffer_size = 0x40\nrandom = 15\n\
                head = 32\ntail = 1\nmissed = \"0xffffffffffffffff\"\nthreshold = 7\nmin_latency = 255\nclf = true\nnbc = 1\n\
                rdc = 0\nram = true\noth = false\nndb = true\n[[lwpcb.event]]\nid = 63\ninterval = 0x3ffffff\ncounter = 5\n";
    let session = parse(text).unwrap();
    let mut bytes = [0; 48];
    session.image.write_bytes(1, &mut bytes);
    let words: Vec<u32> = bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
    let expected = [0, 0xF000_0040, 0x1000, 0xFFFF_8000, 32, 1, u32::MAX, u32::MAX, 7, 0x2BFF, 0xFFFF_FFFF, 5];
    assert_eq!((words, session.lwpcb), (expected.to_vec(), 0x1230));
}

#[test]
fn what_cannot_be_encoded_is_refused_with_its_place() {
    let cases = [
        (lwpcb("random = 16"), "line 2, column 10", "expected a number from 0 to 15"),
        (lwpcb("buffer_size = 0x10000000"), "line 2, column 15", "expected a number from 0 to 2^28 - 1"),
        (lwpcb("min_latency = 256"), "line 2, column 15", "expected a number from 0 to 255"),
        (lwpcb("head = -32"), "line 2, column 8", "expected a number from 0 to 2^32 - 1"),
        (lwpcb("buffer_base = \"4096\""), "line 2, column 15", "as a string like"),
        (lwpcb("clf = 2"), "line 2, column 7", "expected true or false"),
        (lwpcb("clf = \"yes\""), "line 2, column 7", "expected true or false"),
        ("[[lwpcb.event]]\nid = 64\ninterval = 1".to_owned(), "line 2, column 6", "from 0 to 63"),
        ("[[lwpcb.event]]\nid = 1\ninterval = 0x4000000".to_owned(), "line 3, column 12", "from 0 to 2^26 - 1"),
        ("[[lwpcb.event]]\nid = 1\n".to_owned(), "line 1", "missing field `interval`"),
        ("[memory]\nstall = 1.5".to_owned(), "line 2, column 9", "a probability from 0.0 to 1.0"),
        ("[memory]\nfault = nan".to_owned(), "line 2, column 9", "a probability from 0.0 to 1.0"),
        ("[memory]\nlatency = 0".to_owned(), "line 2, column 11", "a number of cycles from 1"),
        ("[memory]\nlatency = [9, 3]".to_owned(), "line 2, column 11", "the range [9, 3] is empty"),
        ("[consumer]\nmode = \"periodic\"".to_owned(), "line 2, column 8", "needs a `period`"),
        ("[consumer]\nperiod = 0".to_owned(), "line 2, column 10", "at least 1 cycle"),
        ("[consumer]\nmode = \"never\"\nperiod = 9".to_owned(), "line 3, column 10", "only for mode \"periodic\""),
        ("[msr0]\nvalue = 1\nire = true".to_owned(), "line 1", "give either it or flags"),
        ("[straps]\nlfsr_seed = 0".to_owned(), "line 2, column 13", "lfsr_seed must not be 0"),
        ("[frontend]\nl1d_ways = 65".to_owned(), "line 1", "`l1d_ways` is 65, but must be 1 to 64"),
        ("[lwpcb\n".to_owned(), "line 1", ""),
    ];
    for (text, place, what) in cases {
        let message = refused(&text);
        assert!(message.starts_with("s.toml, line ") && message.contains(place) && message.contains(what), "{message}");
    }
}

#[test]
fn more_events_than_slots_are_refused() {
    let event = "[[lwpcb.event]]\nid = 1\ninterval = 1\n";
    assert_eq!(parse(&event.repeat(8)).unwrap().events, 8);
    assert!(refused(&event.repeat(9)).contains("9 events, but the hardware has 8 event slots"));
}

#[test]
fn an_unknown_key_is_refused_with_a_suggestion() {
    let error = parse(&lwpcb("treshold = 64")).unwrap_err();
    assert!(error.to_string().contains("line 2, column 1: unknown field `treshold`"), "{error}");
    assert_eq!(error.help().unwrap().to_string(), "did you mean `threshold`?");
    for text in [
        "[lwpbc]",
        "[memory]\nspeed = 1",
        "[consumer]\nmodes = 1",
        "[msr0]\nirq = true",
        "[straps]\nx = 1",
        "[system]\nx = 1",
        "[core]\nx = 1",
    ] {
        assert!(refused(text).contains("unknown field"), "{text}");
    }
    assert!(refused("[frontend]\nl1_ways = 1").contains("unknown field"));
    assert!(refused("[consumer]\nmode = \"sometimes\"").contains("unknown variant `sometimes`"));
}

#[test]
fn aliases_are_understood() {
    let drain = |mode: &str| parse(&format!("[consumer]\nmode = \"{mode}\"")).map(|session| session.drain);
    for mode in ["interrupt", "on_interrupt", "on-interrupt", "irq"] {
        assert_eq!(drain(mode).unwrap(), Drain::Interrupt);
    }
    for mode in ["periodic", "periodically", "poll"] {
        let session = parse(&format!("[consumer]\nmode = \"{mode}\"\nperiod = 0x10")).unwrap();
        assert_eq!(session.drain, Drain::Periodic(16));
    }
    let session =
        parse("[memory]\nstall_rate = 1\nfault_rate = 0.5\nlatency = 7\nseed = \"0xffffffffffffffff\"").unwrap();
    assert_eq!(session.memory, MemoryTiming { latency: (7, 7), stall: 1.0, fault: 0.5, seed: u64::MAX });
}

#[test]
fn lwpmsr0_is_what_the_straps_offer_unless_said_otherwise() {
    let msr0 = |text: &str| parse(text).unwrap().msr0;
    assert_eq!(msr0(""), 0x8000_000F);
    assert_eq!(msr0("[straps]\navail_dme = false\navail_int = 0"), 0x7);
    assert_eq!(msr0("[msr0]\ninterrupt = false\nbre = 0"), 0xB);
    assert_eq!(msr0("[straps]\navail_dme = false\n[msr0]\ndme = true"), 0x8000_000F);
    assert_eq!(msr0("[msr0]\nvalue = 0x30"), 0x30);
    let straps = parse("[straps]\npresent = false\ncore_id = 255\nlevel_filter = false").unwrap().straps;
    assert_eq!(straps, Config { present: false, core_id: 255, level_filter: false, ..Config::default() });
}

#[test]
fn what_makes_no_sense_is_warned_about() {
    let cases = [
        (lwpcb("buffer_size = 0"), "buffer_size 0 is too small"),
        (lwpcb("buffer_size = 32"), "buffer_size 32 is too small"),
        (lwpcb("buffer_size = 100"), "buffer_size 0x64 is not a multiple of 32: hardware takes 0x60"),
        (lwpcb("buffer_base = 0x1010"), "buffer_base 0x1010 is not a multiple of 32"),
        (lwpcb("head = 131072"), "head 131072 is not below the buffer's 131072 bytes"),
        (lwpcb("tail = 33"), "tail 0x21 is not a multiple of 32"),
        (lwpcb("threshold = 31"), "threshold 0x1f is not a multiple of 32"),
        (lwpcb("threshold = 131072"), "is never reached"),
        (lwpcb("address = 0x1008"), "not a multiple of 16: LLWPCB raises #GP"),
        (lwpcb("address = 0x10000040"), "overlap"),
        (lwpcb("") + "[[lwpcb.event]]\nid = 1\ninterval = 5", "event 1 selects event 1 again"),
        (lwpcb("") + "[[lwpcb.event]]\nid = 9\ninterval = 5", "event 1 has id 9: there is no such event"),
        (lwpcb("") + "[straps]\navail_ire = false", "event 0 has id 1: the straps do not offer it"),
        (lwpcb("") + "[msr0]\nire = false", "event 0 has id 1: not enabled in LWPMSR0"),
        ("[lwpcb]".to_owned(), "lwpcb has no event"),
        ("[msr0]\nvalue = 0x31".to_owned(), "msr0: bits 0x30 cannot be written"),
        ("[msr0]\nenabled = false".to_owned(), "LLWPCB raises #UD"),
        ("[straps]\npresent = false".to_owned(), "every operation faults"),
        ("[memory]\nstall = 1.0".to_owned(), "never grants"),
        ("[memory]\nfault = 1.0".to_owned(), "may never succeed"),
        (lwpcb("") + "[consumer]\nmode = \"irq\"", "nobody drains"),
    ];
    for (text, expected) in cases {
        let warnings = warnings(&text);
        assert!(warnings.iter().any(|warning| warning.contains(expected)), "{expected}: {warnings:?}");
    }
}

/// Every session that is shipped is one of its unit, and makes sense to the hardware.
#[test]
fn the_shipped_sessions_are_without_warnings() {
    for unit in sim_harness::unit::UNITS {
        let mut sessions = 0;
        for entry in std::fs::read_dir(format!("sessions/{}", unit.name)).expect("every unit ships sessions") {
            let path = entry.unwrap().path();
            let request = sim_harness::cosim::Request { session: Some(&path), seed: None, lanes: 4, spacing: 1 };
            let plan = sim_harness::cosim::plan_of(unit, &request).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(plan.warnings(), Vec::<String>::new(), "{}", path.display());
            sessions += 1;
        }
        assert_ne!(sessions, 0, "{}", unit.name);
    }
}
