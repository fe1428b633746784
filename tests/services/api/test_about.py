"""What needs no game: presets, bots, health; and a store that is away."""

from events.game.presets import PRESETS, resolve
from tests.services.api.table import BOTS, PEOPLE, Api, problem


def test_the_presets_are_listed_with_every_knob_and_the_changes_they_take(api: Api):
    presets = {preset["name"]: preset for preset in api.get("/v1/rules").json()["presets"]}
    assert set(presets) == set(PRESETS)
    for name, preset in presets.items():
        assert resolve(preset["rules"]) == PRESETS[name].rules
        for knob, values in preset["changes"].items():
            assert values
            if knob not in ("teams", "team_win"):
                assert all(resolve({"preset": name, knob: value}) for value in values)


def test_the_bots_are_listed_with_a_line_each(api: Api):
    assert api.get("/v1/bots").json() == {"bots": [{"name": name, "about": about} for name, about in BOTS.items()]}


def test_the_service_is_ready_while_its_store_answers_and_its_work_is_not_too_far_back(api: Api):
    assert api.get("/readyz").json() == {"status": "ready"}
    api.away = True
    answer = api.get("/readyz")
    assert "90 s behind" in problem(answer, 503, "unavailable")["detail"]
    assert answer.headers["retry-after"] == "1"


def test_with_the_store_away_everything_that_needs_it_is_unavailable_and_the_process_alive(api: Api):
    table = api.marked()
    api.server.connected = False
    answers = [api.get("/readyz"), api.get(table.path), table.play(0, "9c>s3"), api.get(f"{table.path}/events")]
    answers.append(api.post("/v1/games", {"rules": "gato-e-rato", "seats": PEOPLE}))
    for answer in answers:
        problem(answer, 503, "unavailable")
        assert answer.headers["retry-after"] == "1"
    assert api.get("/healthz").json() == {"status": "ok"}
    assert api.get("/v1/rules").status_code == 200
    api.server.connected = True
    assert table.play(0, "9c>s3").status_code == 200
