//! What a session file may say.

use super::*;

fn parse(text: &str) -> Result<Session, SessionError> {
    Session::parse("s.toml", text, &Defaults::default())
}

fn complaint(text: &str) -> String {
    parse(text).expect_err(text).to_string()
}

/// Number and value of each write.
fn writes(session: &Session) -> Vec<(u8, u32, u64)> {
    session.writes.iter().map(|write| (write.lp, write.number, write.value)).collect()
}

#[test]
fn an_empty_file_has_one_program_on_the_default_caches() {
    let session = parse("").unwrap();
    assert_eq!((session.straps, session.build.name()), (Config::default(), "rdt_s8w4"));
    assert_eq!(session.programs, [Assigned { rmid: 1, class: 0 }]);
    assert_eq!(writes(&session), [(0, 0xC8F, 1)]);
    assert_eq!((session.events.len(), session.samples.len()), (0, 0));
    assert_eq!(Session { samples: vec![10_000], ..session }, Session::default());
}

#[test]
fn every_key_is_read() {
    let text = r#"
        seed = 9
        [cache]
        sets = 32
        ways = 8
        line = 128
        [l2]
        sets = 16
        ways = 4
        [straps]
        max_rmid = 15
        mba_max = 80
        [[program]]
        rmid = 12
        class = 1
        [[program]]
        class = 2
        [[class]]
        [[class]]
        l3_mask = "0x0f"
        l2_mask = 0x3
        delay = 80
        [memory]
        latency = 7
        grant = 3
        remote = [1, 7]
        [[event]]
        at = 30
        class = 2
        delay = 40
        [[event]]
        at = 10
        l3_power = 31
        [[event]]
        at = 20
        program = 1
        rmid = 3
        [[event]]
        at = 40
        smi = true
        for = 5
        [[event]]
        at = 50
        unavailable = true
        for = 6
        [[event]]
        at = 60
        l2_power = 2
        [[sample]]
        every = 100
        [[sample]]
        every = 33
    "#;
    let session = parse(text).unwrap();
    let Config { line, l3_sets, l3_ways, l2, l2_sets, l2_ways, .. } = session.straps;
    assert_eq!((line, l3_sets, l3_ways, l2, l2_sets, l2_ways), (7, 5, 8, true, 4, 4));
    assert_eq!((session.build.name(), session.seed), ("rdt_s64w16", 9));
    assert_eq!(session.programs, [Assigned { rmid: 12, class: 1 }, Assigned { rmid: 2, class: 2 }]);
    let expected = [(0, 0xC91, 0x0F), (0, 0xD11, 3), (0, 0xD51, 80), (0, 0xC8F, 1 << 32 | 12), (1, 0xC8F, 2 << 32 | 2)];
    assert_eq!(writes(&session), expected);
    assert_eq!(session.memory, MemoryTiming { latency: 7, grant: 3, remote: 0x82 });
    let write = |lp, number, value, assigns| Happening::Writes(vec![Write { lp, number, value, assigns }]);
    let switched = Assigned { rmid: 3, class: 2 };
    let expected = [
        (10, Happening::L3Power(31)),
        (20, write(1, 0xC8F, 2 << 32 | 3, Some(switched))),
        (30, write(0, 0xD52, 40, None)),
        (40, Happening::Smi(5)),
        (50, Happening::Unavailable(6)),
        (60, Happening::L2Power(2)),
    ];
    assert_eq!(session.events, expected);
    assert_eq!(session.samples, [100, 33]);
    let setup = session.setup();
    let rmids: Vec<u8> = setup.rmids.iter().map(|assigned| assigned.rmid).collect();
    assert_eq!((rmids, setup.sets), (vec![12, 2, 3], 64));
}

#[test]
fn with_cdp_masks_come_in_pairs() {
    let text = "[cdp]\nl3 = true\nl2 = true\n[[class]]\nl3_data_mask = 1\nl3_code_mask = 2\n[[class]]\nl3_mask = 4\nl2_code_mask = 1\n";
    let expected = [
        (0, 0xC81, 1),
        (0, 0xC82, 1),
        (0, 0xC90, 1),
        (0, 0xC91, 2),
        (0, 0xC92, 4),
        (0, 0xC93, 4),
        (0, 0xD13, 1),
        (0, 0xC8F, 1),
    ];
    assert_eq!(writes(&parse(text).unwrap()), expected);
}

#[test]
fn a_run_may_be_without_an_l2_cache() {
    let direct = Defaults { programs: 2, l2: false };
    let session = Session::parse("s.toml", "", &direct).unwrap();
    let Config { l2, l2_sets, l2_ways, l2_cat, l2_cdp, l2_cos, .. } = session.straps;
    assert_eq!((l2, l2_sets, l2_ways, l2_cat, l2_cdp, l2_cos), (false, 0, 0, false, false, 0));
    assert_eq!(session.programs, [Assigned { rmid: 1, class: 0 }, Assigned { rmid: 2, class: 0 }]);
    assert!(Session::parse("s.toml", "[l2]\nways = 1", &direct).unwrap().straps.l2);
    assert!(!parse("[straps]\nl2 = 0").unwrap().straps.l2_cat);
    assert_eq!(Session::without_file(&Defaults { programs: 4, l2: true }).build.name(), "rdt_s64w16");
    let error = Session::parse("s.toml", "", &Defaults { programs: 5, l2: true }).unwrap_err().to_string();
    assert!(error.contains("no build has 5 logical processors: the builds have 2, 4"), "{error}");
}

// RDTM-31, RDTA-09, RDTA-14, RDTA-20, RDTA-33: what WRMSR would refuse is refused at its line
#[test]
fn what_makes_no_sense_points_at_its_place() {
    for (text, place, what) in [
        ("[cache]\nsets = 128", "line 2, column 8", "no build has a cache of 128 sets: the builds have up to 8, 64"),
        ("[cache]\nsets = 3", "line 2, column 8", "3 sets are not possible: a power of two from 2 on"),
        ("[cache]\nways = 17", "line 2, column 8", "no build has a cache of 17 ways: the builds have up to 4, 16"),
        ("[cache]\nways = 0", "line 2, column 8", "no build has a cache of 0 ways"),
        ("[cache]\nline = 8", "line 2, column 8", "16, 32, 64, 128 or 256"),
        ("[l2]\nsets = 32", "line 2, column 8", "no build has a cache of 32 sets: the builds have up to 4, 16"),
        ("[l2]\nline = 64", "line 2, column 1", "unknown field `line`"),
        ("[straps]\nl3_sets = 3\n[cache]\nsets = 8", "line 2, column 1", "set by the key `sets` of its cache too"),
        ("[straps]\nmax_rmid = 16", "line 2, column 12", "max_rmid"),
        ("[straps]\nwidht = 30", "line 2, column 1", "unknown field `widht`"),
        ("[[program]]\nrmid = 4", "line 2, column 8", "there is no RMID 4: the processor has RMIDs 0 to 3"),
        ("[[program]]\nclass = 4", "line 2, column 9", "there is no class 4: the processor has classes 0 to 3"),
        (
            "[cdp]\nl3 = true\nl2 = 1\n[straps]\nmba_cos = 1\n[[program]]\nclass = 2",
            "line 7",
            "classes 0 to 1 with CDP",
        ),
        ("[[class]]\nl3_mask = 5", "line 2, column 11", "IA32_L3_MASK_n"),
        ("[[class]]\nl3_mask = 0x10", "line 2, column 11", "are reserved"),
        ("[[class]]\nl2_mask = 0", "line 2, column 11", "IA32_L2_MASK_n"),
        ("[[class]]\nl3_code_mask = 1", "line 2, column 16", "need `l3 = true` in the table [cdp]"),
        ("[cdp]\nl3 = 1\n[[class]]\nl3_mask = 1\nl3_data_mask = 1", "line 4, column 11", "comes with none"),
        ("[[class]]\ndelay = 91", "line 2, column 9", "the largest value is 90"),
        ("[straps]\nmba = 0\nmba_cos = 0\n[[class]]\ndelay = 1", "line 5, column 9", "needs the strap `mba`"),
        ("[straps]\nl2 = 0\n[[class]]\nl2_mask = 1", "line 4, column 11", "needs the strap `l2_cat`"),
        ("[straps]\nl3_cdp = 0\n[cdp]\nl3 = true", "line 4, column 6", "needs the strap `l3_cdp`"),
        ("[[class]]\n[[class]]\n[[class]]\n[[class]]\n[[class]]\n", "line 5", "there is no class 4"),
        ("[memory]\nlatency = 0", "line 2, column 11", "at least 1 cycle"),
        ("[memory]\nremote = [0, 8]", "line 2, column 14", "programs are 0 to 7"),
        ("[[event]]\nl3_power = 1", "line 1", "missing field `at`"),
        ("[[event]]\nat = 5", "line 1", "an event needs one of"),
        ("[[event]]\nat = 5\nsmi = true\nl3_power = 1\nfor = 3", "line 1", "an event needs one of"),
        ("[[event]]\nat = 5\nsmi = true", "line 1", "needs `for`"),
        ("[[event]]\nat = 5\nl3_power = 1\nfor = 3", "line 4, column 7", "`for` does not belong to this event"),
        ("[[event]]\nat = 5\nprogram = 0\ndelay = 3", "line 4, column 9", "`delay` does not belong to this event"),
        ("[[event]]\nat = 5\nprogram = 1\nrmid = 0", "line 3, column 11", "there is no program 1: there are 1"),
        ("[[event]]\nat = 5\nprogram = 0\nrmid = 9", "line 4, column 8", "there is no RMID 9"),
        ("[[event]]\nat = 5\nclass = 9\ndelay = 0", "line 3, column 9", "there is no class 9"),
        ("[[event]]\nat = 5\nl3_power = 32", "line 3, column 12", "from 0 to 31"),
        ("[straps]\nl2 = 0\n[[event]]\nat = 5\nl2_power = 1", "line 5, column 12", "there is no L2 cache"),
        ("[[sample]]\nevery = 5", "line 2, column 9", "to read 3 counters takes 6"),
        ("[[sample]]", "line 1", "missing field `every`"),
        (
            "[straps]\nevents = 0\nmax_rmid = 0\nl3_max_rmid = 0\n[[sample]]\nevery = 9",
            "line 6",
            "no event is monitored",
        ),
    ] {
        let said = complaint(text);
        assert!(said.starts_with("s.toml, line ") && said.contains(place) && said.contains(what), "{text}: {said}");
    }
}
