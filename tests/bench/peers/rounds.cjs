// How is a peer asked? As in rounds.py: it says what it is, then plays a round for every line that it reads.

const readline = require("node:readline");

/** @param {() => Promise<object> | object} round */
module.exports.rounds = async function rounds(round) {
  const { version } = require("boardgame.io/package.json");
  console.log(JSON.stringify({ what: `boardgame.io ${version}, Node ${process.versions.node}` }));
  for await (const _ of readline.createInterface({ input: process.stdin })) console.log(JSON.stringify(await round()));
};
