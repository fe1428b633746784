// A whole game against `greedy` with Node 20 and no package: what is lost is asked again, a cut feed is resumed.
const games = (process.argv[2] ?? "http://127.0.0.1:8000") + "/v1/games";
const asked = { rules: { preset: "gato-e-rato", payoff: 5 }, seats: [{ name: "Ada" }, { bot: "greedy" }] };
const rest = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));

// The answer. Where none comes the same request is sent again: its Idempotency-Key makes that safe.
async function ask(path, headers = {}, body) {
  const request = { headers: { "Content-Type": "application/json", ...headers }, signal: AbortSignal.timeout(30_000) };
  try {
    const answer = await fetch(games + path, body ? { ...request, method: "POST", body: JSON.stringify(body) } : request);
    if (answer.ok) return await answer.json();
    if (![429, 503].includes(answer.status)) throw new SyntaxError(await answer.text());
    await rest(answer.headers.get("Retry-After"));
  } catch (error) {
    if (error instanceof SyntaxError) throw error;
    await rest(0.5);
  }
  return ask(path, headers, body);
}

async function play() { // a move, if it is our turn
  const { legal, version } = await ask(game, seat);
  if (legal.length) await ask(`${game}/moves`, { ...seat, "Idempotency-Key": `move-${version}` }, { move: legal[0] });
}

const created = await ask("", { "Idempotency-Key": crypto.randomUUID() }, asked);
const game = `/${created.game}`, seat = { Authorization: `Bearer ${created.seats[0].token}` };
for (let last = 0, ended = false; !ended; ) {
  await play();
  try {
    const headers = { ...seat, Accept: "text/event-stream", "Last-Event-ID": String(last) };
    const feed = await fetch(`${games}${game}/events`, { headers });
    let text = "";
    for await (const piece of feed.body.pipeThrough(new TextDecoderStream())) {
      const messages = (text += piece).split("\n\n");
      text = messages.pop();
      for (const message of messages) {
        const field = Object.fromEntries(message.split("\n").map((line) => line.split(/: (.*)/)));
        if (field.event !== "commit") continue;
        const { version, events } = JSON.parse(field.data);
        console.log(version, ...events.map((event) => event.type));
        [last, ended] = [version, events.at(-1).type === "GameEnded"];
        await play();
      }
    }
  } catch { await rest(0.5); }
}
console.log("result:", JSON.stringify((await ask(game)).result));
