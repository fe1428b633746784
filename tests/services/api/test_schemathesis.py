"""Does the service keep to its document? Requests made from it by the hundred, in form, out of form and along links.

Everything that Schemathesis checks is checked: no fault, no status, media type, header or body that is not described,
no request out of form that is taken, none in form that is not understood, 405 with `Allow` for every other method.
`MALICE_FULL=1` makes thousands, among them each bound of each field once kept and once broken; `-rA` shows the counts.
"""

import os
import sys

import pytest

from tests.services.api.callers import PHASES, Callers
from tests.services.api.table import Api

FULL = bool(os.environ.get("MALICE_FULL"))


@pytest.mark.timeout(900 if FULL else 120)
def test_no_request_made_from_the_document_meets_anything_that_the_document_does_not_say(
    api: Api,
):
    callers = Callers(api)
    phases = PHASES if FULL else [phase for phase in PHASES if phase != "coverage"]
    callers.call(phases=phases, examples=60 if FULL else 10, walks=1500 if FULL else 20, steps=30 if FULL else 20)
    sys.stdout.write(f"{sum(callers.made.values())} requests: {dict(callers.made)}\n")
    assert not callers.found, "\n\n".join(f"{' '.join(where)}\n{told}" for where, told in callers.found.items())
    assert all(callers.made[phase] for phase in phases), callers.made
    assert callers.followed["play", 200], "no move was played along a link"
    assert callers.followed["resign", 200], "no game came to its end along a link"
    assert callers.followed["import_game", 201], "no log was taken in along a link"
    assert callers.lines, "no line of a feed was looked at"
    assert sum(callers.made.values()) > (2000 if FULL else 500)
