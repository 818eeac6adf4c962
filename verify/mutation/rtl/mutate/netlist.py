"""The unit as logic: RTL with mutants behind a select, read by Yosys once for a build, cut open at its registers."""

import re
import subprocess
from pathlib import Path

from .aig import Circuit, Graph
from .cut import SELECT, cut
from .render import SELECT as PACKAGE_SELECT
from .render import one, selected

# The unit with its assertions and the lemmas of the proofs.
TOP = "formal_unit"
_BOX = f"(* blackbox *)\nmodule {SELECT} (\n  output logic [31:0] Y\n);\nendmodule\n"
_HERE = f"  logic [31:0] mutant_here;\n  {SELECT} u_mutant_select (.Y(mutant_here));\n"


class Netlist:
    """Inputs and outputs by name, each a list of bits."""

    def __init__(self, stem, without=()):
        self.circuit = Circuit(stem.with_suffix(".aig").read_bytes())
        self.inputs, self.outputs = {}, {}
        for line in stem.with_suffix(".map").read_text().splitlines():
            kind, index, bit, name = line.split()
            (self.inputs if kind == "input" else self.outputs).setdefault(name, {})[int(bit)] = int(index)
        named = {index for bits in self.inputs.values() for index in bits.values()}
        # What the RTL leaves undefined, such as an element beyond the end.
        self.undefined = [index for index in range(self.circuit.inputs) if index not in named]
        self.registers = [name.removeprefix("state.") for name in self.inputs if name.startswith("state.")]
        self.checks = [n for n in self.outputs if n.startswith("check.") and not n.endswith((".EN", *without))]
        # What is seen of the unit: its outputs, and what its registers take. Those of the assertions are none of them.
        self.seen = [n for n in self.outputs if not n.startswith("check.") and "u_assert" not in n]

    def width(self, name):
        return max(self.inputs[name]) + 1

    def place(self, graph, values, mutant, undefined):
        """This logic with a mutant alive as part of a graph."""
        literals = dict(zip(self.undefined, undefined))
        fixed = {"mutant": [mutant >> bit & 1 for bit in range(32)], "zero": [0]}
        for name, bits in self.inputs.items():
            value = fixed.get(name) or values[name]
            literals.update((index, value[bit]) for bit, index in bits.items())
        return Placed(self, self.circuit.inside(graph, [literals[index] for index in range(self.circuit.inputs)]), undefined)


class Alike:
    """One cycle of a netlist, all its inputs free: whose logic is another than the RTL's."""

    def __init__(self, netlist):
        self.netlist, self.graph = netlist, Graph()
        self._inputs = {name: [self.graph.free() for _ in range(netlist.width(name))] for name in netlist.inputs}
        self._rtl = netlist.place(self.graph, self._inputs, 0, self._undefined(netlist))

    def _undefined(self, netlist):
        return [self.graph.free() for _ in netlist.undefined]

    def another(self, number, other=None):
        """Whether the mutant with this number, or of this netlist, has other logic in what is seen."""
        undefined = self._undefined(other) if other else self._rtl.undefined
        mutant = (other or self.netlist).place(self.graph, self._inputs, number, undefined)
        return any(self._rtl(name) != mutant(name) for name in self.netlist.seen)


class Placed:
    """The literals of every node of a netlist as part of a graph; called, those of an output."""

    def __init__(self, netlist, nodes, undefined=()):
        self.netlist, self.nodes, self.undefined = netlist, nodes, undefined

    def __call__(self, name):
        outputs = self.netlist.circuit.outputs
        of = (outputs[index] for _, index in sorted(self.netlist.outputs[name].items()))
        return [self.nodes[literal >> 1] ^ (literal & 1) for literal in of]


def read(source, mutants, build, folder, yosys, bare=False):
    """Runs Yosys in `folder`; it sees no others. `bare`: the unit without assertions and lemmas, which can be as large as it likes."""
    folder.mkdir(parents=True, exist_ok=True)
    files = _write(source, mutants, folder)
    if bare:
        files = [file for file in files if not file.startswith("formal_")]
        sizes = " ".join(f"-G {name}={value}" for name, value in zip(source.parameters, build))
        top = f"-D SYNTHESIS {sizes} --top {source.unit}"
    else:
        sizes = " ".join(f"-D {name}={value}" for name, value in zip(source.parameters.values(), build))
        top = f"-U SYNTHESIS {sizes} --top {TOP}"
    # An element beyond the end is undefined, as in simulation.
    flags = f"--threads 1 -Wno-index-oob {top}"
    _run(yosys, folder, f"read_slang {flags} {' '.join(files)}\nproc -noopt\nflatten\nmemory_collect\nmemory_map\nopt_clean\nwrite_rtlil flat.il\n", "flat.il")
    (folder / "cut.il").write_text(cut((folder / "flat.il").read_text()))
    _run(
        yosys,
        folder,
        "read_rtlil cut.il\nopt_clean\nopt_expr\nopt_merge\nopt_clean\ntechmap\nopt -fast\n"
        "setundef -undriven -anyseq\nsetundef -anyseq\naigmap\nopt_clean\nwrite_aiger -map unit.map unit.aig\n",
        "unit.aig",
    )
    return Netlist(folder / "unit", source.without)


def _write(source, mutants, folder):
    """The sources, those of the proofs among them; names in the order in which they are read."""
    by_file = {}
    for mutant in mutants:
        by_file.setdefault(mutant.site.file, []).append(mutant)
    formal, names = source.rtl.parent / "verify/formal" / source.unit / "sv", []
    (folder / "select.sv").write_text(_BOX)
    for file in source.files:
        text, some = source.texts[file], by_file.get(file, [])
        if some and re.search(r"^package ", text, re.M):
            # A function of a package sees no select: one mutant is all there is.
            text = one(text, some[0].site)
        elif some:
            text = selected(text, some).replace(PACKAGE_SELECT, "mutant_here")
            begin = text.index("\n);\n", text.index("\nmodule ")) + 4
            text = text[:begin] + _HERE + text[begin:]
        (folder / Path(file).name).write_text(text)
        names.append(Path(file).name)
    unit = _with_children(formal, [name for name in ("formal_lemmas.sv", "formal_unit.sv") if (formal / name).is_file()])
    # The first package of the proofs is what the others build on.
    shared = ["formal_pkg.sv", *sorted(path.name for path in formal.glob("*_pkg.sv") if path.name != "formal_pkg.sv")]
    for name in (*shared, *unit):
        (folder / name).write_text((formal / name).read_text())
    packages = [name for name in names if name.endswith("_pkg.sv")]
    return ["select.sv", *packages, *shared, *(name for name in names if name not in packages), *unit]


def _with_children(formal, names):
    """These files, each behind those of the modules of the proofs that it has instances of."""
    found = []
    for name in names:
        children = re.findall(r"^\s*(formal_\w+)\s+(?:#\(|u_\w+)", (formal / name).read_text(), re.M)
        below = [f"{child}.sv" for child in dict.fromkeys(children) if (formal / f"{child}.sv").is_file()]
        found += [one for one in _with_children(formal, below) if one not in found]
        found += [name] if name not in found else []
    return found


def _run(yosys, folder, script, made):
    (folder / made).unlink(missing_ok=True)
    (folder / "script.ys").write_text(script)
    done = subprocess.run([str(yosys), "-Q", "-T", "-s", "script.ys"], cwd=folder, capture_output=True, text=True)
    if not (folder / made).exists():
        errors = [line for line in (done.stdout + done.stderr).splitlines() if "ERROR" in line]
        raise SystemExit(f"mutate: Yosys does not read the RTL with its mutants: {'; '.join(errors[:3]) or done.stderr[-300:]}")
