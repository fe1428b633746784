"""How does a person read what the API offers? `/docs`: one page, made from the OpenAPI document, asking nobody else.

The usual documentation pages fetch scripts from far away; this one is plain HTML, with an anchor for every operation,
every shape and every problem. On a narrow screen the cells of a row stand below each other; examples scroll.
"""

import json
import re
from html import escape
from typing import Any, Final

from services.api.problems import KINDS

POLICY: Final = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"}
_STYLE: Final = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
  overflow-wrap: anywhere; }
h2 { margin-top: 2.5rem; border-top: 1px solid #8886; padding-top: 1rem; } h3 { margin: 1.5rem 0 .5rem; }
code, pre { font: 14px/1.4 ui-monospace, monospace; } h2 code { font-size: 18px; }
pre { overflow: auto; max-height: 24rem; padding: .7rem; border: 1px solid #8886; border-radius: .3rem;
  overflow-wrap: normal; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; min-width: 32rem; overflow-wrap: break-word; }
td, th { text-align: left; vertical-align: top; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid #8883; }
td code { overflow-wrap: anywhere; } summary { cursor: pointer; }
@media (max-width: 40rem) {
  table { min-width: 0; } tr:has(th) { display: none; } tr, td { display: block; } td { padding: .1rem 0; border: 0; }
  tr { padding: .4rem 0; border-bottom: 1px solid #8883; }
}
"""
_MOST_WORDS: Final = 12
"""Of a choice of words so many are listed."""
_DEEPEST: Final = 3
"""Fields within fields of a request stand in its own table as far as this; beyond, their shape has one."""


def page(document: dict[str, Any]) -> str:
    """The page of a document."""
    info = document["info"]
    operations = [
        (method.upper(), path, told) for path, methods in document["paths"].items() for method, told in methods.items()
    ]
    contents = "".join(
        f"<h3>{tag['name']}</h3><p>{_prose(tag['description'])}</p><ul>{_listed(tag['name'], operations)}</ul>"
        for tag in document["tags"]
    )
    about = "".join(f"<p>{_prose(paragraph)}</p>" for paragraph in info["description"].split("\n\n"))
    shapes = document["components"]["schemas"]
    reader = _Reader(shapes, document["components"]["headers"])
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(info['title'])}</title><style>{_STYLE}</style>"
        f"<h1>{escape(info['title'])} {escape(info['version'])}</h1>{about}"
        f'<p>For programs: <a href="/openapi.json">openapi.json</a>. Further down: <a href="#shapes">shapes</a>, '
        f'<a href="#problems">problems</a>.</p>{contents}'
        + "".join(reader.operation(*operation) for operation in operations)
        + '<h2 id="shapes">Shapes</h2>'
        + "".join(reader.shape(name) for name in shapes)
        + _problems()
        + "</html>\n"
    )


def _listed(tag: str, operations: list[tuple[str, str, dict[str, Any]]]) -> str:
    return "".join(
        f'<li><a href="#{told["operationId"]}"><code>{method} {escape(path)}</code></a> {_prose(told["summary"])}</li>'
        for method, path, told in operations
        if tag in told["tags"]
    )


class _Reader:
    """Writes operations and shapes; knows the components that they refer to."""

    def __init__(self, shapes: dict[str, Any], headers: dict[str, Any]) -> None:
        self.shapes = shapes
        self.headers = headers

    def operation(self, method: str, path: str, told: dict[str, Any]) -> str:
        """The paragraph of an operation: what it does, what to send, what comes back."""
        name = told["operationId"]
        parts = [f'<h2 id="{name}"><code>{method} {escape(path)}</code></h2><p>{_sentence(told["summary"])}</p>']
        parts += [f"<p>{_prose(paragraph)}</p>" for paragraph in told["description"].split("\n\n") if paragraph]
        if told["parameters"]:
            rows = [
                (f"<code>{one['name']}</code>", one["in"], self.kind(one["schema"]), _prose(one["description"]))
                for one in told["parameters"]
            ]
            parts.append(_table(("parameter", "in", "type", ""), rows))
        if "requestBody" in told:
            parts.append("<h3>Send</h3>" if told["requestBody"]["required"] else "<h3>Send, or no body</h3>")
            content = told["requestBody"]["content"]
            schema = next(iter(content.values()))["schema"]
            rows = self.fields(schema, deep=_DEEPEST)
            if rows:
                parts.append(_table(("field", "type", ""), rows))
            parts.append(_content(content))
        for status, response in told["responses"].items():
            if int(status) < 400:
                parts.append(self.answer(status, response))
        parts.append(self.refusals(told["responses"]))
        return "".join(parts)

    def answer(self, status: str, response: dict[str, Any]) -> str:
        """What comes back when all goes well."""
        parts = [f"<h3>{status}</h3><p>{_prose(response['description'])}</p>"]
        for media, told in response.get("content", {}).items():
            of = told.get("x-itemSchema")
            each = f", each {self.kind(of)}" if of else ""
            parts.append(
                f"<p><code>{media}</code>: {self.kind(told['schema']) if not of else 'lines or messages'}{each}"
            )
            parts.append("</p>")
        rows = [
            (f"<code>{name}</code>", _prose(self.header(told)["description"]))
            for name, told in response["headers"].items()
        ]
        parts.append(_table(("header", ""), rows) + _content(response.get("content", {})))
        onward = [
            f'<a href="#{link["operationId"]}">{name}</a> ({_prose(link["description"].rstrip("."))})'
            for name, link in response.get("links", {}).items()
        ]
        return "".join(parts) + (f"<p>From here: {', '.join(onward)}.</p>" if onward else "")

    def header(self, told: dict[str, Any]) -> dict[str, Any]:
        """The header itself, where it is only named."""
        return self.headers[told["$ref"].rpartition("/")[2]] if "$ref" in told else told

    def refusals(self, responses: dict[str, Any]) -> str:
        """The problems by their status, as callers of this operation meet them."""
        rows = [
            (status, f'<a href="#{code}"><code>{code}</code></a>', escape(example["value"]["detail"]))
            for status, one in responses.items()
            for code, example in one.get("content", {})
            .get("application/problem+json", {"examples": {}})["examples"]
            .items()
        ]
        return "<h3>Problems</h3>" + _table(("status", "code", "such as"), rows)

    def shape(self, name: str) -> str:
        """A shape by itself: its fields, or the forms that it has."""
        told = self.shapes[name]
        parts = [f'<h3 id="shape-{name}"><code>{name}</code></h3><p>{_prose(told.get("description", ""))}</p>']
        rows = self.fields(told, deep=1)
        if rows:
            parts.append(_table(("field", "type", ""), rows))
        elif "properties" not in told:
            parts.append(f"<p>{self.kind({key: one for key, one in told.items() if key != 'description'})}</p>")
        return "".join(parts)

    def fields(self, schema: dict[str, Any], *, deep: int, prefix: str = "") -> list[tuple[str, ...]]:
        """The rows of a table of fields; fields within fields follow theirs, as `seats[].name`."""
        told = self.shapes[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
        rows: list[tuple[str, ...]] = []
        for name, one in told.get("properties", {}).items():
            must = "" if name in told.get("required", ()) else " <em>may be left out</em>"
            rows.append((f"<code>{prefix}{name}</code>{must}", self.kind(one), _prose(one.get("description", ""))))
            if deep > 1:
                inner, mark = one, ""
                if one.get("type") == "array":
                    inner, mark = one["items"], "[]"
                for form in inner.get("anyOf", [inner]):
                    if "$ref" in form:
                        rows += self.fields(form, deep=deep - 1, prefix=f"{prefix}{name}{mark}.")
        return rows

    def kind(self, schema: dict[str, Any]) -> str:
        """A type in words."""
        match schema:
            case {"$ref": str(target)}:
                name = target.rpartition("/")[2]
                return f'<a href="#shape-{name}">{name}</a>'
            case {"anyOf": list(forms)} | {"oneOf": list(forms)}:
                return " or ".join(dict.fromkeys(self.kind(form) for form in forms))
            case {"const": value}:
                return f"<code>{escape(_text(value))}</code>"
            case {"enum": list(words)}:
                more = " …" if len(words) > _MOST_WORDS else ""
                return " or ".join(f"<code>{escape(_text(word))}</code>" for word in words[:_MOST_WORDS]) + more
            case {"prefixItems": list(items)}:
                return f"[{', '.join(self.kind(item) for item in items)}]"
            case {"type": "array", "items": dict(items)}:
                return f"list of {self.kind(items)}"
            case {"type": "object", "properties": properties}:
                inner = ", ".join(f"<code>{name}</code>: {self.kind(one)}" for name, one in properties.items())
                return f"{{{inner}}}"
            case {"type": "object", "additionalProperties": dict(items)}:
                return f"object of {self.kind(items)}"
            case {"type": "array"}:
                return "list"
            case _:
                usual = (
                    f", by default {escape(_text(schema['default']))}"
                    if schema.get("default") not in (None, "")
                    else ""
                )
                known = ", ".join(f"<code>{escape(_text(one))}</code>" for one in schema.get("examples", ()))
                return f"{schema.get('type', 'any')}{_bounds(schema)}{usual}" + (f": {known}" if known else "")


def _bounds(schema: dict[str, Any]) -> str:
    low, high = schema.get("minimum", schema.get("minLength")), schema.get("maximum", schema.get("maxLength"))
    unit = " characters" if schema.get("type") == "string" else ""
    match low, high:
        case None, None:
            return f" <code>{escape(schema['pattern'])}</code>" if "pattern" in schema else ""
        case None, _:
            return f", up to {high}{unit}"
        case _, None:
            return f", from {low}"
        case _:
            form = f" <code>{escape(schema['pattern'])}</code>" if "pattern" in schema else ""
            return f", {low} to {high}{unit}{form}"


def _content(content: dict[str, Any]) -> str:
    return "".join(
        f"<details><summary><code>{media}</code> {_prose(example.get('summary', 'An example.'))}</summary>"
        f"<pre>{escape(_pretty(example['value']))}</pre></details>"
        for media, told in content.items()
        for example in told["examples"].values()
    )


def _problems() -> str:
    rows = [
        (str(kind.status), f'<code id="{code}">{code}</code>', f"{escape(kind.title)}. {escape(kind.example)}")
        for code, kind in KINDS.items()
    ]
    return '<h2 id="problems">Problems</h2>' + _table(("status", "code", ""), rows)


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    top = "".join(f"<th>{cell}</th>" for cell in head)
    cells = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table><tr>{top}</tr>{cells}</table></div>'


def _sentence(text: str) -> str:
    return _prose(text) + ("" if text.endswith(("?", ".", "!")) else ".")


def _prose(text: str) -> str:
    """Text with `code` in it."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text, quote=False))


def _pretty(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, indent=1, ensure_ascii=False)


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)
