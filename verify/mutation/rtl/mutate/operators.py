"""What is done to an expression."""

from pyslang.ast import BinaryOperator as B
from pyslang.ast import ExpressionKind as E
from pyslang.ast import UnaryOperator as U

from .constants import bare, is_constant, neighbours, value

# Operator, its text, what replaces it.
BINARY = {
    B.Equality: ("==", ["!="]),
    B.Inequality: ("!=", ["=="]),
    B.LessThan: ("<", ["<=", ">="]),
    B.LessThanEqual: ("<=", ["<", ">"]),
    B.GreaterThan: (">", [">=", "<="]),
    B.GreaterThanEqual: (">=", [">", "<"]),
    B.LogicalAnd: ("&&", ["||"]),
    B.LogicalOr: ("||", ["&&"]),
    B.BinaryAnd: ("&", ["|"]),
    B.BinaryOr: ("|", ["&"]),
    B.BinaryXor: ("^", ["|"]),
    B.Add: ("+", ["-"]),
    B.Subtract: ("-", ["+"]),
    B.LogicalShiftLeft: ("<<", [">>"]),
    B.LogicalShiftRight: (">>", ["<<"]),
}
NAMES = {"==": "equality", "!=": "equality", "&&": "logical", "||": "logical", "+": "arithmetic", "-": "arithmetic"}
NAMES |= dict.fromkeys(["<", "<=", ">", ">="], "relation") | dict.fromkeys(["&", "|", "^"], "bitwise")
NAMES |= dict.fromkeys(["<<", ">>"], "shift")


def binary(expression, source):
    """Other operators between the same operands."""
    known = BINARY.get(expression.op)
    if known is None or is_constant(expression):
        return
    left, right = source.span(expression.left), source.span(expression.right)
    between = source.text(left[0], left[1], right[1])
    start = source.span(expression)[1]
    gap = source.texts[left[0]][left[2] : right[1]]
    assert known[0] in gap, (gap, between)
    for other in known[1]:
        after = source.texts[left[0]][start : left[2]] + gap.replace(known[0], other, 1)
        yield NAMES[known[0]], after + source.texts[left[0]][right[1] : source.span(expression)[2]]


def compound(assignment, statement, source):
    """Another operator in `x |= y`."""
    known = BINARY.get(assignment.op)
    if known is None:
        return
    (_, _, left), (file, start, end) = source.span(assignment.left), source.span(statement)
    text = source.texts[file]
    assert text[left:end].lstrip().startswith(f"{known[0]}="), text[start:end]
    for other in known[1]:
        yield NAMES[known[0]], text[start:left] + text[left:end].replace(known[0], other, 1)


def unary(expression, source):
    """Without the negation."""
    if expression.op in (U.LogicalNot, U.BitwiseNot) and not is_constant(expression):
        yield "negation", source.of(expression.operand)


def element(expression, source):
    """The element beside this one."""
    if not is_constant(expression.selector):
        return
    at, declared = value(expression.selector), expression.value.type.fixedRange
    if at is None:
        return
    low, high = sorted((declared.left, declared.right))
    whole, index = source.span(expression), source.span(expression.selector)
    text = source.texts[whole[0]]
    for step in (1, -1):
        if low <= at + step <= high:
            other = str(at + step) if text[index[1] : index[2]].isdigit() else f"{text[index[1]:index[2]]} {'+' if step > 0 else '-'} 1"
            yield "index", text[whole[1] : index[1]] + other + text[index[2] : whole[2]]


def part(expression, source):
    """The bits beside these."""
    if str(expression.selectionKind).rsplit(".", 1)[-1] != "Simple":
        return
    ends = [value(expression.left), value(expression.right)]
    if None in ends:
        return
    declared = expression.value.type.fixedRange
    low, high = sorted((declared.left, declared.right))
    whole, left, right = (source.span(e) for e in (expression, expression.left, expression.right))
    text = source.texts[whole[0]]
    for step in (1, -1):
        if all(low <= end + step <= high for end in ends):
            sign = "+ 1" if step > 0 else "- 1"
            parts = (text[whole[1] : left[1]], text[left[1] : left[2]], text[left[2] : right[1]], text[right[1] : right[2]])
            yield "part", f"{parts[0]}{parts[1]} {sign}{parts[2]}{parts[3]} {sign}{text[right[2]:whole[2]]}"


def conditional(expression, source):
    """The other branch."""
    first = expression.conditions[0].expr
    if not is_constant(first):
        whole, left, right = source.span(expression), source.span(expression.left), source.span(expression.right)
        text = source.texts[whole[0]]
        yield "branches", (
            text[whole[1] : left[1]] + text[right[1] : right[2]] + text[left[2] : right[1]] + text[left[1] : left[2]]
            + text[right[2] : whole[2]]
        )


def concatenation(expression, source):
    """Two neighbours change places."""
    operands = list(expression.operands)
    for one, two in zip(operands, operands[1:]):
        if one.type.bitWidth == two.type.bitWidth and not (is_constant(one) and is_constant(two)):
            whole, a, b = source.span(expression), source.span(one), source.span(two)
            text = source.texts[whole[0]]
            yield "order", (
                text[whole[1] : a[1]] + text[b[1] : b[2]] + text[a[2] : b[1]] + text[a[1] : a[2]] + text[b[2] : whole[2]]
            )


def inside(expression, source):
    """One member of the set less, or another one. Members have to be constant."""
    whole, members = source.span(expression), list(expression.rangeList)
    text = source.texts[whole[0]]
    spans = [source.span(member) for member in members]
    for at, member in enumerate(members):
        def replaced(names):
            return text[whole[1] : spans[0][1]] + ", ".join(names) + text[spans[-1][2] : whole[2]]

        names = [text[start:end] for _, start, end in spans]
        if len(names) > 1:
            yield "set", replaced(names[:at] + names[at + 1 :])
        for _, other in neighbours(bare(member), names[at]):
            if other not in names:
                yield "set", replaced(names[:at] + [other] + names[at + 1 :])


def constant(expression, source):
    yield from neighbours(expression, source.of(expression))


TABLE = {
    E.BinaryOp: binary,
    E.UnaryOp: unary,
    E.ElementSelect: element,
    E.RangeSelect: part,
    E.ConditionalOp: conditional,
    E.Concatenation: concatenation,
    E.Inside: inside,
    E.IntegerLiteral: constant,
    E.UnbasedUnsizedIntegerLiteral: constant,
    E.NamedValue: constant,
}


def changes(expression, source):
    """Pairs of operator and text that replaces the expression."""
    expression = bare(expression)
    make = TABLE.get(expression.kind)
    return list(make(expression, source)) if make else []
