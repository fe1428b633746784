"""What must one know before the first request? The ten lines that head the OpenAPI document and the page of it."""

from typing import Final

_TEXT: Final = """
The card game Spite & Malice, event by event: create a game, play it with the tokens of its seats, watch it
without one.

Tokens: who creates a game gets a token for each human seat, and sends it as `Authorization: Bearer`. Without
one, one is a spectator. A seat for somebody else is `{"open": true}`: whoever takes it gets its token. Where
the service asks for API keys, those that create send theirs in the same header.

A turn: `GET` the view; when it is your turn, `legal` lists your moves; `POST` one of them. Moves are short
texts: `7h>c2`, `p>c0`, `9c>s3`, `pass`; a joker is `**`. The answer holds what the move caused and your view after
it. What others do, bots too, comes later, by the feed: at each commit, and at the start, look whether `legal`
has moves.

Versions: every accepted command makes the next version of its game. A view has it in `version` and in `ETag`.
Send it back in `If-Match`, and a move counts only if nothing has happened since; in `If-None-Match`, and you
get a 304.

Retries: give each `POST` an `Idempotency-Key` of its own. When an answer does not come, or is a 429 or 503, send
the same request with the same key: it happens once, and you get the first answer, however late. Keys count for
one seat of one game, moves and resigning together (for one caller where there is no game yet), and are kept as
long as the game. A refusal uses none up. Only the first answer shows a new game's tokens.

Feeds: `GET …/events?after=V` has all that happened beyond version V, in order and without a gap: as a page, as
a page that waits for something to happen (`wait`), or as server-sent events (`Accept: text/event-stream`),
which resume with `Last-Event-ID`. You see what your seat may know, no more. A page of another origin may use the
service in a browser only where its operator says so (`MALICE_CORS_ORIGINS`).

Errors: `application/problem+json` (RFC 9457). `code` is stable: branch on it; `detail` names the values and is
for people. Nothing has changed when a request is refused. 429 and 503 say in `Retry-After` when to come back.

Growth: answers may gain fields, and lists of words new words: ignore what you do not know. Requests with a
field or a query parameter that is not known here are refused.

Rules: R1 to R24 are the numbered rules of the project's `docs/rules.md`, "contract" is its `docs/contract.md`.
"""
ABOUT: Final = "\n\n".join(" ".join(paragraph.split()) for paragraph in _TEXT.strip().split("\n\n"))
"""A paragraph a line, with an empty line between them."""
