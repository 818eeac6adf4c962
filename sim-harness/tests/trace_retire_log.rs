//! The retire log: what is taken, and what is refused with which words.

use crate::trace_support::{file, read};
use lwp_model::retire::{Flags, IntKind, Interruption, Io, OpMode, Rep, Transaction};
use sim_harness::traces::{Branch, BranchKind, LineError, Load, Retired, Store, TraceError, TraceNotes, open};

/// The complaint about the first wrong line.
fn refused(text: &str) -> LineError {
    match read(text.as_bytes()).2 {
        Some(TraceError::Line(error)) => *error,
        other => panic!("{other:?} for {text}"),
    }
}

#[test]
fn a_whole_line_gives_a_whole_instruction() {
    let text = r#"{"ip":"0x401000","cpl":0,"smm":true,"branch":{"kind":"jcc","taken":true,"next":"0X40AbCd","predicted":false},"loads":[{"addr":"0x7ff0","size":8,"miss":true,"latency":200,"source":3},{"addr":null}]}"#;
    let (all, _, error) = read(text.as_bytes());
    assert!(error.is_none(), "{error:?}");
    let unknown = Load { addr: None, size: 0, ..Load::default() };
    let expected = Retired {
        ip: 0x40_1000,
        cpl: 0,
        smm: true,
        branch: Some(Branch { kind: BranchKind::Jcc, taken: true, next: 0x40_abcd, predicted: Some(false) }),
        loads: vec![Load { addr: Some(0x7ff0), size: 8, miss: true, latency: 200, source: 3, before_miss: 0 }, unknown],
        ..Retired::default()
    };
    assert_eq!(all, [expected]);
    assert!(open(file(text.as_bytes()).path()).expect("opens").annotated());
}

#[test]
fn what_is_left_out_gets_its_default() {
    let text = "\r\n{\"ip\":4096}\r\n\n{\"ip\":\"0x1001\",\"branch\":{\"kind\":\"ret\",\"predicted\":null}}\r\n{\"ip\":\"0x2000\",\"branch\":null}";
    let (all, _, error) = read(text.as_bytes());
    assert!(error.is_none(), "{error:?}");
    let branch = Branch { kind: BranchKind::Ret, taken: true, next: 0x2000, predicted: None };
    let plain = |ip| Retired { ip, cpl: 3, ..Retired::default() };
    assert_eq!(all, [plain(0x1000), Retired { branch: Some(branch), ..plain(0x1001) }, plain(0x2000)]);
}

#[test]
fn every_kind_has_its_name() {
    for kind in BranchKind::ALL {
        let line = format!(r#"{{"ip":1,"branch":{{"kind":"{}","taken":true,"next":2}}}}"#, kind.name());
        let (all, _, error) = read(line.as_bytes());
        assert!(error.is_none(), "{error:?}");
        assert_eq!(all[0].branch.map(|branch| branch.kind), Some(kind));
    }
}

#[test]
fn wrong_lines_are_refused_at_their_place() {
    let cases = [
        (r#"{"ip":"0x1","cp":3}"#, 16, "unknown field `cp`, expected one of `ip`, `cpl`"),
        (r#"{"ip":"0x1","cpl":4}"#, 19, "integer `4`, expected a privilege level from 0 to 3"),
        (r#"{"ip":"0x1","cpl":"3"}"#, 21, "string \"3\", expected a privilege level"),
        (r#"{"ip":"401000"}"#, 14, "expected an address: a string of up to 16 hexadecimal digits after `0x`"),
        (r#"{"ip":"0x12345678901234567"}"#, 27, "expected an address"),
        (r#"{"ip":"0x+1"}"#, 12, "expected an address"),
        (r#"{"ip":-1}"#, 8, "integer `-1`, expected an address"),
        (r#"{"cpl":3}"#, 9, "missing field `ip`"),
        (r#"{"ip":1,"ip":2}"#, 12, "duplicate field `ip`"),
        (r#"{"ip":1,"loads":[{"source":8}]}"#, 28, "integer `8`, expected a data source from 0 to 7"),
        (r#"{"ip":1,"loads":[{"latency":4294967296}]}"#, 38, "expected u32"),
        (r#"{"ip":1,"loads":[["0x1"]]}"#, 17, "expected an object"),
        (r#"{"ip":1,"loads":[{"address":1}]}"#, 27, "unknown field `address`"),
        (r#"{"ip":1,"branch":{"kind":"jz","next":1}}"#, 29, "unknown variant `jz`, expected one of `jmp`"),
        (r#"{"ip":1,"branch":{"kind":"jcc","next":1}}"#, 9, "expected `taken` in a branch of kind `jcc`, found none"),
        (r#"{"ip":1,"branch":{"kind":"jmp","taken":false,"next":1}}"#, 9, "expected `taken` to be true"),
        (r#"{"ip":1,"length":0}"#, 18, "integer `0`, expected a length from 1 to 15 bytes"),
        (r#"{"ip":1,"length":16}"#, 19, "integer `16`, expected a length from 1 to 15 bytes"),
        (r#"{"ip":1,"mode":"32"}"#, 19, "unknown variant `32`, expected one of `real`, `v86`, `protected`"),
        (r#"{"ip":1,"cs_base":"1"}"#, 21, "expected an address"),
        (r#"{"ip":1,"stores":[{"addr":1}]}"#, 28, "missing field `size`"),
        (r#"{"ip":1,"stores":[{"size":1}]}"#, 28, "missing field `addr`"),
        (r#"{"ip":1,"stores":[{"addr":1,"size":0}]}"#, 36, "integer `0`, expected a size from 1 to 65535 bytes"),
        (r#"{"ip":1,"stores":[{"addr":null,"size":1}]}"#, 30, "invalid type: null, expected an address"),
        (r#"{"ip":1,"io":{"port":1,"size":1}}"#, 32, "missing field `write`"),
        (
            r#"{"ip":1,"io":{"port":"0x10000","size":1,"write":true}}"#,
            30,
            "integer `65536`, expected a port from 0 to 0xffff",
        ),
        (r#"{"ip":1,"io":{"port":1,"size":3,"write":true}}"#, 31, "integer `3`, expected a size of 1, 2 or 4 ports"),
        (r#"{"ip":1,"io":true}"#, 17, "boolean `true`, expected an object in braces"),
        (r#"{"ip":1,"tf":1}"#, 14, "integer `1`, expected a boolean"),
        (r#"{"ip":1,"rep":1}"#, 15, "expected"),
        (r#"{"ip":1,"rep":"second"}"#, 22, "unknown variant `second`, expected one of `first`, `more`, `last`"),
        (r#"{"ip":1,"interruption":3}"#, 24, "integer `3`, expected an object in braces, or a list of them"),
        (r#"{"ip":1,"interruption":[3]}"#, 25, "integer `3`, expected an object in braces"),
        (r#"{"ip":1,"interruption":{"vector":3}}"#, 35, "missing field `kind`"),
        (
            r#"{"ip":1,"interruption":{"kind":"int"}}"#,
            36,
            "unknown variant `int`, expected one of `interrupt`, `exception`",
        ),
        (
            r#"{"ip":1,"interruption":{"kind":"exception"}}"#,
            43,
            "expected `vector` in an interrupt or exception, found none",
        ),
        (r#"{"ip":1,"interruption":{"kind":"nmi","vector":3}}"#, 48, "expected vector 2 or none, found 3"),
        (r#"{"ip":1,"interruption":{"kind":"exception","vector":256}}"#, 55, "integer `256`, expected u8"),
        (
            r#"{"ip":1,"interruption":[{"kind":"smi"},{"kind":"nmi"}]}"#,
            54,
            "expected `from` in an interruption behind another one",
        ),
        (
            r#"{"ip":1,"interruption":{"kind":"smi","to":1}}"#,
            41,
            "unknown field `to`, expected one of `kind`, `vector`, `from`",
        ),
        (r#"{"ip":1} {"ip":2}"#, 10, "trailing characters"),
        ("# ip", 1, "not JSON: expected value, found `#`"),
        ("// ip", 1, "not JSON"),
    ];
    for (line, column, what) in cases {
        let error = refused(&format!("{{\"ip\":1}}\n\n{line}\n"));
        assert_eq!((error.line, error.column), (3, column), "{line}: {}", error.what);
        assert!(error.what.contains(what), "{line}: {}", error.what);
    }
}

#[test]
fn comments_in_front_are_a_retire_log_gone_wrong() {
    assert_eq!(refused("# a comment\n{\"ip\":1}\n").line, 1);
    assert_eq!(refused("// a comment\n{\"ip\":1}\n").line, 1);
}

#[test]
fn instructions_before_a_wrong_line_are_given() {
    let (all, _, error) = read(b"{\"ip\":1}\n{\"ip\":2}\nnonsense\n");
    assert_eq!(all.len(), 2);
    assert!(matches!(error, Some(TraceError::Line(_))));
}

#[test]
fn a_last_line_that_breaks_off_is_truncated() {
    let (all, _, error) = read(b"{\"ip\":1}\n{\"ip\":2,\"lo");
    assert_eq!(all.len(), 1);
    assert!(matches!(&error, Some(TraceError::Truncated { at, .. }) if at.contains("line 2")), "{error:?}");
    // With its end it is not truncated but wrong.
    assert_eq!(refused("{\"ip\":1}\n{\"ip\":2,\"lo\n").line, 2);
}

#[test]
fn the_last_branch_needs_its_successor_unless_no_event_shows_it() {
    let error = refused("{\"ip\":1}\n{\"ip\":2,\"branch\":{\"kind\":\"jmp\"}}\n\n");
    assert_eq!(error.line, 2);
    assert!(error.what.contains("next"), "{}", error.what);
    let (all, notes, error) = read(b"{\"ip\":2,\"branch\":{\"kind\":\"system\"}}");
    assert!(error.is_none(), "{error:?}");
    assert_eq!(all[0].branch.map(|branch| branch.next), Some(2));
    assert_eq!(notes.system_without_next, 1);
}

#[test]
fn far_transfers_that_switch_the_mode_are_no_branches() {
    let second = |mode: &str| format!("{{\"ip\":1,\"branch\":{{\"kind\":\"far_call\"}}}}\n{{\"ip\":9{mode}}}\n");
    for (mode, kind, switches) in
        [("", BranchKind::FarCall, 0), (",\"cpl\":0", BranchKind::System, 1), (",\"smm\":true", BranchKind::System, 1)]
    {
        let (all, notes, _) = read(second(mode).as_bytes());
        let branch = Branch { kind, taken: true, next: 9, predicted: None };
        assert_eq!(all[0].branch, Some(branch), "{mode}");
        assert_eq!(notes.mode_switches, switches, "{mode}");
    }
    // Near branches never switch the mode, whatever an interrupt behind them does.
    let (all, _, _) = read(b"{\"ip\":1,\"branch\":{\"kind\":\"call\",\"next\":5}}\n{\"ip\":9,\"cpl\":0}\n");
    assert_eq!(all[0].branch.map(|branch| (branch.kind, branch.next)), Some((BranchKind::Call, 5)));
}

/// One line, read.
fn one(line: &str) -> Retired {
    let (mut all, _, error) = read(line.as_bytes());
    assert!(error.is_none(), "{line}: {error:?}");
    all.remove(0)
}

// The table of the contract, key by key: what is given, and what is left out.
#[test]
fn each_key_has_its_place() {
    let plain = Retired { ip: 1, cpl: 3, ..Retired::default() };
    let flags = |flags| Retired { flags, ..plain.clone() };
    let rep = |rep| flags(Flags { rep, ..Flags::default() });
    let mode = |mode| Retired { op_mode: Some(mode), ..plain.clone() };
    let io = |write, port, size| Retired { io: Io { valid: true, write, port, size }, ..plain.clone() };
    let cases = [
        ("\"length\":15", Retired { length: 15, ..plain.clone() }),
        ("\"mode\":\"real\"", mode(OpMode::Real)),
        ("\"mode\":\"v86\"", mode(OpMode::Virtual8086)),
        ("\"mode\":\"protected\"", mode(OpMode::Protected)),
        ("\"mode\":\"compatibility\"", mode(OpMode::Compatibility)),
        ("\"mode\":\"64\"", mode(OpMode::Long64)),
        ("\"cs_base\":\"0xf0000\"", Retired { cs_base: 0xF_0000, ..plain.clone() }),
        (
            "\"stores\":[{\"addr\":\"0x8\",\"size\":8},{\"addr\":1,\"size\":65535}]",
            Retired { stores: vec![Store { addr: 8, size: 8 }, Store { addr: 1, size: 65535 }], ..plain.clone() },
        ),
        ("\"stores\":[]", plain.clone()),
        ("\"io\":{\"port\":\"0x60\",\"size\":1,\"write\":false}", io(false, 0x60, 1)),
        ("\"io\":{\"port\":65535,\"size\":4,\"write\":true}", io(true, 0xFFFF, 4)),
        ("\"io\":null", plain.clone()),
        ("\"tf\":true", flags(Flags { tf: true, ..Flags::default() })),
        ("\"ss_load\":true", flags(Flags { ss_load: true, ..Flags::default() })),
        ("\"rep\":\"first\"", rep(Rep::First)),
        ("\"rep\":\"more\"", rep(Rep::Further)),
        ("\"rep\":\"last\"", rep(Rep::Last)),
        ("\"in_tx\":true", Retired { transaction: Transaction { in_tx: true, tx_abort: false }, ..plain.clone() }),
        ("\"tx_abort\":true", Retired { transaction: Transaction { in_tx: false, tx_abort: true }, ..plain.clone() }),
        ("\"interruption\":null", plain.clone()),
        ("\"interruption\":[]", plain.clone()),
    ];
    for (key, expected) in cases {
        assert_eq!(one(&format!("{{\"ip\":1,{key}}}")), expected, "{key}");
    }
    assert_eq!(one("{\"ip\":1}"), plain, "the defaults");
}

fn interruption(kind: IntKind, vector: u8, from: u64, to: u64) -> Interruption {
    Interruption { valid: true, kind, vector, from, to }
}

#[test]
fn interruptions_lead_from_one_to_the_next() {
    let all = one(r#"{"ip":9,"interruption":[{"kind":"exception","vector":14,"from":1},{"kind":"nmi","from":2},
                    {"kind":"smi","from":"0x3"},{"kind":"rsm","from":4},{"kind":"interrupt","vector":32,"from":5}]}"#
        .replace('\n', "")
        .as_str());
    let expected = [
        interruption(IntKind::Exception, 14, 1, 2),
        interruption(IntKind::Nmi, 2, 2, 3),
        interruption(IntKind::Smi, 0, 3, 4),
        interruption(IntKind::Rsm, 0, 4, 5),
        interruption(IntKind::Interrupt, 32, 5, 9),
    ];
    assert_eq!(all.interruptions, expected);
}

/// The first line's branch and the second line's interruptions.
fn pair(first: &str, second: &str) -> (Option<u64>, Vec<Interruption>, TraceNotes) {
    let text = format!("{{\"ip\":16{first}}}\n{{\"ip\":9,\"interruption\":{second}}}\n");
    let (mut all, notes, error) = read(text.as_bytes());
    assert!(error.is_none(), "{text}: {error:?}");
    (all[0].branch.map(|branch| branch.next), all.remove(1).interruptions, notes)
}

#[test]
fn where_an_interruption_came_from_follows_from_the_line_before() {
    let trap = r#"{"kind":"exception","vector":1}"#;
    let cases = [
        // Length; branch, whose successor is given; not taken, whose neighbour is known; an iteration that comes again.
        (r#","length":3"#, None, 19),
        (r#","branch":{"kind":"jmp","next":77}"#, Some(77), 77),
        (r#","length":3,"branch":{"kind":"jmp","next":77}"#, Some(77), 77),
        (r#","length":2,"branch":{"kind":"jcc","taken":false}"#, Some(18), 18),
        (r#","length":2,"rep":"first""#, None, 16),
        (r#","length":2,"rep":"more""#, None, 16),
        (r#","length":2,"rep":"last""#, None, 18),
    ];
    for (first, next, from) in cases {
        let (found, interruptions, notes) = pair(first, trap);
        assert_eq!((found, interruptions), (next, vec![interruption(IntKind::Exception, 1, from, 9)]), "{first}");
        assert_eq!(notes, TraceNotes::default(), "{first}");
    }
    let unknown = [
        "",
        r#","branch":{"kind":"jmp"}"#,
        r#","length":2,"branch":{"kind":"ret"}"#,
        r#","branch":{"kind":"jcc","taken":false}"#,
    ];
    for first in unknown {
        let (next, interruptions, notes) = pair(first, trap);
        assert!(next.is_none_or(|next| next == 9), "{first}");
        assert_eq!((interruptions[0].from, notes.interruptions_from_unknown), (0, 1), "{first}");
    }
    let (all, notes, _) = read(br#"{"ip":9,"length":1,"interruption":{"kind":"nmi"}}"#);
    assert_eq!((all[0].interruptions[0].from, notes.interruptions_from_unknown), (0, 1), "the first line");
    assert_eq!(notes.sentences().len(), 1);
}

#[test]
fn where_a_branch_leads_follows_from_the_interruption_behind_it() {
    let call = r#","branch":{"kind":"call"}"#;
    assert_eq!(pair(call, r#"{"kind":"nmi","from":32}"#).0, Some(32));
    assert_eq!(pair(call, r#"[{"kind":"nmi","from":32},{"kind":"smi","from":48}]"#).0, Some(32));
    assert_eq!(pair(call, "[]").0, Some(9), "nothing interrupts");
    // RSM leads back to the program, and what RSM leaves is the instruction behind it.
    let rsm = r#","length":2,"branch":{"kind":"system"}"#;
    let (next, interruptions, _) = pair(rsm, r#"{"kind":"rsm"}"#);
    assert_eq!((next, interruptions), (Some(9), vec![interruption(IntKind::Rsm, 0, 18, 9)]));
    let (next, interruptions, _) = pair(rsm, r#"[{"kind":"rsm"},{"kind":"nmi","from":5}]"#);
    assert_eq!((next, interruptions[0].to, interruptions[1].to), (Some(5), 5, 9));
}

#[test]
fn an_interruption_hides_whether_a_far_transfer_changed_the_level() {
    let text = "{\"ip\":1,\"branch\":{\"kind\":\"far_ret\"}}\n{\"ip\":9,\"cpl\":0,\"interruption\":{\"kind\":\"nmi\",\"from\":5}}\n";
    let (all, notes, _) = read(text.as_bytes());
    assert_eq!(all[0].branch.map(|branch| (branch.kind, branch.next)), Some((BranchKind::FarRet, 5)));
    assert_eq!(notes.mode_switches, 0);
}
