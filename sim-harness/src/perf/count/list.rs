//! The events that can be counted.

use super::event::Wanted;
use lwp_model::perf::{Config, Personality};
use lwp_regs::perf::architectural::ArchitecturalEvent;
use lwp_regs::perf::p6;
use std::fmt::Write;

/// Returns a line for each event of a processor that a trace and the front end can tell: name, and what it counts.
pub(super) fn list(straps: &Config) -> String {
    let mut text = String::new();
    let mut line = |name: &str, what: &str| {
        let known = Wanted::parse(name, straps).is_ok();
        if known {
            let _ = writeln!(text, "{name:<40} {what}");
        }
    };
    if straps.personality != Personality::P6 {
        for event in ArchitecturalEvent::ALL {
            line(&event.name().replace([' ', '-'], "_").to_uppercase(), event.name());
        }
        return text;
    }
    for event in p6::Event::of_model(straps.p6_model) {
        line(event.mnemonic(), event.description());
        for choice in event.unit_mask().choices() {
            line(&format!("{}.{}", event.mnemonic(), choice.name), choice.name);
        }
    }
    text
}
