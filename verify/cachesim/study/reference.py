# SPDX-License-Identifier: MIT OR Apache-2.0
"""pycachesim: one LRU cache, write-back and write-allocate, for each set of ways that programs share."""

import contextlib
import re

from study import StudyError, workloads

VERSION = "0.3.1"
# What pycachesim prints of a line that leaves; the number of the line has the program in its top bits.
LEAVES = re.compile(r"\S+ (REPLACED|EVICT) cl_id=(\d+) invalid=0 ")
PROGRAM_SHIFT = 48


class Leaving:
    """Takes what pycachesim prints, and counts the lines that leave by their program."""

    def __init__(self, line, programs):
        self.line = line
        # An error that is planted: the program whose access displaces a line.
        self.displaced_by = None
        self.replaced = [0] * programs
        self.written_back = [0] * programs

    def write(self, text):
        found = LEAVES.match(text)
        if found:
            counts = self.replaced if found[1] == "REPLACED" else self.written_back
            owner = int(found[2]) * self.line >> PROGRAM_SHIFT
            counts[owner if counts is self.replaced or self.displaced_by is None else self.displaced_by] += 1

    def flush(self):
        """Nothing is kept back."""


def installed():
    """Returns the class of a cache. Fails unless pycachesim is there in the right version."""
    from importlib import metadata
    try:
        version = metadata.version("pycachesim")
        from cachesim import Cache
    except ImportError as error:
        raise StudyError(f"no pycachesim: {error}; `make cachesim` installs it into target/tools", 2) from error
    if version != VERSION:
        raise StudyError(f"pycachesim {version}, not {VERSION}: `tools/scripts/setup cachesim` installs it", 2)
    return Cache


def access(cache, address, size, write, plain_stores):
    """An access. pycachesim does not make a line the youngest when a store hits it, and counts no hit: so a load goes before."""
    # `load` and `store` cut addresses to 32 bits; those that take lists do not.
    if not (write and plain_stores):
        cache.iterload((address,), length=size)
    if write:
        cache.iterstore((address,), length=size)


def turns(order, programs):
    """Yields (program, access): one of each program in this order, again and again, as long as it has any."""
    left = [(program, iter(programs[program])) for program in order]
    while left:
        still = []
        for program, iterator in left:
            following = next(iterator, None)
            if following is not None:
                yield program, following
                still.append((program, iterator))
        left = still


def run(case, programs, plant=None):
    """Returns hits, misses, lines that were fetched, written back and are left, for each program."""
    whole = (1 << case.cache.ways) - 1
    results = [None] * len(programs)
    for mask in {program.mask or whole for program in case.programs}:
        # Logical processor 0 has its turn last.
        order = [*range(1, len(programs)), 0] if plant != "turn" else list(range(len(programs)))
        members = [number for number in order if (case.programs[number].mask or whole) == mask]
        for number, result in shared(case.cache, mask.bit_count(), members, programs, plant):
            results[number] = result
    return results


def shared(geometry, ways, members, programs, plant):
    """Runs programs that share a cache; yields each with its result."""
    largest = (workloads.LARGEST - 2) // geometry.line + 2
    if len(members) > 1:
        # The unit takes a line of each program in turn.
        programs = {number: workloads.lines(programs[number], geometry.line) for number in members}
    elif largest > geometry.sets * ways:
        raise StudyError(f"an access of {workloads.LARGEST} bytes does not fit into {geometry.sets} sets of {ways} ways", 2)
    cache = installed()("L3", geometry.sets, ways, geometry.line, "FIFO" if plant == "fifo" else "LRU").backend
    leaving = Leaving(geometry.line, max(members) + 1)
    cache.verbosity = 3
    hits, misses = {number: 0 for number in members}, {number: 0 for number in members}
    with contextlib.redirect_stdout(leaving):
        for at, (number, (address, size, write)) in enumerate(turns(members, programs)):
            if plant == "lost-access" and at == 1000:
                continue
            if plant == "charge":
                leaving.displaced_by = number
            before = cache.HIT_count, cache.MISS_count
            access(cache, address | number << PROGRAM_SHIFT, size, write, plant == "plain-stores")
            hits[number] += cache.HIT_count - before[0]
            misses[number] += cache.MISS_count - before[1]
    left = {number: misses[number] - leaving.replaced[number] for number in members}
    # What was printed adds up to what was counted.
    if sum(leaving.written_back) != cache.EVICT_count or \
       sum(left.values()) != geometry.sets * ways - cache.count_invalid_entries():
        raise StudyError("pycachesim prints other lines than it counts")
    for number in members:
        yield number, {"hits": hits[number], "misses": misses[number], "fetched": misses[number],
                       "written back": leaving.written_back[number], "lines": left[number]}
