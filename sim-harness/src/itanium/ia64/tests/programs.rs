//! Every program in `programs/ia64`: its result, and what retires, as the comment at its head promises.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::super::{Core, FaultKind, Place, Retired, Unit, assemble_image};
use super::monitor::Monitor;

/// No program executes more instructions.
const LIMIT: u64 = 100_000;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/ia64")
}

/// The immediate of `nop.i`, without its uppermost bit.
const TAG: u64 = 0xf_ffff << 6;

/// What a program promises or did: numbers by name.
type Counts = BTreeMap<String, u64>;

/// Reads `NAME NUMBER, NAME NUMBER` behind a mark in the comment at the head of a source.
fn promised(source: &str, mark: &str) -> Option<Counts> {
    let line = source.lines().find_map(|line| line.strip_prefix("// ")?.strip_prefix(mark))?;
    let counts = line.split(',').map(|part| {
        let (name, number) = part.trim().rsplit_once(' ').unwrap_or(("", part.trim()));
        (name.to_owned(), number.parse().expect("a number in the head of the program"))
    });
    Some(counts.collect())
}

#[derive(Default)]
struct Run {
    retired: Counts,
    /// How often `nop.i` with an immediate that is not 0 retires, by immediate.
    tags: Counts,
    monitor: Monitor,
}

impl Run {
    fn count(&mut self, name: &str, number: bool) {
        *self.retired.entry(name.to_owned()).or_default() += u64::from(number);
    }

    fn record(&mut self, core: &Core, retired: &Retired) {
        let raw = core.image().bundle(retired.ip).expect("a bundle").slots[usize::from(retired.slot)];
        // nop.i with an immediate: opcode 0, bits 35:33 0, bits 32:27 1, bit 26 0.
        if retired.unit == Unit::I && raw & !TAG == 1 << 27 && raw & TAG != 0 {
            *self.tags.entry((raw >> 6 & 0xf_ffff).to_string()).or_default() += 1;
        }
        for unit in [Unit::M, Unit::I, Unit::F, Unit::B, Unit::X] {
            self.count(&format!("{unit:?}"), retired.unit == unit);
        }
        self.count("off", retired.off);
        self.count("taken", retired.taken);
        self.count("loads", retired.access.is_some_and(|access| access.read));
        self.count("stores", retired.access.is_some_and(|access| access.write));
    }

    /// Runs a program until `break 0`, which ends it with the result in r8. An external interrupt is delivered after every
    /// `period` instructions that retire above level 0.
    fn finish(&mut self, core: &mut Core, period: Option<u64>) -> u64 {
        let mut left = period;
        for _ in 0..LIMIT {
            if left == Some(0) {
                assert!(core.accepts_interrupts(), "interrupts are off at {:?}", core.place());
                core.interrupt(0xef);
                self.monitor.interrupted(core);
                self.count("interrupts", true);
                left = period;
            }
            let (place, cpl) = (core.place(), core.cpl());
            match core.step() {
                Ok(retired) => {
                    assert_eq!(Place { ip: retired.ip, slot: retired.slot }, place);
                    if self.monitor.serve(core, &retired) {
                        self.record(core, &retired);
                        left = left.map(|left| left - u64::from(cpl != 0));
                    } else {
                        self.count("faults", true);
                    }
                }
                Err(fault) if fault.kind == (FaultKind::Break { immediate: 0 }) => return core.general(8),
                Err(fault) => {
                    // Without a kernel there is no table of handlers.
                    assert!(core.control(2) != 0 && core.deliver(&fault).is_some(), "{fault}");
                    self.monitor.interrupted(core);
                    self.count(if matches!(fault.kind, FaultKind::Break { .. }) { "calls" } else { "faults" }, true);
                }
            }
        }
        panic!("no end after {LIMIT} instructions, at {:?}", core.place());
    }
}

#[test]
fn every_program_ends_as_its_head_promises() {
    let folder = folder();
    let output = tempfile::tempdir().expect("a temporary directory");
    let mut tested = Vec::new();
    for entry in fs::read_dir(&folder).expect("the programs exist") {
        let path = entry.expect("an entry of the directory").path();
        if path.extension().is_none_or(|extension| extension != "s") {
            continue;
        }
        let source = fs::read_to_string(&path).expect("the source can be read");
        let image = assemble_image(&path, &folder.join("program.ld"), output.path());
        let image = image.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let promise = promised(&source, "retires: ").expect("the head has a line `retires:`");
        let exit = promised(&source, "exit: ").expect("the head has a line `exit:`")[""];
        let period = promised(&source, "interrupted every: ").map(|counts| counts[""]);

        let mut run = Run::default();
        let mut core = Core::new(image);
        assert_eq!(run.finish(&mut core, period), exit, "the result of {}", path.display());
        run.retired.retain(|name, count| *count != 0 || promise.contains_key(name));
        assert_eq!(run.retired, promise, "what retires in {}", path.display());
        assert_eq!(run.tags, promised(&source, "tags: ").unwrap_or_default(), "the tags of {}", path.display());
        tested.push(path.file_stem().expect("a name").to_string_lossy().into_owned());
    }
    tested.sort();
    assert_eq!(tested, ["blocks", "calls", "copy", "float", "kernel", "long", "sort"]);
}
