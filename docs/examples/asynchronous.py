"""The same with the asynchronous client: one task plays, another one watches."""

import asyncio
import sys

from services.client import AsyncClient, AsyncGame


async def watch(game: AsyncGame) -> None:
    async for commit in game.feed():
        print(commit.version, *(type(event).__name__ for event in commit.events))


async def main(url: str) -> None:
    async with AsyncClient(url) as client:
        created = await client.create_game({"preset": "gato-e-rato", "payoff": 5}, [{"name": "Ada"}, {"bot": "greedy"}])
        game = client.game(created.game, token=created.seats[0].token)
        view, _ = await asyncio.gather(game.play(lambda view: view.legal[0]), watch(game))
        print("result:", view.result)


asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000"))
