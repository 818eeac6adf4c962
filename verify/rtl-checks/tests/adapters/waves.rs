//! The waves of an operation that the book shows are those of the RTL.

use super::{TempDir, build};
use rtl_checks::{Sources, root};
use std::fs;

/// The page that shows them.
const PAGE: &str = "docs/src/integration/rvfi-top.md";

#[test]
fn waves_of_the_book() {
    let sources = Sources::new()
        .lists(&["lwp/lwp.f", "adapters/adapters.f"])
        .unwrap()
        .files(&["verify/rtl-checks/adapters/waves_tb.sv".to_owned()]);
    let folder = TempDir::new().unwrap();
    let said = build("waves_tb", sources, &[], &folder).run(&[]).unwrap();
    let waves: String =
        said.lines().take_while(|line| !line.contains(" cycles; ")).map(|line| format!("{line}\n")).collect();
    assert!(waves.contains('▔') && waves.contains('▁'), "{said}");
    let page = fs::read_to_string(root().join(PAGE)).unwrap();
    assert!(page.contains(&format!("```text\n{waves}```")), "{PAGE} has other waves; they are now:\n{waves}");
    let sum = said.lines().find(|line| line.contains(" cycles; ")).unwrap();
    assert!(page.contains(sum), "{PAGE} does not say: {sum}");
}
