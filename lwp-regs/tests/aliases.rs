//! Who searches the documentation for a number or for the manual's name of a register finds its type.

use lwp_regs::UNITS;
use std::collections::BTreeSet;
use std::path::Path;

/// The names of types and what stands in `#[doc(alias = "…")]` below `folder`, in small letters.
fn aliases(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            aliases(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            let parts = text.split("doc(alias = \"").skip(1).filter_map(|rest| rest.split_once('"'));
            found.extend(parts.map(|(alias, _)| alias.to_lowercase()));
            let types = text.split("pub struct ").skip(1).filter_map(|rest| rest.split_once([' ', '(', '<', ':']));
            found.extend(types.map(|(name, _)| name.to_lowercase()));
        }
    }
}

#[test]
fn every_register_is_found_by_number_and_name() {
    let mut found = BTreeSet::new();
    aliases(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    let registers = UNITS.iter().flat_map(|unit| unit.msrs);
    let missing: Vec<_> = registers
        .filter(|register| {
            // The manual's name: without the processors that it is limited to, and of an array that of the first, too.
            let name = register.name.split(" (").next().unwrap_or_default().to_lowercase();
            let first = name.replace("_x_", "_0_");
            let first = first.trim_end_matches(['x', 'n']).to_owned() + "0";
            let named = found.contains(&name) || register.count > 1 && found.contains(&first);
            !named || !found.contains(&format!("{:#x}", register.first))
        })
        .map(|register| register.name)
        .collect();
    assert!(missing.is_empty(), "no doc(alias = …) for {missing:?}");
}
