"""Checks of the puzzles, the trainer and the lessons on the page of `krou serve`.
`scripts/test-page` runs them."""

import json
import re
import urllib.request

from browser import ESCAPE, equal, wait_until
from playing import at_ply, pit

LESSONS = {
    "abapa": [("sow", "F"), ("lap", "F"), ("capture", "F"), ("chain", "E"), ("feed", "E"), ("slam", "F")],
    "awari": [("sow", "F"), ("lap", "F"), ("capture", "F"), ("chain", "E"), ("feed", "E"), ("slam", "C")],
    "pratt": [("feed", "E"), ("slam", "F")],
    "awale-info": [("slam", "D")],
    "kalah": [("store", "F"), ("again", "C"), ("opposite", "A"), ("end", "F")],
    "kalah-empty": [("opposite", "A")],
    "ifmg": [("store", "F"), ("again", "D"), ("opposite", "A"), ("even", "F"), ("end", "F")],
}


def press(letter):
    """The pit of a letter."""
    return pit("ABCDEFabcdef".index(letter))


def puzzles_of(browser, rules):
    """The puzzles of a ruleset with their numbers, as the page has them."""
    found = browser.script("return import(new URL('web/puzzles-sets.js', document.baseURI))"
                           ".then(sets => sets.load(arguments[0]))", rules)
    return list(enumerate(found, 1))


def player(puzzle):
    return puzzle["mover"].capitalize()


def other_of(puzzle):
    return "North" if puzzle["mover"] == "south" else "South"


def told(browser, card, words):
    wait_until(lambda: words in browser.text(f"#{card}-told"), f"'{words}', not '{browser.text(f'#{card}-told')}'")


# Lessons


def learn_the_rules(browser, base):
    """Each lesson says what to do, judges a move, and is marked as done; so for the rulesets
    that differ."""
    for rules, lessons in LESSONS.items():
        for name, move in lessons:
            browser.open(f"{base}/?view=learn&rules={rules}&lesson={name}")
            wait_until(lambda: browser.text("#learn-task") != "", f"the task of {name}")
            browser.click(press(move))
            wait_until(lambda: browser.script("return document.querySelector('#learn-told').dataset.phase") == "solved",
                       f"the end of the lesson {name} of {rules}")
            assert "✓" in browser.text(f"[data-lesson={name}]"), f"{name} of {rules} is not marked as done"


def learn_by_mistakes(browser, base):
    """A move that misses the goal is explained, and can be tried again. The page says why a
    pit may not be played."""
    browser.open(f"{base}/?view=learn")
    wait_until(lambda: browser.text("#learn-title") == "Sowing", "the first lesson")
    browser.click(pit(0))
    told(browser, "learn", "stay in your own row")
    browser.click("#learn-again")
    at_ply(browser, "0 / 0", "the lesson from its start")
    browser.click("#learn-show")
    told(browser, "learn", "That is sowing")
    browser.click("#learn-next")
    wait_until(lambda: browser.text("#learn-title") == "Once around", "the second lesson")
    browser.open(f"{base}/?view=learn&rules=awari&lesson=slam")
    wait_until(lambda: browser.text("#learn-title") == "The grand slam", "the last lesson")
    browser.click(pit(5))
    wait_until(lambda: "would capture the opponent’s last seeds" in browser.text("#error"), "the reason")
    browser.choose("#learn-rules", "kalah")
    wait_until(lambda: browser.text("#learn-title") == "Sowing with a store", "the lessons of kalah")
    assert browser.shown("#learn-stores"), "no word about the game with stores"
    browser.speak("fr")
    wait_until(lambda: browser.text("#learn-title") == "Semer avec un grenier", "the lesson in French")


# Puzzles


def solve_a_puzzle(browser, base):
    """The solution is found, North answers as long as there is one right move, the values and
    the line are shown, and the progress stays in the browser."""
    browser.open(f"{base}/?view=puzzles&rules=awari")
    number, puzzle = next((n, one) for n, one in puzzles_of(browser, "awari") if one["seeds"] <= 9 and len(one["line"]) > 3)
    browser.open(f"{base}/?view=puzzles&rules=awari&n={number}")
    wait_until(lambda: browser.text("#puzzle-name").startswith(f"Puzzle {number} of"), "the puzzle")
    assert puzzle["start"] in browser.address(), browser.address()
    assert browser.text("#puzzle-task").startswith(f"{player(puzzle)} to move"), browser.text("#puzzle-task")
    equal((browser.shown("#puzzle-proof"), browser.count(".pit .value:not(:empty)")), (False, 0), "values before the solution")
    line = puzzle["line"]
    played = 0
    while not browser.shown("#puzzle-proof"):
        browser.click(press(line[played]))
        played += 2
        wait_until(lambda: browser.shown("#puzzle-proof") or "only one right move" in browser.text("#puzzle-told"), "the answer")
    told(browser, "puzzle", "Solved.")
    equal(browser.count("#puzzle-values li"), len(puzzle["values"]), "moves with their values")
    wait_until(lambda: browser.count("#puzzle-line button") > 1, "the line")
    browser.click("#puzzle-line li:nth-child(2) button")
    wait_until(lambda: browser.text("#ply").startswith("2 /"), "a position of the line")
    assert browser.text("#puzzle-progress-text").startswith("1 of"), browser.text("#puzzle-progress-text")
    browser.open(f"{base}/?view=puzzles&rules=awari")
    wait_until(lambda: browser.text("#puzzle-progress-text").startswith("1 of"), "the progress after a reload")
    assert "1 of them at the first try" in browser.text("#puzzle-progress-text"), browser.text("#puzzle-progress-text")


def refute_a_wrong_move(browser, base):
    """A wrong move gets the answer of the tables: what it loses, and North's best reply."""
    browser.open(f"{base}/?view=puzzles&rules=awari")
    number, puzzle = next((n, one) for n, one in puzzles_of(browser, "awari") if one["seeds"] <= 9 and len(one["values"]) > 2)
    wrong = min(puzzle["values"], key=puzzle["values"].get)
    lost = puzzle["values"][puzzle["solution"]] - puzzle["values"][wrong]
    browser.open(f"{base}/?view=puzzles&rules=awari&n={number}")
    wait_until(lambda: browser.shown("#puzzle-show"), "the puzzle")
    browser.click(press(wrong))
    told(browser, "puzzle", f"{wrong} gives away {lost} seed")
    told(browser, "puzzle", f"{other_of(puzzle)} answers with")
    wait_until(lambda: browser.count("#puzzle-line button") > 1, "the line of the refutation")
    assert not browser.shown("#puzzle-proof"), "a wrong move shows the solution"
    # The try is over; trying again goes back to the position before.
    browser.click(f".row.{puzzle['mover']} .pit.legal")
    wait_until(lambda: browser.text("#error") == "This try is over.", "the message")
    browser.click("#puzzle-again")
    at_ply(browser, "0 / 0", "the puzzle again")
    browser.click("#puzzle-show")
    told(browser, "puzzle", f"The solution is {puzzle['solution']}.")
    assert browser.shown("#puzzle-proof"), "no values beside the solution"
    browser.click("#puzzle-analyse")
    wait_until(lambda: "view=" not in browser.address() and puzzle["start"] in browser.address(), "the analysis")


def tell_what_a_move_may_lose(browser, base):
    """Where a repetition decides what a wrong move costs, the page says what it may lose, and
    does not call the result open."""
    side = "(South|North)"
    sentences = re.compile(rf"After [A-Fa-f], {side} (wins by at least \d+ seeds?|may lose by \d+ seeds?"
                           r"|draws at best, and may lose by \d+ seeds?|may hold the draw"
                           rf"|may win by no more than \d+ seeds?)\.( {side} answers with [a-fA-F]\.)?")
    browser.open(f"{base}/?view=puzzles&rules=abapa")
    found = set()
    for number, puzzle in puzzles_of(browser, "abapa"):
        if puzzle["seeds"] > 9 or puzzle["theme"] != "loop-trap" or len(puzzle["values"]) < 3:
            continue
        browser.open(f"{base}/?view=puzzles&rules=abapa&n={number}")
        wait_until(lambda: browser.shown("#puzzle-show"), "the puzzle")
        browser.click(press(next(letter for letter in puzzle["values"] if letter != puzzle["solution"])))
        wait_until(lambda: browser.text("#puzzle-told") != "", "what the move loses")
        told = browser.text("#puzzle-told")
        assert sentences.fullmatch(told) or " gives away " in told, told
        found.add(" gives away " in told)
        if False in found:
            return
    raise AssertionError("no move of a loop trap has bounds")


def answer(base, path):
    with urllib.request.urlopen(f"{base}/api/v1/{path}") as found:
        return json.load(found)


def lead_after(base, rules, puzzle, letter):
    """The lowest and the highest final lead of the player after a move, by the tables."""
    after = answer(base, f"{rules}/game?start={puzzle['start']}&moves={letter}")["positions"][1]
    sign = 1 if puzzle["mover"] == "south" else -1
    stores = sign * (after["stores"]["south"] - after["stores"]["north"])
    turn = 1 if after["to_move"] == puzzle["mover"] else -1
    ends = [after["value"] if after[name] is None else after[name] for name in ("lower", "upper")]
    return None if None in ends else sorted(stores + turn * end for end in ends)


def say_the_truth(browser, base):
    """By the tables the solution of a puzzle wins or draws, and no other move does; what is said of a
    wrong move is true. The stores are those of a game, either side moves, and guessing does not help."""
    browser.open(f"{base}/?view=puzzles")
    for rules in ("abapa", "awari"):
        puzzles = puzzles_of(browser, rules)
        for _, puzzle in puzzles:
            *pits, south, north, _ = puzzle["start"].split("-")
            equal(sum(map(int, pits)) + int(south) + int(north), 48, f"seeds of {puzzle['start']}")
            assert max(int(south), int(north)) <= 24, puzzle["start"]
            assert len(puzzle["values"]) > 2 or puzzle["grade"] > 2, f"a guess solves {puzzle['start']}"
        movers = [puzzle["mover"] for _, puzzle in puzzles]
        assert 0.4 < movers.count("north") / len(movers) < 0.6, movers.count("north")
        decisive = [one for _, one in puzzles if one["goal"] == "result"]
        assert len(decisive) > 0.8 * len(puzzles), f"{len(decisive)} of {len(puzzles)} decide the game"
        small = [one for one in decisive if one["seeds"] <= 9 and one["theme"] != "loop-trap"]
        assert len(small) > 10, len(small)
        for puzzle in small[:40]:
            right = lead_after(base, rules, puzzle, puzzle["solution"])
            for letter in puzzle["values"]:
                other = lead_after(base, rules, puzzle, letter)
                if None in (right, other) or letter == puzzle["solution"]:
                    continue
                goal = 0 if right[0] == 0 else 1
                assert right[0] >= goal > other[1], f"{puzzle['start']} of {rules}: {puzzle['solution']} {right}, {letter} {other}"
    said = set()
    for number, puzzle in puzzles_of(browser, "abapa"):
        letter = min(puzzle["values"], key=puzzle["values"].get)
        bounds = puzzle["seeds"] <= 9 and lead_after(base, "abapa", puzzle, letter)
        if not bounds or bounds[0] == bounds[1] or len(said) > 3:
            continue
        low, high = bounds
        browser.open(f"{base}/?view=puzzles&rules=abapa&n={number}")
        wait_until(lambda: browser.shown("#puzzle-show"), "the puzzle")
        browser.click(press(letter))
        seeds = lambda number: f"{number} seed{'' if number == 1 else 's'}"
        own = player(puzzle)
        expected = (f"{own} may win by no more than {seeds(low)}" if low > 0 else f"{other_of(puzzle)} may hold the draw" if low == 0
                    else f"{other_of(puzzle)} wins by at least {seeds(-high)}" if high < 0
                    else f"{own} draws at best, and may lose by {seeds(-low)}" if high == 0 else f"{own} may lose by {seeds(-low)}")
        told(browser, "puzzle", f"After {letter}, {expected}.")
        said.add(number)
    assert said, "no wrong move has bounds"


def mix_puzzles(browser, base):
    """The next puzzle is never the next one of the file; the rating changes with the first try, and
    stays; a puzzle that was missed comes back."""
    browser.open(f"{base}/?view=puzzles&rules=awari&n=3")
    wait_until(lambda: browser.text("#puzzle-rating") == "Your rating: 1000", "the first rating")
    puzzles = dict(puzzles_of(browser, "awari"))
    seen, themes = [3], set()

    def here():
        return int(browser.script("return new URLSearchParams(location.search).get('n')"))

    def miss():
        browser.click("#puzzle-show")
        told(browser, "puzzle", "The solution is")

    miss()
    gain = browser.text("#puzzle-gain")
    assert gain.startswith("−"), gain
    equal(browser.text("#puzzle-rating"), f"Your rating: {1000 - int(gain[1:])}", "the rating after a miss")
    for _ in range(6):
        browser.click("#puzzle-next")
        wait_until(lambda: here() != seen[-1] and browser.shown("#puzzle-show") and not browser.shown("#puzzle-proof"), "another puzzle")
        seen.append(here())
        themes.add(puzzles[here()]["theme"])
        if here() == 3:
            break
        miss()
    assert 3 in seen[4:], f"the first puzzle does not come back: {seen}"
    assert len(themes) > 2, themes
    assert any(other - one != 1 for one, other in zip(seen, seen[1:])), seen
    rating = browser.text("#puzzle-rating")
    browser.click(press(puzzles[3]["solution"]))
    told(browser, "puzzle", "")
    browser.open(f"{base}/?view=puzzles&rules=awari&n=9")
    wait_until(lambda: browser.text("#puzzle-rating") == rating, "the rating after a reload, which a second try does not change")
    browser.click(press(puzzles[9]["solution"]))
    wait_until(lambda: browser.text("#puzzle-told") != "", "the answer")


def rush(browser, base):
    """Puzzles against the clock: right and wrong answers are counted, the next one comes by itself,
    and the best result stays."""
    browser.open(f"{base}/?view=puzzles&rules=awari")
    wait_until(lambda: browser.shown("#puzzle-rush"), "the button")
    puzzles = dict(puzzles_of(browser, "awari"))
    browser.click("#puzzle-rush")
    wait_until(lambda: browser.shown("#rush") and not browser.shown("#puzzle"), "the rush")

    def current():
        return puzzles[int(browser.script("return new URLSearchParams(location.search).get('n') ?? 0") or 0)]

    for solved in range(1, 4):
        wait_until(lambda: browser.text("#ply") == "0 / 0", "the next puzzle")
        puzzle = current()
        browser.click(press(puzzle["solution"]))
        wait_until(lambda: browser.text("#rush-solved") == str(solved), "the count")
        wait_until(lambda: puzzle["start"] not in browser.address(), "the next puzzle")
    wait_until(lambda: browser.text("#ply") == "0 / 0", "the next puzzle")
    puzzle = current()
    browser.click(press(next(letter for letter in puzzle["values"] if letter != puzzle["solution"])))
    told(browser, "rush", f"The solution is {puzzle['solution']}.")
    equal([browser.text(f"#rush-{name}") for name in ("solved", "missed")], ["3", "1"], "the counts")
    assert browser.text("#rush-time") < "3:00", browser.text("#rush-time")
    browser.click("#rush-stop")
    wait_until(lambda: browser.text("#rush-task") == "3 puzzles in three minutes", "the result")
    browser.click("#rush-close")
    wait_until(lambda: browser.shown("#puzzle"), "the puzzles")
    equal(browser.text("#puzzle-rating"), "Your rating: 1000", "the rating after a rush")
    browser.open(f"{base}/?view=puzzles&rules=awari")
    wait_until(lambda: browser.shown("#puzzle-rush"), "the button")
    browser.click("#puzzle-rush")
    wait_until(lambda: browser.text("#rush-best") == "Your best: 3", "the best result")


def choose_puzzles(browser, base):
    """Each day has a puzzle, which can be linked; sets are chosen by theme and grade."""
    browser.open(f"{base}/?view=puzzles&day=2026-11-20")
    wait_until(lambda: browser.text("#puzzle-name") == "Puzzle of November 20, 2026", "the puzzle of a day")
    first = browser.script("return new URLSearchParams(location.search).get('start')")
    browser.click("#puzzle-day-after")
    wait_until(lambda: "day=2026-11-21" in browser.address(), "the next day")
    assert first not in browser.address(), "two days have the same puzzle"
    browser.script("history.back()")
    wait_until(lambda: first in browser.address(), "the day before")
    quiet = [one for _, one in puzzles_of(browser, "abapa") if one["theme"] == "quiet"]
    browser.choose("#puzzle-theme", "quiet")
    wait_until(lambda: "theme=quiet" in browser.address(), "the theme in the address")
    wait_until(lambda: browser.text("#puzzle-name").endswith(f"of {len(quiet)}"), "a puzzle of the theme")
    start = browser.script("return new URLSearchParams(location.search).get('start')")
    assert start in [one["start"] for one in quiet], f"{start} is of another theme"
    # Each ruleset has its set; other rules lead to one.
    browser.choose("#puzzle-rules", "awari")
    wait_until(lambda: "rules=awari" in browser.address() and browser.text("#ply") == "0 / 0", "the other set")
    browser.open(f"{base}/?view=puzzles&rules=kalah")
    wait_until(lambda: "rules=abapa" in browser.address(), "a set for kalah")
    browser.speak("fr")
    wait_until(lambda: browser.text("#puzzle-name").startswith("Énigme du"), "the puzzle in French")


# The trainer

# South captures three of four seeds, and takes the last one.
ENDGAME = "0-0-0-0-0-1-2-0-0-0-0-1-0-0-S"


def train_an_endgame(browser, base):
    """The door to the trainer stands where the value is exact. The opponent is perfect, the
    seeds given away are counted, and the end says what was possible."""
    browser.open(f"{base}/?view=puzzles&rules=awari")
    wait_until(lambda: browser.text("#puzzle-task") != "", "the puzzle")
    browser.click("#puzzle-trainer")
    wait_until(lambda: browser.shown("#trainer"), "the trainer")
    # Each endgame of the trainer is known exactly.
    for _ in range(4):
        wait_until(lambda: browser.shown("#trainer-count"), "a count")
        browser.click("#trainer-another")
    browser.open(f"{base}/?rules=awari&start={ENDGAME}")
    wait_until(lambda: browser.text("#train") == "Win this position against perfect defence", "the door")
    browser.click("#train")
    wait_until(lambda: browser.text("#trainer-task") == "South: win this position against perfect defence", "the task")
    equal([browser.text(f"#trainer-{name}") for name in ("possible", "now", "lost")], ["+4", "+4", "0"], "counts at first")
    equal(browser.count(".pit .value:not(:empty)"), 0, "values while training")
    browser.click(pit(5))
    told(browser, "trainer", "You reached all that was possible: +4.")
    # A mistake is counted, and can be taken back.
    browser.open(f"{base}/?view=puzzles&rules=awari&trainer=1&start=1-0-1-0-3-1-1-1-0-0-0-1-0-0-S")
    wait_until(lambda: browser.text("#trainer-possible") == "+9", "what is possible")
    browser.click(pit(4))
    told(browser, "trainer", "E gave away 10 seeds.")
    at_ply(browser, "2 / 2", "the reply")
    equal([browser.text("#trainer-now"), browser.text("#trainer-lost")], ["−1", "10"], "counts after a mistake")
    equal(browser.text("#trainer-losses"), "1. E −10", "where seeds went")
    browser.click("#trainer-losses button")
    at_ply(browser, "0 / 2", "the position before the mistake")
    browser.click("#trainer-back")
    at_ply(browser, "0 / 0", "the move taken back")
    equal(browser.text("#trainer-lost"), "0", "count after taking back")
    browser.click(pit(0))
    told(browser, "trainer", "A gives nothing away.")
    browser.click("#trainer-another")
    wait_until(lambda: "1-0-1-0-3-1-1-1-0-0-0-1" not in browser.address() and browser.text("#ply") == "0 / 0", "another endgame")
    browser.click("#trainer-puzzles")
    wait_until(lambda: browser.shown("#puzzle"), "the puzzles")
    browser.open(f"{base}/?rules=awari")
    wait_until(lambda: browser.text("#verdict") != "", "the verdict")
    assert not browser.shown("#train"), "a door where nothing is exact"


# Reviews

# An endgame that the tables know, with moves that gave seeds away: exact, so always the same.
REVIEWED = "start=1-0-1-0-1-0-1-0-1-0-2-2-20-19-S&moves=AeEcFdAeCf"


def review(browser, base):
    browser.open(f"{base}/?rules=awari&{REVIEWED}")
    browser.click("#review")
    wait_until(lambda: browser.shown("#lesson-summary"), "the review", 60)


def learn_from_a_review(browser, base):
    """A review tells how both players played, without a sum that no board has, and asks for
    better moves at the key moments. Values are hidden meanwhile."""
    review(browser, base)
    rows = browser.script("return [...document.querySelectorAll('#lesson-rows tr')].map(row => [...row.cells].map(cell => cell.textContent))")
    averages = next(row for row in rows if row[0].startswith("Average seeds lost"))
    equal(averages[1:], ["4.0", "8.0"], "average losses")
    assert rows[0][0] == "Accuracy" and rows[0][1].endswith(" %"), rows[0]
    equal(browser.count("#lesson-moments li"), 3, "key moments")
    browser.click("#lesson-moments li:nth-child(2) button")
    wait_until(lambda: browser.shown("#moment"), "the task")
    told(browser, "moment", "In the game, c gave away 14 seeds.")
    equal((browser.text("#ply"), browser.shown("#values"), browser.count(".pit .value:not(:empty)")), ("3 / 10", False, 0),
          "position and values of the task")
    equal(browser.script("return document.activeElement.id"), "moment", "focus")
    browser.click(press("c"))
    told(browser, "moment", "c was played in the game")
    browser.click(press("a"))
    told(browser, "moment", "a gives away")
    browser.click(press("f"))
    told(browser, "moment", "f gives nothing away")
    wait_until(lambda: browser.text(f"{press('f')} .value") != "", "the values after the answer")
    equal(browser.text("#ply"), "3 / 10", "the game after tries")
    browser.click("#moment-next")
    wait_until(lambda: browser.text("#moment-task") != "" and browser.text("#ply") != "3 / 10", "the next moment")
    browser.click("#moment-show")
    told(browser, "moment", "The better move is")
    browser.click("#moment-close")
    wait_until(lambda: not browser.shown("#moment"), "the end of the task")


def keep_a_review(browser, base):
    """A review is there after a reload, goes with a link, and is in the text of the game."""
    review(browser, base)
    marked = browser.count("#moves small[data-mark]:not([data-mark=''], [hidden])")
    browser.open(browser.address())
    wait_until(lambda: browser.shown("#lesson-summary"), "the review after a reload", 60)
    browser.script("navigator.clipboard.writeText = words => { window.copied = words; return Promise.resolve(); }")
    browser.click("#share")
    link = wait_until(lambda: browser.script("return window.copied"), "the link")
    assert len(link) < 2000 and "review=" in link, link
    browser.remember(base)
    browser.open(link)
    wait_until(lambda: browser.shown("#lesson-summary"), "the review of the link", 60)
    equal(browser.count("#moves small[data-mark]:not([data-mark=''], [hidden])"), marked, "marks of the link")
    assert "review=" not in browser.address(), browser.address()
    browser.open(link[:-9])
    assert not browser.shown("#notice"), "a damaged review in a link is an error"
    browser.click("#files")
    wait_until(lambda: "c?? { gives away 14 seeds; better f" in browser.value("#ogn"), "marks and comments in the text")


RECORD = """[Variant "awari"]
[Event "Ghana Open"]
[Site "?"]
[Date "?"]
[Round "?"]
[South "Ama"]
[North "Kofi"]
[Result "24-24"]

{ An old game } 1. F!? { good } e (1... d { why? } 2. C (2. A (2... Q)) a) 2. C
a! 24-24
"""


def keep_names_and_comments(browser, base):
    """A loaded game is saved as it was, with names, comments and variations, also after a
    reload; comments and variations are shown. A game that goes on keeps them."""
    browser.open(f"{base}/?rules=awari")
    browser.click("#files")
    wait_until(lambda: "Variant" in browser.value("#ogn"), "the text")
    browser.write("#ogn", RECORD)
    browser.click("#ogn-load")
    at_ply(browser, "4 / 4", "the game")
    for _ in range(2):
        browser.click("#files")
        wait_until(lambda: browser.value("#ogn") == RECORD, "the text as it was")
        browser.type([ESCAPE])
        shown = browser.script("return [...document.querySelectorAll('#moves > li')].map(one => one.innerText.replace(/\\s+/g, ' ').trim())")
        equal(shown, ["An old game", "1. F !?", "good", "e", "1... d why? 2. C 2. A (2... Q) a", "2. C", "a !"], "the list of moves")
        browser.open(browser.address())
    browser.click("#moves ol ol button")
    at_ply(browser, "3 / 3", "a variation inside another one")
    browser.click("#moves > li:nth-child(2) button")
    wait_until(lambda: "good" in browser.text("#live"), "the comment in words")
    browser.click("#moves > li:last-child button")
    at_ply(browser, "4 / 4", "the main line")
    browser.click(press("B"))
    at_ply(browser, "5 / 5", "a move")
    browser.click("#files")
    wait_until(lambda: "(1... d { why? } 2. C (2. A (2... Q)) a) 2. C\na! 3. B\n" in browser.value("#ogn"), "the text after a move")
    assert '[North "Kofi"]' in browser.value("#ogn") and '[Result "*"]' in browser.value("#ogn"), browser.value("#ogn")


CHECKS = [learn_the_rules, learn_by_mistakes, solve_a_puzzle, refute_a_wrong_move,
          tell_what_a_move_may_lose, say_the_truth, mix_puzzles, rush, choose_puzzles, train_an_endgame,
          learn_from_a_review, keep_a_review, keep_names_and_comments]
