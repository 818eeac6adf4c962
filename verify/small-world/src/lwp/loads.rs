//! DCache misses: filters, candidates, addresses.

use super::World;
use super::memory::Timing;
use super::parts::*;
use lwp_model::lwp::{AddressPolicy, Buffer, Config, Entropy, GatherPolicy, GatherSelect, Load};

/// Worlds about loads.
pub(super) fn worlds() -> Vec<World> {
    vec![misses(), next(), replay(), queue()]
}

fn session_of_misses(interval: u64) -> super::Alphabet {
    let mut block = block(BLOCK, [slot(3, interval, interval), 0, 0]);
    block.words[2] = tails(0, &[0]);
    // At least 0x13 * 16 cycles, from anywhere but memory of this node (RAM).
    block.words[4] = vec![word(0, 0x13 | 1 << 8 | 1 << 9 | 1 << 10)];
    let mut memory = memory(vec![block]);
    memory.timing = Timing::Prompt;
    memory.faults = false;
    let mut alphabet = quiet(memory);
    alphabet.modes = vec![USER, KERNEL];
    alphabet
}

fn eligible(number: u64) -> Load {
    Load { latency: 0x130 + 0x11 * number as u32, source: 2, ..miss(number) }
}

/// Loads that pass and loads that do not.
fn misses() -> World {
    let mut alphabet = session_of_misses(2);
    let too_short = Load { latency: 0x12F, ..eligible(0) };
    let from_ram = Load { source: 3, ..eligible(0) };
    alphabet.retire = vec![
        nothing(),
        loads([eligible(0), eligible(1)]),
        loads([too_short, from_ram]),
        partial(loads([from_ram, eligible(1)])),
    ];
    let about = "filters by latency and level, loads in cycles of their own";
    World { name: "misses", about, straps: Config::default(), setup: session(), alphabet }
}

/// The address of the next load.
fn next() -> World {
    let straps = Config { address_policy: AddressPolicy::NextLoad, ..Config::default() };
    World { name: "next", about: "as misses, and the load after the one that expires is recorded", straps, ..misses() }
}

/// Tag, flush, replay.
fn replay() -> World {
    let mut alphabet = session_of_misses(1);
    let tagged = Load { tagged: true, ..eligible(1) };
    alphabet.retire = vec![
        nothing(),
        loads([eligible(0), tagged]),
        loads([eligible(0), Load::default()]),
        partial(loads([tagged, Load::default()])),
    ];
    let fill = Buffer {
        fill_valid: true,
        fill_entry: 5,
        fill_ip: 0x0000_0044_3322_1100,
        fill_latency: 0x140,
        fill_source: 1,
        ..Buffer::default()
    };
    let abort = Buffer { replay_abort: true, ..Buffer::default() };
    alphabet.buffer = vec![Buffer::default(), fill, Buffer { fill_source: 3, ..fill }, abort];
    let straps = Config { address_policy: AddressPolicy::Replay, ..Config::default() };
    World { name: "replay", about: "loads are tagged, replayed, aborted", straps, setup: session(), alphabet }
}

/// Three events at once.
fn queue() -> World {
    let mut block = block(BLOCK, [slot(3, 1, 1), slot(1, 1, 1), slot(2, 1, 1)]);
    block.words[2] = tails(0, &[0]);
    let mut memory = memory(vec![block]);
    memory.timing = Timing::Prompt;
    memory.faults = false;
    let mut alphabet = quiet(memory);
    alphabet.modes = vec![USER, KERNEL];
    let mut whole = branch();
    whole.lane.loads = [miss(0), Load::default()];
    alphabet.retire = vec![nothing(), whole];
    alphabet.entropy = vec![0, 0x2_0000];
    let straps = Config {
        gather_policy: GatherPolicy::All,
        one_per_instr: false,
        gather_select: GatherSelect::Random,
        entropy: Entropy::Port,
        ..Config::default()
    };
    World { name: "queue", about: "three records at a time, chosen at random", straps, setup: session(), alphabet }
}
