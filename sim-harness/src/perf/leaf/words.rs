//! What leaf 0AH enumerates, a line each.

use lwp_regs::perf::architectural::cpuid::PerfmonEax;
use lwp_regs::perf::architectural::{ArchitecturalEvent, PerfmonCaps};

/// Returns the leaf in words.
pub(super) fn words(leaf: [u32; 4]) -> String {
    let [eax, ebx, ecx, edx] = leaf;
    let registers = format!("CPUID.0AH: EAX {eax:08X} EBX {ebx:08X} ECX {ecx:08X} EDX {edx:08X}");
    let Some(caps) = PerfmonCaps::from_cpuid(leaf) else {
        return format!("{registers}\nversion              0: there is no architectural performance monitoring\n");
    };
    let mut lines = vec![
        registers,
        line("version", &caps.version.to_string()),
        line("general counters", &counters(u32::from(caps.counters), caps.width)),
        line("fixed counters", &fixed(&caps)),
        line("AnyThread", any_thread(&caps)),
    ];
    let told = PerfmonEax::from_bits(eax).events_length();
    lines.push(line("events", &format!("{told} are told of, of which {} can be counted", available(&caps))));
    lines.extend(ArchitecturalEvent::ALL.into_iter().map(|event| one(event, &caps, told)));
    if let Err(wrong) = caps.validate() {
        lines.push(line("senseless", &wrong.to_string()));
    }
    lines.join("\n") + "\n"
}

fn line(label: &str, value: &str) -> String {
    format!("{label:<20} {value}")
}

fn counters(number: u32, width: u8) -> String {
    if number == 0 { "none".to_owned() } else { format!("{number}, of {width} bits") }
}

fn fixed(caps: &PerfmonCaps) -> String {
    if !caps.has_global_control() {
        return "none: they came with version 2".to_owned();
    }
    let numbers: Vec<_> = caps.all_fixed().map(|counter| counter.number().to_string()).collect();
    let number = counters(numbers.len() as u32, caps.fixed_width);
    if numbers.is_empty() { number } else { format!("{number}: number {}", numbers.join(", ")) }
}

fn any_thread(caps: &PerfmonCaps) -> &'static str {
    match (caps.version, caps.has_any_thread()) {
        (_, true) => "there is",
        (3.., false) => "is not supported",
        _ => "came with version 3",
    }
}

fn available(caps: &PerfmonCaps) -> usize {
    ArchitecturalEvent::ALL.into_iter().filter(|event| caps.events.has(*event)).count()
}

fn one(event: ArchitecturalEvent, caps: &PerfmonCaps, told: u8) -> String {
    let (code, mask) = event.code();
    let state = match (caps.events.has(event), (event as u8) < told) {
        (true, _) => "available",
        (false, true) => "not available",
        (false, false) => "not told of",
    };
    format!("  {:<26} event {code:02X}H, mask {mask:02X}H: {state}", event.name())
}

#[cfg(test)]
mod tests {
    use super::words;

    // APM-41: version, number and width of the counters, and which events can be counted, of Skylake-SP without two events
    #[test]
    fn a_leaf_of_version_4() {
        let text = "\
CPUID.0AH: EAX 07300404 EBX 00000018 ECX 00000000 EDX 00000603
version              4
general counters     4, of 48 bits
fixed counters       3, of 48 bits: number 0, 1, 2
AnyThread            there is
events               7 are told of, of which 5 can be counted
  UnHalted Core Cycles       event 3CH, mask 00H: available
  Instruction Retired        event C0H, mask 00H: available
  UnHalted Reference Cycles  event 3CH, mask 01H: available
  LLC Reference              event 2EH, mask 4FH: not available
  LLC Misses                 event 2EH, mask 41H: not available
  Branch Instruction Retired event C4H, mask 00H: available
  Branch Misses Retired      event C5H, mask 00H: available
  Topdown Slots              event A4H, mask 01H: not told of
";
        assert_eq!(words([0x0730_0404, 0x18, 0, 0x603]), text);
    }

    // APM-41: Yonah, version 1
    #[test]
    fn a_leaf_of_version_1() {
        let text = words([0x0728_0201, 0, 0xFF, 0x503]);
        for line in
            ["2, of 40 bits", "none: they came with version 2", "came with version 3", "7 are told of, of which 7"]
        {
            assert!(text.contains(line), "{line}: {text}");
        }
    }

    #[test]
    fn leaves_that_say_nothing_or_nonsense() {
        assert!(words([0; 4]).ends_with("version              0: there is no architectural performance monitoring\n"));
        let none = words([0x0700_0005, 0xFF, 0, 0x8000]);
        for line in
            ["general counters     none", "fixed counters       none", "is not supported", "of which 0", "senseless"]
        {
            assert!(none.contains(line), "{line}: {none}");
        }
        assert!(words([0x0830_0605, 0, 0b1000, 0x8603]).contains("4, of 48 bits: number 0, 1, 2, 3"));
    }
}
