"""Finds the places: walks assignments, statements and the connections of instances."""

import re

from pyslang.ast import ExpressionKind as E
from pyslang.ast import ProceduralBlockKind as P
from pyslang.ast import StatementKind as T
from pyslang.ast import SymbolKind as S

from . import faults, operators
from .constants import bare, is_constant
from .site import Site
from pyslang.ast import BinaryOperator as B


_CHAIN = {E.ElementSelect, E.RangeSelect, E.MemberAccess}

# The port of a top that shows every register, for verification alone.
SHOWN = "state_o"


class Walk:
    """All sites of a design. `refused` counts those that would not be hardware, by reason."""

    def __init__(self, source):
        self.source = source
        self.sites = set()
        self.refused = {}
        self._done = set()
        # Loops of `generate` by path; and the one that is walked.
        self._loops, self._loop = {}, None

    def design(self, root):
        root.visit(lookup_table={
            S.GenerateBlockArray: self._array,
            S.ContinuousAssign: lambda s: self._assign(s.assignment),
            S.ProceduralBlock: self._block,
            S.Instance: self._instance,
        })

    def package(self, compilation, name):
        for member in compilation.getPackage(name):
            if member.kind == S.Subroutine and member.name not in self.source.offered:
                self._statement(member.body, frozenset(), latch=False)

    # ---- places ----

    def _left_alone(self, node):
        return self.source.span(node)[0].rsplit("/", 1)[-1].startswith(self.source.left)

    def _assign(self, assignment):
        # Of a branch of `generate` that this build does not have, nothing is known.
        if assignment.kind != E.Assignment or self._left_alone(assignment):
            return
        # The top's port that only shows the registers, whole or a part of it, and what quietens a linter.
        name, top = re.split(r"[.\[]", self.source.of(assignment.left))[0], f"{self.source.unit}/{self.source.unit}.sv"
        if name.startswith("unused_") or (name == SHOWN and self.source.span(assignment)[0].endswith(top)):
            return
        self._value(assignment.right, "dropped")

    def _array(self, array):
        self._loops[array.hierarchicalPath] = array.loopVariable.name, len(array.entries)

    def _block(self, block):
        if self._left_alone(block.body) or block.procedureKind not in (P.AlwaysComb, P.AlwaysFF):
            return
        array, bracket, _ = block.hierarchicalPath.removesuffix("]").rpartition("[")
        self._loop = self._loops.get(array) if bracket and block.hierarchicalPath.endswith("]") else None
        self._statement(block.body, frozenset(), latch=block.procedureKind == P.AlwaysComb)

    def _instance(self, instance):
        if not instance.isModule or instance.parentScope is None or instance.definition.name.startswith(self.source.left):
            return
        for connection in instance.portConnections:
            port, expression = connection.port, connection.expression
            if expression is None or str(port.direction) != "ArgumentDirection.In" or port.name in ("clk_i", "rst_ni"):
                continue
            if not self._left_alone(expression):
                self._connection(port, bare(expression))

    def _connection(self, port, expression):
        file, start, end = self.source.span(expression)
        text = self.source.texts[file]
        # `.name` alone: the expression is the name of the port.
        if text[start:end] == port.name and text[:start].rstrip().endswith(".") and not text[end:].lstrip().startswith("("):
            for after in self._stuck(expression):
                self.sites.add(Site(file, start, end, "connection", after, "port"))
        else:
            self._value(expression, "connection")

    # ---- statements ----

    def _statement(self, statement, given, latch):
        """`given`: variables that have a value already in this block. Returns those that have one after the statement."""
        kind = statement.kind
        if kind == T.List:
            for one in statement.list:
                given = self._statement(one, given, latch)
            return given
        if kind == T.Block:
            return self._statement(statement.body, given, latch)
        if kind == T.Timed:
            return self._statement(statement.stmt, given, latch)
        if kind == T.ExpressionStatement and statement.expr.kind == E.Assignment:
            return self._assignment(statement, given, latch)
        if kind == T.Conditional:
            for condition in statement.conditions:
                self._condition(condition.expr)
            for branch in (statement.ifTrue, statement.ifFalse):
                if branch is not None:
                    self._statement(branch, given, latch)
        elif kind == T.Case:
            self._case(statement, given, latch)
        elif kind == T.ForLoop:
            self._statement(statement.body, given, latch)
        elif kind == T.Return:
            self._value(statement.expr, "dropped")
        return given

    def _assignment(self, statement, given, latch):
        assignment = statement.expr
        left = bare(assignment.left)
        if assignment.isCompound:
            # What is on its right is said to be the whole: `x |= y` is x | y.
            self._value(assignment.right.right, None)
            for operator, after in operators.compound(assignment, statement, self.source):
                self.sites.add(Site(*self.source.span(statement), operator, after, "statement"))
        else:
            self._value(assignment.right, None)
            if assignment.isNonBlocking and not is_constant(assignment.right):
                self.sites.update(faults.register(statement, self.source, self._loop))
        root = self.source.of(left).split(".")[0].split("[")[0].strip()
        file, start, end = self.source.span(statement)
        # `x |= y` reads x, so x has a value without the statement too.
        if not latch or root in given or assignment.isCompound:
            self.sites.add(Site(file, start, end, "statement", "", "statement"))
        else:
            # Without it a latch would hold the value: it is 0 instead.
            self._add(assignment.right, "dropped", [s for s in self._stuck(assignment.right) if s.endswith("0")])
            self._refuse("a latch", statement)
        return given | {root} if left.kind == E.NamedValue else given

    def _case(self, statement, given, latch):
        branches = [item.stmt for item in statement.items] + [statement.defaultCase]
        for branch in branches:
            if branch is None or branch.kind == T.Empty:
                continue
            self._statement(branch, given, latch)
            # A branch of one assignment goes with it.
            file, start, end = self.source.span(branch)
            if branch.kind != T.ExpressionStatement:
                if latch and not given:
                    self._refuse("a latch", branch)
                else:
                    self.sites.add(Site(file, start, end, "branch", "", "statement"))

    def _refuse(self, reason, node):
        self.refused.setdefault(reason, set()).add(self.source.span(node))

    # ---- expressions ----

    def _condition(self, expression):
        expression = bare(expression)
        if is_constant(expression):
            return
        text = self.source.of(expression)
        # A reset that never or always acts: each register without its reset value shows more.
        if text == "!rst_ni":
            return
        if not (expression.kind == E.UnaryOp or (expression.kind == E.BinaryOp and expression.op in (B.Equality, B.Inequality))):
            self._add(expression, "condition", [f"!({text})"])
        self._value(expression, None)
        self._add(expression, "stuck", ["1'b0", "1'b1"])

    def _stuck(self, expression):
        """What a value becomes that nobody drives any more: 0; a single bit is tried at both levels."""
        kind = expression.type
        if kind.canonicalType.isEnum:
            first = next(s for s in kind.canonicalType if s.kind == S.EnumValue)
            if self.source.of(expression) == first.name:
                return []
            # A file that does not import the package of the type says where the name is from.
            package, _, inside = first.hierarchicalPath.partition("::")
            text = self.source.texts[self.source.span(expression)[0]]
            there = not inside or re.search(rf"^package {package};|import {package}::", text, re.M)
            return [first.name if there else f"{package}::{first.name}"]
        return ["1'b0", "1'b1"] if kind.bitWidth == 1 else ["'0"]

    def _value(self, expression, operator):
        """A value that somebody takes: it may be stuck, and everything inside it changed."""
        expression = bare(expression)
        if operator and not is_constant(expression):
            self._add(expression, "stuck" if expression.type.bitWidth == 1 else operator, self._stuck(expression))
        elif operator is None and expression.type.bitWidth == 1 and not is_constant(expression):
            self._add(expression, "stuck", self._stuck(expression))
        self._inside(expression)

    def _inside(self, expression):
        expression = bare(expression)
        if is_constant(expression) and expression.kind not in operators.TABLE:
            for part in _parts(expression):
                self._inside(part)
            return
        if expression.kind in _CHAIN:
            self._chain(expression)
            return
        for operator, after in operators.changes(expression, self.source):
            self._add(expression, operator, [after])
        self.sites.update(faults.adder(expression, self.source))
        self._operands(expression)
        for part in _parts(expression):
            self._inside(part)

    def _chain(self, expression):
        """Selects and members one behind the other. No link can stand in parentheses, so a changed link changes the whole."""
        file, start, end = self.source.span(expression)
        text, link = self.source.texts[file], expression
        while link.kind in _CHAIN:
            _, begin, stop = self.source.span(link)
            for operator, after in operators.changes(link, self.source):
                self._add(expression, operator, [text[start:begin] + after + text[stop:end]])
            if link.kind == E.ElementSelect and not is_constant(link.selector):
                self._inside(link.selector)
            link = bare(link.value)

    def _operands(self, expression):
        """An operand is left out: that of an `and` is 1, that of an `or` is 0."""
        if expression.kind == E.BinaryOp and expression.op in (B.LogicalAnd, B.LogicalOr):
            level = "1'b1" if expression.op == B.LogicalAnd else "1'b0"
            for operand in (expression.left, expression.right):
                if not is_constant(operand):
                    self._add(bare(operand), "operand", [level])
        if expression.kind == E.ConditionalOp:
            condition = expression.conditions[0].expr
            if not is_constant(condition):
                self._add(bare(condition), "stuck", ["1'b0", "1'b1"])
        if expression.kind == E.StructuredAssignmentPattern:
            for setter in expression.memberSetters:
                self._value(setter.expr, "dropped")

    def _add(self, expression, operator, texts):
        file, start, end = self.source.span(expression)
        for after in texts:
            if after == self.source.texts[file][start:end]:
                continue
            if (file, start, end, after) not in self._done:
                self._done.add((file, start, end, after))
                self.sites.add(Site(file, start, end, operator, after))


def _parts(expression):
    """Run-time operands: no sizes, no indices that have to be constant."""
    kind = expression.kind
    if kind == E.BinaryOp:
        return [expression.left, expression.right]
    if kind == E.UnaryOp:
        return [expression.operand]
    if kind == E.Conversion:
        return [expression.operand]
    if kind == E.ConditionalOp:
        return [c.expr for c in expression.conditions] + [expression.left, expression.right]
    if kind == E.Concatenation:
        return list(expression.operands)
    if kind == E.Replication:
        return [expression.concat]
    if kind == E.Call:
        return list(expression.arguments)
    if kind == E.Inside:
        return [expression.left]
    return []
