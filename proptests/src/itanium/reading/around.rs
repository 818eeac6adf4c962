//! A core and its software at random: inputs that keep to the chapter of the ports, weighted so that what matters happens.

use super::values::{CODE, DATA, WORDS, value};
use lwp_model::itanium::{
    Config, Fetch, Inputs, IsmOrder, Issue, Mem, Outputs, RegOp, RegRequest, Retire, UpOnInterruption,
};

/// Numbers at random (xorshift).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Returns the numbers of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut random = Self((seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        random.word();
        random
    }

    pub(super) fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// Returns a number below `end`.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        (self.word() >> 11) % end
    }

    /// Returns whether it is one of `of`.
    pub(super) fn one_of(&mut self, of: u64) -> bool {
        self.below(of) == 0
    }

    pub(super) fn from<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len() as u64) as usize]
    }
}

/// Returns straps at random.
pub fn straps(random: &mut Random) -> Config {
    Config {
        ism_order: random.from(&[IsmOrder::Field, IsmOrder::Printed]),
        up_on_interruption: random.from(&[UpOnInterruption::Kept, UpOnInterruption::Cleared]),
        freeze_always: random.one_of(2),
    }
}

/// A bundle in flight.
#[derive(Clone, Copy, Debug)]
struct Bundle {
    id: u8,
    template: u8,
    /// Slots that have not retired.
    left: u8,
    /// Cycles since the fetch, until it is issued.
    age: u64,
    issued: bool,
    /// It was issued in an earlier cycle.
    ready: bool,
}

/// The templates that are not reserved.
const TEMPLATES: [u8; 14] = [0, 3, 4, 5, 8, 10, 12, 14, 16, 18, 22, 24, 28, 29];
/// Requests that change the PSR.
const PSR_REQUESTS: [RegOp; 8] =
    [RegOp::Sum, RegOp::Sum, RegOp::Rum, RegOp::WritePsrUm, RegOp::Ssm, RegOp::Ssm, RegOp::Rsm, RegOp::WritePsrL];

/// The core around a unit, and its software.
#[derive(Clone, Debug)]
pub struct Around {
    random: Random,
    entries: u8,
    /// Whether slot 1 of the bundle in an entry is half of a long instruction.
    long: [bool; 16],
    bundles: Vec<Bundle>,
    /// Entries whose bundle has retired, and for how long they are kept for its memory events.
    lingering: Vec<(u8, u64)>,
    cpl: u8,
    psr_is: bool,
    /// The last cycle delivered an interruption.
    interrupted: bool,
    now: u64,
    /// Requests that come first.
    setup: Vec<(RegOp, u32, u64)>,
    /// A counter overflowed: monitoring is to be started again.
    frozen: u64,
}

impl Around {
    /// Returns a core at reset, of which `entries` bundles are in flight at most.
    #[must_use]
    pub fn new(seed: u64, entries: u8) -> Self {
        let mut random = Random::new(seed);
        let mut setup = vec![(RegOp::WriteFile, 0, 1)];
        for number in (4..14).chain(0x104..0x108).chain(0x200..0x208).chain(0x300..0x308).chain(0x400..0x401) {
            let value = value(&mut random, number);
            setup.push((RegOp::WriteFile, number, value));
        }
        setup.push((RegOp::Ssm, 0, random.word() | random.word()));
        setup.push((RegOp::WriteFile, 0, 0));
        setup.reverse();
        if random.one_of(10) {
            setup.truncate(1);
        }
        let bundles = Vec::new();
        let lingering = Vec::new();
        let long = [false; 16];
        Self {
            random,
            entries,
            long,
            bundles,
            lingering,
            cpl: 0,
            psr_is: false,
            interrupted: false,
            now: 0,
            setup,
            frozen: 0,
        }
    }

    /// Returns the inputs of the next cycle, in which the unit shows `out`.
    pub fn input<const B: usize>(&mut self, out: &Outputs) -> Inputs<B> {
        self.now += 1;
        let mut inputs = Inputs::default();
        let was = (self.cpl, self.psr_is);
        self.mode();
        let changed = was != (self.cpl, self.psr_is);
        (inputs.cpl, inputs.psr_is) = (self.cpl, self.psr_is);
        inputs.core_clock = !self.random.one_of(3);
        self.records(&mut inputs);
        inputs.int_valid = !changed && self.setup.is_empty() && self.random.one_of(120);
        if !changed {
            self.retire(&mut inputs);
            if self.psr_is {
                inputs.ia32 = self.random.below(4) as u8;
            }
        }
        self.issue(&mut inputs);
        self.fetch(&mut inputs);
        let code = !self.psr_is && !changed;
        if code && (!self.setup.is_empty() || self.random.one_of(3)) {
            inputs.reg = self.request();
        }
        inputs.irq_ack = self.random.one_of(if out.irq { 4 } else { 6 });
        self.frozen = if out.irq || out.pin > 0 { self.frozen + 1 } else { self.frozen };
        self.interrupted = inputs.int_valid;
        if inputs.int_valid {
            self.flush();
        }
        inputs
    }

    /// Forgets the bundles that have not retired.
    fn flush(&mut self) {
        let Self { bundles, lingering, .. } = self;
        lingering.extend(bundles.drain(..).filter(|bundle| bundle.ready).map(|bundle| (bundle.id, 3)));
    }

    fn mode(&mut self) {
        if self.interrupted {
            (self.cpl, self.psr_is) = (0, false);
        } else if !self.setup.is_empty() {
            self.cpl = 0;
        } else if self.random.one_of(25) {
            self.cpl = self.random.from(&[0, 0, 0, 0, 0, 0, 3, 3, 1, 2]);
        } else if self.random.one_of(if self.psr_is { 12 } else { 80 }) {
            self.psr_is ^= true;
            self.flush();
        }
    }

    fn free(&mut self) -> Option<u8> {
        let used =
            |id: u8| self.bundles.iter().any(|b| b.id == id) || self.lingering.iter().any(|(other, _)| *other == id);
        let free: Vec<u8> = (0..self.entries).filter(|id| !used(*id)).collect();
        if free.is_empty() { None } else { Some(self.random.from(&free)) }
    }

    fn fetch<const B: usize>(&mut self, inputs: &mut Inputs<B>) {
        for bundle in self.bundles.iter_mut() {
            bundle.age += 1;
        }
        let ia32 = self.psr_is;
        for fetch in inputs.fetch.iter_mut().filter(|_| !ia32) {
            if self.random.one_of(3) {
                continue;
            }
            let Some(id) = self.free() else { return };
            let addr = self.random.from(&CODE) + self.random.below(2) * 16 + self.random.below(16);
            let cpl = if self.random.one_of(10) { self.random.below(4) as u8 } else { self.cpl };
            // The core shows more bits of the number than a small unit needs.
            let high = (self.random.below(16) as u8) & !(self.entries - 1);
            *fetch = Fetch { valid: true, id: id | high, addr, cpl };
            self.bundles.push(Bundle { id, template: 0, left: 0, age: 0, issued: false, ready: false });
        }
    }

    fn issue<const B: usize>(&mut self, inputs: &mut Inputs<B>) {
        self.bundles.iter_mut().for_each(|bundle| bundle.ready = bundle.issued);
        let ia32 = self.psr_is;
        for issue in inputs.issue.iter_mut().filter(|_| !ia32) {
            let Some(bundle) = self.bundles.iter_mut().find(|bundle| !bundle.issued) else { return };
            if self.random.one_of(3) {
                return;
            }
            let template_code = self.random.from(&TEMPLATES);
            (bundle.template, bundle.issued) = (template_code, true);
            self.long[usize::from(bundle.id)] = matches!(template_code, 4 | 5);
            bundle.left = if matches!(template_code, 4 | 5) { 5 } else { 7 };
            let mut word = || {
                let word = self.random.from(&WORDS);
                match self.random.below(5) {
                    0 => word ^ 1 << self.random.below(41),
                    1 => word ^ 1 << self.random.from(&[0, 12, 27, 40]),
                    _ => word,
                }
            };
            *issue = Issue { valid: true, id: bundle.id, template_code, slot0: word(), slot1: word(), slot2: word() };
        }
    }

    fn retire<const B: usize>(&mut self, inputs: &mut Inputs<B>) {
        let ia32 = self.psr_is;
        for retire in inputs.retire.iter_mut().filter(|_| !ia32) {
            let Some(bundle) = self.bundles.first().copied().filter(|bundle| bundle.ready) else { return };
            if self.random.one_of(4) {
                return;
            }
            let slots = if self.random.one_of(4) { bundle.left & !(0xFF << self.random.below(4)) } else { bundle.left };
            let branch = slots & self.random.word() as u8;
            let off = slots & self.random.word() as u8 & self.random.word() as u8;
            let mut retire_slots = slots;
            let mut taken = 0;
            if self.random.one_of(3) && branch & !off != 0 {
                let last = 1 << (branch & !off).trailing_zeros();
                taken = last;
                retire_slots &= last | (last - 1);
            }
            *retire = Retire {
                valid: true,
                id: bundle.id,
                slots: retire_slots,
                off: off & retire_slots,
                branch: branch & retire_slots,
                taken,
            };
            let left = bundle.left & !retire_slots;
            if left == 0 || taken != 0 {
                self.bundles.remove(0);
                self.lingering.push((bundle.id, self.random.below(6)));
                if taken != 0 {
                    return;
                }
            } else {
                self.bundles[0].left = left;
                return;
            }
        }
    }

    fn records<const B: usize>(&mut self, inputs: &mut Inputs<B>) {
        self.lingering.retain(|(_, cycles)| *cycles > 0);
        self.lingering.iter_mut().for_each(|(_, cycles)| *cycles -= 1);
        let ready = self.bundles.iter().filter(|bundle| bundle.ready).map(|bundle| bundle.id);
        let ids: Vec<u8> = ready.chain(self.lingering.iter().map(|(id, _)| *id)).collect();
        for mem in &mut inputs.mem {
            if ids.is_empty() && !self.psr_is || self.random.one_of(3) {
                continue;
            }
            let id = if ids.is_empty() { 0 } else { self.random.from(&ids) };
            let mut yes = || self.random.one_of(3);
            *mem = Mem {
                valid: true,
                id,
                read: yes(),
                write: yes(),
                l1d_read: yes(),
                l1d_miss: yes(),
                l2_read: yes(),
                l2_write: yes(),
                l2_miss: yes(),
                dtc_miss: yes(),
                dtlb_miss: yes(),
                ..Mem::default()
            };
            mem.slot = if self.long[usize::from(id)] { self.random.from(&[0, 2]) } else { self.random.below(4) as u8 };
            mem.addr = self.random.from(&DATA).wrapping_add(self.random.below(4) * 4);
        }
    }

    fn request(&mut self) -> RegRequest {
        if let Some((op, number, wdata)) = self.setup.pop() {
            return RegRequest { valid: true, op, lp: 0, number, wdata };
        }
        let random = &mut self.random;
        let lp = random.below(8) as u8;
        if (self.frozen > 3 || random.one_of(8)) && self.cpl == 0 {
            self.frozen = 0;
            let wdata = if random.one_of(12) { random.below(16) << 4 } else { random.below(2) << 8 };
            return RegRequest { valid: true, op: RegOp::WriteFile, lp, number: 0, wdata };
        }
        let op = match random.below(20) {
            0..=6 => RegOp::ReadFile,
            7..=14 => RegOp::WriteFile,
            15 => random.from(&[RegOp::Rdmsr, RegOp::Wrmsr, RegOp::Rdpmc, RegOp::WriteDr]),
            16 => RegOp::Rfi,
            _ => random.from(&PSR_REQUESTS),
        };
        let number = match random.below(10) {
            0..=3 => 0x104 + random.below(4) as u32,
            4 => random.from(&[0, 0, 0, 0x400]),
            5 => random.from(&[13, 13, 11, 8, 9]),
            6 => 4 + random.below(10) as u32,
            7 => 0x200 + random.below(10) as u32,
            8 => random.from(&[0x200, 0x300]) + random.below(10) as u32,
            _ => random.below(0x800) as u32,
        };
        let wdata = match op {
            RegOp::ReadFile | RegOp::WriteFile => value(random, number),
            _ if random.one_of(4) => random.word(),
            RegOp::Rum | RegOp::Rsm => random.word() & random.word() & random.word(),
            // PSR.sp less often.
            _ => (random.word() | random.word() | random.word()) & !(1 << 20),
        };
        RegRequest { valid: true, op, lp, number: number | (random.word() as u32) << 11, wdata }
    }
}
