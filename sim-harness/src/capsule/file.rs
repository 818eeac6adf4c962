//! Capsules as files: the lines that identify and protect one, the text and the rows are those of [`capsule_file`].

use super::error::CapsuleError;
use super::rows::{RowReader, RowWriter};
use super::unit::{CapsuleProducer, Unit};
use crate::lockstep::Producer;
use crate::report::{Output, OutputError, free_name};
use crate::rtl::{BuildId, BuildInfo};
use crate::unit;
use capsule_file::{Failure, Header, MAGIC, Origin, Protocol, Seal, Start, VERSION};
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// More cycles than any run has: days of simulation.
const MAX_CYCLES: u64 = 1 << 40;
/// The two lines before the content are shorter.
const HEAD: u64 = 512;

/// A failure as one file: what failed, with which straps, under which inputs from reset on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capsule {
    header: Header,
    body: Vec<u8>,
}

impl Capsule {
    /// Returns a capsule of these rows from reset on. Checks whether the rows keep the rules of the ports.
    ///
    /// # Errors
    /// If the straps are illegal or of another number of words.
    pub fn new(
        build: BuildId,
        straps: &[u32],
        rows: RowWriter,
        failure: Failure,
        origin: Origin,
    ) -> Result<Self, CapsuleError> {
        let info = build.info();
        let header = Header {
            unit: info.unit.to_owned(),
            build: info.name.to_owned(),
            start: Start::Reset,
            cycles: rows.cycles(),
            in_words: info.in_words,
            straps: straps.to_vec(),
            parameters: info.parameters.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect(),
            checkpoint: None,
            failure,
            protocol: None,
            origin,
            shrunk: None,
        };
        let mut capsule = Self { header, body: rows.finish() };
        capsule.judge_protocol()?;
        Ok(capsule)
    }

    /// Returns a capsule of the same inputs with another failure, which a replay has shown.
    ///
    /// # Errors
    /// As [`model`](Self::model).
    pub(crate) fn failing(&self, failure: Failure) -> Result<Self, CapsuleError> {
        let mut capsule = self.clone();
        capsule.header.failure = failure;
        capsule.judge_protocol()?;
        Ok(capsule)
    }

    /// Replays the rows up to the failure with the model and the referee.
    fn judge_protocol(&mut self) -> Result<(), CapsuleError> {
        let mut model = self.model()?;
        let mut expected = vec![0; self.build()?.info().out_words];
        let mut rows = self.rows();
        for _ in 0..=self.header.failure.cycle {
            let Ok(Some(row)) = rows.next_row() else { break };
            model.cycle(row, &mut expected);
        }
        let broken = model.broken().filter(|(cycle, _)| *cycle < self.header.failure.cycle);
        let text = broken.map(|(cycle, rule)| format!("cycle {cycle}: {rule}"));
        drop(rows);
        self.header.protocol = Some(Protocol { kept: text.is_none(), broken: text });
        Ok(())
    }

    /// Reads and checks a file.
    ///
    /// # Errors
    /// The reason why this program cannot replay the capsule.
    pub fn load(path: &Path) -> Result<Self, CapsuleError> {
        let bytes = read(path).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => CapsuleError::Missing { path: path.to_owned() },
            _ => CapsuleError::Unreadable { path: path.to_owned(), source },
        })?;
        Self::from_bytes(&bytes)
    }

    /// Reads and checks the bytes of a file.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CapsuleError> {
        if bytes.is_empty() {
            return Err(damaged("the file is empty"));
        }
        let (first, rest) = line(bytes).ok_or(CapsuleError::NotACapsule)?;
        let version = first.strip_prefix(MAGIC).and_then(|rest| rest.strip_prefix(' '));
        match version {
            None => return Err(CapsuleError::NotACapsule),
            Some(VERSION) => {}
            Some(found) => return Err(CapsuleError::Version { found: found.to_owned() }),
        }
        let (second, content) = line(rest).ok_or_else(|| damaged("its second line does not end"))?;
        let seal = Seal::read(second).ok_or_else(|| damaged("its second line is no checksum"))?;
        let found = content.len() as u64;
        if found < seal.bytes {
            return Err(CapsuleError::Truncated { expected: seal.bytes, found });
        }
        if found > seal.bytes {
            return Err(damaged(&format!("{} bytes follow its end", found - seal.bytes)));
        }
        if Seal::digest(content) != seal.digest {
            return Err(damaged("its checksum is wrong"));
        }
        let text = usize::try_from(seal.text).ok().and_then(|text| content.split_at_checked(text));
        let (text, body) = text.ok_or_else(|| damaged("its text is longer than itself"))?;
        let text = std::str::from_utf8(text).map_err(|error| CapsuleError::Text { reason: error.to_string() })?;
        let header = toml::from_str(text).map_err(|error| CapsuleError::Text { reason: error.to_string() })?;
        let mut capsule = Self { header, body: body.to_vec() };
        capsule.check()?;
        if capsule.header.protocol.is_none() {
            capsule.judge_protocol()?;
        }
        Ok(capsule)
    }

    /// Returns the bytes of the file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        capsule_file::file(&self.header, &self.body)
    }

    /// Writes the file, which appears under its name once it is complete.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), OutputError> {
        Output::create(path)?.write_whole(&self.to_bytes())
    }

    /// Writes the file under this name, or, where another capsule has it, under the name with a number. Returns where it is.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep(&self, path: &Path) -> Result<PathBuf, OutputError> {
        let bytes = self.to_bytes();
        let same = |path: &Path| fs::read(path).is_ok_and(|there| there == bytes);
        let path = free_name(path, |path| fs::symlink_metadata(path).is_err() || same(path));
        if !same(&path) {
            Output::create(&path)?.write_whole(&bytes)?;
        }
        Ok(path)
    }

    /// Returns the text part of the capsule.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the first rule of the ports that the inputs break before the failure, and its cycle, in words.
    #[must_use]
    pub fn broken_rule(&self) -> Option<&str> {
        self.header.protocol.as_ref()?.broken.as_deref()
    }

    pub(super) fn header_mut(&mut self) -> &mut Header {
        &mut self.header
    }

    /// Returns the rows of inputs, from reset on.
    ///
    /// # Panics
    /// Never: the rows are compressed by this program, or were read when the capsule was loaded.
    #[must_use]
    pub fn rows(&self) -> RowReader<'_> {
        RowReader::new(&self.body, self.header.in_words, self.header.cycles).expect("rows that were read before")
    }

    /// Returns all rows of inputs as one array. It takes about 230 MB for a million cycles of four lanes.
    #[must_use]
    pub fn inputs(&self) -> Vec<u32> {
        self.inputs_to(u64::MAX)
    }

    /// Returns the rows of inputs up to a cycle, that cycle included, as one array.
    pub(super) fn inputs_to(&self, cycle: u64) -> Vec<u32> {
        let (mut reader, mut rows, mut left) = (self.rows(), Vec::new(), cycle.saturating_add(1));
        while left > 0
            && let Ok(Some(row)) = reader.next_row()
        {
            rows.extend_from_slice(row);
            left -= 1;
        }
        rows
    }

    /// Returns the build of the RTL that failed.
    ///
    /// # Errors
    /// If this program was compiled without it.
    pub fn build(&self) -> Result<BuildId, CapsuleError> {
        BuildId::from_name(&self.header.build).ok_or_else(|| {
            let known: Vec<&str> = BuildId::ALL.iter().map(|build| build.name()).collect();
            CapsuleError::Build { build: self.header.build.clone(), known: known.join(", ") }
        })
    }

    /// Returns the unit.
    ///
    /// # Errors
    /// If this program does not know it.
    pub fn unit(&self) -> Result<&'static Unit, CapsuleError> {
        let unit = unit::Unit::named(&self.header.unit).map(|unit| unit.capsule);
        unit.ok_or_else(|| CapsuleError::Unit { unit: self.header.unit.clone(), known: unit::Unit::names() })
    }

    /// Returns the model of the capsule's build with its straps, at reset.
    ///
    /// # Errors
    /// If this program has no such model, or the straps are illegal.
    pub fn model(&self) -> Result<Box<dyn super::unit::Model>, CapsuleError> {
        let model = (self.unit()?.model)(self.build()?, &self.header.straps);
        model.map_err(|reason| CapsuleError::Straps { reason })
    }

    /// Returns the capsule's inputs, with the outputs of the model, as the producer of a lockstep run.
    ///
    /// # Errors
    /// As [`model`](Self::model).
    pub fn producer(&self) -> Result<Box<dyn Producer + '_>, CapsuleError> {
        Ok(Box::new(self.player()?))
    }

    /// Returns a producer that continues with idle inputs after the last row.
    pub(super) fn player(&self) -> Result<CapsuleProducer<'_>, CapsuleError> {
        let inputs = (self.unit()?.inputs)(self.build()?);
        Ok(CapsuleProducer::new(self.rows(), self.model()?, inputs))
    }

    /// Checks everything that the checksum does not cover.
    fn check(&self) -> Result<(), CapsuleError> {
        self.unit()?;
        let info = self.build()?.info();
        self.check_sizes(info)?;
        if self.header.start != Start::Reset || self.header.checkpoint.is_some() {
            let reason = "it starts from a checkpoint".to_owned();
            return Err(CapsuleError::Text { reason });
        }
        if self.header.cycles > MAX_CYCLES {
            let reason = format!("it has {} cycles, and {MAX_CYCLES} are the most", self.header.cycles);
            return Err(CapsuleError::Text { reason });
        }
        if self.header.failure.cycle >= self.header.cycles {
            let reason = "it fails in a cycle for which it has no inputs".to_owned();
            return Err(CapsuleError::Text { reason });
        }
        self.model()?;
        let broken = |error: io::Error| damaged(&format!("its rows cannot be read ({error})"));
        let rows = RowReader::new(&self.body, self.header.in_words, self.header.cycles);
        rows.and_then(RowReader::read_through).map_err(broken)
    }

    fn check_sizes(&self, info: &BuildInfo) -> Result<(), CapsuleError> {
        let differ = |what, found: String, expected: String| Err(CapsuleError::Sizes { what, found, expected });
        let Header { in_words, straps, parameters, unit, .. } = &self.header;
        if unit != info.unit {
            return differ("unit of the build", unit.clone(), info.unit.to_owned());
        }
        if *in_words != info.in_words {
            return differ("words of inputs", in_words.to_string(), info.in_words.to_string());
        }
        if straps.len() != info.strap_words {
            return differ("words of straps", straps.len().to_string(), info.strap_words.to_string());
        }
        match info.parameters.iter().find(|(name, value)| parameters.get(*name) != Some(value)) {
            Some((name, value)) => differ("parameters", format!("{parameters:?}"), format!("{name} = {value}")),
            None => Ok(()),
        }
    }
}

/// The bytes of a file, of which no more is read than it can need: not all of a disk, not `/dev/zero` for ever.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let (mut file, mut bytes) = (fs::File::open(path)?, Vec::new());
    file.by_ref().take(HEAD).read_to_end(&mut bytes)?;
    let content = line(&bytes).and_then(|(_, rest)| line(rest)).and_then(|(second, _)| Seal::read(second));
    if let Some(seal) = content {
        // One byte more, which is one too many.
        file.take(seal.bytes.saturating_add(1)).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

fn damaged(what: &str) -> CapsuleError {
    CapsuleError::Damaged { what: what.to_owned() }
}

/// The first line, if it is short and plain, and what follows it.
fn line(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let end = bytes.iter().take(256).position(|&byte| byte == b'\n')?;
    Some((std::str::from_utf8(&bytes[..end]).ok()?, &bytes[end + 1..]))
}
