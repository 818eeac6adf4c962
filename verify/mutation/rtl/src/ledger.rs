//! Results in a file, one line each, from which a run goes on; and what they were made from.

use crate::mutant::Outcome;
use crate::mutator::{read, root, twice};
use crate::proofs::Proofs;
use rtl_mutants::family::Unit;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Results by id, in target/mutants/UNIT/rtl.jsonl.
#[derive(Debug)]
pub(crate) struct Ledger {
    path: PathBuf,
    pub(crate) outcomes: BTreeMap<String, Outcome>,
}

impl Ledger {
    /// What earlier runs of the same sources have left.
    pub(crate) fn open(unit: &Unit, folder: &Path, fresh: bool) -> Result<Self, String> {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let (path, stamp) = (folder.join("rtl.jsonl"), folder.join("rtl.stamp"));
        let now = sources(unit)?;
        let (mut outcomes, proofs) = (BTreeMap::new(), Proofs::of(unit)?);
        let was = fs::read_to_string(&stamp).unwrap_or_default();
        if let Some(changed) = changed(&was, &now).filter(|_| !fresh && path.exists()) {
            for line in read(&path)?.lines() {
                // The last line of a run that was ended may be half.
                if let Ok(mut outcome) = serde_json::from_str::<Outcome>(line) {
                    changed.iter().for_each(|family| outcome.forget(family));
                    if changed.iter().any(|name| name == ASSERTIONS) {
                        outcome.forget_assertions();
                    }
                    outcomes.insert(outcome.mutant.id.clone(), outcome.judged(&proofs));
                }
            }
        }
        fs::write(&stamp, now).map_err(|error| format!("{}: {error}", stamp.display()))?;
        Ok(Self { path, outcomes })
    }

    /// Results of earlier runs, whatever they were made from.
    pub(crate) fn last(unit: &Unit, folder: &Path) -> Result<Self, String> {
        let path = folder.join("rtl.jsonl");
        let text = read(&path)?;
        let outcomes = text.lines().filter_map(|line| serde_json::from_str::<Outcome>(line).ok());
        let proofs = Proofs::of(unit)?;
        let outcomes = outcomes.map(|outcome| (outcome.mutant.id.clone(), outcome.judged(&proofs))).collect();
        Ok(Self { path, outcomes })
    }

    /// Results of a run that has judged them itself: what it proved counts, not the lists.
    pub(crate) fn judged(file: &Path) -> Result<Self, String> {
        let mut outcomes = BTreeMap::new();
        for (at, line) in read(file)?.lines().enumerate() {
            let outcome: Outcome =
                serde_json::from_str(line).map_err(|error| format!("{}:{}: {error}", file.display(), at + 1))?;
            if let Some(earlier) = outcomes.insert(outcome.mutant.id.clone(), outcome) {
                return Err(twice(file, &earlier.mutant.id));
            }
        }
        Ok(Self { path: file.to_owned(), outcomes })
    }

    /// Writes all results.
    pub(crate) fn write(&self) -> Result<(), String> {
        let lines: Result<Vec<String>, _> = self.outcomes.values().map(serde_json::to_string).collect();
        let text = lines.map_err(|error| error.to_string())?.join("\n") + "\n";
        let aside = self.path.with_extension("new");
        fs::write(&aside, text)
            .and_then(|()| fs::rename(&aside, &self.path))
            .map_err(|error| format!("{}: {error}", self.path.display()))
    }
}

/// The families whose cases are others than they were, or are no more; none: nothing is as it was.
fn changed(was: &str, now: &str) -> Option<Vec<String>> {
    let gone: Vec<&str> = was.lines().filter(|line| now.lines().all(|one| one != *line)).collect();
    let name = |line: &&str| line.split(' ').next().unwrap_or_default().to_owned();
    (!was.is_empty() && gone.iter().all(|line| !line.starts_with("rtl "))).then(|| gone.iter().map(name).collect())
}

/// The line of the stamp for what only checks the RTL.
const ASSERTIONS: &str = "assertions";

/// Digests of everything that results depend on: the RTL with what makes mutants of it and plays it, its assertions, and each family of
/// cases. Comments do not count.
fn sources(unit: &Unit) -> Result<String, String> {
    let mut files = Vec::new();
    let list = read(&root().join(format!("rtl/{0}/{0}.f", unit.name)))?;
    let folders: BTreeSet<&str> =
        list.lines().filter_map(|file| file.split_once('/')).map(|(folder, _)| folder).collect();
    for folder in folders {
        gather(&root().join("rtl").join(folder), &mut files)?;
    }
    files.extend(unit.builds().iter().map(|build| PathBuf::from(build.info().flat)));
    files.extend(["player.cpp", "mutate/render.py"].map(|file| root().join("verify/mutation/rtl").join(file)));
    // The unit does not use its default straps.
    files.retain(|file| !file.ends_with(format!("{}_config_pkg.sv", unit.name)));
    files.sort();
    files.dedup();
    let (mut hardware, mut checks) = (Sha256::new(), Sha256::new());
    for file in &files {
        let check =
            file.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&format!("{}_assert", unit.name)));
        (if check { &mut checks } else { &mut hardware }).update(code(&read(file)?));
    }
    let mut text = format!("rtl {}\n{ASSERTIONS} {}\n", hex(hardware.finalize()), hex(checks.finalize()));
    unit.families.iter().for_each(|family| text.push_str(&format!("{} {}\n", family.name, hex(family.digest()))));
    Ok(text)
}

/// Without comments, empty lines, and blanks at the ends of lines.
fn code(text: &str) -> String {
    // No string of these sources holds two slashes.
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default().trim());
    lines.filter(|line| !line.is_empty()).flat_map(|line| [line, "\n"]).collect()
}

fn hex(digest: impl AsRef<[u8]>) -> String {
    digest.as_ref().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

fn gather(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    for entry in fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))? {
        let path = entry.map_err(|error| format!("{}: {error}", folder.display()))?.path();
        if path.is_dir() { gather(&path, files)? } else { files.push(path) }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Ledger, changed, code};
    use crate::mutant::Verdict;

    #[test]
    fn comments_are_no_code() {
        assert_eq!(code("// A ring.\n\n  a = b; // c\n"), code("a = b;\n"));
        assert_ne!(code("a = b;"), code("a = c;"));
    }

    #[test]
    fn a_judged_run_needs_no_list() {
        let folder = std::env::temp_dir().join(format!("rtl-mutants-judged-{}", std::process::id()));
        let mutant = r#"{"number":1,"id":"rate-1","side":"","file":"tsc/tsc_rate.sv","line":7,"module":"tsc_rate","class":"fault","operator":"carry","before":"a + b","after":"","requirements":[],"verdict":"disproved","assertion":null,"proof":"tsc/rate/lp2/free"}"#;
        std::fs::write(&folder, format!("{mutant}\n")).unwrap();
        let ledger = Ledger::judged(&folder).unwrap();
        assert_eq!(ledger.outcomes["rate-1"].verdict, Verdict::Disproved);
        assert_eq!(ledger.outcomes["rate-1"].proof.as_deref(), Some("tsc/rate/lp2/free"));
        // A line that is half is an error, with its place.
        std::fs::write(&folder, format!("{mutant}\n{}", &mutant[..40])).unwrap();
        assert!(Ledger::judged(&folder).unwrap_err().contains(":2: "));
        std::fs::remove_file(&folder).unwrap();
    }

    #[test]
    fn what_is_left_of_results_when_sources_change() {
        let was = "rtl 12\nnoise_agrees 34\none_lane_agrees 56\n";
        let changed = |now: &str| changed(was, now);
        assert_eq!(changed(was), Some(vec![]));
        assert_eq!(changed(&format!("{was}busy_sessions_agree 78\n")), Some(vec![]));
        assert_eq!(changed("rtl 12\nnoise_agrees 35\none_lane_agrees 56\n"), Some(vec!["noise_agrees".to_owned()]));
        assert_eq!(changed("rtl 12\nnoise_agrees 34\n"), Some(vec!["one_lane_agrees".to_owned()]));
        assert_eq!(changed("rtl 13\nnoise_agrees 34\none_lane_agrees 56\n"), None);
        assert_eq!(super::changed("", was), None);
    }
}
