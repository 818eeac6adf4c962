"""Faults of the data path: a carry that is cut, a bit of a register that is stuck, a counter that saturates too early.

Which bits and values is drawn from the place itself, so the set is the same each time, and no place changes that of another."""

import hashlib

from pyslang.ast import BinaryOperator as B
from pyslang.ast import ExpressionKind as E
from pyslang.ast import SymbolKind as S

from .constants import bare, is_constant
from .site import Site

_ADDERS = {B.Add: "+", B.Subtract: "-"}


def drawn(key, low, high):
    """A number low..high-1 that depends on the key alone."""
    return low + int.from_bytes(hashlib.sha256(key.encode()).digest()[:8]) % (high - low)


def bits(key, low, high):
    """Of the places low..high-1: all, if they are few; else one of each third, and the highest."""
    if high - low <= 4:
        return list(range(low, high))
    third = [low + (high - 1 - low) * part // 3 for part in range(4)]
    return sorted({drawn(f"{key} {part}", third[part], third[part + 1]) for part in range(3)} | {high - 1})


def adder(expression, source):
    """Sites of an adder or subtractor of signals, as far as the expression is one."""
    symbol = _ADDERS.get(expression.op) if expression.kind == E.BinaryOp else None
    if symbol is None or expression.type.isSigned or not _is_signal(expression):
        return
    place, width = source.span(expression), expression.type.bitWidth
    left, right = (source.of(side) for side in (expression.left, expression.right))
    key = f"{place[0]} {left} {symbol} {right}"
    for bit in bits(f"{key} carry", 1, width):
        yield Site(*place, "carry", _cut(left, symbol, right, bit))
    counter = _counter(expression.left)
    if counter is not None:
        for value in _values(key, counter.type.bitWidth):
            yield Site(*place, "saturation", _saturated(left, symbol, right, f"{width}'d{value}"))


def _cut(left, symbol, right, bit):
    """Shifts and a mask without a width of their own: the width of the context differs between builds."""
    low = f"{bit}'h{(1 << bit) - 1:x}"
    above = f"((({left}) >> {bit}) {symbol} (({right}) >> {bit})) << {bit}"
    return f"({above}) | (((({left}) & {low}) {symbol} (({right}) & {low})) & {low})"


def _values(key, width):
    """Values that a counter of this width stops at: of a few sizes."""
    sizes = {width * quarter // 4 for quarter in range(1, 4)} | {width - 1}
    return sorted({drawn(f"{key} {size}", 1 << size, 2 << size) for size in sizes if size < width})


def _saturated(left, symbol, right, value):
    """The step that would pass the value ends at it."""
    stays, passes = (("<=", ">") if symbol == "+" else (">=", "<"))
    step = f"({left}) {symbol} ({right})"
    return f"((({left}) {stays} {value}) && (({step}) {passes} {value})) ? {value} : ({step})"


def register(statement, source, loop):
    """Sites of an assignment to a register, or to a part of one: each field, and each element of an array, has bits that are stuck; words of
    a memory have none. `loop`: variable and rounds of the loop of `generate` that it is in, or None; one of the rounds is at fault, and one
    of the elements that a variable chooses."""
    assignment = statement.expr
    left = bare(assignment.left)
    selects = _selects(left)
    if selects is None:
        return
    place = source.span(statement)
    for name, kind in _fields(source.of(left), left.type.canonicalType):
        width = kind.bitWidth
        for bit in bits(f"{place[0]} {name}", 0, width):
            one = f"{name}[{bit}]" if not kind.isScalar else name
            where = " && ".join(filter(None, [_round(loop, one), *(_element(select, one, source) for select in selects)]))
            yield Site(*place, "stuck-bit", f"{where and f'if ({where}) '}{one} <= 1'b0;", "after")
            # After a reset that it leaves as 0, a 1 would be seen at once: it is stuck when it has been 1.
            yield Site(*place, "stuck-bit", f"if ({where and f'{where} && '}{one}) {one} <= 1'b1;", "after")


def _selects(expression):
    """The elements chosen by a variable on the way from a register to a part of it; or None, if it is no part of one."""
    found, whole = [], expression
    while expression.kind in (E.MemberAccess, E.ElementSelect):
        if expression.kind == E.ElementSelect and not is_constant(expression.selector):
            found.append(expression)
        expression = bare(expression.value)
    if expression.kind != E.NamedValue or (expression is not whole and not expression.symbol.name.endswith("_q")):
        return None
    return found


def _element(select, key, source):
    """The condition for one of the elements."""
    reach = select.value.type.canonicalType.range
    low, high = sorted((reach.left, reach.right))
    return f"{source.of(select.selector)} == {drawn(key, low, high + 1)}"


def _fields(name, kind):
    """Names and types of what a register consists of."""
    if kind.isStruct:
        for member in kind:
            if member.kind == S.Field:
                yield from _fields(f"{name}.{member.name}", member.type.canonicalType)
    elif kind.isPackedArray and not kind.elementType.canonicalType.isScalar:
        for at in range(*sorted((kind.range.left, kind.range.right + 1))):
            yield from _fields(f"{name}[{at}]", kind.elementType.canonicalType)
    else:
        yield name, kind


def _round(loop, key):
    """In a loop of `generate`: the condition for one of its rounds; else nothing."""
    if loop is None:
        return ""
    variable, rounds = loop
    return f"{variable} == {drawn(key, 0, rounds)}"


def _counter(expression):
    """The register, or the field of one, that this is, also with constant bits above it; or None."""
    expression = bare(expression)
    if expression.kind == E.Concatenation and all(is_constant(part) for part in expression.operands[:-1]):
        expression = bare(expression.operands[-1])
    base = expression
    while base.kind in (E.MemberAccess, E.ElementSelect):
        base = bare(base.value)
    return expression if base.kind == E.NamedValue and base.symbol.name.endswith("_q") else None


def _is_signal(expression):
    """Not only constants and the variables of loops."""
    found = []
    kinds = (S.Variable, S.Net, S.FormalArgument)
    expression.visit(lookup_table={
        E.NamedValue: lambda e: found.append(e.symbol.kind in kinds and not e.type.isPredefinedInteger),
    })  # fmt: skip
    return any(found)
