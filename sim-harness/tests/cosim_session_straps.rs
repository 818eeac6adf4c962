//! The tables `[straps]`, `[system]` and `[core]` of a session: names, contradictions, warnings.

use lwp_model::Choice;
use lwp_model::lwp::{
    AddressPolicy, Collision, Config, Entropy, FaultPolicy, FlushOutside, GatherPolicy, GatherSelect, GatherTarget,
    HeadFlush, IntervalSource, LatencyPhase, LatencySource, LatencyStep, LeavePolicy, Misaligned, MissedMode,
    Prediction, StoreTiming, TailReread, WriteOnFull,
};
use miette::Diagnostic;
use sim_harness::lwp::environment::Start;
use sim_harness::lwp::session::{Session, SessionError};

fn parse(text: &str) -> Result<Session, SessionError> {
    Session::parse("s.toml", text)
}

fn straps(text: &str) -> Config {
    parse(&format!("[straps]\n{text}")).expect(text).straps
}

/// Message and help of a session that is refused.
fn refused(text: &str) -> (String, String) {
    let error = parse(text).expect_err(text);
    let help = error.help().map(|help| help.to_string()).unwrap_or_default();
    (error.to_string(), help)
}

/// Every choice of a strap by its name. `more` is what makes the last ones legal.
macro_rules! every_choice {
    ($($field:ident: $type:ident $more:literal;)+) => {
        $(for choice in $type::ALL {
            let text = format!("{} = \"{}\"\n{}", stringify!($field), choice.name(), $more);
            assert_eq!(straps(&text).$field, *choice, "{text}");
        })+
    };
}

#[test]
fn every_choice_has_its_name() {
    every_choice! {
        gather_policy: GatherPolicy "";
        gather_select: GatherSelect "";
        gather_target: GatherTarget "";
        store_timing: StoreTiming "";
        collision: Collision "";
        leave_policy: LeavePolicy "";
        fault_policy: FaultPolicy "store_timing = \"sync\"";
        address_policy: AddressPolicy "";
        latency_source: LatencySource "";
        latency_step: LatencyStep "";
        latency_phase: LatencyPhase "latency_step = 16";
        prediction: Prediction "";
        head_flush: HeadFlush "";
        tail_reread: TailReread "";
        interval_source: IntervalSource "";
        missed_mode: MissedMode "";
        write_on_full: WriteOnFull "";
        misaligned: Misaligned "";
        flush_outside: FlushOutside "";
        entropy: Entropy "";
    }
}

#[test]
fn flags_and_numbers_arrive_and_the_rest_is_the_default() {
    assert_eq!(straps(""), Config::default());
    let text = "one_per_instr = false\ngather_policy = \"all\"\ndata_source = 0\naddress_gate = false\nv86 = true\n\
                irq_delay = 255\ntail_reread = \"lazy\"\ntail_nth = 15\nlfsr_seed = 0xffffffff\n";
    let expected = Config {
        one_per_instr: false,
        gather_policy: GatherPolicy::All,
        data_source: false,
        address_gate: false,
        v86: true,
        irq_delay: 255,
        tail_reread: TailReread::Lazy,
        tail_nth: 15,
        lfsr_seed: u32::MAX,
        ..Config::default()
    };
    assert_eq!(straps(text), expected);
}

#[test]
fn names_are_not_pedantic() {
    for name in ["trap+pending", "trap_pending", "trap-pending", "Trap_Pending"] {
        assert_eq!(straps(&format!("fault_policy = \"{name}\"")).fault_policy, FaultPolicy::TrapPending);
    }
    assert_eq!(straps("write_on_full = \"write_slot\"").write_on_full, WriteOnFull::WriteSlot);
    assert_eq!(straps("latency_step = 16").latency_step, LatencyStep::Sixteen);
    assert_eq!(straps("latency_step = \"16\"").latency_step, LatencyStep::Sixteen);
}

#[test]
fn bad_names_and_numbers_are_refused_with_their_place() {
    let (message, help) = refused("[straps]\ncore_id = 1\nstore_timing = \"synch\"\n");
    assert!(message.starts_with("s.toml, line 3, column 16: there is no choice `synch` here"), "{message}");
    assert!(message.contains("expected one of `async`, `sync`"), "{message}");
    assert_eq!(help, "did you mean `sync`?");
    assert_eq!(refused("[straps]\nstore_timming = \"sync\"").1, "did you mean `store_timing`?");
    assert_eq!(refused("[straps]\naddress_policy = \"rplay\"").1, "did you mean `replay`?");
    assert_eq!(refused("[system]\nstart = \"llwpbc\"").1, "did you mean `llwpcb`?");
    for (text, place, what) in [
        ("[straps]\ngather_policy = true", "line 2, column 17", "expected the name of a choice"),
        ("[straps]\nlatency_step = 8", "line 2, column 16", "no choice `8` here, expected one of `1`, `16`"),
        ("[straps]\ntail_nth = 16", "line 2, column 12", "from 0 to 15"),
        ("[straps]\nirq_delay = 256", "line 2, column 13", "from 0 to 255"),
        ("[straps]\none_per_instr = 2", "line 2, column 17", "expected true or false"),
        ("[system]\nswitch_every = 0", "line 2, column 16", "at least 1 cycle"),
        ("[core]\nreplay_abort = 2.0", "line 2, column 16", "a probability from 0.0 to 1.0"),
    ] {
        let message = refused(text).0;
        assert!(message.contains(place) && message.contains(what), "{message}");
    }
}

// LWP-FLT-13, LWP-CPU-24: what no hardware may have is refused, and the message shows the value that cannot be.
#[test]
fn contradictions_show_their_line() {
    for (keys, line, what) in [
        ("core_id = 1\nfault_policy = \"fault\"", 3, "needs store_timing = sync"),
        (
            "store_timing = \"sync\"\ngather_policy = \"all\"\none_per_instr = false\nfault_policy = \"fault\"",
            5,
            "needs one_per_instr or gather_policy = one",
        ),
        ("core_id = 1\none_per_instr = false", 3, "needs gather_policy = all"),
        ("latency_phase = \"free-running\"", 2, "needs latency_step = 16"),
        ("v86 = false\ntail_nth = 0", 3, "tail_nth must be 1 to 15"),
        ("v86 = false\ntail_nth = 2", 3, "needs tail_reread = lazy"),
        ("latency_filter = false\nlevel_filter = false", 3, "one of latency_filter and level_filter"),
        ("v86 = false\nlfsr_seed = 0", 3, "lfsr_seed must not be 0"),
    ] {
        let message = refused(&format!("[straps]\n{keys}\n")).0;
        assert!(message.contains(&format!("line {line}, ")) && message.contains(what), "{message}");
    }
}

#[test]
fn system_and_core() {
    let session = parse("[system]\nstart = \"lwpmsr1\"\nswitch_every = 5000\n[core]\nreplay_abort = 0.25\n").unwrap();
    assert_eq!((session.start, session.switch_every, session.replay_abort), (Start::LwpMsr1, Some(5000), 0.25));
    let session = parse("[system]\nstart = \"llwpcb\"").unwrap();
    assert_eq!((session.start, session.switch_every, session.replay_abort), (Start::Llwpcb, None, 0.0));
}

#[test]
fn straps_change_what_is_warned_about() {
    let block = "[lwpcb]\nthreshold = 64\n[[lwpcb.event]]\nid = 1\ninterval = 1000\n";
    let warnings = |text: &str| parse(text).expect(text).warnings();
    let cases = [
        ("[straps]\nfault_policy = \"nonpaged\"\n[memory]\nfault = 0.1", "straps promise that there are none"),
        ("[straps]\ntail_reread = \"lazy\"\ntail_nth = 4\n[consumer]\nmode = \"interrupt\"", "`tail_nth` is 4"),
        ("[straps]\nhead_flush = \"deferred\"\n[consumer]\nperiod = 100", "a periodic consumer sees records only once"),
        ("[core]\nreplay_abort = 0.1", "means nothing without address_policy = replay"),
        ("[system]\nswitch_every = 100", "system.switch_every is 100 cycles"),
    ];
    for (text, expected) in cases {
        let all = warnings(&format!("{block}{text}\n"));
        assert!(all.iter().any(|warning| warning.contains(expected)), "{expected}: {all:?}");
        assert_eq!(all.len(), 1, "{all:?}");
    }
    for quiet in [
        "[straps]\nfault_policy = \"nonpaged\"",
        "[straps]\naddress_policy = \"replay\"\n[core]\nreplay_abort = 0.1",
        "[straps]\nstore_timing = \"sync\"\n[system]\nswitch_every = 100",
        "[straps]\nmissed_mode = \"cached\"\nfault_policy = \"trap+pending\"\n[memory]\nfault = 0.1",
    ] {
        assert_eq!(warnings(&format!("{block}{quiet}\n")), [""; 0], "{quiet}");
    }
    let odd = block.replace("threshold", "address = 0x1008\nmin_latency = 3\nclf = true\nthreshold");
    let more = |straps: &str| warnings(&format!("{odd}[straps]\n{straps}\n"));
    assert!(more("misaligned = \"truncate\"")[0].contains("hardware takes 0x1000"));
    assert!(more("latency_filter = false").iter().any(|warning| warning.contains("min_latency is ignored")));
    assert!(more("level_filter = false").iter().any(|warning| warning.contains("clf is ignored")));
    let started = warnings(&format!("{odd}[system]\nstart = \"lwpmsr1\"\n"));
    assert!(started[0].contains("WRMSR of LWPMSR1 raises #GP"), "{started:?}");
}
