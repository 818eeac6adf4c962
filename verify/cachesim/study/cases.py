# SPDX-License-Identifier: MIT OR Apache-2.0
"""The cases: caches, and the programs in each with the ways that they may fill."""

from dataclasses import dataclass

from study.workloads import KINDS

CAPTURED = "captured"


@dataclass(frozen=True)
class Cache:
    """An L3 cache."""

    sets: int
    ways: int
    line: int

    @property
    def size(self):
        """Bytes of its lines."""
        return self.sets * self.ways * self.line


@dataclass(frozen=True)
class Program:
    """A workload, or the captured program, and the ways that it may fill: `None` for all."""

    workload: str
    mask: int | None = None


@dataclass(frozen=True)
class Case:
    """Programs in a cache."""

    kind: str
    cache: Cache
    programs: tuple

    @property
    def name(self):
        """Names its files."""
        programs = "-".join(program.workload.replace("/", "") + (f"{program.mask:x}" if program.mask else "")
                            for program in self.programs)
        return f"{self.kind}-{self.cache.sets}x{self.cache.ways}x{self.cache.line}-{programs}"


# The builds of the RTL have 8 sets of 4 ways and 64 of 16. The model alone has more sets.
CACHES = [Cache(*numbers) for numbers in (
    (2, 2, 64), (8, 4, 64), (8, 3, 32), (8, 1, 128), (4, 4, 16), (16, 5, 64), (64, 2, 256), (64, 11, 16), (64, 16, 64),
    (256, 16, 64), (1024, 8, 32), (4096, 4, 64))]
CONFINED = [(Cache(8, 4, 64), (0x1, 0x6, 0xE)), (Cache(64, 16, 64), (0x3, 0xFF00, 0x8421)), (Cache(256, 12, 32), (0x7F8,))]
APART = [(Cache(8, 4, 64), (0x1, 0xE)), (Cache(64, 16, 64), (0xFF00, 0x00FF)), (Cache(64, 16, 32), (0x5555, 0x0AAA, 0xA000)),
         (Cache(1024, 16, 64), (0xF, 0xFF0, 0xF000))]
SHARED = [(Cache(8, 4, 64), 2), (Cache(8, 4, 16), 2), (Cache(64, 16, 64), 4), (Cache(64, 9, 128), 3), (Cache(512, 8, 64), 2)]
MIXED = [(Cache(64, 16, 64), (0xFF, 0xF00, 0xFF, 0xF000)), (Cache(32, 8, 32), (0xF, 0xF0, 0xF0))]
CAPTURED_CACHES = [Cache(8, 4, 64), Cache(64, 16, 64), Cache(64, 8, 32), Cache(1024, 16, 64)]


def generated():
    """Yields the cases whose programs are generated."""
    kinds = list(KINDS)
    for cache in CACHES:
        for kind in kinds:
            yield Case("alone", cache, (Program(kind),))
    for cache, masks in CONFINED:
        for mask in masks:
            for kind in ("random", "strided"):
                yield Case("confined", cache, (Program(kind, mask),))
    for cache, masks in APART:
        for turn in range(len(kinds)):
            yield Case("apart", cache, tuple(Program(kinds[(turn + at) % len(kinds)], mask) for at, mask in enumerate(masks)))
    for cache, programs in SHARED:
        for turn in range(len(kinds)):
            yield Case("shared", cache, tuple(Program(kinds[(turn + at) % len(kinds)]) for at in range(programs)))
    for cache, masks in MIXED:
        for turn in range(len(kinds)):
            yield Case("mixed", cache, tuple(Program(kinds[(turn + at) % len(kinds)], mask) for at, mask in enumerate(masks)))


def captured():
    """Yields the cases of a captured program: alone, next to generated ones, and confined."""
    for cache in CAPTURED_CACHES:
        half = cache.ways // 2
        yield Case("captured", cache, (Program(CAPTURED),))
        yield Case("captured", cache, (Program(CAPTURED), Program("hot/cold")))
        yield Case("captured", cache, (Program("random", (1 << half) - 1), Program(CAPTURED, (1 << half) - 1 << half)))


KIND_NAMES = ("alone", "confined", "apart", "shared", "mixed", "captured")
