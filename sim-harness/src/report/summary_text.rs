//! The summary for people.

use super::summary::Summary;
use std::fmt;

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.interrupted {
            writeln!(f, "INTERRUPTED: the numbers are those up to Ctrl-C")?;
        }
        self.write_run(f)?;
        self.write_records(f)?;
        self.write_front_end(f)?;
        self.write_verdict(f)?;
        self.write_hottest(f)
    }
}

impl Summary {
    fn write_run(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { instructions_ring3, instructions_outside_ring3, operations, .. } = self;
        let modes = format!("{} in ring 3, {} outside", group(*instructions_ring3), group(*instructions_outside_ring3));
        line(f, "instructions", format_args!("{} ({modes})", group(self.instructions)))?;
        line(f, "cycles", format_args!("{}", group(self.cycles)))?;
        let all = [&operations.wrmsr_lwpmsr0, &operations.llwpcb, &operations.slwpcb];
        if all.iter().any(|answer| *answer != "done") {
            let [wrmsr, llwpcb, slwpcb] = all;
            line(f, "operations", format_args!("WRMSR LWPMSR0 {wrmsr}, LLWPCB {llwpcb}, SLWPCB {slwpcb}"))?;
        }
        self.notes.iter().try_for_each(|note| line(f, "note", format_args!("{note}")))
    }

    fn write_records(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let records = &self.records;
        line(f, "records", format_args!("{}", group(records.total)))?;
        line(f, "  instructions", format_args!("{}", group(records.instructions_retired)))?;
        line(f, "  branches", format_args!("{}", group(records.branches_retired)))?;
        line(f, "  DCache misses", format_args!("{}", group(records.dcache_misses)))?;
        line(f, "missed", format_args!("{}", group(self.missed)))?;
        line(f, "interrupts", format_args!("{}", group(self.interrupts)))?;
        line(f, "page faults", format_args!("{}", group(self.page_faults)))?;
        if self.switches == 0 { Ok(()) } else { line(f, "switches", format_args!("{}", group(self.switches))) }
    }

    fn write_front_end(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = &self.front_end;
        let from = if numbers.from_trace { "the trace" } else { "the front end" };
        let (branches, wrong) = (group(numbers.branches), group(numbers.mispredicted));
        line(
            f,
            "branches",
            format_args!("{branches}, {wrong} mispredicted{} ({from})", share(numbers.mispredicted, numbers.branches)),
        )?;
        let (loads, misses) = (group(numbers.loads), group(numbers.misses));
        line(f, "loads", format_args!("{loads}, {misses} missed{} ({from})", share(numbers.misses, numbers.loads)))
    }

    fn write_verdict(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.mismatch, self.engine.as_str()) {
            (None, "model" | "rtl") => line(f, "compared", format_args!("nothing: only the {} ran", self.engine))?,
            (None, _) => line(f, "compared", format_args!("{} cycles, no mismatch", group(self.cycles_compared)))?,
            (Some(mismatch), _) => {
                let agreed = group(self.cycles_compared);
                line(f, "compared", format_args!("{agreed} cycles, MISMATCH in cycle {}", mismatch.cycle))?;
            }
        }
        line(f, "speed", format_args!("{:.2} Mcycles/s, {:.2} s", self.mcycles_per_second, self.seconds))
    }

    fn write_hottest(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, hot) in self.hottest.iter().enumerate() {
            let label = if place == 0 { "hottest" } else { "" };
            let function = hot.function.as_deref().unwrap_or("");
            let count = group(hot.count);
            line(f, label, format_args!("{:#x} {count:>10} records  {function}", hot.ip))?;
        }
        Ok(())
    }
}

fn line(f: &mut fmt::Formatter<'_>, label: &str, value: fmt::Arguments<'_>) -> fmt::Result {
    let text = value.to_string();
    writeln!(f, "{label:<16}{}", text.trim_end())
}

/// A number with its digits in groups of three.
fn group(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A part in percent of a whole that is not zero.
fn share(part: u64, whole: u64) -> String {
    if whole == 0 { String::new() } else { format!(" ({:.2} %)", part as f64 * 100.0 / whole as f64) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::HotAddress;

    #[test]
    fn digits_are_grouped() {
        assert_eq!([0, 999, 1000, 1_234_567].map(group), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn says_what_did_not_go_as_planned_and_only_that() {
        let mut summary = Summary { engine: "lockstep".to_owned(), ..Summary::default() };
        let done = || "done".to_owned();
        summary.operations = super::super::Operations { wrmsr_lwpmsr0: done(), llwpcb: done(), slwpcb: done() };
        let text = summary.to_string();
        assert!(!text.contains("operations") && !text.contains("INTERRUPTED"), "{text}");
        assert!(text.contains("0 cycles, no mismatch"), "{text}");
        summary.operations.llwpcb = "#GP(0)".to_owned();
        summary.interrupted = true;
        summary.hottest = vec![HotAddress { ip: 0x40_1000, count: 3, function: Some("main".to_owned()) }];
        let text = summary.to_string();
        assert!(text.contains("LLWPCB #GP(0)") && text.starts_with("INTERRUPTED"), "{text}");
        assert!(text.contains("0x401000          3 records  main\n"), "{text}");
    }
}
