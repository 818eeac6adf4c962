"""One change that can be made to one place of the source."""

import hashlib
from dataclasses import dataclass, field

# What is a fault of the data path, and not a change of the text (faults.py).
FAULTS = ("carry", "saturation", "stuck-bit")


@dataclass(frozen=True, order=True)
class Site:
    """Bytes start..end of a file become `after`."""

    file: str
    start: int
    end: int
    operator: str
    after: str
    # "expression"; "statement" (without `after` it is left out); "port" (a connection by name alone, `.name`, which becomes `.name(after)`);
    # "after" (a statement that stays, and `after` follows).
    shape: str = "expression"


@dataclass
class Mutant:
    """A site with what a reader wants to know of it."""

    site: Site
    module: str
    line: int
    before: str
    number: int = 0
    id: str = field(default="")

    @property
    def kind(self):
        """`change`: another text; `fault`: what a text hardly shows."""
        return "fault" if self.site.operator in FAULTS else "change"

    def row(self):
        return {
            "number": self.number,
            "id": self.id,
            "side": "rtl",
            "file": self.site.file,
            "line": self.line,
            "module": self.module,
            "class": self.kind,
            "operator": self.site.operator,
            "before": self.before,
            "after": self.site.after,
        }


def listed(sites, texts, unit):
    """The mutants of these sites in the order of the source. An id does not depend on what stands elsewhere in the file, unless
    it stands there twice."""
    seen, mutants = {}, []
    for site in sorted(set(sites)):
        text = texts[site.file]
        begin = text.rfind("\n", 0, site.start) + 1
        stop = text.find("\n", site.end)
        before = " ".join(text[site.start : site.end].split())
        lines = " ".join(text[begin:stop].split())
        key = "|".join([site.file, site.operator, site.shape, lines, str(site.start - begin), before, site.after])
        seen[key] = seen.get(key, 0) + 1
        digest = hashlib.sha256(f"{key}|{seen[key]}".encode()).hexdigest()[:6]
        module = site.file.rsplit("/", 1)[-1].removesuffix(".sv")
        mutant = Mutant(site, module, text.count("\n", 0, site.start) + 1, before)
        mutant.id = f"{module.removeprefix(f'{unit}_')}-{digest}"
        mutants.append(mutant)
    for number, mutant in enumerate(mutants, 1):
        mutant.number = number
    return mutants


def distinct(mutants):
    """An error if two of them have the same id: results and proofs are kept by it."""
    by_id = {}
    for mutant in mutants:
        first = by_id.setdefault(mutant.id, mutant)
        if first is not mutant:
            places = " and ".join(f"{one.site.file}:{one.line} ({one.site.operator})" for one in (first, mutant))
            raise SystemExit(f"mutate: two mutants are called {mutant.id}: {places}")
