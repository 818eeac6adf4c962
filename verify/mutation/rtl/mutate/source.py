"""The RTL as slang understands it, and its text."""

import hashlib
import tomllib
from pathlib import Path

import pyslang
from pyslang import ast, parsing, syntax

# A folder for each unit, with its unit.toml.
UNITS = Path(__file__).resolve().parent.parent


def code(text):
    """Without comments, empty lines, and blanks at the ends of lines."""
    lines = (line.split("//", 1)[0].strip() for line in text.splitlines())
    return "".join(f"{line}\n" for line in lines if line)


class Source:
    """The files of the unit's list, elaborated for each build."""

    def __init__(self, rtl, unit):
        self.rtl, self.unit = Path(rtl), unit
        file = UNITS / unit / "unit.toml"
        if not file.is_file():
            raise SystemExit(f"mutate: no unit {unit}: there is no {file.relative_to(UNITS.parents[2])}")
        settings = tomllib.loads(file.read_text())
        # What is checked by the properties is the unit; what checks it, and what only shows it, is left as it is.
        self.left = (f"{unit}_assert", *settings["left"])
        # Functions of its packages that the unit does not call: they are for those who connect it.
        self.offered = tuple(settings.get("offered", []))
        # Parameters of the module, each with its macro in the proofs; and the builds: a value for each of them.
        self.parameters, self.builds = settings["parameters"], [tuple(build) for build in settings["builds"]]
        # The builds of the proofs of equivalence, where those are too large.
        self.proven = [tuple(build) for build in settings.get("proven", settings["builds"])]
        # Assertions that the prover leaves alone: it need not know them, and they are hard to show.
        self.without = tuple(settings.get("without", []))
        # What is told of a run that shows a mutant: fields of the inputs in the proofs' package.
        self.hunt = settings["hunt"]
        self.files = [line.strip() for line in (self.rtl / f"{unit}/{unit}.f").read_text().splitlines() if line.strip()]
        self.texts = {}
        for file in self.files:
            raw = (self.rtl / file).read_bytes()
            # Offsets are counted in bytes.
            assert raw.isascii(), f"{file}: only ASCII"
            self.texts[file] = raw.decode()
        self._manager = pyslang.SourceManager()
        self._names = {}

    def digest(self):
        """Of the code of the unit and of the builds of the proofs: what a proof of equivalence is about. What checks or shows the unit does
        not count."""
        unit = (text for file, text in self.texts.items() if not Path(file).name.startswith(self.left))
        return hashlib.sha256("".join([*map(code, unit), str(self.proven)]).encode()).hexdigest()[:16]

    def packages(self):
        """Names of the packages of the unit that may be changed; those of others that it uses are not its own."""
        stems = (Path(file).stem for file in self.files)
        return [stem for stem in stems if stem.endswith("_pkg") and stem.startswith(f"{self.unit}_") and not stem.startswith(self.left)]

    def roots(self):
        """The elaborated designs."""
        for build in self.builds:
            options = ast.CompilationOptions()
            options.paramOverrides = [f"{name}={value}" for name, value in zip(self.parameters, build)]
            compilation = ast.Compilation(pyslang.Bag([options]))
            for file in self.files:
                tree = syntax.SyntaxTree.fromFile(str(self.rtl / file), self._manager)
                compilation.addSyntaxTree(tree)
            root = compilation.getRoot()
            errors = [d for d in compilation.getAllDiagnostics() if d.isError()]
            if errors:
                raise SystemExit(f"mutate: slang refuses the RTL: {errors[0].code} (and {len(errors) - 1} more); see tools/scripts/lint-slang")
            yield compilation, root

    def inputs(self, build):
        """The fields of `in_t` of the proofs' package, from the lowest bit on: name, lowest bit, width, names of its values."""
        macros = [f"{name}={value}" for name, value in zip(self.parameters.values(), build)]
        options = parsing.PreprocessorOptions()
        options.predefines = macros
        package = self.rtl.parent / "verify/formal" / self.unit / "sv/formal_pkg.sv"
        compilation = ast.Compilation()
        for file in [*(self.rtl / file for file in self.files if file.endswith("_pkg.sv")), package]:
            compilation.addSyntaxTree(syntax.SyntaxTree.fromFile(str(file), self._manager, pyslang.Bag([options])))
        member = compilation.getPackage("formal_pkg").find("in_t")
        return list(_bits("", member.targetType.type.canonicalType, 0))

    def file(self, location):
        """The file of a location, relative to the RTL."""
        buffer = location.buffer
        if buffer not in self._names:
            name = Path(self._manager.getFileName(location)).name
            self._names[buffer] = next(file for file in self.files if Path(file).name == name)
        return self._names[buffer]

    def span(self, node):
        """File, start, end."""
        at = node.sourceRange
        return self.file(at.start), at.start.offset, at.end.offset

    def of(self, node):
        """The text of a node."""
        file, start, end = self.span(node)
        return self.texts[file][start:end]

    def text(self, file, start, end):
        return self.texts[file][start:end]


def _bits(name, kind, low):
    """Fields of a type from the lowest bit on, each with its lowest bit, width and the names of its values."""
    if kind.isStruct:
        fields = (member for member in kind if member.kind == ast.SymbolKind.Field)
        for field in sorted(fields, key=lambda field: field.bitOffset):
            inner = f"{name}.{field.name}" if name else field.name
            yield from _bits(inner, field.type.canonicalType, low + field.bitOffset)
    elif kind.isPackedArray and not kind.elementType.canonicalType.isScalar:
        element = kind.elementType.canonicalType
        for at in range(kind.bitWidth // element.bitWidth):
            yield from _bits(f"{name}[{at}]", element, low + at * element.bitWidth)
    else:
        values = {int(value.value.value): value.name for value in kind} if kind.isEnum else {}
        yield name, low, kind.bitWidth, values
