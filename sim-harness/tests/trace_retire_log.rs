//! The retire log: what is taken, and what is refused with which words.

use crate::trace_support::{file, read};
use sim_harness::trace::{Branch, BranchKind, LineError, Load, Retired, TraceError, open};

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
    let unknown = Load { addr: None, size: 0, miss: false, latency: 0, source: 0 };
    let expected = Retired {
        ip: 0x40_1000,
        cpl: 0,
        smm: true,
        branch: Some(Branch { kind: BranchKind::Jcc, taken: true, next: 0x40_abcd, predicted: Some(false) }),
        loads: vec![Load { addr: Some(0x7ff0), size: 8, miss: true, latency: 200, source: 3 }, unknown],
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
