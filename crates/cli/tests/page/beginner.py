"""A beginner on the page of `krou serve`, who wins against the easiest level. `scripts/test-page`
runs it."""

import json
import random
import urllib.parse
import urllib.request

from browser import wait_until
from playing import pit

GAMES = 5
PATIENCE = 30  # seconds for a move and its reply
# The position, once it is the user's turn, or the result.
SHOWN = """
    const verdict = document.querySelector("#verdict").textContent;
    const query = new URLSearchParams(location.search);
    if (!document.querySelector("#result").hidden) return { over: verdict };
    return verdict.startsWith("Your turn") ? { rules: query.get("rules"), moves: query.get("moves") ?? "" } : null;"""


def captures(base, rules, moves):
    """The seeds that each move captures, as somebody counts who looks at the board."""
    query = urllib.parse.urlencode({"moves": moves})
    with urllib.request.urlopen(f"{base}/api/v1/{rules}/position?{query}") as answer:
        sowings = json.load(answer)["sowings"]["moves"]
    taken = {one["letter"]: sum(event["seeds"] for event in one["events"] if event["event"] == "capture") for one in sowings}
    return dict(sorted(taken.items()))


def play_a_game(browser, base, chance):
    """Plays the game that has begun to its end, on either side; returns the result."""
    before = None
    while True:
        shown = wait_until(lambda: (now := browser.script(SHOWN)) != before and now, "the turn of the beginner", PATIENCE)
        if "over" in shown:
            return shown["over"]
        taken = captures(base, shown["rules"], shown["moves"])
        best = [letter for letter, seeds in taken.items() if seeds == max(taken.values())]
        browser.click(pit("ABCDEFabcdef".index(chance.choice(best))))
        before = shown


def beginner_wins(browser, base):
    """Who takes the biggest capture, else any pit, wins one of a few games of the easiest level."""
    browser.remember(base, view="play")
    browser.open(f"{base}/")
    browser.click("#start")
    chance = random.Random(68)
    results = []
    while len(results) < GAMES:
        results.append(play_a_game(browser, base, chance))
        if results[-1].startswith("You win"):
            return
        browser.click("#rematch")
    raise AssertionError(f"the beginner won none of {GAMES} games: {results}")


CHECKS = [beginner_wins]
