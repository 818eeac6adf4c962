# SPDX-License-Identifier: MIT OR Apache-2.0
"""Programs that are generated: lists of instructions, each a pair (loads, stores) of lists of (address, bytes)."""

import random

# The largest access of an instruction. A larger one would be several accesses (docs/src/retire/lanes.md).
LARGEST = 64
# Stores of an instruction that can be one access with a load.
PAIRED = 64
ADDRESS = (1 << 48) - 1


def instruction(rng, address):
    """Returns an instruction at the address: mostly a load, a store, both of the same bytes, or of different ones."""
    size = rng.choice((1, 2, 4, 8, 8, 8, 16, 32, LARGEST))
    here = (address & ADDRESS, size)
    kind = rng.random()
    if kind < 0.6:
        return [here], []
    if kind < 0.85:
        return [], [here]
    if kind < 0.95:
        return [here], [here]
    return [here], [((address + rng.randrange(4096)) & ADDRESS, 8)]


def sequential(rng, cache, base, count):
    """Goes through one and a half times the cache, again and again, half a line at a time."""
    step, region = cache.line // 2, cache.size * 3 // 2
    return (base + at * step % region for at in range(count))


def strided(rng, cache, base, count):
    """Goes round a few lines at a stride, often that of a set: as many as a set has ways, some less or more."""
    made = 0
    while made < count:
        stride = cache.line * rng.choice((1, 3, cache.sets // 2 or 1, cache.sets, cache.sets, cache.sets * 5))
        lines = max(1, cache.ways + rng.randrange(-2, 3))
        start = base + rng.randrange(cache.size * 2)
        rounds = min(lines * rng.randrange(2, 9), count - made)
        yield from (start + at % lines * stride for at in range(rounds))
        made += rounds


def uniform(rng, cache, base, count):
    """Any byte of twice the cache."""
    return (base + rng.randrange(cache.size * 2) for _ in range(count))


def hot_and_cold(rng, cache, base, count):
    """Nine of ten accesses are to half of the cache, the others to eight times the cache."""
    regions = (cache.size // 2, cache.size * 8)
    return (base + rng.randrange(regions[rng.random() < 0.1]) for _ in range(count))


def too_long_a_loop(rng, cache, base, count):
    """Goes round a line more than the cache has, and now and then back to one of the last lines."""
    lines = cache.size // cache.line + 1
    for at in range(count):
        back = rng.randrange(1, 4 * cache.ways) if rng.random() < 0.2 else 0
        yield base + (at - back) % lines * cache.line + rng.randrange(cache.line)


KINDS = {
    "sequential": sequential,
    "strided": strided,
    "random": uniform,
    "hot/cold": hot_and_cold,
    "loop": too_long_a_loop,
}


def generate(kind, cache, least, seed):
    """Returns the instructions of a program: at least so many, and four for each line of the cache."""
    rng = random.Random(f"{kind} {cache} {least} {seed}")
    base = rng.randrange(1 << 47) & ~0xFFF
    addresses = KINDS[kind](rng, cache, base, max(least, 4 * cache.sets * cache.ways))
    return [instruction(rng, address) for address in addresses]


def accesses(instructions):
    """Yields (address, bytes, write): loads, then stores; a load and a store of the same bytes are one write."""
    for loads, stores in instructions:
        free = list(stores[:PAIRED])
        for address, size in loads:
            write = (address, size) in free
            if write:
                free.remove((address, size))
            yield from pieces(address, size, write)
        for address, size in free + stores[PAIRED:]:
            yield from pieces(address, size, True)


def pieces(address, size, write):
    """Yields the accesses of a load or store: a large one is several."""
    while size > LARGEST:
        yield address & ADDRESS, LARGEST, write
        address, size = address + LARGEST, size - LARGEST
    if size:
        yield address & ADDRESS, size, write


def lines(all_accesses, line):
    """Yields (address of a byte of the line, 1, write) for each line that each access touches."""
    for address, size, write in all_accesses:
        for number in range(address // line, (address + size - 1) // line + 1):
            yield number * line & ADDRESS, 1, write


def write_log(path, instructions):
    """Writes a retire log."""
    def items(name, of):
        listed = ",".join(f'{{"addr":"{address:#x}","size":{size}}}' for address, size in of)
        return f',"{name}":[{listed}]' if of else ""

    with open(path, "w", encoding="utf-8") as log:
        for loads, stores in instructions:
            log.write(f'{{"ip":"0x401000","length":4{items("loads", loads)}{items("stores", stores)}}}\n')
