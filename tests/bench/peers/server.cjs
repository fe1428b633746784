// How fast is boardgame.io's server? Matches in memory, each with two players on sockets of their own, who send the move
// of `greedy` as soon as it is their turn. The server is a process of its own; the clients wait for their answers only.

const { fork } = require("node:child_process");
const { io } = require("socket.io-client");
const { game, greedy } = require("./game.cjs");
const { rounds } = require("./rounds.cjs");

const MATCHES = 50;
const SECONDS = 3;

function serve() {
  const { Server } = require("boardgame.io/server");
  console.log = () => {};
  const server = Server({ games: [game], origins: ["*"] });
  server.run({ port: 0 }).then(({ appServer }) => process.send(appServer.address().port));
  process.on("disconnect", () => process.exit());
}

async function ask() {
  const server = fork(__filename, ["serve"]);
  const port = await new Promise((resolve) => server.once("message", resolve));
  const latencies = [];
  let [playing, waiting, begun] = [false, [], 0];

  class Player {
    constructor(seat) {
      this.seat = seat;
      this.sent = null;
      this.socket = io(`http://127.0.0.1:${port}/malice`, { transports: ["websocket"], forceNew: true });
      this.socket.on("sync", (match, { state }) => match === this.match && this.see(state));
      this.socket.on("update", (match, state) => match === this.match && this.see(state));
    }
    join(match) {
      this.match = match;
      this.socket.emit("sync", match, String(this.seat), undefined, 2);
    }
    see(state) {
      if (this.sent !== null) {
        latencies.push(performance.now() - this.sent);
        this.sent = null;
      }
      if (state.ctx.gameover) {
        if (!this.seat) next(this, this.other);
      } else if (Number(state.ctx.currentPlayer) === this.seat) {
        if (playing) this.move(state);
        else waiting.push(() => this.move(state));
      }
    }
    move(state) {
      const [type, ...args] = greedy(state.G, this.seat);
      const payload = { type, args, playerID: String(this.seat) };
      this.sent = performance.now();
      this.socket.emit("update", { type: "MAKE_MOVE", payload }, state._stateID, this.match, String(this.seat));
    }
  }

  function next(first, second) {
    begun++;
    for (const player of [first, second]) player.join(`match-${begun}`);
  }

  for (let number = 0; number < MATCHES; number++) {
    const [first, second] = [new Player(0), new Player(1)];
    first.other = second;
    next(first, second);
  }

  await rounds(async () => {
    latencies.length = 0;
    const began = performance.now();
    playing = true;
    for (const go of waiting.splice(0)) go();
    await new Promise((resolve) => setTimeout(resolve, 1000 * SECONDS));
    playing = false;
    const seconds = (performance.now() - began) / 1000;
    const sorted = [...latencies].sort((a, b) => a - b);
    const at = (share) => sorted[Math.floor(share * sorted.length)];
    return { count: sorted.length, seconds, p50: at(0.5), p99: at(0.99), matches: MATCHES };
  });
  process.exit();
}

if (process.argv[2] === "serve") serve();
else ask();
