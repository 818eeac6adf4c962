//! No public function panics, but where its documentation says so.
#![allow(missing_docs, reason = "tests")]

use regs_api::{CALLS, Call, seed};
use std::collections::BTreeMap;
use std::panic::{catch_unwind, set_hook, take_hook};

const API: &str = include_str!("../../../../lwp-regs/public-api.txt");
const EXCEPT: &str = include_str!("../except.txt");
const PANICS: &str = include_str!("../panics.txt");

/// How often each function is called; `REGS_API_ROUNDS` for more.
const ROUNDS: u64 = 60;

/// The lines `what | reason` of a list.
fn rows(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines().map(|line| line.split_once(" | ").unwrap_or_else(|| panic!("no reason: {line}")))
}

/// Calls the function so often: how often its arguments could be made, and its first panic.
fn run(number: usize, rounds: u64, call: &Call) -> (u64, Option<String>) {
    let (mut made, mut panic) = (0, None);
    for round in 0..rounds {
        seed((number as u64) << 32 | round);
        match catch_unwind(call.call) {
            Ok(Some(())) => made += 1,
            Ok(None) => {}
            Err(payload) => {
                made += 1;
                let text = payload.downcast_ref::<String>().cloned();
                let text = text.or_else(|| payload.downcast_ref::<&str>().map(|text| (*text).to_owned()));
                panic.get_or_insert(text.unwrap_or_default());
            }
        }
    }
    (made, panic)
}

fn name(call: &Call) -> String {
    if call.of.contains(" for ") { format!("{} ({})", call.line, call.of) } else { call.line.to_owned() }
}

#[test]
fn no_function_panics_that_does_not_say_so() {
    let hook = take_hook();
    set_hook(Box::new(|_| {}));
    let trace = std::env::var_os("REGS_API_TRACE").is_some();
    let rounds = std::env::var("REGS_API_ROUNDS").map_or(ROUNDS, |rounds| rounds.parse().expect("a number of rounds"));
    let runs = CALLS.iter().enumerate().map(|(number, call)| {
        if trace {
            eprintln!("{}", call.line); // the last one is the call that does not return
        }
        (call, run(number, rounds, call))
    });
    let runs: Vec<_> = runs.collect();
    set_hook(hook);
    let documented: BTreeMap<_, _> = rows(PANICS).collect();
    let is_documented = |call: &Call| documented.keys().find(|what| call.line.contains(**what)).copied();
    let mut seen = BTreeMap::new();
    let mut wrong = Vec::new();
    for (call, (made, panic)) in &runs {
        match (is_documented(call), panic) {
            (Some(what), Some(_)) => drop(seen.insert(what, ())),
            (None, Some(panic)) => wrong.push(format!("{}\n    panics: {panic}", name(call))),
            (_, None) if *made == 0 => wrong.push(format!("{}\n    was never called: no arguments", name(call))),
            _ => {}
        }
    }
    let never = documented.keys().filter(|what| !seen.contains_key(**what));
    wrong.extend(never.map(|what| format!("{what}\n    never panicked; strike it from panics.txt")));
    assert!(wrong.is_empty(), "{} of {} functions:\n{}", wrong.len(), runs.len(), wrong.join("\n"));
}

#[test]
fn every_exception_is_of_the_api() {
    for (what, reason) in rows(EXCEPT) {
        let found = what == "unsafe" || API.contains(what.strip_prefix("impl ").unwrap_or(what));
        assert!(found, "{what} is not in the API any more");
        assert!(reason.ends_with('.'), "{what}: {reason}");
    }
}
