"""Constants: which expressions are, their value, and their neighbours."""

from pyslang.ast import ExpressionKind as E
from pyslang.ast import SymbolKind as S

_LEAVES = {E.IntegerLiteral, E.UnbasedUnsizedIntegerLiteral}
_PARTS = {
    E.BinaryOp: lambda e: [e.left, e.right],
    E.UnaryOp: lambda e: [e.operand],
    E.Conversion: lambda e: [e.operand],
    E.Replication: lambda e: [e.count, e.concat],
    E.Concatenation: lambda e: list(e.operands),
    E.ConditionalOp: lambda e: [c.expr for c in e.conditions] + [e.left, e.right],
}


def bare(expression):
    """Without the conversions that the language adds."""
    while expression.kind == E.Conversion and expression.isImplicit:
        expression = expression.operand
    return expression


def is_constant(expression):
    """Whether the value is known when the design is elaborated, so that no select can change it."""
    expression = bare(expression)
    if expression.kind in _LEAVES:
        return True
    if expression.kind == E.NamedValue:
        return expression.symbol.kind in (S.Parameter, S.EnumValue, S.Genvar)
    parts = _PARTS.get(expression.kind)
    return parts is not None and all(is_constant(part) for part in parts(expression))


def _is_loop(symbol):
    """The variable of a `generate` loop, as its blocks see it."""
    # A parameter to slang; parameters proper begin with a capital.
    return symbol.kind == S.Genvar or symbol.name[0].islower()


def value(expression):
    """The value of a constant leaf as an int, or None."""
    expression = bare(expression)
    if expression.kind == E.IntegerLiteral:
        return int(expression.value)
    if expression.kind == E.NamedValue and expression.symbol.kind in (S.Parameter, S.EnumValue):
        if expression.symbol.kind == S.Parameter and _is_loop(expression.symbol):
            return None
        held = expression.symbol.value.value
        return int(held) if held is not None else None
    return None


def neighbours(expression, text):
    """Texts of constants next to this leaf, with the names of the operators."""
    width = expression.type.bitWidth
    if expression.kind == E.UnbasedUnsizedIntegerLiteral:
        return [("constant", "'1" if text == "'0" else "'0")]
    if expression.kind == E.IntegerLiteral:
        return [("constant", other) for other in _literals(text, value(expression), width)]
    if expression.kind != E.NamedValue:
        return []
    if expression.symbol.kind == S.EnumValue:
        members = [s.name for s in expression.type.canonicalType if s.kind == S.EnumValue]
        # With the package that it is from, if the text has it.
        package, colons, name = text.rpartition("::")
        return [("constant", package + colons + members[(members.index(name) + 1) % len(members)])]
    if expression.symbol.kind == S.Parameter and width <= 32 and not _is_loop(expression.symbol):
        # Of no width of its own: the width may differ between builds.
        one = "1" if width == 32 else "1'b1"
        return [("constant", f"{text} + {one}"), ("constant", f"{text} - {one}")]
    return []


def _literals(text, held, width):
    sized = "'" in text
    limit = (1 << width) - 1
    near = sorted({(held + 1) & limit, (held - 1) & limit} - {held}) if sized else sorted({held + 1, max(held - 1, 0)} - {held})
    return [f"{width}'d{other}" if sized else str(other) for other in near]
