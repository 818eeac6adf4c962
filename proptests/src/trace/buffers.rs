//! Buffers of the debug store anywhere in memory: next to any power of two, at both ends of the addresses, with records that just fit or
//! just do not. The management area that describes them lies at one place ([`buffers`]), or across any power of two as well ([`areas`]).
//!
//! Memory answers at once, and takes every write.

use super::scenario::Scenario;
use crate::lockstep::UnitCycle;
use lwp_model::retire::{Branch, BranchKind, MemAnswer, Mode, OpMode, RegOp, RegRequest, Retired};
use lwp_model::trace::{Config, Inputs, Lane, Linear, Outputs, Precise, TraceUnit};
use lwp_model::{Moore, Unit};
use proptest::collection::vec;
use proptest::prelude::*;

/// Address of the management area of [`buffers`].
const AREA: u64 = 0x3000;
/// Bytes of the largest one, with the reset values of four counters.
const AREA_BYTES: u64 = 0x60;
/// Cycles that a record takes at most.
const RECORD: usize = 300;

/// A record that is stored, and the buffer that it meets.
#[derive(Clone, Copy, Debug)]
struct Store {
    /// The counter of a PEBS record; none: a branch record.
    counter: Option<u8>,
    circular: bool,
    /// A place: a multiple of a power of two, by factor and exponent, less some bytes. The buffer begins there.
    place: (u64, u32, u64),
    /// The last record of the buffer ends there instead.
    ends: bool,
    /// Records before the index, in the buffer and before the threshold; bytes by which each field lies higher.
    records: [u64; 3],
    bytes: [u64; 4],
    /// Reset value.
    reset: u64,
}

/// Generates the cycles in which up to `stores` records are stored.
pub fn buffers<const LANES: usize, const ENTRIES: usize>(stores: usize) -> BoxedStrategy<Scenario<LANES>>
where
    TraceUnit<LANES, ENTRIES>: Moore<Inputs = Inputs<LANES>, Outputs = Outputs> + Unit<Config = Config>,
{
    kinds(store(), stores).prop_map(|kinds| stored::<LANES, ENTRIES>(Linear::Bits48, AREA, kinds)).boxed()
}

/// Generates the same with a management area that a multiple of a power of two divides, or that ends or begins there. Every other record is the
/// last one that its buffer has room for, if it has any, and what is left of the buffer is next to a power of two.
pub fn areas<const LANES: usize, const ENTRIES: usize>(stores: usize) -> BoxedStrategy<Scenario<LANES>>
where
    TraceUnit<LANES, ENTRIES>: Moore<Inputs = Inputs<LANES>, Outputs = Outputs> + Unit<Config = Config>,
{
    let last = |store: Store| {
        let [_, records, threshold] = store.records;
        Store { ends: true, records: [records.saturating_sub(1), records, threshold], ..store }
    };
    let store = prop_oneof![1 => store(), 1 => store().prop_map(last)];
    (area(), kinds(store.boxed(), stores))
        .prop_map(|((linear, area), kinds)| stored::<LANES, ENTRIES>(linear, area, kinds))
        .boxed()
}

/// Generates a width of linear addresses above 32 bits, and an address that exists in it.
fn area() -> BoxedStrategy<(Linear, u64)> {
    let number = prop_oneof![1 => Just(1), 1 => any::<u64>()];
    (any::<bool>(), number, 7..57_u32, 0..=AREA_BYTES / 8)
        .prop_map(|(large, number, up, words)| {
            let (linear, unused) = if large { (Linear::Bits57, 64 - 57) } else { (Linear::Bits48, 64 - 48) };
            let area = (number << up).wrapping_sub(8 * words);
            (linear, ((area << unused).cast_signed() >> unused).cast_unsigned())
        })
        .boxed()
}

/// Straps `dtes64` and `pebs_format`, 64-bit mode or protected mode, and the records.
type Kinds = (bool, bool, u8, Vec<Store>);

fn kinds(store: BoxedStrategy<Store>, stores: usize) -> BoxedStrategy<Kinds> {
    (any::<bool>(), any::<bool>(), 0..4_u8, vec(store, 1..=stores)).boxed()
}

fn stored<const LANES: usize, const ENTRIES: usize>(linear: Linear, area: u64, kinds: Kinds) -> Scenario<LANES>
where
    TraceUnit<LANES, ENTRIES>: Moore<Inputs = Inputs<LANES>, Outputs = Outputs> + Unit<Config = Config>,
{
    let (dtes64, long, format, stores) = kinds;
    let straps = Config { dtes64, linear, pebs_format: if dtes64 { format } else { 0 }, ..Config::DEFAULT };
    let op_mode = if long { OpMode::Long64 } else { OpMode::Protected };
    let mut core = Core::<LANES, ENTRIES>::new(straps, Mode { cpl: 0, smm: false, op_mode }, area);
    stores.into_iter().for_each(|store| core.store(store, dtes64 || long));
    Scenario { straps, cycles: core.cycles }
}

fn store() -> BoxedStrategy<Store> {
    let counter = prop::option::weighted(0.3, 0..4_u8);
    let up = prop_oneof![3 => 2..64_u32, 2 => 40..64_u32, 1 => Just(63)];
    let back = prop_oneof![1 => 0..300_u64, 1 => 0..40_u64];
    let place = (any::<u64>(), up, back);
    let byte = || prop_oneof![12 => Just(0), 1 => 1..8_u64, 2 => 8..64_u64];
    let rest = prop_oneof![6 => Just(0), 8 => (1..8_u64).prop_map(|fields| 8 * fields), 1 => 1..60_u64];
    let records = prop_oneof![3 => 0..2_u64, 2 => 0..5_u64];
    let filled = prop_oneof![1 => Just(0), 1 => 0..4_u64];
    let records = (
        [filled.boxed(), records.boxed(), (0..6_u64).boxed()],
        [Just(0).boxed(), byte().boxed(), rest.boxed(), byte().boxed()],
    );
    (counter, any::<bool>(), place, records, any::<u64>())
        .prop_map(|(counter, circular, place, (records, bytes), reset)| Store {
            counter,
            circular,
            place,
            ends: false,
            records,
            bytes,
            reset,
        })
        .boxed()
}

/// A core beside the model.
struct Core<const LANES: usize, const ENTRIES: usize> {
    unit: TraceUnit<LANES, ENTRIES>,
    straps: Config,
    mode: Mode,
    cycles: Vec<UnitCycle<Inputs<LANES>>>,
    /// Address of the management area, and what it holds.
    address: u64,
    area: [u64; AREA_BYTES as usize / 8],
}

impl<const LANES: usize, const ENTRIES: usize> Core<LANES, ENTRIES>
where
    TraceUnit<LANES, ENTRIES>: Moore<Inputs = Inputs<LANES>, Outputs = Outputs> + Unit<Config = Config>,
{
    fn new(straps: Config, mode: Mode, address: u64) -> Self {
        let unit = TraceUnit::new(straps).unwrap_or_else(|_| panic!("illegal straps: {straps:?}"));
        let first = UnitCycle { reset: true, inputs: Inputs::default() };
        let area = [0; AREA_BYTES as usize / 8];
        let mut core = Self { unit, straps, mode, cycles: vec![first], address, area };
        core.write(0x600, address);
        core
    }

    fn cycle(&mut self, inputs: Inputs<LANES>) {
        let out = self.unit.outputs();
        let word = self.area.get((out.mem.addr.wrapping_sub(self.address) / 8) as usize).copied().unwrap_or_default();
        // The request is gone when its response is due: what is read is kept from the cycle of the grant.
        let last = self.cycles.last().map_or(0, |cycle| cycle.inputs.mem.rdata);
        let mem = MemAnswer { gnt: true, rvalid: true, rdata: if out.mem.req { word } else { last }, err: false };
        let state_value = self.cycles.len() as u64 ^ u64::from(out.state_index) << 32;
        let pebs = Precise { state_value, ..inputs.pebs };
        let inputs = Inputs { mode: self.mode, mem, pebs, ..inputs };
        self.cycles.push(UnitCycle { reset: false, inputs });
        self.unit.step(&inputs);
    }

    fn wait(&mut self) {
        for _ in 0..RECORD {
            if self.unit.outputs().reg_ready {
                return;
            }
            self.cycle(Inputs::default());
        }
        panic!("the unit does not come to rest: {:?}", self.unit.outputs());
    }

    fn write(&mut self, number: u32, wdata: u64) {
        self.wait();
        let reg = RegRequest { valid: true, op: RegOp::Wrmsr, lp: 0, number, wdata };
        self.cycle(Inputs { reg, ..Inputs::default() });
    }

    fn store(&mut self, store: Store, wide: bool) {
        self.describe(store, wide);
        self.write(0x1D9, if store.circular { 0xC0 } else { 0x1C0 });
        let Some(counter) = store.counter else {
            let retired = Retired { valid: true, counts: true, ip: store.reset };
            let branch = Branch { kind: BranchKind::CallRel, taken: true, next: !store.reset, ..Branch::default() };
            let mut lanes = [Lane::default(); LANES];
            lanes[0] = Lane { retired, branch, ..Lane::default() };
            return self.cycle(Inputs { lanes, ..Inputs::default() });
        };
        self.write(0x3F1, 1 << counter);
        for (overflow, event) in [(1 << counter, 0), (0, 1 << counter)] {
            let pebs = Precise { overflow, event, ..Precise::default() };
            self.cycle(Inputs { pebs, ..Inputs::default() });
        }
    }

    /// Describes the buffer of the record, as software does while no record is stored.
    fn describe(&mut self, store: Store, wide: bool) {
        self.wait();
        let fields = match (store.counter, wide) {
            (None, _) => 3,
            (_, false) => 10,
            (_, true) => [18, 22, 24, 25][usize::from(self.straps.pebs_format & 3)],
        };
        let (size, (bits, up, back)) = (if wide { 8 } else { 4 }, store.place);
        let [filled, records, threshold] = store.records;
        let before = if store.ends { fields * size * records } else { 0 };
        let base = (bits << up).wrapping_sub(back + before) & !(size - 1);
        let at = |records: u64, bytes: u64| base.wrapping_add(fields * size * records).wrapping_add(bytes);
        let [_, index, maximum, limit] = store.bytes;
        let values = [base, at(filled, index), at(records, maximum), at(threshold, limit)];
        let first = if store.counter.is_some() { 4 } else { 0 };
        for (at, value) in (first..).zip(values) {
            if wide {
                self.area[at] = value;
            } else {
                let (word, half) = (&mut self.area[at / 2], 32 * (at % 2));
                *word = *word & !(0xFFFF_FFFF << half) | (value & 0xFFFF_FFFF) << half;
            }
        }
        let counters = if wide { 8..12 } else { 4..5 };
        counters.zip(0..).for_each(|(at, counter)| self.area[at] = store.reset.rotate_left(counter));
    }
}
