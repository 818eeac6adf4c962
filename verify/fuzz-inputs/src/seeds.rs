//! The corpora: a few inputs for each target, from which mutations begin.
//!
//! They are made here (`cargo run --release -p fuzz-inputs`) and kept in the repository, beside inputs that once broke something
//! (`found-...`), which are kept by hand.

use crate::targets::capture::{AS_IT_IS, CLAIMS_MOST, CLAIMS_SOME};
use lwp_model::retire::Interruption;
use sim_harness::capsule::{Capsule, Failure, RowWriter, Way, origin};
use sim_harness::lwp::flat::pack_straps;
use sim_harness::rtl::BuildId;
use sim_harness::traces::capture_file::Header;
use sim_harness::traces::{Branch, BranchKind, CaptureWriter, Load, Mapping, Retired, Store};
use std::collections::BTreeMap;
use std::io::Write;

/// One file of a corpus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seed {
    /// The target.
    pub target: &'static str,
    /// The file's name.
    pub name: &'static str,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// All seeds.
#[must_use]
pub fn seeds() -> Vec<Seed> {
    let mut seeds = Vec::new();
    let mut add = |target, name, bytes: Vec<u8>| seeds.push(Seed { target, name, bytes });
    let (log, capture) = (retire_log(), capture());
    add("trace", "capture", capture.clone());
    add("trace", "capture.xz", xz(&capture));
    add("trace", "champsim", champsim());
    add("trace", "champsim.zst", crate::seal::compress(&champsim()));
    add("trace", "retire-log", log.clone());
    add("trace", "retire-log.gz", gzip(&log));
    add("capture", "blocks", frames(&blocks()));
    add("capture", "claims", frames(&claims()));
    add("champsim", "records", champsim());
    add("retire_log", "lines", log[1..].to_vec());
    add("session", "example", EXAMPLE.as_bytes().to_vec());
    add("session", "default", Vec::new());
    add("session_run", "example", EXAMPLE.as_bytes().to_vec());
    add("session_run", "trouble", TROUBLE.as_bytes().to_vec());
    add("capsule", "idle", capsule());
    add("capsule_rows", "changes", rows());
    add("records", "each-type", records());
    add("ring", "wraps", ring());
    add("elf", "segments", elf());
    add("plugin_records", "loop", plugin_records());
    add("plugin_records", "maps", MAPS.as_bytes().to_vec());
    add("c_abi", "steps", c_abi());
    seeds
}

const EXAMPLE: &str = include_str!("../../../sim-harness/sessions/example.toml");
const MAPS: &str = "55d0c000-55d0d000 r--p 00000000 08:01 131 /usr/bin/true\n\
                    55d0d000-55d0e000 r-xp 00001000 08:01 131 /usr/bin/true\n7f00-7f01 rw-p 0 00:00 0 [stack]\n";
const TROUBLE: &str = "[lwpcb]\naddress = 0x1000\nbuffer_base = \"0xfffffffffffff000\"\nbuffer_size = 96\nthreshold = 64\n\
                       random = 15\nclf = true\n[[lwpcb.event]]\nid = 1\ninterval = 3\n[[lwpcb.event]]\nid = 2\n\
                       interval = 1\n[[lwpcb.event]]\nid = 3\ninterval = 1\n[consumer]\nmode = \"interrupt\"\n[memory]\n\
                       latency = [1, 9]\nstall = 0.5\nfault = 0.1\nseed = 7\n[straps]\nstore_timing = \"sync\"\n\
                       entropy = \"port\"\nirq_delay = 3\n[system]\nstart = \"lwpmsr1\"\nswitch_every = 300\n[core]\n\
                       replay_abort = 0.5\n";

/// A loop with a load, a call and a return.
fn program() -> Vec<Retired> {
    let branch = |kind, taken, next| Some(Branch { kind, taken, next, predicted: None });
    let load = |addr| Load { addr: Some(addr), size: 8, ..Load::default() };
    let one = |at: u64| {
        let (ip, round) = (0x40_1000 + 4 * (at % 5), at / 5);
        let (branch, loads) = match at % 5 {
            1 => (None, vec![load(0x7000 + 64 * round)]),
            2 => (branch(BranchKind::Call, true, 0x40_100c), Vec::new()),
            3 => (branch(BranchKind::Ret, true, 0x40_1010), vec![load(0x7ff8)]),
            4 => (
                branch(BranchKind::Jcc, round % 3 != 2, if round % 3 == 2 { 0x40_1014 } else { 0x40_1000 }),
                Vec::new(),
            ),
            _ => (None, Vec::new()),
        };
        let stores = if at % 5 == 2 { vec![Store { addr: 0x7ff8, size: 8 }] } else { Vec::new() };
        let interruption = Interruption { valid: true, vector: 32, from: ip, to: ip, ..Interruption::default() };
        let interruptions = if at == 23 { vec![interruption] } else { Vec::new() };
        Retired { ip, length: 4, cpl: 3, branch, loads, stores, interruptions, ..Retired::default() }
    };
    (0..60).map(one).collect()
}

fn capture() -> Vec<u8> {
    let header = Header { program: "/usr/bin/true".into(), args: vec!["x".into()], writer: "test".into() };
    let mut writer = CaptureWriter::new(Vec::new(), &header).expect("memory takes it");
    program().iter().for_each(|retired| writer.push(retired, retired.ip == 0x40_1004).expect("memory takes it"));
    let mapping = Mapping { path: "/usr/bin/true".into(), start: 0x40_0000, end: 0x41_0000, offset: 0 };
    writer.finish("the end", 0, vec![mapping]).expect("memory takes it").out
}

/// An input of the target `capture`.
fn frames(frames: &[(u8, u8, Vec<u8>)]) -> Vec<u8> {
    let one = |(kind, how, payload): &(u8, u8, Vec<u8>)| {
        [&[*kind, *how][..], &(payload.len() as u16).to_le_bytes(), payload].concat()
    };
    frames.iter().flat_map(one).collect()
}

fn header() -> (u8, u8, Vec<u8>) {
    (b'H', AS_IT_IS, br#"{"program":"p","args":[],"writer":"w"}"#.to_vec())
}

fn trailer(instructions: u64) -> (u8, u8, Vec<u8>) {
    let text = format!(
        "{{\"instructions\":{instructions},\"branches\":0,\"loads\":0,\"loads_left_out\":0,\"other_threads\":0,\
         \"end\":\"\",\"mappings\":[{{\"path\":\"/p\",\"start\":0,\"end\":99,\"offset\":7}}]}}"
    );
    (b'T', AS_IT_IS, text.into_bytes())
}

/// Three instructions in a loop: one that loads, one whose loads and stores vary, a jump back. One is interrupted.
fn blocks() -> Vec<(u8, u8, Vec<u8>)> {
    let events = [0, 1, 0x80, 0x20, 4, 3, 1, 14, 0, 0];
    let definitions = [4, 0, 1, 8, 0, 1, 4, 0, 255, 255, 0, 2, 1, 0, 0, 0];
    let outcomes = [3, 1, 1];
    let targets = [15];
    let loads = [2, 2, 8, 4, 4, 6, 2, 1, 1, 2, 2, 0];
    let stores = [1, 8, 4, 0, 2, 4, 2, 4, 2];
    let lengths = [events.len(), definitions.len(), outcomes.len(), targets.len(), loads.len(), stores.len()];
    let lengths = lengths.map(|length| length as u8);
    let block = [&[9][..], &lengths, &events, &definitions, &outcomes, &targets, &loads, &stores].concat();
    vec![header(), (b'B', AS_IT_IS, block), trailer(9)]
}

fn claims() -> Vec<(u8, u8, Vec<u8>)> {
    vec![header(), (b'B', CLAIMS_MOST, vec![0; 7]), (b'B', CLAIMS_SOME, vec![12, 0, 0, 0, 0, 0, 0]), trailer(0)]
}

fn champsim() -> Vec<u8> {
    let one = |retired: &Retired| {
        let mut record = [0_u8; 64];
        record[..8].copy_from_slice(&retired.ip.to_le_bytes());
        if let Some(branch) = retired.branch {
            (record[8], record[9]) = (1, branch.taken.into());
            let (writes, reads) = match branch.kind {
                BranchKind::Call => ([26, 6], [26, 6]),
                BranchKind::Ret => ([26, 6], [6, 0]),
                _ => ([26, 0], [26, 25]),
            };
            record[10..12].copy_from_slice(&writes);
            record[12..14].copy_from_slice(&reads);
        }
        for (place, store) in record[16..32].chunks_mut(8).zip(&retired.stores) {
            place.copy_from_slice(&store.addr.to_le_bytes());
        }
        for (place, load) in record[32..].chunks_mut(8).zip(&retired.loads) {
            place.copy_from_slice(&load.addr.unwrap_or(0).to_le_bytes());
        }
        record
    };
    program().iter().take(24).flat_map(one).collect()
}

fn retire_log() -> Vec<u8> {
    br#"{"ip":"0x401000","cpl":3,"smm":false,"branch":{"kind":"jcc","taken":true,"next":"0x401020","predicted":true},"loads":[{"addr":"0x7ff0","size":8,"miss":true,"latency":200,"source":3}]}
{"ip":4198432,"cpl":0,"branch":{"kind":"far_ret"}}

{"ip":"0xffff800000000000","branch":null,"loads":[{"addr":null},{}]}
{"ip":"0x10","branch":{"kind":"call_ind","predicted":false}}
{"ip":"0x20","length":3,"mode":"64","cs_base":0,"stores":[{"addr":"0x7ff0","size":8}],"tf":true,"ss_load":false,"rep":"last","in_tx":true,"tx_abort":false}
{"ip":"0x23","io":{"port":"0x60","size":1,"write":false},"interruption":[{"kind":"exception","vector":14,"from":"0x23"},{"kind":"nmi","from":"0x90"}]}
{"ip":"0x20","branch":{"kind":"system","taken":false}}
"#
    .to_vec()
}

/// A capsule of forty cycles, most of them idle.
///
/// # Panics
/// Never: straps and rows are right.
#[must_use]
pub fn capsule() -> Vec<u8> {
    let build = BuildId::LwpW4;
    let mut rows = RowWriter::new(build.info().in_words);
    let mut row = vec![0; build.info().in_words];
    row[0] = 1;
    for cycle in 0..40_u32 {
        row[1] = cycle / 10;
        rows.push(&row);
    }
    let failure = Failure::new(Way::Mismatch { field: "irq".to_owned() }, 30);
    let mut origin = origin("seed", "lwp-sim cosim", BTreeMap::from([("memory".to_owned(), 1)]));
    // The corpus does not change with every change of a source.
    origin.versions.clear();
    origin.sources.clear();
    let straps = pack_straps(&lwp_model::lwp::Config::default());
    Capsule::new(build, &straps, rows, failure, origin).expect("straps and rows are right").to_bytes()
}

/// Four cycles of the target `capsule_rows`: idle, two words change, idle again.
fn rows() -> Vec<u8> {
    [&8_u64.to_le_bytes()[..], &[1, 2, 0, 1, 3, 0x80, 1, 0, 1, 0, 5, 4]].concat()
}

fn records() -> Vec<u8> {
    let one = |id: u8| {
        let mut record = [0_u8; 32];
        (record[0], record[1], record[3], record[4], record[9], record[17]) = (id, 7, 0xf0, 99, 0x40, 0x70);
        record
    };
    [1, 2, 3, 4, 0, 255].into_iter().flat_map(one).chain([0x5a; 64]).collect()
}

/// A ring of four places that wraps.
fn ring() -> Vec<u8> {
    let mut input = vec![0; 256];
    input.extend([4, 1, 2, 3]);
    input.extend([1, 1, 6, 6, 5, 7, 1, 3, 4, 1, 2, 3]);
    input.extend([9; 32]);
    input.extend([5, 0, 33, 0, 0, 0, 6, 1, 0, 6, 4, 255]);
    input
}

/// A file of two segments.
fn elf() -> Vec<u8> {
    let mut file = vec![0_u8; 64 + 2 * 56];
    file[..6].copy_from_slice(b"\x7fELF\x02\x01");
    (file[6], file[16], file[18], file[20]) = (1, 3, 62, 1);
    (file[32], file[52], file[54], file[56], file[58]) = (64, 64, 56, 2, 64);
    for segment in [64, 120] {
        (file[segment], file[segment + 4]) = (1, 5);
        (file[segment + 18], file[segment + 33], file[segment + 41]) = (0x40, 4, 4);
    }
    file.extend([0; 32]);
    file
}

/// Announces `nop`, `mov rax, [rdi]` and `jmp`, and executes them twice.
fn plugin_records() -> Vec<u8> {
    let new = |number: u32, at: u32, length: u32, code: u32| vec![2 << 30 | number, at, 0, length, code, 0, 0, 0];
    let mut words = new(0, 0x1000, 1, 0x90);
    words.extend(new(1, 0x1001, 3, 0x07_8b48));
    words.extend(new(2, 0x1004, 2, 0xfa_eb));
    for _ in 0..2 {
        words.extend([0, 1, 1 << 30 | 3, 0x7000, 0, 3 << 30 | 3, 0x7000, 0, 2]);
    }
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn c_abi() -> Vec<u8> {
    let mut input = vec![0, 0, 0];
    for at in 0..20 {
        input.extend([5, 1, 6 + at / 2, 1, 1, 0, 0x10, 0x40, 0]);
    }
    input.extend([3, 1, 0, 1, 0, 0, 0, 4, 77, 1, 0, 1, 5, 1, 15, 2, 0, 0, 1]);
    input
}

fn xz(plain: &[u8]) -> Vec<u8> {
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 0);
    encoder.write_all(plain).and_then(|()| encoder.finish()).expect("memory takes it")
}

fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(plain).and_then(|()| encoder.finish()).expect("memory takes it")
}
