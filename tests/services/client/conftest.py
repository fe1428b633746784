"""What do the tests of the client share? `talk`: a client of each kind over a network that fails as told."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from typing import Any, TypeAlias

import pytest

from tests.services.client.sides import AWAITED, BLOCKING, Fate, Talk, talking

Talking: TypeAlias = Callable[..., Talk]
NOWHERE = "http://127.0.0.1:9"
"""Nothing is sent there: the network answers all."""


@pytest.fixture(params=[BLOCKING, AWAITED])
def kind(request: pytest.FixtureRequest) -> str:
    """Which of the two clients."""
    return request.param


@pytest.fixture
def talk(kind: str) -> Iterator[Talking]:
    """`talk(url, fates)`: a client of this kind whose requests meet these fates, one after another."""
    with ExitStack() as stack:

        def begin(url: str = NOWHERE, fates: Iterable[Fate] = (), **options: Any) -> Talk:
            return stack.enter_context(talking(kind, url, fates, **options))

        yield begin
