//! The paths that the book and the README files name, in backquotes, in blocks of code and as targets of links, exist.
use cargo_metadata::MetadataCommand;
use pulldown_cmark::{Event, Parser, Tag};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

fn chapters(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in entries(folder) {
        if path.is_dir() {
            chapters(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
}

/// What a path of the repository begins with: its folders, those of `verify` and `tools`, and, since they are easily taken for
/// folders, its packages. `target` and `build` hold what was built.
fn heads() -> BTreeSet<String> {
    let folders = [root().to_owned(), root().join("verify"), root().join("tools")];
    let folders = folders.iter().flat_map(|folder| entries(folder)).filter(|path| path.is_dir());
    let names = folders.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()));
    let metadata = MetadataCommand::new().manifest_path(root().join("Cargo.toml")).no_deps().exec().unwrap();
    let packages = metadata.packages.iter().map(|package| package.name.to_string());
    names.chain(packages).filter(|name| !["target", "build"].contains(&name.as_str())).collect()
}

/// The words of a piece of code that begin like a path of the repository. The last part may stand for any name.
fn paths(code: &str, heads: &BTreeSet<String>) -> Vec<String> {
    let of_a_path = |c: char| c.is_ascii_alphanumeric() || "_-./*".contains(c);
    let words = code.split(|c| !of_a_path(c)).map(|word| word.trim_end_matches(['.', '/']));
    let stands_for_any = |last: &str| ["*", "NAME", "TARGET"].iter().any(|any| last.contains(any));
    let whole = words.filter(|word| word.split_once('/').is_some_and(|(head, _)| heads.contains(head)));
    let known = whole.map(|word| match word.rsplit_once('/') {
        Some((folder, last)) if stands_for_any(last) => folder,
        _ => word,
    });
    known.map(str::to_owned).collect()
}

/// What `text` names and is neither in the repository nor in `folder`, where the text is.
fn gone(text: &str, folder: &Path, heads: &BTreeSet<String>) -> Vec<String> {
    let mut found = Vec::new();
    for event in Parser::new_ext(text, pulldown_cmark::Options::ENABLE_TABLES) {
        match event {
            Event::Code(code) | Event::Text(code) => found.extend(
                paths(&code, heads)
                    .into_iter()
                    .filter(|path| !root().join(path).exists() && !folder.join(path).exists()),
            ),
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) if !dest_url.contains(':') => {
                let file = dest_url.split('#').next().unwrap_or_default();
                found.extend((!folder.join(file).exists()).then(|| file.to_owned()));
            }
            _ => {}
        }
    }
    found
}

#[test]
fn every_path_of_the_book_exists() {
    let mut files: Vec<_> =
        ["", "lwp-regs", "rtl", "tools", "verify"].map(|folder| root().join(folder).join("README.md")).into();
    chapters(&root().join("docs/src"), &mut files);
    let heads = heads();
    let mut problems = Vec::new();
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        let missing = gone(&text, file.parent().unwrap(), &heads).into_iter();
        let name = file.strip_prefix(root()).unwrap().display();
        problems.extend(missing.map(|path| format!("{name}: there is no {path}")));
    }
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn a_path_that_is_gone_is_found() {
    let found = |text: &str| gone(text, root(), &heads());
    let wrong = "`formal/prove --list` `lwp-model-c/include` [a](docs/src/none.md#b)\n\n```text\nA=rtl/none:rtl\n```\n";
    assert_eq!(found(wrong), ["formal/prove", "lwp-model-c/include", "docs/src/none.md", "rtl/none"]);
    let right = "`verify/formal/prove` `rtl/` `rtl/lwp/*.sv` `verify/fuzz/corpus/TARGET` `target/x` [a](docs/src/formal.md#b) <https://a.b/rtl/c>";
    assert!(found(right).is_empty(), "{:?}", found(right));
}
