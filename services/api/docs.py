"""How does a person read what the API offers? `/docs`: one page, made from the OpenAPI document, asking nobody else.

The usual documentation pages fetch scripts from far away; this one is plain HTML, with an anchor for every problem.
"""

import json
from html import escape
from typing import Any, Final

from services.api.problems import KINDS

POLICY: Final = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"}
_STYLE: Final = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin-top: 2.5rem; border-top: 1px solid #8886; padding-top: 1rem; }
code, pre { font: 14px/1.4 ui-monospace, monospace; }
pre { overflow: auto; max-height: 24rem; padding: .7rem; border: 1px solid #8886; border-radius: .3rem; }
table { border-collapse: collapse; } td, th { text-align: left; vertical-align: top; padding: .2rem .8rem .2rem 0; }
"""


def page(document: dict[str, Any]) -> str:
    """The page of a document."""
    info = document["info"]
    operations = [
        (method.upper(), path, told) for path, methods in document["paths"].items() for method, told in methods.items()
    ]
    contents = "".join(
        f'<li><a href="#{told["operationId"]}"><code>{method} {escape(path)}</code></a> {escape(told["summary"])}</li>'
        for method, path, told in operations
    )
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{escape(info['title'])}</title><style>{_STYLE}</style>"
        f"<h1>{escape(info['title'])} {escape(info['version'])}</h1><p>{escape(info['description'])} "
        f'For programs: <a href="/openapi.json">openapi.json</a>.</p><ul>{contents}</ul>'
        + "".join(_operation(*operation) for operation in operations)
        + _problems()
        + "</html>\n"
    )


def _operation(method: str, path: str, told: dict[str, Any]) -> str:
    parts = [f'<h2 id="{told["operationId"]}"><code>{method} {escape(path)}</code></h2><p>{escape(told["summary"])}.']
    parts.append(f" {escape(told['description'])}</p>")
    if told["parameters"]:
        parts.append(_table([(one["name"], f"{one['in']}: {one['description']}") for one in told["parameters"]]))
    if "requestBody" in told:
        parts.append("<h3>Send</h3>" + _content(told["requestBody"]["content"]))
    for status, response in told["responses"].items():
        if int(status) < 300:
            parts.append(f"<h3>{status}</h3>" + _content(response.get("content", {})))
    codes = [code for one in told["responses"].values() for code in _codes(one)]
    parts.append("<p>Problems: " + ", ".join(f'<a href="#{code}"><code>{code}</code></a>' for code in codes) + "</p>")
    return "".join(parts)


def _content(content: dict[str, Any]) -> str:
    return "".join(
        f"<p><code>{media}</code></p><pre>{escape(_text(example['value']))}</pre>"
        for media, told in content.items()
        for example in told["examples"].values()
    )


def _codes(response: dict[str, Any]) -> list[str]:
    problems = response.get("content", {}).get("application/problem+json")
    return list(problems["examples"]) if problems else []


def _problems() -> str:
    rows = "".join(
        f'<tr id="{code}"><td>{kind.status}</td><td><code>{code}</code></td>'
        f"<td>{escape(kind.title)}. {escape(kind.example)}</td></tr>"
        for code, kind in KINDS.items()
    )
    return f'<h2 id="problems">Problems</h2><table>{rows}</table>'


def _table(rows: list[tuple[str, str]]) -> str:
    cells = "".join(f"<tr><td><code>{escape(name)}</code></td><td>{escape(text)}</td></tr>" for name, text in rows)
    return f"<table>{cells}</table>"


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, indent=1, ensure_ascii=False)
