#!/usr/bin/env bash
# A whole game against `greedy` with curl: what is lost is asked again (--retry), a cut feed is resumed.
set -euo pipefail
games="${1:-http://127.0.0.1:8000}/v1/games"
asked='{"rules": {"preset": "gato-e-rato", "payoff": 5}, "seats": [{"name": "Ada"}, {"bot": "greedy"}]}'

# Sending a request again is safe: its Idempotency-Key is the same.
ask() { curl -sS --retry 20 --retry-all-errors --retry-delay 1 --max-time 30 -H "Content-Type: application/json" "$@" 2>>/dev/null; }
# The first text of a JSON field, or of its list; jq does this better where it is installed.
field() { sed -n "s/.*\"$1\":\[\{0,1\}\"\([^\"]*\)\".*/\1/p"; }

play() { # a move, if it is our turn
    local view move version
    view=$(ask -H "$token" "$games/$game")
    move=$(field legal <<<"$view")
    version=$(sed -n 's/.*"version":\([0-9]*\),"status".*/\1/p' <<<"$view")
    [[ -z $move ]] || ask -H "$token" -H "Idempotency-Key: move-$version" -d "{\"move\": \"$move\"}" \
        "$games/$game/moves" >/dev/null
}

created=$(ask -H "Idempotency-Key: $(head -c 16 /dev/urandom | od -An -tx1 | tr -d ' \n')" -d "$asked" "$games")
game=$(field game <<<"$created")
token="Authorization: Bearer $(field token <<<"$created")"
last=0 ended=""
while [[ -z $ended ]]; do
    play
    while read -r name value; do
        [[ $name == event: ]] && kind=$value
        [[ $name == data: && $kind == commit* ]] || continue
        last=$(sed -n 's/^{"version":\([0-9]*\),.*/\1/p' <<<"$value")
        echo "$last" $(grep -o '"type":"[A-Za-z]*"' <<<"$value" | cut -d'"' -f4)
        [[ $value != *'"type":"GameEnded"'* ]] || ended=yes
        play
    done < <(curl -sN --max-time 600 -H "$token" -H "Accept: text/event-stream" -H "Last-Event-ID: $last" "$games/$game/events")
done
echo "result: $(ask "$games/$game" | sed -n 's/.*"result":\({[^}]*}\).*/\1/p')"
