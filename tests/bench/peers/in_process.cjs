// How fast does boardgame.io play in one process? Its client without a server, `greedy` on both seats.

const { Client } = require("boardgame.io/client");
const { game, greedy, view } = require("./game.cjs");
const { rounds } = require("./rounds.cjs");

const GAMES = 20;
let seed = 0;

rounds(() => {
  let [moves, won] = [0, 0];
  const began = performance.now();
  for (let number = 0; number < GAMES; number++) {
    const client = Client({ game: { ...game, playerView: ({ G }) => G, seed: ++seed }, numPlayers: 2, debug: false });
    client.start();
    for (let state = client.getState(); !state.ctx.gameover; state = client.getState()) {
      const seat = Number(state.ctx.currentPlayer);
      const [name, ...args] = greedy(view(state.G, seat), seat);
      client.moves[name](...args);
      moves++;
    }
    won += client.getState().ctx.gameover.reason === "payoff";
    client.stop();
  }
  return { count: moves, seconds: (performance.now() - began) / 1000, games: GAMES, won };
});
