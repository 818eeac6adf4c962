# SPDX-License-Identifier: MIT OR Apache-2.0
"""The files of one job: a copy of the sources, the seeded bug if it has one, and the file for sby."""

import shutil

from .plan import FORMAL, ROOT, PlanError

SHARED = ["formal_lemmas", "formal_unit", "formal_ops", "formal_start", "formal_env", "formal_past", "formal_twins"]


def _rtl_files():
    listed = (ROOT / "rtl/lwp/lwp.f").read_text(encoding="utf-8").split()
    return [name.removeprefix("lwp/") for name in listed]


def _sources(job):
    """Files in the order in which slang reads them: packages first."""
    rtl = _rtl_files()
    return (
        [rtl[0], "formal_pkg.sv", "formal_const.sv", *rtl[1:]]
        + [f"{name}.sv" for name in SHARED]
        + [f"formal_{family}.sv" for family in job.families]
        + [f"{job.top}.sv"]
    )


def _find(name):
    for folder in (ROOT / "rtl/lwp", FORMAL / "sv", FORMAL / "props"):
        if (folder / name).is_file():
            return folder / name
    raise PlanError(f"there is no file {name} in rtl/lwp, formal/sv or formal/props")


def _seed(job, folder):
    """Puts the bug of a control into the copy of its file."""
    path = folder / job.control.file
    text = path.read_text(encoding="utf-8")
    if text.count(job.control.find) != 1:
        raise PlanError(f"{job.name}: `{job.control.find}` stands {text.count(job.control.find)} times in {path.name}, not once")
    path.write_text(text.replace(job.control.find, job.control.replace), encoding="utf-8")


def _script(job, sources):
    # Facts proved by `invariants`: part of this proof, taken as proved, or left out.
    lemmas = {
        "prove": "",
        "assume": "chformal -assert2assume c:u_unit*\n",
        "none": "chformal -assert -remove c:u_unit*\n",
    }[job.lemmas]
    # A cover says that its statements are reached, nothing else.
    covers = "chformal -assert -remove\n" if job.kind == "cover" else "chformal -cover -remove\n"
    defines = " ".join(f"-D {define}" for define in job.defines)
    return (
        f"read_slang --threads 1 -U SYNTHESIS {defines} --top {job.top} {' '.join(sources)}\n"
        "chtype -set $anyconst t:formal_const\n"
        f"hierarchy -check -top {job.top}\n"
        "proc\nflatten\nopt -fast\n" + lemmas + covers
    )


def prepare(job, folder):
    """Writes everything that sby needs into `folder`; returns its file."""
    shutil.rmtree(folder, ignore_errors=True)
    source = folder / "source"
    source.mkdir(parents=True)
    sources = _sources(job)
    for name in sources:
        shutil.copy(_find(name), source / name)
    if job.control:
        _seed(job, source)
    skip = f"skip {job.skip}\n" if job.skip else ""
    # Of the many covers, the list in the log is enough; waves of each take longer than to reach it.
    waves = "vcd off\n" if job.kind == "cover" else ""
    text = (
        f"[options]\nmode {job.kind}\ndepth {job.depth}\n{skip}{waves}\n"
        "[engines]\nsmtbmc yices\n\n"
        f"[script]\n{_script(job, sources)}\n"
        "[files]\n" + "".join(f"source/{name}\n" for name in sources)
    )
    path = folder / "job.sby"
    path.write_text(text, encoding="utf-8")
    return path
