"""The commits that are compared with the base: what each does to the sources of the work."""

import os
from typing import Callable, NamedTuple

KERNELS = ("parse", "springs", "sort")
SLOWDOWNS = (0.5, 1, 2, 5, 10)  # percent
# Of the files with the work all orders that differ from the base's, and one in which all of it moves up.
LINK_ORDERS = (
    "Amount Kernel Parsing Springs Sorting", "Amount Kernel Sorting Parsing Springs",
    "Amount Kernel Sorting Springs Parsing", "Amount Kernel Springs Parsing Sorting",
    "Amount Kernel Springs Sorting Parsing", "Parsing Sorting Springs Amount Kernel")
# Statements of the functions that nothing calls: three that shift what follows by no multiple of a cache line, and
# one that does.
DEAD_STATEMENTS = (1, 10, 14, 24)
# Statements of the code that is never reached in functions that are hot: what stands after it moves inside its
# function, and the jump to it is short or long.
COLD_STATEMENTS = (1, 2, 4, 7, 11, 18)
SAME, LINK, UNCHANGED, EDITED = "same", "link", "unchanged", "edited"
NO_OPS = (SAME, LINK, UNCHANGED, EDITED)


class Variant(NamedTuple):
    """One commit on top of the base."""

    name: str
    cell: str
    summary: str
    edit: Callable[[str], None]  # of a copy of Sources/Work


def slow_cell(percent):
    return f"slow-{percent:g}"


CELLS = NO_OPS + tuple(slow_cell(percent) for percent in SLOWDOWNS)


def rewrite(folder, file, change):
    path = os.path.join(folder, f"{file}.swift")
    with open(path) as stream:
        text = stream.read()
    changed = change(text)
    if changed == text:
        raise ValueError(f"{path}: the edit finds nothing to change")
    with open(path, "w") as stream:
        stream.write(changed)


def replacing(file, old, new):
    return lambda folder: rewrite(folder, file, lambda text: text.replace(old, new))


def link_order(order):
    """Files are compiled, and their objects linked, in the order of their names."""
    def edit(folder):
        for place, file in enumerate(order.split(), 1):
            os.rename(os.path.join(folder, f"{file}.swift"), os.path.join(folder, f"{place}-{file}.swift"))
    return edit


def dead_function(number, statements):
    """A public function before all others, which stays in the program though nothing calls it."""
    lines = "".join(
        f"    total = total &* {3 + 2 * place} ^ (value >> {place % 13})\n" for place in range(statements))
    function = (
        f"/// Nothing calls it.\npublic func unusedTotal{number}(of values: [Int]) -> Int {{\n"
        f"  var total = {number}\n  for value in values {{\n{lines}  }}\n  return total\n}}\n\n")
    return lambda folder: rewrite(folder, "Kernel", lambda text: function + text)


def cold_code(statements):
    """A branch that is never taken, with code in it, before the loop of each kind of work."""
    def edit(folder):
        for file, loop, condition, target in (
            ("Parsing", "  for index in values.indices {", "values.count == 987_654_321", "values"),
            ("Springs", "  for index in displacements.indices {", "displacements.count == 987_654_321", "velocities"),
            ("Sorting", "    for start in stride(", "keys.count == 987_654_321", "keys"),
        ):
            # Each depends on the one before, so that none is left out and none is made a vector.
            body = "".join(
                f"{target}[{place + 1}] = {target}[{place}] + {3 * place + 2}; " for place in range(statements))
            rewrite(folder, file, lambda text: text.replace(loop, f"if {condition} {{ {body}}}\n{loop}"))
    return edit


def renames(folder):
    for file, old, new in (
        ("Parsing", "readNumbers", "numbersOfLines"), ("Sorting", "sortGroup", "insertAll"),
        ("Springs", "step(", "advanceByOneFrame("),
    ):
        replacing(file, old, new)(folder)


def all_variants():
    variants = [
        Variant(f"link-{number}", LINK, "the files renamed, so that their objects are linked in another order",
                link_order(order))
        for number, order in enumerate(LINK_ORDERS, 1)]
    variants += [
        Variant("comment", UNCHANGED, "a comment added",
                lambda folder: rewrite(folder, "Sorting", lambda text: "// Two lines\n// more.\n" + text)),
        Variant("rename", UNCHANGED, "three private functions renamed", renames)]
    variants += [
        Variant(f"dead-{number}", UNCHANGED, "a function added that nothing calls",
                dead_function(number, statements))
        for number, statements in enumerate(DEAD_STATEMENTS, 1)]
    variants += [
        Variant(f"cold-{number}", EDITED, "code that is never reached before the loops", cold_code(statements))
        for number, statements in enumerate(COLD_STATEMENTS, 1)]
    variants += [
        Variant(slow_cell(percent), slow_cell(percent), f"{percent:g}% more work in every call",
                replacing("Amount", "perThousand = 1000", f"perThousand = {1000 + round(10 * percent)}"))
        for percent in SLOWDOWNS]
    return variants


BASE = "base"


def names_of(cell):
    """The variants of a cell; the base itself where nothing is to differ."""
    return [BASE] if cell == SAME else [one.name for one in all_variants() if one.cell == cell]
