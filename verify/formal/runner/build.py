# SPDX-License-Identifier: MIT OR Apache-2.0
"""The files of one job: a copy of the sources, with its seeded bug or mutant if it has one, the scripts for Yosys and the file for sby."""

import hashlib
import json
import pathlib
import re
import shutil

from . import alone, join, parts
from .plan import FORMAL, ROOT, PlanError

FLAT, JOINED, PART_FLAT = "flat.il", "joined.il", "part.il"


def rtl_files(unit):
    """The files of the RTL, by name: those of the list of the unit, below rtl/."""
    listed = (ROOT / f"rtl/{unit}/{unit}.f").read_text(encoding="utf-8").split()
    return {pathlib.Path(file).name: file for file in listed}


def _sources(job):
    """Files in the order in which slang reads them: packages first."""
    rtl = list(rtl_files(job.unit.name))
    packages = [name for name in rtl if name.endswith("_pkg.sv")]
    return (
        [*packages, "formal_pkg.sv", "formal_const.sv", "formal_free.sv", *(name for name in rtl if name not in packages)]
        + [f"{name}.sv" for name in job.unit.sources]
        + [f"formal_{family}.sv" for family in job.families]
        + [f"{job.top}.sv"]
    )


def _find(unit, name):
    listed = rtl_files(unit.name).get(name)
    for path in (ROOT / "rtl" / (listed or name), unit.folder / "sv" / name, unit.folder / "props" / name, FORMAL / "shared" / name):
        if path.is_file():
            return path
    raise PlanError(f"there is no file {name} in the list of rtl/{unit.name}, nor in verify/formal/{unit.name} or verify/formal/shared")


def _seeded(job, text):
    """The file of a control, with its bug."""
    count = text.count(job.control.find)
    if count != 1:
        raise PlanError(f"{job.name}: `{job.control.find}` stands {count} times in {job.control.file}, not once")
    return text.replace(job.control.find, job.control.replace)


def _read(job, sources):
    """Yosys' commands up to one flat module."""
    # Facts proved by `invariants`: part of this proof, taken as proved, or left out. Where registers are joined, those of
    # the first run are those of the second.
    shown = "".join(f" c:u_unit*{name} %d" for name in job.shows)
    lemmas = {
        "prove": "",
        "assume": ("chformal -assert -remove c:u_unit_b*\n" if job.join else "") + f"chformal -assert2assume c:u_unit*{shown}\n",
        "none": "chformal -assert -remove c:u_unit*\n",
    }[job.lemmas]
    lemmas = "".join(f"chformal -assert -remove c:u_unit*{name}\n" for name in job.without) + lemmas
    # A cover says that its statements are reached, nothing else. Many cycles of a small memory are easier as registers than as an array.
    covers = "chformal -assert -remove\nmemory_map\n" if job.kind == "cover" and not job.alone else "chformal -cover -remove\n"
    defines = " ".join(f"-D {define}" for define in job.defines)
    return (
        f"read_slang --threads 1 -Werror=unconnected-input-port -U SYNTHESIS {defines} --top {job.top} {' '.join(sources)}\n"
        "chtype -set $anyconst t:formal_const\nchtype -set $anyseq t:formal_free\n"
        f"hierarchy -check -top {job.top}\n"
        "proc\nflatten\n" + lemmas + covers
    )


def contents(job):
    """Everything that the tools read: a text for each name."""
    sources = _sources(job)
    texts = {name: _find(job.unit, name).read_text(encoding="utf-8") for name in sources}
    if job.control:
        if job.control.file not in texts:
            raise PlanError(f"{job.name}: {job.control.file} is not among its sources")
        texts[job.control.file] = _seeded(job, texts[job.control.file])
    if job.mutant:
        texts[job.mutant.file] = job.mutant.text
    if job.alone:
        texts[job.unit.top] = alone.loose(texts[job.unit.top], job.unit)
    files = {f"source/{name}": text for name, text in texts.items()}
    read = _read(job, sources)
    if job.flattened:
        # What is read once for each part is made small first.
        shrink = "opt -fast" if job.parts else "opt_clean"
        files["source/read.ys"] = f"{read}{shrink}\nwrite_rtlil {FLAT}\n"
        flat = PART_FLAT if job.parts else JOINED if job.rewritten else FLAT
        read, sources = f"read_rtlil {flat}\nhierarchy -top {job.top}\n", [flat]
        read += parts.SCRIPT if job.parts else "opt_clean\nopt_merge\n"
    if job.parts:
        files |= {_part(solver): _sby(job, read, sources, solver) for solver in parts.SOLVERS}
    else:
        files |= {name: _sby(job, read + fixed, sources) for name, fixed in _cases(job).items()}
    return files


def _part(solver):
    """The file for sby of every part that this solver gets."""
    return f"part-{solver}.sby" if solver else "part.sby"


def _sby(job, script, sources, solver=""):
    """The file for sby."""
    skip = f"skip {job.skip}\n" if job.skip else ""
    # Of the many covers, the list in the log is enough; waves of each take longer than to reach it.
    waves = "vcd off\n" if job.kind == "cover" else ""
    return (
        f"[options]\nmode {job.kind}\ndepth {job.depth}\n{skip}{waves}\n"
        f"[engines]\nsmtbmc {parts.SOLVERS[solver]}\n\n"
        f"[script]\n{script}opt -fast\n\n"
        "[files]\n" + "".join(f"source/{name}\n" for name in sources)
    )


def _cases(job):
    """The names of its files for sby, and what fixes the wire of its cases in each."""
    if not job.cases:
        return {"job.sby": ""}
    wire, values = job.cases
    bits = (values - 1).bit_length()
    return {f"case-{value}.sby": f"connect -set {wire} {bits}'b{value:0{bits}b}\n" for value in range(values)}


def check_cases(job, folder):
    """Refuses cases of a wire that the solver does not choose, or that are not all of its values."""
    wire, values = job.cases
    bits = (values - 1).bit_length()
    flat = (folder / "source" / FLAT).read_text(encoding="utf-8")
    if not re.search(rf"cell \$anyconst \S+\n    parameter \\WIDTH {bits}\n    connect \\Y \\{re.escape(wire)}\n", flat):
        raise PlanError(f"{job.name}: {wire} is not a formal_const of {bits} bits, so it has not {values} cases")


def runs(job, files, folder):
    """What sby does for the job, in order: what each run is about, and its file. Its sources are in place when it is asked for."""
    if not job.parts:
        yield from ((name, name) for name in files if name.endswith(".sby"))
        return
    flat = (folder / "source" / FLAT).read_text(encoding="utf-8")
    for label, text, solver in parts.split(flat, job):
        (folder / "source" / PART_FLAT).write_text(text, encoding="utf-8")
        yield label, _part(solver)


def digest(files, joined, tools=()):
    """The same for two runs that would be the same: of these files, by this program, with these tools."""
    rules = [path.read_text(encoding="utf-8") for path in sorted(pathlib.Path(__file__).parent.glob("*.py"))] + sorted(tools)
    return hashlib.sha256(json.dumps([files, rules, joined], sort_keys=True).encode()).hexdigest()


def write(files, folder):
    """Writes `files` into `folder`, and nothing else is left there."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "source").mkdir(parents=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")


def rewrite(job, folder):
    """Between Yosys, which wrote the flat module, and sby, which reads what becomes of it."""
    flat = (folder / "source" / FLAT).read_text(encoding="utf-8")
    text = alone.covers(flat) if job.alone else join.join(flat, job.apart, job.join == "later")[0]
    (folder / "source" / JOINED).write_text(text, encoding="utf-8")
