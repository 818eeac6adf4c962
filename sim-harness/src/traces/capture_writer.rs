//! The writer of a capture file.

use std::fmt;
use std::io::{self, Write};

use zstd::bulk::Compressor;

use super::capture_file::{
    COUNT_VARIES, END, EVENT_INTERRUPTED, EVENT_JUMP, EVENT_REDEFINE, FLAG_SS_LOAD, FOOTER, Header, MAGIC, MAX_LOADS,
    OUTCOME_SURPRISE, OUTCOME_TAKEN, Trailer, VERSION,
};
use super::capture_frame::FrameHead;
use super::captured_code::{Code, Definition, NO_SITE, Slot, Slots};
use super::{Branch, BranchKind, Load, Mapping, Retired, Store, varint};

/// The number of instructions in a block, if no other limit ends it.
const BLOCK_INSTRUCTIONS: u64 = 1 << 17;
/// The number of bytes of streams that ends a block. One instruction can add 2.5 MiB.
const BLOCK_BYTES: usize = 1 << 20;
/// The length of the longest x86 instruction in bytes.
const MAX_LENGTH: u8 = 15;
/// The compression level of zstd: higher levels take several times as long for a few percent.
const LEVEL: i32 = 3;

/// The streams of a block, in the order of the file.
#[derive(Debug, Default)]
struct Streams {
    events: Vec<u8>,
    definitions: Vec<u8>,
    outcomes: Vec<u8>,
    targets: Vec<u8>,
    loads: Vec<u8>,
    stores: Vec<u8>,
}

impl Streams {
    fn all(&mut self) -> [&mut Vec<u8>; 6] {
        let Self { events, definitions, outcomes, targets, loads, stores } = self;
        [events, definitions, outcomes, targets, loads, stores]
    }

    fn bytes(&self) -> usize {
        let Self { events, definitions, outcomes, targets, loads, stores } = self;
        [events, definitions, outcomes, targets, loads, stores].iter().map(|stream| stream.len()).sum()
    }
}

/// A writer of retired instructions to a [capture file](super::capture_file).
///
/// The format cannot represent the following, because a capture of a user-mode program never needs it: a privilege
/// level other than 3, SMM, another mode, a base of CS, I/O, flags other than SS loads, transactions, a load at an
/// unknown address, and whether loads missed or branches were predicted. Such fields are ignored.
pub struct CaptureWriter<W: Write> {
    out: W,
    bytes: u64,
    frame: u32,
    code: Code,
    streams: Streams,
    /// Instructions in the block so far, and since its last event.
    count: u64,
    since_event: u64,
    /// The site executed last, and the address expected next.
    previous: u32,
    expected: u64,
    totals: Trailer,
    compressor: Compressor<'static>,
    plain: Vec<u8>,
}

/// A complete file.
#[derive(Debug)]
pub struct Finished<W> {
    /// The destination that it was written to.
    pub out: W,
    /// The contents of its trailer.
    pub trailer: Trailer,
    /// The size of the file in bytes.
    pub bytes: u64,
}

impl<W: Write> CaptureWriter<W> {
    /// Begins a file on `out`.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn new(mut out: W, header: &Header) -> io::Result<Self> {
        out.write_all(&MAGIC)?;
        out.write_all(&VERSION.to_le_bytes())?;
        let mut writer = Self {
            out,
            bytes: MAGIC.len() as u64 + 4,
            frame: 0,
            code: Code::new(),
            streams: Streams::default(),
            count: 0,
            since_event: 0,
            previous: NO_SITE,
            expected: 0,
            totals: Trailer::default(),
            compressor: Compressor::new(LEVEL)?,
            plain: Vec::new(),
        };
        writer.plain = serde_json::to_vec(header)?;
        writer.write_frame(b'H')?;
        Ok(writer)
    }

    /// Appends an instruction. `accesses_vary` indicates that its next execution may make a different number of loads
    /// and stores (`REP`, gathers, masked loads); it is only a hint that saves bytes.
    ///
    /// # Errors
    /// If a block is full and cannot be written.
    pub fn push(&mut self, retired: &Retired, accesses_vary: bool) -> io::Result<()> {
        if !retired.interruptions.is_empty() {
            self.put_interruptions(retired);
        }
        if retired.ip != self.expected {
            self.event(EVENT_JUMP);
            varint::put_signed(&mut self.streams.events, retired.ip.wrapping_sub(self.expected));
        }
        let loads = &retired.loads[..retired.loads.len().min(MAX_LOADS)];
        let stores = &retired.stores[..retired.stores.len().min(MAX_LOADS)];
        let length = retired.length.min(MAX_LENGTH);
        let place = self.site(retired, length, (loads, stores), accesses_vary);
        let neighbour = retired.ip.wrapping_add(u64::from(length));
        self.expected = neighbour;
        if let Some(branch) = &retired.branch {
            self.expected = branch.next;
            self.totals.branches += 1;
            self.put_branch(place, retired.ip, neighbour, *branch);
        }
        let site = &self.code.sites[place as usize];
        let slots = [site.loads, site.stores];
        put_accesses(&mut self.streams.loads, &mut self.code.slots, slots[0], loads);
        put_accesses(&mut self.streams.stores, &mut self.code.slots, slots[1], stores);
        self.previous = place;
        self.count += 1;
        self.since_event += 1;
        self.totals.instructions += 1;
        self.totals.loads += loads.len() as u64;
        self.totals.loads_left_out += (retired.loads.len() - loads.len()) as u64;
        self.totals.stores += stores.len() as u64;
        self.totals.stores_left_out += (retired.stores.len() - stores.len()) as u64;
        if self.count == BLOCK_INSTRUCTIONS || self.streams.bytes() >= BLOCK_BYTES {
            self.write_block()?;
        }
        Ok(())
    }

    /// Adds to the trailer's number of stores that the caller itself left out.
    pub fn leave_out_stores(&mut self, count: u64) {
        self.totals.stores_left_out += count;
    }

    /// Adds to the trailer's number of loads that the caller itself left out.
    pub fn leave_out_loads(&mut self, count: u64) {
        self.totals.loads_left_out += count;
    }

    /// Returns the totals so far; blocks that are not written yet are included.
    pub fn totals(&self) -> &Trailer {
        &self.totals
    }

    /// Returns the number of bytes written so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Completes the file: writes the last block, the trailer and the footer.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn finish(mut self, end: &str, other_threads: u64, mappings: Vec<Mapping>) -> io::Result<Finished<W>> {
        self.write_block()?;
        self.totals.end = end.to_owned();
        self.totals.other_threads = other_threads;
        self.totals.mappings = mappings;
        let offset = self.bytes;
        self.plain = serde_json::to_vec(&self.totals)?;
        self.write_frame(b'T')?;
        self.out.write_all(&offset.to_le_bytes())?;
        self.out.write_all(&END)?;
        self.out.flush()?;
        self.bytes += FOOTER as u64;
        Ok(Finished { out: self.out, trailer: self.totals, bytes: self.bytes })
    }

    /// Returns the site of an instruction, and defines it if it is new or has changed.
    #[inline]
    fn site(&mut self, retired: &Retired, length: u8, accesses: (&[Load], &[Store]), vary: bool) -> u32 {
        let found = self.code.find(self.previous, retired.ip);
        let kind = retired.branch.map_or(0, |branch| branch.kind as u8);
        let ss_load = retired.flags.ss_load;
        let known = self.code.sites.get(found as usize);
        let same = known.filter(|site| site.length == length && site.kind == kind && site.ss_load == ss_load);
        let fit = same.map(|site| (self.fits(site.loads, accesses.0), self.fits(site.stores, accesses.1)));
        if fit == Some((true, true)) {
            return found;
        }
        // Accesses that differ from the definition are expected to differ again.
        let vary_again = |fits: bool, slots: Slots| vary || slots.variable || !fits;
        let (loads_vary, stores_vary) = match (same, fit) {
            (Some(site), Some(fit)) => (vary_again(fit.0, site.loads), vary_again(fit.1, site.stores)),
            _ => (vary, vary),
        };
        let (loads, stores) = (sizes(accesses.0, loads_vary), sizes(accesses.1, stores_vary));
        let definition = Definition { length, kind, ss_load, loads, stores };
        if found != NO_SITE {
            self.event(EVENT_REDEFINE);
        }
        self.put_definition(&definition);
        self.code.define(retired.ip, &definition)
    }

    /// Whether the accesses match the site's definition.
    #[inline]
    fn fits<T: Reach>(&self, slots: Slots, accesses: &[T]) -> bool {
        let known = &self.code.slots[slots.first as usize..];
        slots.variable
            || (accesses.len() == usize::from(slots.count)
                && accesses.iter().zip(known).all(|(access, slot)| access.reach().1 == slot.size))
    }

    #[cold]
    fn put_interruptions(&mut self, retired: &Retired) {
        for interruption in &retired.interruptions {
            self.event(EVENT_INTERRUPTED);
            let events = &mut self.streams.events;
            events.extend([interruption.kind.acts_as() as u8, interruption.vector]);
            varint::put_signed(events, interruption.from.wrapping_sub(self.expected));
            varint::put_signed(events, interruption.to.wrapping_sub(interruption.from));
            self.expected = interruption.to;
        }
    }

    /// Begins an event at the next instruction.
    fn event(&mut self, kind: u8) {
        varint::put(&mut self.streams.events, self.since_event);
        self.streams.events.push(kind);
        self.since_event = 0;
    }

    fn put_definition(&mut self, definition: &Definition) {
        let stream = &mut self.streams.definitions;
        stream.push(definition.length);
        stream.push(definition.kind);
        for sizes in [&definition.loads, &definition.stores] {
            match sizes {
                None => stream.push(COUNT_VARIES),
                Some(sizes) => {
                    stream.push(sizes.len() as u8);
                    sizes.iter().for_each(|size| varint::put(stream, u64::from(*size)));
                }
            }
        }
        stream.push(if definition.ss_load { FLAG_SS_LOAD } else { 0 });
    }

    fn put_branch(&mut self, place: u32, ip: u64, neighbour: u64, branch: Branch) {
        let expected = match branch.kind {
            BranchKind::Ret if branch.taken => self.code.pop_return(),
            BranchKind::System => neighbour,
            _ if !branch.taken => neighbour,
            _ => self.code.sites[place as usize].target,
        };
        if matches!(branch.kind, BranchKind::Call | BranchKind::CallInd) {
            self.code.push_return(neighbour);
        }
        let mut outcome = if branch.taken { OUTCOME_TAKEN } else { 0 };
        if branch.next != expected {
            outcome |= OUTCOME_SURPRISE;
            varint::put_signed(&mut self.streams.targets, branch.next.wrapping_sub(ip));
        }
        if branch.taken {
            self.code.sites[place as usize].target = branch.next;
        }
        self.streams.outcomes.push(outcome);
    }

    fn write_block(&mut self) -> io::Result<()> {
        if self.count == 0 {
            return Ok(());
        }
        self.plain.clear();
        varint::put(&mut self.plain, self.count);
        for stream in self.streams.all() {
            varint::put(&mut self.plain, stream.len() as u64);
        }
        for stream in self.streams.all() {
            self.plain.extend_from_slice(stream);
            stream.clear();
        }
        self.count = 0;
        self.since_event = 0;
        self.write_frame(b'B')
    }

    /// Writes `plain` as a frame.
    fn write_frame(&mut self, kind: u8) -> io::Result<()> {
        let stored = self.compressor.compress(&self.plain)?;
        let head = FrameHead::new(kind, self.frame, self.plain.len(), &stored).to_bytes();
        self.out.write_all(&head)?;
        self.out.write_all(&stored)?;
        self.frame = self.frame.wrapping_add(1);
        self.bytes += (head.len() + stored.len()) as u64;
        Ok(())
    }
}

/// A load or a store as the file represents it.
trait Reach {
    /// Returns the address and the size.
    fn reach(&self) -> (u64, u16);
}

impl Reach for Load {
    #[inline]
    fn reach(&self) -> (u64, u16) {
        (self.addr.unwrap_or(0), self.size)
    }
}

impl Reach for Store {
    #[inline]
    fn reach(&self) -> (u64, u16) {
        (self.addr, self.size)
    }
}

/// Returns the sizes for a definition; `None` if they vary.
#[cold]
fn sizes<T: Reach>(accesses: &[T], vary: bool) -> Option<Vec<u16>> {
    let variable = vary || accesses.len() >= usize::from(COUNT_VARIES);
    (!variable).then(|| accesses.iter().map(|access| access.reach().1).collect())
}

/// Writes the addresses, and the number and sizes if they vary.
#[inline]
fn put_accesses<T: Reach>(stream: &mut Vec<u8>, slots: &mut [Slot], which: Slots, accesses: &[T]) {
    let first = which.first as usize;
    if which.variable {
        let slot = &mut slots[first];
        varint::put(stream, accesses.len() as u64);
        for (address, size) in accesses.iter().map(Reach::reach) {
            varint::put(stream, u64::from(size));
            varint::put_signed(stream, address.wrapping_sub(slot.expected()));
            slot.learn(address);
        }
    } else {
        for (access, slot) in accesses.iter().zip(&mut slots[first..]) {
            let (address, _) = access.reach();
            varint::put_signed(stream, address.wrapping_sub(slot.expected()));
            slot.learn(address);
        }
    }
}

impl<W: Write> fmt::Debug for CaptureWriter<W> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "CaptureWriter({} instructions, {} bytes)", self.totals.instructions, self.bytes)
    }
}
