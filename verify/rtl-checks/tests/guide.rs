//! `docs/src/integration.md` is true: it names every port of the unit, and its count of lines is the count.

use rtl_checks::root;
use std::collections::BTreeSet;
use std::fs;

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The names of the ports in the header of a module.
fn ports(module: &str) -> BTreeSet<String> {
    let header = module.split(");").next().unwrap();
    let declarations =
        header.lines().map(str::trim).filter(|line| line.starts_with("input ") || line.starts_with("output "));
    let names =
        declarations.filter_map(|line| line.split("//").next()?.trim().trim_end_matches(',').split_whitespace().last());
    names.map(str::to_owned).collect()
}

/// The names in backticks in the first column of the table below a heading.
fn first_column(page: &str, heading: &str) -> BTreeSet<String> {
    let section = page.split(heading).nth(1).unwrap_or_else(|| panic!("no `{heading}`")).split("\n## ").next().unwrap();
    let cells = section.lines().filter(|line| line.starts_with("| `")).filter_map(|line| line.split('|').nth(1));
    cells.flat_map(|cell| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// What the guide's awk counts: neither empty nor a comment, marked or between the marks.
fn marked_lines(source: &str) -> usize {
    let (mut count, mut inside) = (0, false);
    for line in source.lines().map(str::trim) {
        inside &= !line.contains("LWP: to here");
        count += usize::from((inside || line.ends_with("// LWP")) && !line.is_empty() && !line.starts_with("//"));
        inside |= line.contains("LWP: from here");
    }
    count
}

#[test]
fn guide_says_what_to_do_with_every_port() {
    let ports = ports(&read("rtl/lwp/lwp.sv"));
    assert!(ports.len() > 40, "{ports:?}");
    assert_eq!(first_column(&read("docs/src/integration.md"), "## Every port"), ports);
}

#[test]
fn page_of_the_top_says_what_to_connect_to_every_port() {
    let ports = ports(&read("rtl/adapters/lwp_rvfi_top.sv"));
    assert!(ports.len() > 25, "{ports:?}");
    assert_eq!(first_column(&read("docs/src/integration/rvfi-top.md"), "## Ports"), ports);
}

#[test]
fn page_of_the_top_has_every_parameter_and_its_default() {
    let module = read("rtl/adapters/lwp_rvfi_top.sv");
    let page = read("docs/src/integration/rvfi-top.md");
    let declared =
        module.split(") (").next().unwrap().lines().map(str::trim).filter(|line| line.starts_with("parameter "));
    let mut names = BTreeSet::new();
    for line in declared {
        let (left, default) = line.trim_end_matches(',').split_once('=').unwrap();
        let name = left.split_whitespace().last().unwrap();
        let default = default.trim().trim_start_matches("lwp_config_pkg::").trim_start_matches("1'b");
        let row =
            page.lines().find(|line| line.starts_with(&format!("| `{name}` |"))).unwrap_or_else(|| panic!("{name}"));
        assert_eq!(row.split('|').nth(2).unwrap().trim().trim_matches('`'), default, "{name}");
        names.insert(name.to_owned());
    }
    assert_eq!(first_column(&page, "## Parameters"), names);
}

/// Registers of the page, by offset, and the constants of the RTL, by offset.
#[test]
fn page_of_the_top_has_the_offsets_of_the_registers() {
    let page = read("docs/src/integration/rvfi-top.md");
    let section = page.split("## Registers").nth(1).unwrap();
    let offsets: BTreeSet<u32> = section
        .lines()
        .filter(|line| line.starts_with("| `0x"))
        .filter_map(|line| line.split('|').nth(1))
        .flat_map(|cell| cell.split('`').skip(1).step_by(2).collect::<Vec<_>>())
        .map(|offset| u32::from_str_radix(offset.trim_start_matches("0x"), 16).unwrap())
        .collect();
    let module = read("rtl/adapters/lwp_ctl_mmio.sv");
    let constants = module.lines().filter(|line| line.trim().starts_with("localparam logic [9:0]"));
    let registers: BTreeSet<u32> = constants
        .map(|line| line.split("10'h").nth(1).unwrap().trim_end_matches(';'))
        .map(|number| 4 * u32::from_str_radix(number, 16).unwrap())
        .collect();
    assert_eq!(offsets, registers);
}

/// The lines of decoding in the guide are those of the example.
#[test]
fn guide_decodes_operations_as_the_example_does() {
    let guide = read("docs/src/integration.md");
    let section = guide.split("## Operations, MSRs, CPUID").nth(1).unwrap();
    let block = section.split("```text\nassign is_lwp").nth(1).unwrap().split("```").next().unwrap();
    let core = read("rtl/examples/self_profiling/sp_core.sv");
    let core: BTreeSet<&str> = core.lines().map(str::trim).collect();
    let lines: Vec<String> = format!("assign is_lwp{block}").lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 9);
    for line in lines {
        assert!(core.iter().any(|code| code.starts_with(line.trim())), "not in sp_core.sv: {line}");
    }
}

#[test]
fn guide_counts_the_lines_of_the_example() {
    let guide = read("docs/src/integration.md");
    for file in ["sp_top.sv", "sp_core.sv"] {
        let count = marked_lines(&read(&format!("rtl/examples/self_profiling/{file}")));
        assert!(
            guide.contains(&format!("| `{file}` | {count} |")),
            "integration.md: {file} has {count} lines that concern the unit"
        );
    }
}
