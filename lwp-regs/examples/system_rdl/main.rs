//! Every register of the crate in SystemRDL, and the comparison of what a SystemRDL compiler has read with the Rust types.
//!
//! `system_rdl` prints the description. `system_rdl FILE` reads a line per bit, `unit register bit field` and `-` for a
//! reserved bit, and a line per property, and exits with 1 if anything differs, with 2 if the file cannot be read.
//! `tools/scripts/rdl` writes such a file.

mod rules;

use lwp_regs::UNITS;
use lwp_regs::layout::Layout;
use lwp_regs::msr::MsrNumbers;
use rules::Rules;
use std::fmt::{self, Write as _};
use std::io::{self, ErrorKind, Write as _};
use std::process::ExitCode;
use std::sync::LazyLock;
use std::{env, fs};

const PROPERTIES: [(&str, &str); 11] = [
    ("reserved_policy", "string"),
    ("reserved_ones", "longint unsigned"),
    ("msr_name", "string"),
    ("msr_family", "string"),
    ("msr_first", "longint unsigned"),
    ("msr_count", "longint unsigned"),
    ("msr_stride", "longint unsigned"),
    ("wrmsr_faults", "longint unsigned"),
    ("wrmsr_ignores", "longint unsigned"),
    ("wrmsr_needs", "string"),
    ("wrmsr_may_be_absent", "boolean"),
];

/// Registers whose names in the manual and in the crate differ by more than case, prefix and index.
const NAMES: [(&str, &str); 20] = [
    ("PERF_CTLn", "AmdPerfCtl"),
    ("PERF_CTRn", "AmdPerfCtr"),
    ("IA32_TIME_STAMP_COUNTER", "TimeStampCounter"),
    ("IA32_X2APIC_LVT_PMI", "LvtPerformance"),
    ("IA32_DEBUGCTL", "DebugCtl"),
    ("IA32_L2_QoS_Ext_BW_Thrtl_n", "MbaThrottle"),
    ("MSR_LASTBRANCH_TOS", "LbrTos"),
    ("MSR_LER_FROM_LIP", "LerFrom"),
    ("MSR_LER_TO_LIP", "LerTo"),
    ("IA32_LBR_x_FROM_IP", "Ia32LbrFrom"),
    ("IA32_LBR_x_TO_IP", "Ia32LbrTo"),
    ("IA32_LBR_x_INFO", "Ia32LbrInfo"),
    ("LBR_SELECT", "AmdLbrSelect"),
    ("DBG_EXTN_CFG", "AmdDbgExtnCfg"),
    ("SAMP_BR_FROM_n", "AmdLbrFrom"),
    ("SAMP_BR_TO_n", "AmdLbrTo"),
    ("PerfCntrGlobalStatus", "AmdGlobalStatus"),
    ("PerfCntrGlobalCtl", "AmdGlobalCtl"),
    ("PerfCntrGlobalStatusClr", "AmdGlobalStatusClr"),
    ("PerfCntrGlobalStatusSet", "AmdGlobalStatusSet"),
];

/// A name without case, prefix and the index of an array.
fn plain(name: &str) -> String {
    let name = name.split(" (").next().unwrap_or_default();
    let name = name.trim_start_matches("IA32_").trim_start_matches("MSR_").trim_end_matches(['x', 'n']);
    name.replace('_', "").to_lowercase()
}

/// The number of the register with this layout; of AMD's two ranges that of the core extension.
fn numbers<'a>(layout: &Layout, msrs: &'a [MsrNumbers]) -> Option<&'a MsrNumbers> {
    let named = |msr: &&MsrNumbers| NAMES.contains(&(msr.name, layout.name));
    let same = |msr: &&MsrNumbers| plain(msr.name) == layout.name.trim_start_matches("Ia32").to_lowercase();
    msrs.iter().find(named).or_else(|| msrs.iter().find(same))
}

static RULES: LazyLock<Vec<(&str, Rules)>> = LazyLock::new(rules::all);

/// The properties of a register, as text.
fn properties(layout: &Layout, msrs: &[MsrNumbers]) -> Vec<(&'static str, String)> {
    let mut all = vec![("reserved_policy", format!("{:?}", layout.policy)), ("reserved_ones", layout.ones.to_string())];
    if let Some(msr) = numbers(layout, msrs) {
        all.push(("msr_name", msr.name.to_owned()));
        all.push(("msr_family", format!("{:?}", msr.family)));
        all.push(("msr_first", msr.first.to_string()));
        all.push(("msr_count", msr.count.to_string()));
        all.push(("msr_stride", msr.stride.to_string()));
    }
    if let Some((_, rules)) = RULES.iter().find(|(name, _)| *name == layout.name) {
        let needs: Vec<_> = rules.needs.iter().map(|(bits, feature)| format!("{bits:#x}: {feature}")).collect();
        all.push(("wrmsr_faults", rules.faults.to_string()));
        all.push(("wrmsr_ignores", rules.ignored.to_string()));
        all.push(("wrmsr_needs", needs.join("; ")));
        all.push(("wrmsr_may_be_absent", rules.may_be_absent.to_string()));
    }
    all
}

fn description() -> Result<String, fmt::Error> {
    let mut text = String::new();
    writeln!(
        text,
        "// Written by the example system_rdl of lwp-regs. Offsets are counted; the number of a register is msr_first.\n\
         // wrmsr_faults: bits that raise #GP when they are written alone, whatever the processor has; wrmsr_ignores: bits that\n\
         // are taken and do not stay; wrmsr_needs: bits that raise #GP without a feature; wrmsr_may_be_absent: not every\n\
         // processor of these units has the register, and an access raises #GP there."
    )?;
    for (name, of) in PROPERTIES {
        writeln!(text, "property {name} {{ component = reg; type = {of}; }};")?;
    }
    for unit in UNITS {
        writeln!(text, "addrmap {} {{", unit.name.replace("::", "_"))?;
        for (index, layout) in unit.layouts.iter().enumerate().filter(|(_, layout)| !layout.fields.is_empty()) {
            writeln!(text, "  reg {{\n    regwidth = {};", layout.width)?;
            for (name, value) in properties(layout, unit.msrs) {
                let is = |of| PROPERTIES.contains(&(name, of));
                let number = || if is("boolean") { value.clone() } else { format!("64'd{value}") };
                writeln!(text, "    {name} = {};", if is("string") { format!("{value:?}") } else { number() })?;
            }
            for field in layout.fields {
                let last = field.offset + field.bits - 1;
                writeln!(text, "    field {{ sw = rw; hw = rw; }} {}[{last}:{}];", field.name, field.offset)?;
            }
            writeln!(text, "  }} {} @ {:#x};", layout.name, 8 * index)?;
        }
        writeln!(text, "}};")?;
    }
    Ok(text)
}

/// What a compiler that has read the description must find, a line per bit and per property.
fn expected() -> Vec<String> {
    let mut lines = Vec::new();
    for unit in UNITS {
        for layout in unit.layouts.iter().filter(|layout| !layout.fields.is_empty()) {
            let place = format!("{} {}", unit.name.replace("::", "_"), layout.name);
            for bit in 0..layout.width {
                let field = layout.fields.iter().find(|field| field.mask() >> bit & 1 != 0);
                lines.push(format!("{place} {bit} {}", field.map_or("-", |field| field.name)));
            }
            lines.extend(properties(layout, unit.msrs).iter().map(|(name, value)| format!("{place} {name} {value}")));
        }
    }
    lines
}

/// Prints the description; whoever closes the pipe has seen enough.
fn describe() -> Result<(), String> {
    let text = description().map_err(|error| error.to_string())?;
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(format!("standard output: {error}")),
        _ => Ok(()),
    }
}

/// Compares what a compiler has read; returns whether nothing differs.
fn compare(file: &str) -> Result<bool, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let (mut read, mut expected): (Vec<_>, _) = (text.lines().map(str::to_owned).collect(), expected());
    read.sort();
    expected.sort();
    let different = expected.iter().filter(|line| read.binary_search(line).is_err()).count();
    let more = read.iter().filter(|line| expected.binary_search(line).is_err()).count();
    eprintln!("system_rdl: {} lines, {different} missing, {more} too many", expected.len());
    Ok(different + more == 0)
}

fn main() -> ExitCode {
    let done = match env::args().nth(1) {
        None => describe().map(|()| true),
        Some(file) => compare(&file),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("system_rdl: {error}");
            ExitCode::from(2)
        }
    }
}
