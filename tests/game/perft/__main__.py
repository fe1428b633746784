"""Rewrites the perft tables of this folder: each is counted anew, as deep as it was. For a rule changed on purpose."""

import json
import sys
from pathlib import Path
from typing import Any

from tests.game.perft import FAST, FILES, counted, read


def written(held: Any) -> str:
    """A file's text: a row of counts a line."""
    tables = []
    for table in held["tables"]:
        heads = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in table.items() if name != "counts"]
        rows = ",\n".join(f"      {json.dumps(row)}" for row in table["counts"])
        tables.append("    {" + ",\n     ".join(heads) + ',\n     "counts": [\n' + rows + "]}")
    return f'{{"rules": {json.dumps(held["rules"])},\n "tables": [\n' + ",\n".join(tables) + "]}\n"


def rewrite(path: Path) -> None:
    """Count the tables of a file, and write it."""
    held = read(path)
    for table in held["tables"]:
        table["counts"] = counted(FAST, held["rules"], table, len(table["counts"]))
        sys.stdout.write(f"{path.stem}: {table['about']}: {[row.get('moves', 0) for row in table['counts']]}\n")
    path.write_text(written(held), encoding="utf-8")


if __name__ == "__main__":
    for file in FILES:
        rewrite(file)
