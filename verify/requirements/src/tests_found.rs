//! The tests that cargo runs: the modules of every target are followed from its first file.

use crate::problem::{Error, Place, Problem};
use crate::repository::{Repository, Target};
use crate::rust::{self, Module, RustFile};
use std::collections::{BTreeMap, BTreeSet};

/// A test as a reader finds it: in a file.
#[derive(Debug)]
pub(crate) struct Test {
    /// `file::name`, with its modules only where the name alone stands twice in the file.
    pub name: String,
    path: Vec<String>,
    pub first_line: usize,
    pub last_line: usize,
    /// Why it does not run, if so.
    pub off: Option<String>,
    /// The files through which programs that run it reach it, with its own.
    pub through: BTreeSet<String>,
    /// As cargo-nextest calls it: program and path. More than one if several programs have the file.
    pub runs: BTreeSet<(String, String)>,
}

/// All Rust of the repository.
#[derive(Debug)]
pub(crate) struct Tests {
    pub files: BTreeMap<String, RustFile>,
    tests: BTreeMap<String, Vec<Test>>,
    /// Files that belong to a target.
    pub reached: BTreeSet<String>,
    /// Files of programs that are nothing but tests.
    pub integration: BTreeSet<String>,
}

impl Tests {
    pub(crate) fn of(repository: &Repository, problems: &mut Vec<Problem>) -> Result<Tests, Error> {
        let mut files = BTreeMap::new();
        for file in repository.with_extension("rs") {
            match rust::parse(&repository.read_rust(file)?) {
                Ok(parsed) => drop(files.insert(file.clone(), parsed)),
                Err((line, reason)) => {
                    let help = "no claim in it counts until it compiles";
                    problems.push(Problem::new(Place::new(file, line), format!("this is not Rust: {reason}"), help));
                }
            }
        }
        let tests = files.iter().map(|(file, parsed)| (file.clone(), in_file(file, parsed))).collect();
        let mut all = Tests { files, tests, reached: BTreeSet::new(), integration: BTreeSet::new() };
        for target in &repository.targets {
            all.follow(target, std::slice::from_ref(&target.file), &[], true);
        }
        problems.extend(all.left_out(repository));
        Ok(all)
    }

    /// The tests in `file`.
    pub(crate) fn in_file(&self, file: &str) -> &[Test] {
        self.tests.get(file).map_or(&[], Vec::as_slice)
    }

    /// The test that `name` in `file` stands for, or why there is none.
    pub(crate) fn find(&self, file: &str, name: &str) -> Result<&Test, String> {
        let tests = self.in_file(file);
        let fits = |test: &&Test| test.path.last().is_some_and(|last| last == name) || test.path.join("::") == name;
        let mut found = tests.iter().filter(fits);
        let Some(test) = found.next() else {
            return Err(match (self.files.contains_key(file), tests.is_empty()) {
                (false, _) => format!("there is no file {file}"),
                (true, true) => format!("{file} has no tests"),
                (true, false) => format!("{file} has no test {name}; it has {}", list(tests)),
            });
        };
        if found.next().is_some() {
            return Err(format!("{file} has several tests {name}; write the module before it"));
        }
        match test.reason() {
            None => Ok(test),
            Some(reason) => Err(format!("{} never runs: {reason}", test.name)),
        }
    }

    /// The test of that [`name`](Test::name).
    pub(crate) fn named(&self, name: &str) -> Option<&Test> {
        let (file, _) = name.split_once("::")?;
        self.in_file(file).iter().find(|test| test.name == name)
    }

    /// Files directly in a folder `tests/` that no program of tests holds.
    fn left_out(&self, repository: &Repository) -> Vec<Problem> {
        let forgotten = |file: &&String| {
            let Some((folder, _)) = file.rsplit_once('/') else { return false };
            let package = folder.strip_suffix("tests").map(str::to_owned);
            let of_cargo = |package: String| repository.targets.iter().any(|target| target.file.starts_with(&package));
            package
                .is_some_and(|package| repository.files.contains(&format!("{package}Cargo.toml")) && of_cargo(package))
                && !self.integration.contains(*file)
        };
        let left = self.files.keys().filter(forgotten);
        let help = "add `mod NAME;` to the first file of the program, or remove the file";
        left.map(|file| Problem::new(Place::new(file, 1), "no program of tests holds the file", help)).collect()
    }

    /// `way` ends in the file to follow.
    fn follow(&mut self, target: &Target, way: &[String], modules: &[String], enabled: bool) {
        let Some(file) = way.last() else { return };
        let Some(parsed) = self.files.get(file) else { return };
        if target.integration {
            self.integration.insert(file.clone());
        }
        let enabled = enabled && parsed.off.is_none();
        self.reached.insert(file.clone());
        if let (true, Some(binary)) = (enabled, &target.binary) {
            for test in self.tests.get_mut(file).into_iter().flatten() {
                let path = modules.iter().chain(&test.path).cloned().collect::<Vec<_>>().join("::");
                test.runs.insert((binary.clone(), path));
                test.through.extend(way.iter().cloned());
            }
        }
        let children: Vec<_> = parsed
            .modules
            .iter()
            .filter_map(|module| {
                let child = candidates(file, module, *file == target.file).into_iter();
                let child = child.into_iter().find(|file| self.files.contains_key(file))?;
                let path = modules.iter().chain(&module.inside).chain([&module.name]).cloned().collect::<Vec<_>>();
                Some((child, path, enabled && module.off.is_none()))
            })
            .collect();
        for (child, path, enabled) in children {
            // A file that includes itself does not compile, but must not hang this.
            if path.len() < 32 {
                let way: Vec<_> = way.iter().cloned().chain([child]).collect();
                self.follow(target, &way, &path, enabled);
            }
        }
    }
}

impl Test {
    /// Why it does not run, if so.
    pub(crate) fn reason(&self) -> Option<&str> {
        match &self.off {
            Some(reason) => Some(reason),
            None if self.runs.is_empty() => Some("no target that cargo tests has the file"),
            None => None,
        }
    }
}

fn in_file(file: &str, parsed: &RustFile) -> Vec<Test> {
    let alone = |name: Option<&String>| parsed.tests.iter().filter(|test| test.path.last() == name).count() == 1;
    let test = |test: &rust::TestFn| {
        let name = test.path.last().filter(|name| alone(Some(name))).cloned();
        Test {
            name: format!("{file}::{}", name.unwrap_or_else(|| test.path.join("::"))),
            path: test.path.clone(),
            first_line: test.first_line,
            last_line: test.last_line,
            off: test.off.clone(),
            through: BTreeSet::new(),
            runs: BTreeSet::new(),
        }
    };
    parsed.tests.iter().map(test).collect()
}

/// Where the file of a module may be, as the compiler looks for it.
fn candidates(file: &str, module: &Module, first_file: bool) -> Vec<String> {
    let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
    let stem = name.trim_end_matches(".rs");
    let mut base: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    if let Some(own) = &module.file
        && module.inside.is_empty()
    {
        for part in own.split('/') {
            match part {
                ".." => drop(base.pop()),
                "." => {}
                part => base.push(part),
            }
        }
        return vec![base.join("/")];
    }
    if !first_file && stem != "mod" {
        base.push(stem);
    }
    base.extend(module.inside.iter().map(String::as_str));
    base.push(module.file.as_deref().unwrap_or(&module.name));
    let path = base.join("/");
    if module.file.is_some() { vec![path] } else { vec![format!("{path}.rs"), format!("{path}/mod.rs")] }
}

fn list(tests: &[Test]) -> String {
    let names: Vec<_> = tests.iter().filter_map(|test| test.path.last()).map(String::as_str).collect();
    names.join(", ")
}
