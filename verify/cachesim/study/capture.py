# SPDX-License-Identifier: MIT OR Apache-2.0
"""Reads a capture of `lwp-sim capture`, by the format's description (sim-harness/src/traces/capture_file.rs) alone."""

import struct

from study import StudyError

MAGIC_BYTES, FRAME = 8, struct.Struct("<BIIII")
JUMP, REDEFINE, INTERRUPTED = 1, 2, 3
VARIES, RETURNS, WRAP = 255, 64, (1 << 64) - 1
# Numbers of the kinds of branches.
SYSTEM, CALLS, RET = 10, (4, 5), 6


def blocks(path):
    """Yields the payloads of the frames of instructions."""
    try:
        import zstandard
    except ImportError as error:
        raise StudyError("no zstandard, which reads captures; `make cachesim` installs it into target/tools", 2) from error
    try:
        data = memoryview(path.read_bytes())
    except OSError as error:
        raise StudyError(f"{path} cannot be read: {error.strerror}") from error
    version = struct.unpack_from("<I", data, MAGIC_BYTES)[0] if len(data) > MAGIC_BYTES + 4 else 0
    if version != 2 or data[MAGIC_BYTES + 4:MAGIC_BYTES + 5] != b"H":
        raise StudyError(f"{path} is not a capture of version 2; `lwp-sim capture` writes one", 2)
    at = MAGIC_BYTES + 4
    while data[at] != ord("T"):
        kind, _, size, stored, _ = FRAME.unpack_from(data, at)
        at += FRAME.size
        if kind == ord("B"):
            yield zstandard.ZstdDecompressor().decompress(bytes(data[at:at + stored]), max_output_size=size)
        at += stored


class Stream:
    """A stream of numbers in a block."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def __bool__(self):
        return self.at < len(self.data)

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def number(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def difference(self):
        value = self.number()
        return value >> 1 ^ -(value & 1)


class Accesses:
    """The loads or the stores of a site: sizes, and the last address and step of each; `sizes` is `None` if they vary."""

    def __init__(self, sizes):
        self.sizes = sizes
        self.memory = [(0, 0)] * (1 if sizes is None else len(sizes))

    def one(self, stream, place, size):
        last, step = self.memory[place]
        address = last + step + stream.difference() & WRAP
        self.memory[place] = address, address - last
        return address, size

    def read(self, stream):
        if self.sizes is None:
            return [self.one(stream, 0, stream.number()) for _ in range(stream.number())]
        return [self.one(stream, place, size) for place, size in enumerate(self.sizes)]


class Site:
    """An instruction of the program."""

    def __init__(self, definitions):
        self.length, self.kind = definitions.byte(), definitions.byte()
        self.loads, self.stores = self.sizes(definitions), self.sizes(definitions)
        definitions.byte()
        self.target = 0

    @staticmethod
    def sizes(definitions):
        count = definitions.byte()
        return Accesses(None if count == VARIES else [definitions.number() for _ in range(count)])


class Reader:
    """Reads instructions, block after block."""

    def __init__(self):
        self.sites, self.expected = {}, 0
        # The stack of calls is a ring.
        self.returns, self.depth = [0] * RETURNS, 0

    def instructions(self, block):
        """Yields the loads and stores of each instruction of a block."""
        head = Stream(block)
        count, lengths = head.number(), [head.number() for _ in range(6)]
        at, streams = head.at, []
        for length in lengths:
            streams.append(Stream(block[at:at + length]))
            at += length
        events, definitions, outcomes, targets, loads, stores = streams
        until = events.number() if events else -1
        for _ in range(count):
            redefined = False
            while until == 0:
                redefined |= self.event(events)
                until = events.number() if events else -1
            until -= 1
            address = self.expected
            site = self.sites.get(address)
            if site is None or redefined:
                site = self.sites[address] = Site(definitions)
            self.expected = address + site.length & WRAP
            yield site.loads.read(loads), site.stores.read(stores)
            if site.kind:
                self.branch(site, address, outcomes, targets)

    def event(self, events):
        """Follows an event; returns whether the site is redefined."""
        what = events.byte()
        if what == JUMP:
            self.expected = self.expected + events.difference() & WRAP
        elif what == INTERRUPTED:
            events.byte(), events.byte()
            self.expected = self.expected + events.difference() + events.difference() & WRAP
        elif what != REDEFINE:
            raise StudyError(f"a capture with event {what}", 2)
        return what == REDEFINE

    def branch(self, site, address, outcomes, targets):
        """Follows a branch to the address expected next."""
        neighbour, outcome = self.expected, outcomes.byte()
        taken = outcome & 1
        if site.kind == RET and taken:
            self.depth -= 1
            expected = self.returns[self.depth % RETURNS]
        else:
            expected = site.target if taken and site.kind != SYSTEM else neighbour
        if site.kind in CALLS:
            self.returns[self.depth % RETURNS] = neighbour
            self.depth += 1
        self.expected = address + targets.difference() & WRAP if outcome & 2 else expected
        if taken:
            site.target = self.expected


def read(path, limit):
    """Returns the first instructions of a capture, as pairs of loads and stores."""
    reader, found = Reader(), []
    for block in blocks(path):
        for instruction in reader.instructions(block):
            found.append(instruction)
            if len(found) == limit:
                return found
    return found
