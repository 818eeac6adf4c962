//! Concrete types in place of parameters and of `impl Trait`.

use crate::parse::{Function, split};

/// Paths that are private, and where the item is public.
const MOVED: &[(&str, &str)] = &[
    ("core::ops::function::", "core::ops::"),
    ("core::ops::arith::", "core::ops::"),
    ("core::ops::bit::", "core::ops::"),
    ("core::num::nonzero::", "core::num::"),
    ("core::iter::traits::collect::", "core::iter::"),
    ("core::iter::traits::iterator::", "core::iter::"),
    ("core::ops::range::", "core::ops::"),
    ("tock_registers::local_register::", "tock_registers::"),
    ("bitflags::traits::", "bitflags::"),
    ("dyn lwp_regs::access::Cpuid", "crate::by_hand::Leaves"),
    ("+ ?core::marker::Sized", ""),
];

/// What stands for any register: it is read and written, and has capabilities.
const REGISTER: &str = "lwp_regs::perf::architectural::Ia32FixedCtrCtrl";

/// What stands for a parameter with these bounds.
pub(crate) fn stand_in(name: &str, bounds: &str, owner: &str) -> String {
    if let Some(item) = bounds.split_once("IntoIterator<Item = ").map(|(_, item)| item) {
        return format!("std::vec::Vec<{}>", item.strip_suffix('>').unwrap_or(item));
    }
    if let Some(into) = bounds.split_once("core::convert::Into<").map(|(_, into)| into) {
        return into.strip_suffix('>').unwrap_or(into).to_owned();
    }
    fixed(name, bounds, owner).to_owned()
}

fn fixed(name: &str, bounds: &str, owner: &str) -> &'static str {
    let has = |bound: &str| bounds.contains(bound);
    match (name, bounds) {
        ("N" | "SLOTS" | "CPUS", _) => return "4",
        ("T" | "BYTES", "usize") => return "8",
        ("VALUE", "u64") => return "1",
        ("RECORDS", _) => return "16",
        ("R", "") if owner.contains("debug::Dr<") => return "lwp_regs::debug::Dr7",
        ("R", "") if owner.contains("itanium::Pmc<") => return "lwp_regs::itanium::Pmc0",
        ("R", "") if owner.contains("Msr<") => return REGISTER,
        ("B", _) if bounds.contains("Infallible") => return "crate::by_hand::Sure",
        ("B", "") if owner.contains("TockMsr<") => return "crate::by_hand::Sure",
        _ => {}
    }
    if has("hash::Hasher") {
        "std::collections::hash_map::DefaultHasher"
    } else if has("access::Cpuid") {
        "crate::by_hand::Leaves"
    } else if has("CounterHardware") {
        "lwp_regs::perf::virtual_counter::ArchitecturalCounters<crate::by_hand::Bus>"
    } else if has("CounterSelect") {
        "lwp_regs::perf::architectural::Ia32PerfEvtSel"
    } else if has("PmiHandler") {
        "crate::by_hand::Sink"
    } else if has("Bus")
        || has("LocalApic")
        || has("LwpContextPort")
        || has("LwpInstructions")
        || has("OverflowPlatform")
    {
        "crate::by_hand::Bus"
    } else if has("CacheLevel") || name == "L" {
        "lwp_regs::rdt::L3"
    } else if has("delivery::Gate") {
        "lwp_regs::delivery::Gate64"
    } else if has("DrValue") {
        "lwp_regs::debug::Dr7"
    } else if has("PmcValue") {
        "lwp_regs::itanium::Pmc0"
    } else if has("Msr") || has("RegisterLongName") {
        REGISTER
    } else if name == "C" && owner.contains("CountError") {
        "u64"
    } else if name == "C" {
        "lwp_regs::perf::architectural::CounterIndex"
    } else if name == "F" && owner.contains("FakeMsrs<") {
        "lwp_regs::access::DebugFault"
    } else if name == "F" {
        "lwp_regs::access::GeneralProtection"
    } else if matches!(name, "B" | "P" | "I") {
        "crate::by_hand::Bus"
    } else {
        "u64"
    }
}

/// The place of the `>` that belongs to the `<` that `text` begins with.
fn closing(text: &str) -> usize {
    let mut depth = 0;
    let bytes = text.as_bytes();
    (0..bytes.len())
        .find(|&at| {
            match bytes[at] {
                b'<' => depth += 1,
                b'>' if bytes[at - 1] != b'-' => depth -= 1,
                _ => {}
            }
            depth == 0
        })
        .unwrap_or(0)
}

/// Parameters and what stands for each: those of the `impl`, then those of the function.
pub(crate) fn parameters(function: &Function) -> Vec<(String, String)> {
    let of = function.of.as_deref().unwrap_or_default();
    let of = of.trim_start_matches("unsafe ").strip_prefix("impl").filter(|of| of.starts_with('<')).unwrap_or("<>");
    let header = &of[1..closing(of)];
    let conditions = function.of.as_deref().and_then(|of| of.split_once(" where ")).map_or("", |(_, rest)| rest);
    let own_conditions = function.line.split_once(" where ").map_or("", |(_, rest)| rest);
    split(header, ",")
        .into_iter()
        .chain(split(&function.generics, ","))
        .filter(|parameter| !parameter.starts_with('\''))
        .map(|parameter| {
            let parameter = parameter.strip_prefix("const ").unwrap_or(parameter);
            let (name, bounds) = parameter.split_once(": ").unwrap_or((parameter, ""));
            let more = if bounds.is_empty() { [conditions, own_conditions].join(" ") } else { String::new() };
            let more = split(&more, ",")
                .into_iter()
                .find_map(|part| part.strip_prefix(&format!("{name}: ")).map(str::to_owned));
            (name.to_owned(), stand_in(name, more.as_deref().unwrap_or(bounds), &function.owner))
        })
        .collect()
}

/// `text` with whole words replaced.
fn replace_word(text: &str, word: &str, with: &str) -> String {
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(word) {
        let (before, after) = (&rest[..at], &rest[at + word.len()..]);
        let whole = !is_letter(before.chars().next_back().or(out.chars().next_back()))
            && !is_letter(after.chars().next())
            && !before.ends_with("::")
            && !before.ends_with('\'');
        out += before;
        out += if whole { with } else { word };
        rest = after;
    }
    out + rest
}

/// A type as it is written in the calls.
pub(crate) fn concrete(text: &str, owner: &str, of_trait: Option<&str>, parameters: &[(String, String)]) -> String {
    let mut text = text.to_owned();
    if let Some(of_trait) = of_trait {
        text = text.replace("Self::", &format!("<Self as {of_trait}>::"));
    }
    for (name, with) in parameters {
        text = replace_word(&text, name, with);
    }
    let mut text = replace_word(&text, "Self", owner);
    for (from, to) in MOVED {
        text = text.replace(from, to);
    }
    // Lifetimes of the list stand for what is leaked or ends with the call.
    let mut out = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter == '\'' {
            while letters.next_if(|c| c.is_alphanumeric() || *c == '_').is_some() {}
            out += "'static";
        } else {
            out.push(letter);
        }
    }
    out
}
