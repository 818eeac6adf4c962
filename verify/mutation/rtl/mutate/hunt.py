"""Looks for a run from reset in which a mutant differs: what a property would have to play."""

from .unrolled import Unrolled


class Hunt:
    """Runs of so many cycles after reset, with any inputs and legal straps."""

    def __init__(self, netlist, cycles, inputs, told):
        """`inputs`: name, lowest bit, width and the names of values of each field of the inputs. `told`: `when`, the fields that are not 0
        in a cycle that is told of, and `show`, what is told of it."""
        self.cycles, self.runs = cycles, Unrolled(netlist, cycles - 1, reset=True)
        self.inputs = {name: rest for name, *rest in inputs}
        self.when, self.show = told["when"], told["show"]
        for name in (*self.when, *self.show):
            if name not in self.inputs:
                raise SystemExit(f"mutate: hunt: there is no input {name}; there are {', '.join(self.inputs)}")

    def find(self, number):
        """In words, or None if no run of this length shows a difference."""
        runs = self.runs
        pairs = runs.differs(runs.mutant(number))
        found = runs.model(runs.graph.any(runs.graph.differ(a, b) for _, a, b in pairs))
        if not found:
            return None
        steps = [text for at, values in enumerate(runs.values) if (text := self._step(at, values["in_i"], found))]
        return f"different {self.cycles} cycles after reset: {'; '.join(steps) or 'without a request'}"

    def _step(self, cycle, bits, found):
        """What comes in in this cycle, as far as the unit tells it."""
        if not any(self._value(name, bits, found) for name in self.when):
            return ""
        return f"cycle {cycle} " + " ".join(f"{name} {self._text(name, bits, found)}" for name in self.show)

    def _value(self, name, bits, found):
        low, width, _ = self.inputs[name]
        return sum(found(bit) << place for place, bit in enumerate(bits[low : low + width]))

    def _text(self, name, bits, found):
        value = self._value(name, bits, found)
        return self.inputs[name][2].get(value, f"{value:#x}" if value > 9 else str(value))
