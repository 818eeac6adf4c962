//! What the tests of traces share: files made of bytes, and random numbers that are the same every time.

use std::io::Write;
use std::path::Path;

use lwp_model::Choice;
use lwp_model::retire::{Flags, IntKind, Interruption};
use sim_harness::traces::capture_file::Header;
use sim_harness::traces::{
    Branch, BranchKind, CaptureWriter, Load, Mapping, Retired, Store, TraceError, TraceNotes, open,
};
use tempfile::NamedTempFile;

/// A file with these bytes.
pub(crate) fn file(bytes: &[u8]) -> NamedTempFile {
    let mut file = NamedTempFile::new().expect("a temporary file");
    file.write_all(bytes).expect("written");
    file
}

/// All instructions of a trace up to its end or the first error, and what was noted.
pub(crate) fn read_file(path: &Path) -> (Vec<Retired>, TraceNotes, Option<TraceError>) {
    let mut reader = match open(path) {
        Ok(reader) => reader,
        Err(error) => return (Vec::new(), TraceNotes::default(), Some(error)),
    };
    let (mut all, mut one) = (Vec::new(), Retired::default());
    let error = loop {
        match reader.next(&mut one) {
            Ok(true) => all.push(one.clone()),
            Ok(false) => break None,
            Err(error) => break Some(error),
        }
    };
    (all, reader.notes(), error)
}

/// The same for bytes.
pub(crate) fn read(bytes: &[u8]) -> (Vec<Retired>, TraceNotes, Option<TraceError>) {
    read_file(file(bytes).path())
}

/// Random numbers: xorshift64*.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }
}

/// A random instruction at `ip` or now and then somewhere else.
pub(crate) fn random_instruction(random: &mut Random, ip: u64) -> Retired {
    let ip = if random.below(50) == 0 { 0x40_0000 + random.below(1 << 12) } else { ip };
    let length = 1 + random.below(15) as u8;
    let neighbour = ip.wrapping_add(u64::from(length));
    let branch = (random.below(4) == 0).then(|| {
        let kind = BranchKind::ALL[random.below(10) as usize];
        let taken = kind != BranchKind::Jcc || random.below(2) == 0;
        let far = if random.below(9) == 0 { random.next() } else { 0x40_0000 + random.below(1 << 12) };
        Branch { kind, taken, next: if taken { far } else { neighbour }, predicted: None }
    });
    let load = |random: &mut Random| Load {
        addr: Some(random.next() >> random.below(64)),
        size: [1, 2, 4, 8, 16, 32, 512][random.below(7) as usize],
        ..Load::default()
    };
    let count = if random.below(100) == 0 { 300 } else { [0, 0, 0, 1, 2][random.below(5) as usize] };
    let loads = (0..count).map(|_| load(random)).collect();
    let count = if random.below(100) == 0 { 300 } else { [0, 0, 0, 1, 2][random.below(5) as usize] };
    let store = |load: Load| Store { addr: load.addr.unwrap_or(0), size: load.size };
    let stores = (0..count).map(|_| store(load(random))).collect();
    let mut interruptions = Vec::new();
    if random.below(40) == 0 {
        let mut from = random.next() >> random.below(64);
        for _ in 0..=random.below(2) {
            let to = random.next() >> random.below(64);
            let kind = IntKind::ALL[random.below(5) as usize];
            interruptions.push(Interruption { valid: true, kind, vector: random.next() as u8, from, to });
            from = to;
        }
    }
    let flags = Flags { ss_load: ip.is_multiple_of(31), ..Flags::default() };
    Retired { ip, length, cpl: 3, branch, loads, stores, flags, interruptions, ..Retired::default() }
}

/// A capture file of random instructions, which differ from visit to visit of the same address.
pub(crate) fn random_capture(seed: u64, count: usize) -> (Vec<Retired>, Vec<u8>) {
    let mut random = Random(seed);
    let mut writer = CaptureWriter::new(Vec::new(), &Header::default()).expect("memory can be written");
    let mut all = Vec::new();
    let mut ip = 0x40_0000;
    for _ in 0..count {
        let one = random_instruction(&mut random, ip);
        writer.push(&one, random.below(5) == 0).expect("memory can be written");
        ip = one.branch.map_or(one.ip.wrapping_add(u64::from(one.length)), |branch| branch.next);
        all.push(one);
    }
    let mapping = Mapping { path: "/bin/true".into(), start: 0x40_0000, end: 0x40_1000, offset: 0 };
    let finished = writer.finish("done", 7, vec![mapping]).expect("memory can be written");
    assert_eq!(finished.bytes, finished.out.len() as u64);
    assert_eq!(finished.trailer.instructions, count as u64);
    (all, finished.out)
}

/// A ChampSim record.
pub(crate) fn champsim(ip: u64, flags: [u8; 2], writes: [u8; 2], reads: [u8; 4], loads: [u64; 4]) -> Vec<u8> {
    let mut record = ip.to_le_bytes().to_vec();
    record.extend(flags);
    record.extend(writes);
    record.extend(reads);
    record.extend([0; 16]);
    record.extend(loads.iter().flat_map(|load| load.to_le_bytes()));
    record
}

/// The bytes in each compression that traces come in, with its name.
pub(crate) fn compressed(bytes: &[u8]) -> [(&'static str, Vec<u8>); 4] {
    let gzip = {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(bytes).expect("memory can be written");
        encoder.finish().expect("memory can be written")
    };
    let xz = {
        let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 6);
        encoder.write_all(bytes).expect("memory can be written");
        encoder.finish().expect("memory can be written")
    };
    let zstd = zstd::encode_all(bytes, 3).expect("memory can be written");
    [("plain", bytes.to_vec()), ("gzip", gzip), ("xz", xz), ("zstd", zstd)]
}
