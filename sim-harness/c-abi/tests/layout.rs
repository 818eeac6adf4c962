//! The header and the library say the same: every offset, size and constant, every function.

use crate::support::{compiler, library_folder, model_folder, package, scratch, succeed};
use lwp_model::lwp::flat::{OUT_WORDS, STRAP_WORDS, in_words};
use lwp_model::lwp::{BranchKind, CtlOp, Fault, MemCmd, OpMode};
use lwp_model_c::api::{
    ABI_VERSION, BuildInfo, FieldInfo, LwpConfig, LwpInputs, LwpLane, LwpLoad, LwpOutputs, RowKind, Status,
};
use std::collections::BTreeSet;
use std::fs;
use std::mem::offset_of;
use std::process::Command;

/// A C expression and its value in Rust.
type Fact = (String, usize);

/// Offset and size of every field, and the size of the struct. No field can be left out: the pattern names all.
macro_rules! facts {
    ($facts:ident, $type:ident as $name:literal: $($field:ident),+ $(,)?) => {{
        // SAFETY: integers alone.
        let $type { $($field),+ } = unsafe { std::mem::zeroed::<$type>() };
        let sizes = [$((stringify!($field), offset_of!($type, $field), size_of_val(&$field))),+];
        for (field, offset, size) in sizes {
            $facts.push((format!("offsetof({}, {field})", $name), offset));
            $facts.push((format!("sizeof((({} *)0)->{field})", $name), size));
        }
        $facts.push((format!("sizeof({})", $name), size_of::<$type>()));
        let sum: usize = sizes.iter().map(|(_, _, size)| size).sum();
        assert_eq!(sum, size_of::<$type>(), "{} has padding, but callers' bytes are all looked at", $name);
    }};
}

fn layout() -> Vec<Fact> {
    let mut facts = Vec::new();
    facts!(facts, LwpConfig as "lwp_config_t": retire_lanes, event_slots, latency_bits, present, avail_ire, avail_bre,
        avail_dme, avail_int, latency_filter, level_filter, data_source, gather_policy, one_per_instr, gather_select,
        gather_target, store_timing, collision, leave_policy, fault_policy, address_policy, address_gate,
        latency_source, latency_step, latency_phase, prediction, head_flush, tail_reread, tail_nth, interval_source,
        missed_mode, write_on_full, misaligned, flush_outside, v86, entropy, irq_delay, core_id, reserved, lfsr_seed);
    facts!(facts, LwpLoad as "lwp_load_t": addr, latency, source, miss, addr_valid, tagged);
    facts!(facts, LwpLane as "lwp_lane_t": ip, branch_next, loads, valid, counts, branch_kind, branch_taken,
        branch_pred_valid, branch_pred_ok, reserved);
    facts!(facts, LwpInputs as "lwp_inputs_t": cpl, smm, op_mode, partial, alloc_valid, alloc_entry, fill_valid,
        fill_entry, fill_source, replay_abort, ctl_valid, ctl_op, ctl_word, mem_gnt, mem_rvalid, mem_err, pf_ack,
        irq_ack, reserved, entropy, fill_latency, fill_ip, ctl_wdata, ctl_ds_base, mem_rdata, lanes);
    facts!(facts, LwpOutputs as "lwp_outputs_t": stall, cut_valid, cut_lane, drain, flush_req, addr_track, rsp_valid,
        rsp_fault, rsp_fault_write, mem_req, mem_cmd, mem_be, pf_valid, pf_write, pf_abort, irq, msr0, reserved,
        rsp_rdata, rsp_fault_addr, mem_addr, mem_wdata, pf_addr);
    facts
}

/// The structs of every unit, which Python does not have.
fn layout_of_rows() -> Vec<Fact> {
    let mut facts = Vec::new();
    facts!(facts, BuildInfo as "lwp_build_t": unit, build, strap_words, input_words, row_words, reserved);
    facts!(facts, FieldInfo as "lwp_field_t": name, word, lsb, width, reserved);
    facts
}

fn constants() -> Vec<Fact> {
    let named = [
        ("LWP_MODEL_ABI_VERSION", ABI_VERSION as usize),
        ("LWP_STRAP_WORDS", STRAP_WORDS),
        ("LWP_INPUT_WORDS(4)", in_words(4)),
        ("LWP_INPUT_WORDS(1)", in_words(1)),
        ("LWP_ROW_WORDS", OUT_WORDS),
        ("LWP_ROW_STRAPS", RowKind::Straps as usize),
        ("LWP_ROW_INPUTS", RowKind::Inputs as usize),
        ("LWP_ROW_SHOWN", RowKind::Shown as usize),
        ("LWP_OK", Status::Ok as usize),
        ("LWP_ERR_NULL", Status::Null as usize),
        ("LWP_ERR_SIZE", Status::Size as usize),
        ("LWP_ERR_VERSION", Status::Version as usize),
        ("LWP_ERR_ALIGN", Status::Align as usize),
        ("LWP_ERR_HANDLE", Status::Handle as usize),
        ("LWP_ERR_BUILD", Status::Build as usize),
        ("LWP_ERR_STRAPS", Status::Straps as usize),
        ("LWP_ERR_RANGE", Status::Range as usize),
        ("LWP_ERR_MISMATCH", Status::Mismatch as usize),
        ("LWP_ERR_INTERNAL", Status::Internal as usize),
        ("LWP_ERR_CAPSULE", Status::Capsule as usize),
        ("LWP_ERR_FILE", Status::File as usize),
        ("LWP_MODE_REAL", OpMode::Real as usize),
        ("LWP_MODE_V86", OpMode::Virtual8086 as usize),
        ("LWP_MODE_PROTECTED", OpMode::Protected as usize),
        ("LWP_MODE_COMPATIBILITY", OpMode::Compatibility as usize),
        ("LWP_MODE_64", OpMode::Long64 as usize),
        ("LWP_BRANCH_NONE", BranchKind::None as usize),
        ("LWP_BRANCH_JMP", BranchKind::Jmp as usize),
        ("LWP_BRANCH_JCC", BranchKind::Jcc as usize),
        ("LWP_BRANCH_JMP_IND", BranchKind::JmpInd as usize),
        ("LWP_BRANCH_CALL", BranchKind::Call as usize),
        ("LWP_BRANCH_CALL_IND", BranchKind::CallInd as usize),
        ("LWP_BRANCH_RET", BranchKind::Ret as usize),
        ("LWP_BRANCH_FAR_JMP", BranchKind::FarJmp as usize),
        ("LWP_BRANCH_FAR_CALL", BranchKind::FarCall as usize),
        ("LWP_BRANCH_FAR_RET", BranchKind::FarRet as usize),
        ("LWP_BRANCH_SYSTEM", BranchKind::System as usize),
        ("LWP_OP_LLWPCB", CtlOp::Llwpcb as usize),
        ("LWP_OP_SLWPCB", CtlOp::Slwpcb as usize),
        ("LWP_OP_READ_MSR0", CtlOp::ReadMsr0 as usize),
        ("LWP_OP_WRITE_MSR0", CtlOp::WriteMsr0 as usize),
        ("LWP_OP_READ_MSR1", CtlOp::ReadMsr1 as usize),
        ("LWP_OP_WRITE_MSR1", CtlOp::WriteMsr1 as usize),
        ("LWP_OP_SAVE", CtlOp::Save as usize),
        ("LWP_OP_RESTORE", CtlOp::Restore as usize),
        ("LWP_FAULT_NONE", Fault::None as usize),
        ("LWP_FAULT_UD", Fault::InvalidOpcode as usize),
        ("LWP_FAULT_GP", Fault::GeneralProtection as usize),
        ("LWP_FAULT_PF", Fault::PageFault as usize),
        ("LWP_MEM_READ", MemCmd::Read as usize),
        ("LWP_MEM_WRITE", MemCmd::Write as usize),
        ("LWP_MEM_PROBE", MemCmd::Probe as usize),
        // The proposal's codes, which the model carries as numbers.
        ("LWP_SOURCE_NONE", 0),
        ("LWP_SOURCE_LOCAL_L3", 1),
        ("LWP_SOURCE_REMOTE", 2),
        ("LWP_SOURCE_DRAM", 3),
        ("LWP_SOURCE_OTHER", 7),
    ];
    named.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// A C program that prints the value of each expression.
#[test]
fn every_offset_size_and_constant_agrees() {
    let facts: Vec<Fact> = layout().into_iter().chain(layout_of_rows()).chain(constants()).collect();
    let prints: String = facts.iter().map(|(fact, _)| format!("  printf(\"%zu\\n\", (size_t)({fact}));\n")).collect();
    let source = format!("#include <stdio.h>\n#include \"lwp_model.h\"\nint main(void) {{\n{prints}  return 0;\n}}\n");
    let folder = scratch("layout");
    fs::write(folder.join("layout.c"), source).unwrap();
    succeed(compiler("gcc", "c11").arg(folder.join("layout.c")).arg("-o").arg(folder.join("layout")));
    let printed = succeed(&mut Command::new(folder.join("layout")));
    let values: Vec<usize> = printed.lines().map(|line| line.parse().unwrap()).collect();
    assert_eq!(values.len(), facts.len());
    for ((fact, rust), c) in facts.iter().zip(values) {
        assert_eq!(c, *rust, "{fact} in C, and in Rust");
    }
}

/// Python's structs are the header's.
#[test]
fn every_offset_and_size_agrees_in_python() {
    let model = model_folder("model-layout");
    let program = r#"
import ctypes
import lwp_model as m
for name, type in {"config": m.Config, "load": m.Load, "lane": m.Lane, "inputs": m.Inputs, "outputs": m.Outputs}.items():
    for field, _ in type._fields_:
        of = getattr(type, field)
        print(f"offsetof(lwp_{name}_t, {field})|{of.offset}")
        print(f"sizeof(((lwp_{name}_t *)0)->{field})|{of.size}")
    print(f"sizeof(lwp_{name}_t)|{ctypes.sizeof(type)}")
"#;
    let mut python = Command::new("python3");
    python.env("PYTHONPATH", model.join("python")).env("PYTHONDONTWRITEBYTECODE", "1").args(["-c", program]);
    let printed = succeed(&mut python);
    let facts: Vec<Fact> = printed
        .lines()
        .map(|line| line.split_once('|').unwrap())
        .map(|(fact, value)| (fact.to_owned(), value.parse().unwrap()))
        .collect();
    assert_eq!(facts, layout());
}

/// No constant of the header is missing from the table above.
#[test]
fn every_constant_is_compared() {
    let header = fs::read_to_string(package().join("include/lwp_model.h")).unwrap();
    let compared: BTreeSet<String> =
        constants().into_iter().map(|(name, _)| name.split('(').next().unwrap().to_owned()).collect();
    let words = header.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let private = ["LWP_MODEL_H", "LWP_MODEL_ASSERT"];
    // Comments speak of whole groups as `LWP_SOURCE_...`.
    let named: BTreeSet<String> = words
        .filter(|word| word.starts_with("LWP_") && !word.ends_with('_') && !private.contains(word))
        .map(str::to_owned)
        .collect();
    assert_eq!(named, compared);
}

/// The shared library exports what the header declares and nothing else.
#[test]
fn every_function_is_exported() {
    let header = fs::read_to_string(package().join("include/lwp_model.h")).unwrap();
    let code = header.lines().filter(|line| !line.trim_start().starts_with(['*', '/']));
    let declared: BTreeSet<&str> = code
        .filter_map(|line| line.split_once('('))
        .filter_map(|(before, _)| before.split([' ', '*']).next_back())
        .filter(|name| name.starts_with("lwp_"))
        .collect();
    let listed =
        succeed(Command::new("nm").args(["-D", "--defined-only"]).arg(library_folder().join("liblwp_model_c.so")));
    let exported: BTreeSet<&str> = listed.lines().filter_map(|line| line.split(' ').next_back()).collect();
    assert_eq!(exported, declared);
    assert_eq!(declared.len(), 20);
}

/// Programs look for the library under the version of its ABI.
#[test]
fn the_shared_library_is_named_after_the_abi() {
    let library = library_folder().join("liblwp_model_c.so");
    let dynamic = succeed(Command::new("readelf").arg("-d").arg(library));
    assert!(dynamic.contains(&format!("Library soname: [liblwp_model.so.{ABI_VERSION}]")), "{dynamic}");
}

/// The packages for SystemVerilog and Python repeat some numbers of the header.
#[test]
fn other_languages_have_the_same_numbers() {
    let read = |file: &str| fs::read_to_string(package().join(file)).unwrap();
    let (systemverilog, python) = (read("dpi/lwp_model_pkg.sv"), read("python/lwp_model.py"));
    let squeezed = systemverilog.split_whitespace().collect::<Vec<_>>().join(" ");
    for (name, value) in
        [("AbiVersion", ABI_VERSION as usize), ("StrapWords", STRAP_WORDS), ("CommonWords", in_words(0))]
    {
        assert!(squeezed.contains(&format!("{name} = {value};")), "{name}");
    }
    for (name, value) in [
        ("ABI_VERSION", ABI_VERSION as usize),
        ("STRAP_WORDS", STRAP_WORDS),
        ("ROW_WORDS", OUT_WORDS),
        ("ERR_MISMATCH", Status::Mismatch as usize),
    ] {
        assert!(python.contains(&format!("\n{name} = {value}\n")), "{name}");
    }
}

/// The header alone, under every standard that a caller may still use.
#[test]
fn the_header_compiles_everywhere() {
    let folder = scratch("header");
    for (program, standard, name) in [
        ("gcc", "c99", "alone.c"),
        ("gcc", "c11", "alone.c"),
        ("gcc", "c2x", "alone.c"),
        ("g++", "c++11", "alone.cpp"),
        ("g++", "c++20", "alone.cpp"),
    ] {
        let source = folder.join(name);
        fs::write(&source, "#include \"lwp_model.h\"\n#include \"lwp_model.h\"\n").unwrap();
        succeed(compiler(program, standard).arg("-fsyntax-only").arg(&source));
    }
}
