"""The unit over some cycles in a row, and a SAT solver that knows it."""

from pysat.solvers import Solver

from .aig import Graph


class Unrolled:
    """Cycles 0 to `last`, with free inputs; straps are the same in all of them. The first state is free, or that of reset."""

    def __init__(self, netlist, last, reset=False):
        self.netlist, self.last, self.graph = netlist, last, Graph()
        free = lambda name: [self.graph.free() for _ in range(netlist.width(name))]
        straps = free("cfg_i")
        names = [f"state.{name}" for name in netlist.registers]
        state = {name: free(name) for name in names}
        if reset:
            undefined = [self.graph.free() for _ in netlist.undefined]
            before = {**state, "cfg_i": straps, "in_i": free("in_i"), "rst_ni": [0], "clk_i": [0]}
            values = netlist.place(self.graph, before, 0, undefined)
            # The words of a memory hold anything.
            resets = {name: "reset." + name.removeprefix("state.") for name in names}
            state = {name: values(of) if of in netlist.outputs else free(name) for name, of in resets.items()}
        self.values, self.undefined, self.rtl = [], [], []
        for _ in range(last + 1):
            self.values.append({**state, "cfg_i": straps, "in_i": free("in_i"), "rst_ni": [1], "clk_i": [0]})
            self.undefined.append([self.graph.free() for _ in netlist.undefined])
            self.rtl.append(netlist.place(self.graph, self.values[-1], 0, self.undefined[-1]))
            state = {name: self.rtl[-1]("next." + name.removeprefix("state.")) for name in names}
        self._solver, self._known = Solver("cadical195"), {0}
        self._solver.add_clause([-1])
        # Legal straps are an assumption, the other assertions are not.
        self.straps = [name for name in netlist.checks if ".u_straps." in name]
        self.claims = [name for name in netlist.checks if name not in self.straps]
        for name in self.straps:
            self.hold(self.check(0, name))

    def check(self, cycle, name):
        """Whether an assertion holds."""
        rtl = self.rtl[cycle]
        return self.graph.either(rtl(name)[0], rtl(f"{name}.EN")[0] ^ 1)

    def hold(self, literal):
        """From now on this is so."""
        self._encode(literal)
        self._solver.add_clause([_variable(literal)])

    def assume_invariants(self, cycles):
        for cycle in cycles:
            for name in self.netlist.checks:
                self.hold(self.check(cycle, name))

    def satisfiable(self):
        """Whether some run keeps all that is held; if not, everything follows from it."""
        return self.model(1) is not None

    def broken(self, cycle):
        """Some assertion does not hold."""
        return self.graph.any(self.check(cycle, name) ^ 1 for name in self.claims)

    def mutant(self, number, undefined=None, netlist=None):
        """The last cycle with a mutant alive, from the same state with the same inputs."""
        undefined = self.undefined[-1] if undefined is None else undefined
        return (netlist or self.netlist).place(self.graph, self.values[-1], number, undefined)

    def differs(self, mutant):
        """What is seen of the mutant and is not the same logic: pairs of literals by name."""
        rtl = self.rtl[-1]
        return [(name, a, b) for name in self.netlist.seen for a, b in zip(rtl(name), mutant(name)) if a != b]

    def merge(self, mutant, questions):
        """Replaces nodes of the mutant that cannot differ from those of the RTL, in their order, and builds on the RTL's what follows. Stops
        after so many questions."""
        rtl, nodes, circuit = self.rtl[-1].nodes, mutant.nodes, mutant.netlist.circuit
        for node, (a, b) in enumerate(circuit.ands, circuit.inputs + 1):
            nodes[node] = self.graph.both(nodes[a >> 1] ^ (a & 1), nodes[b >> 1] ^ (b & 1))
            # Constants that are not the same do differ.
            if nodes[node] == rtl[node] or max(nodes[node], rtl[node]) < 2 or not questions:
                continue
            questions -= 1
            if not self.possible([("", rtl[node], nodes[node])]):
                nodes[node] = rtl[node]

    def possible(self, pairs):
        """Names of what can differ at once, or None if nothing can."""
        found = self.model(self.graph.any(self.graph.differ(a, b) for _, a, b in pairs))
        return found and sorted({name for name, a, b in pairs if found(a) != found(b)})

    def model(self, literal):
        """A function that gives the value of a literal in some run in which this one is true, or None if there is no such run."""
        if literal == 0:
            return None
        self._encode(literal)
        if not self._solver.solve([_variable(literal)]):
            return None
        model = self._solver.get_model()
        # Of what the question does not touch, the value does not matter.
        return lambda one: ((one >> 1) in self._known and model[one >> 1] > 0) != bool(one & 1)

    def _encode(self, literal):
        left, right, todo = self.graph.left, self.graph.right, [literal >> 1]
        while todo:
            node = todo.pop()
            if node in self._known:
                continue
            self._known.add(node)
            if left[node] < 0:
                continue
            me, a, b = node + 1, _variable(left[node]), _variable(right[node])
            for clause in ([-me, a], [-me, b], [me, -a, -b]):
                self._solver.add_clause(clause)
            todo += (left[node] >> 1, right[node] >> 1)


def _variable(literal):
    """As solvers count: from 1 on, negative if inverted."""
    return -(literal // 2 + 1) if literal & 1 else literal // 2 + 1
