"""What does a field mean? The sentence that stands under it in the code, which Python itself does not keep.

Law kept: nothing is described twice; the document says of a field what its class says.
"""

import ast
import inspect
import sys
from functools import cache
from types import ModuleType

import msgspec


class FieldDocs:
    """The sentences under the fields of structs. Every module is read once, for as long as this is kept."""

    def __init__(self) -> None:
        self._classes = cache(_classes)

    def of(self, kind: type[msgspec.Struct]) -> dict[str, str]:
        """By field, inherited ones too; nothing for a field without a sentence, or where the source is not there."""
        found: dict[str, str] = {}
        for one in reversed(kind.__mro__):
            module = sys.modules.get(one.__module__)
            if module is not None and issubclass(one, msgspec.Struct) and one is not msgspec.Struct:
                found |= self._classes(module).get(one.__qualname__, {})
        return found


def _classes(module: ModuleType) -> dict[str, dict[str, str]]:
    try:
        tree = ast.parse(inspect.getsource(module))
    except OSError:
        return {}
    return {node.name: _fields(node) for node in tree.body if isinstance(node, ast.ClassDef)}


def _fields(node: ast.ClassDef) -> dict[str, str]:
    found: dict[str, str] = {}
    for field, below in zip(node.body, node.body[1:], strict=False):
        match field, below:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                found[name] = inspect.cleandoc(text)
            case _:
                pass
    return found
