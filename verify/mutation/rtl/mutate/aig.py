"""And-inverter graphs. A literal is twice the number of a node, and one more if it is inverted; 0 is false, 1 is true."""


class Graph:
    """Nodes in an order in which each comes after its operands. The same conjunction is the same node."""

    def __init__(self):
        self.left, self.right = [0], [0]
        self._known = {}

    def free(self):
        """A new input."""
        self.left.append(-1)
        self.right.append(-1)
        return 2 * (len(self.left) - 1)

    def is_free(self, node):
        return self.left[node] < 0

    def both(self, a, b):
        if a > b:
            a, b = b, a
        if a == 0 or a ^ b == 1:
            return 0
        if a == 1 or a == b:
            return b
        known = self._known.get((a, b))
        if known is None:
            known = self._known[a, b] = 2 * len(self.left)
            self.left.append(a)
            self.right.append(b)
        return known

    def either(self, a, b):
        return self.both(a ^ 1, b ^ 1) ^ 1

    def differ(self, a, b):
        return self.either(self.both(a, b ^ 1), self.both(a ^ 1, b))

    def any(self, some):
        found = 0
        for one in some:
            found = self.either(found, one)
        return found


class Circuit:
    """What a file in binary AIGER holds: inputs, conjunctions, outputs."""

    def __init__(self, data):
        head, rest = data.split(b"\n", 1)
        kind, _, inputs, latches, outputs, ands = head.split()[:6]
        assert kind == b"aig" and latches == b"0", "an AIGER file of logic without registers was asked for"
        self.inputs, self.ands = int(inputs), []
        lines = rest.split(b"\n", int(outputs))
        self.outputs, body = [int(line) for line in lines[:-1]], lines[-1]
        at, literal = 0, 2 * (self.inputs + 1)
        for _ in range(int(ands)):
            first, at = _number(body, at)
            second, at = _number(body, at)
            self.ands.append((literal - first, literal - first - second))
            literal += 2

    def inside(self, graph, inputs):
        """This logic as part of a graph, its inputs these literals: the literal of each of its nodes."""
        nodes, both = [0, *inputs], graph.both
        for a, b in self.ands:
            nodes.append(both(nodes[a >> 1] ^ (a & 1), nodes[b >> 1] ^ (b & 1)))
        return nodes


def _number(data, at):
    value, shift = 0, 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7
