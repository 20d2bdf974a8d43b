"""Checks of playing and of values on the page of `krou serve`. `scripts/test-page` runs
them."""

import json
import re
import urllib.parse

from browser import ESCAPE, HOME, LEFT, RIGHT, equal, wait_until

TRAP = "1-0-1-0-3-1-1-1-0-0-0-1-19-20-S"
LINE = "0-1-1-0-2-2-0-1-0-1-1-0-20-19-S"
GAME = "FeCaBcEcBbCfAbFbEaBb"
START = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"


def pit(number):
    return f"[data-pit='{number}']"


def with_start(base, start, moves="", rules="awari"):
    return f"{base}/?rules={rules}&start={start}&moves={moves}"


def start_position(base):
    return f"{base}/?rules=awari"


def at_ply(browser, ply, what="the position"):
    wait_until(lambda: browser.text("#ply") == ply, f"{what}: {ply}")


def estimated(browser):
    wait_until(lambda: browser.text("#verdict-kind") == "estimate", "an estimate")


def moves_shown(browser):
    """The letters of the line that is shown, without captures and marks."""
    return browser.script("return [...document.querySelectorAll('#moves button:not(.aside) > span')]"
                          ".map(one => one.textContent[0]).join('')")


def play_a_move(browser, base):
    """A click sows and updates the board, the address, the move list and the live region."""
    browser.open(start_position(base))
    assert re.match(r"C( −?\+?[\d.]+)?, 4 seeds, South’s pit", browser.label(pit(2))), browser.label(pit(2))
    browser.click(pit(2))
    at_ply(browser, "1 / 1", "the move")
    equal([browser.text(f"{pit(n)} .count") for n in range(7)], ["4", "4", "0", "5", "5", "5", "5"], "seeds after the move")
    equal(browser.text("#status"), "North to move", "side to move")
    assert "moves=C" in browser.address(), browser.address()
    equal(moves_shown(browser), "C", "move list")
    wait_until(lambda: browser.text("#live").startswith("South plays C. North to move."), "the announcement")
    equal(browser.script("return document.activeElement.dataset.pit"), "2", "focus after a move")
    browser.click(pit(3))
    wait_until(lambda: "It is North’s turn" in browser.text("#error"), "the message")
    browser.type("f")
    at_ply(browser, "2 / 2", "a move by keyboard")
    assert not browser.shown("#notice"), "the message is still shown after a legal move"
    browser.type([LEFT, LEFT])
    at_ply(browser, "0 / 2", "going back")
    browser.type([RIGHT])
    at_ply(browser, "1 / 2", "going forward")
    # Another move replaces the rest of the game; the address holds the whole game.
    browser.type("1")
    wait_until(lambda: moves_shown(browser) == "Ca", "another move")
    browser.open(browser.address())
    equal((moves_shown(browser), browser.text("#ply")), ("Ca", "2 / 2"), "game from the address")


def type_moves_quickly(browser, base):
    """A move that is typed before the last one is answered is played after it."""
    browser.open(start_position(base))
    browser.connect(latency=150)
    browser.type("fAbC")
    at_ply(browser, "4 / 4", "four moves")
    browser.connect()
    equal(moves_shown(browser).lower(), "fabc", "moves")


def show_values(browser, base):
    """Values appear at the pits, with the best moves marked, and can be hidden."""
    browser.open(with_start(base, "0-0-0-0-0-1-2-0-0-0-0-1-0-0-S"))
    wait_until(lambda: browser.text(f"{pit(5)} .value") == "+4", "the value")
    equal(browser.label(pit(5)), "F +4, 1 seed, South’s pit, final lead +4, best", "label of the best move")
    browser.type("h")
    wait_until(lambda: browser.text(f"{pit(5)} .value") == "", "hidden values")
    equal(browser.count("#graph .point"), 0, "points of the hidden graph")
    browser.type("h")
    browser.click(pit(5))
    wait_until(lambda: browser.text("#verdict") == "South wins 3 to 0", "the end")
    equal(browser.text("#verdict-details"), "South has more than half of the seeds: 3 of 4.", "reason of the end")


def estimate_above_the_tables(browser, base):
    """P1: where the tables end, the page shows the engine's estimate as it deepens."""
    browser.open(start_position(base))
    estimated(browser)
    wait_until(lambda: re.match(r"estimate, depth \d+", browser.text("#analysis-source")), "the depth")
    equal(browser.count("#values tr"), 6, "moves with a value")
    equal(browser.count(".pit .value[data-kind=estimate]:not(:empty)"), 6, "estimates at the pits")
    lines = "return [...document.querySelectorAll('#values .rest')].filter(one => one.textContent).length"
    equal(browser.script(lines), 3, "lines at first")
    browser.choose("#lines", "6")
    wait_until(lambda: browser.script(lines) == 6, "six lines")
    assert browser.count("#line button") > 3, "the best line is short"
    wait_until(lambda: browser.count("#graph .estimated") == 1, "the estimate in the graph")
    first = browser.text("#values tr:first-child .move")[0]
    browser.click("#values tr:first-child button")
    at_ply(browser, "1 / 1", "the best move")
    equal(moves_shown(browser), first, "move from the list of values")
    wait_until(lambda: browser.count("#graph .estimated") == 2, "the estimate after the move")
    equal(browser.style("#graph .estimate", "strokeDasharray"), "6px, 4px", "line of estimates")


def review_a_game(browser, base):
    """P1: a review marks mistakes in the list of moves and covers the graph."""
    browser.open(f"{base}/?rules=awari&moves={GAME}")
    equal(browser.count("#graph .point") <= 1, True, "graph before the review")
    browser.click("#review")
    wait_until(lambda: "of 21" in browser.text("#review"), "the progress")
    wait_until(lambda: browser.shown("#lesson-summary"), "the summary", 60)
    equal(browser.count("#graph .point"), 21, "points of the graph")
    equal(browser.script("return [...document.querySelectorAll('#lesson-players th')].map(one => one.textContent)"),
          ["South", "North"], "players of the summary")
    assert browser.count("#moves small[data-mark]:not([data-mark=''], [hidden])") > 0, "no move is marked"
    assert browser.count("#graph .point[data-mark]") > 0, "no point is marked"
    assert browser.count("#moves [aria-label*='gave away']") > 0, "no move has a label with its loss"
    equal(browser.text("#review"), "Review game", "button after the review")


def see_the_review(browser, base):
    """The review of a game that is over stands where the result stood, with graph and key moments
    on the first screen of a desktop and on the first two of a phone. It can go deeper, once."""
    game = {"rules": "awari", "start": "1-0-1-0-1-0-1-0-1-0-2-2-20-19-S", "moves": "AeEcFdAeCf"}
    for width, height, screens in ((1280, 800, 1), (390, 844, 2)):
        browser.emulate(width, height)
        browser.remember(base)
        browser.open(f"{base}/?view=play&opponent=none&side=south&{urllib.parse.urlencode(game)}")
        result = browser.box("#status-card")[1]
        browser.click("#review-result")
        wait_until(lambda: browser.shown("#lesson-bar") or browser.shown("#lesson-summary"), "the progress")
        wait_until(lambda: browser.shown("#lesson-summary"), "the summary", 60)
        equal([browser.shown(name) for name in ("#analysis", "#examples", "#welcome")], [False] * 3, "what a reviewed game does not need")
        scroll = browser.script("return scrollY")
        assert abs(browser.box("#status-card")[1] + scroll - result) < 120, "the result is elsewhere"
        for part in ("#graph svg", "#lesson-moments"):
            bottom = browser.box(part)[3] + scroll
            assert bottom <= screens * height, f"{part} ends at {bottom} of {screens} times {height} pixels"
    assert browser.shown("#review-deeper"), "the review cannot go deeper"
    browser.click("#review-deeper")
    wait_until(lambda: browser.shown("#lesson-summary") and not browser.shown("#lesson-progress"), "the deeper review", 60)
    assert not browser.shown("#review-deeper"), "the review goes deeper for ever"
    # At an earlier position its values come first.
    browser.type([HOME])
    wait_until(lambda: browser.shown("#analysis"), "the values")
    assert browser.box("#analysis")[1] < browser.box("#lesson")[1], "the review stands before the values"


def open_examples(browser, base):
    """P2: the first screen has a verdict and examples to try."""
    browser.open(f"{base}/")
    equal((browser.text("#verdict"), browser.text("#verdict-kind")), ("South wins 28 to 20", "exact"), "first verdict")
    assert TRAP in browser.address(), browser.address()
    for rules, draw in [("abapa", "15-24-S"), ("awari", "20-20-S")]:
        browser.open(f"{base}/?rules={rules}")
        for name, part in [("draw", draw), ("long", "0-0-2-1-19-20"), ("start", f"?rules={rules}"), ("game", "moves=FeCa")]:
            browser.click(f"[data-example={name}]")
            wait_until(lambda: part in browser.address(), f"the example {name}")
            assert f"rules={rules}" in browser.address(), browser.address()
    assert not browser.shown("#examples"), "examples beside a game"
    browser.click("#new")
    wait_until(lambda: browser.shown("#examples"), "the examples of a new game")
    browser.click("[data-example=long]")
    wait_until(lambda: "59 plies" in browser.text("#verdict-details"), "the distance")
    browser.click("[data-example=draw]")
    wait_until(lambda: browser.text("#verdict") == "A draw, 24 each", "the draw")
    browser.click("[data-example=random]")
    wait_until(lambda: browser.text("#verdict-kind") == "exact" or browser.text("#status") == "Game over", "a random endgame")
    browser.remember(base, welcomed=False)
    browser.open(f"{base}/")
    assert browser.shown("#welcome"), "no hint at the first visit"
    browser.click("#welcome-close")
    browser.open(f"{base}/")
    assert not browser.shown("#welcome"), "the hint is shown again"


def count_seeds_at_the_end(browser, base):
    """P3: at the end of a game all seeds are counted once."""
    browser.open(with_start(base, "1-0-1-0-1-0-1-0-1-0-2-2-20-19-S", "AeEcFdAeCf"))
    equal(browser.text("#verdict"), "South wins 27 to 21", "result")
    counts = browser.script("return [...document.querySelectorAll('.board .count')].map(one => Number(one.textContent))")
    equal(sum(counts), 48, "seeds on the board and in the stores")


def check_preloads(browser):
    """All scripts that are loaded were named in the page before they were needed."""
    loaded = browser.script("return performance.getEntriesByType('resource').map(one => new URL(one.name).pathname)"
                            ".filter(path => path.endsWith('.js'))")
    preloaded = browser.script("return [...document.querySelectorAll('link[rel=modulepreload]')]"
                               ".map(one => new URL(one.href).pathname)")
    names = [{path.rpartition("/")[2] for path in paths} for paths in (loaded, preloaded)]
    equal(names[0] - names[1], {"first-paint.js", "main.js"}, f"scripts without preload, {browser.address()}")
    equal(names[1] - names[0], set(), f"preloads that are not needed, {browser.address()}")


def ask_before_saying_unknown(browser, base):
    """P6: on a slow network a click shows at once, nothing false is said, and nothing looks
    ready that is not."""
    browser.open(with_start(base, LINE))
    wait_until(lambda: browser.count("#values tr") > 0, "the values")
    browser.connect(latency=400)
    browser.script("""
        window.said = [];
        new MutationObserver(() => window.said.push(document.querySelector("#values-note").textContent,
          document.querySelector("#line-end").textContent))
          .observe(document.querySelector("aside"), { subtree: true, childList: true, characterData: true });""")
    browser.click("#best")
    wait_until(lambda: browser.count(".pit.asked") == 1 or browser.text("#ply") == "1 / 1", "the mark of the move")
    at_ply(browser, "1 / 1", "the move")
    wait_until(lambda: browser.count("#values tr") > 0, "the values")
    browser.connect()
    said = browser.script("return window.said")
    assert "No line known yet." not in said, said
    check_preloads(browser)
    for view in ("play", "puzzles", "learn"):
        browser.open(f"{base}/?view={view}")
        check_preloads(browser)
    page = browser.script("return fetch('./').then(answer => answer.text())")
    assert re.search(r'id="best"[^>]*aria-disabled="true"', page), "the best move looks ready before it is known"


def name_the_winner(browser, base):
    """P16: one number says how a game ends: in the verdict, at the pits and in the graph."""
    browser.open(with_start(base, "0-2-1-1-0-1-2-1-0-0-1-0-20-19-S", "DaBbEeDcFbC"))
    wait_until(lambda: browser.text("#verdict") == "North wins 28 to 20", "the verdict")
    equal(browser.text("#values tr.best .lead"), "+8", "lead of the best move for North")
    equal(browser.text("#values tr.best .result"), "wins 28–20", "result of the best move")
    assert "South’s final lead is −8 here" in browser.label("#graph svg"), browser.label("#graph svg")
    equal(browser.text(".pit.best .value"), "+8", "lead at the pit")


def list_distances_and_bounds(browser, base):
    """P17: each move has its result and distance, and its bounds where they differ."""
    browser.open(with_start(base, TRAP))
    wait_until(lambda: browser.count("#values tr") == 4, "the moves")
    rows = browser.script("return [...document.querySelectorAll('#values tr')].map(row => [...row.cells].map(cell => cell.textContent))")
    equal(rows[0], ["A", "+8", "wins 28–20", "3 plies"], "best move")
    equal(rows[1], ["E×4", "−2", "loses 23–25", "1 ply"], "second move")
    browser.open(with_start(base, "0-0-0-0-0-1-0-0-0-0-2-1-0-0-S", rules="abapa"))
    wait_until(lambda: browser.count("#values tr") == 1, "the move")
    equal(browser.text("#verdict-kind"), "bounds", "kind of the verdict")
    equal(browser.text("#verdict"), "North wins by 2 to 4 seeds", "verdict between bounds")
    equal(browser.text("#values .result"), "loses by 2 to 4", "bounds of the move")
    equal(browser.text("#verdict-details"), "How much depends on how a repetition is scored.", "details of the verdict")


def import_module(browser, name, use):
    """What an expression gives with a module of the page as `it`."""
    return browser.script(f"""
        const folder = new URL('.', document.querySelector('script[type=module][src]').src);
        return import(new URL('{name}', folder)).then((it) => {use});""")


def call_the_list_of_actions(browser, base):
    """Each control of each view calls an action that there is; buttons of dialogs and forms may
    have none."""
    for query in ("", f"?rules=awari&moves={GAME}", "?view=play", "?view=play&opponent=none", "?view=puzzles", "?view=learn"):
        browser.open(f"{base}/{query}")
        unknown = import_module(browser, "actions.js", """[...document.querySelectorAll("[data-action]")]
            .map((one) => one.dataset.action).filter((name) => !Object.hasOwn(it.actions, name))""")
        equal(unknown, [], f"actions that there are not, {query}")
        without = browser.script("""return [...document.querySelectorAll("button:not(form button), select:not(#solver-seeds), nav a, form")]
            .filter(one => !one.dataset.action && one.method !== "dialog").map(one => one.id || one.textContent)""")
        equal(without, [], f"controls without an action, {query}")


def say_what_bounds_decide(browser, base):
    """Each combination of bounds has its words: the results between them, for both players
    and in both languages."""
    browser.open(with_start(base, TRAP))
    wait_until(lambda: browser.count("#values tr") == 4, "the moves")
    words = {(1,): "wins", (0, 1): "wins-or-draws", (0,): "draws", (-1, 0): "draws-or-loses", (-1,): "loses", (-1, 0, 1): "open"}
    ranges = [(low, high) for low in range(-4, 5) for high in range(low, 5)]
    signs = [tuple(sorted({(lead > 0) - (lead < 0) for lead in range(low, high + 1)})) for low, high in ranges]
    decided = import_module(browser, "verdict.js", f"{json.dumps(ranges)}.map((one) => it.decision(...one))")
    equal(decided, [words[sign] for sign in signs], "decisions")
    # The stores are 20 and 22; bounds and value are those of the player to move.
    told = {
        ("south", 3, 5, 3): ("South wins by 1 to 3 seeds", "How much depends on how a repetition is scored."),
        ("north", -9, -3, -3): ("South wins by 1 to 7 seeds", "How much depends on how a repetition is scored."),
        ("south", 2, 3, 2): ("South wins or draws", "South finishes up to 1 seed ahead, depending on how a repetition is scored."),
        ("south", -4, 2, 0): ("North wins or draws", "North finishes up to 6 seeds ahead, depending on how a repetition is scored."),
        ("north", -2, 5, 0): ("North wins or draws", "North finishes up to 7 seeds ahead, depending on how a repetition is scored."),
        ("south", -4, 6, 0): ("North is ahead", "North finishes between 4 seeds behind and 6 ahead, depending on how a repetition is scored."),
        ("south", 1, 8, 8): ("South is clearly ahead", "South finishes between 1 seed behind and 6 ahead, depending on how a repetition is scored."),
        ("north", -6, 3, -2): ("About even", "North finishes between 4 seeds behind and 5 ahead, depending on how a repetition is scored."),
    }
    positions = [{"to_move": mover, "lower": low, "upper": high, "value": value, "stores": {"south": 20, "north": 22}}
                 for mover, low, high, value in told]
    said = import_module(browser, "verdict.js", f"{json.dumps(positions)}.map((one) => it.openVerdict(one))")
    equal([(one["title"], *one["details"]) for one in said], list(told.values()), "verdicts")
    results = {(1, 3): "wins by 1 to 3", (0, 3): "wins or draws", (-3, 0): "draws or loses", (-3, -1): "loses by 1 to 3", (-2, 4): "−2 to +4"}
    said = import_module(browser, "verdict.js", f"{json.dumps(list(results))}.map((one) => it.boundsResult(...one))")
    equal(said, list(results.values()), "results of moves")
    sentences = {(1, 3): "After E, South may win by no more than 1 seed.", (0, 3): "After E, North may hold the draw.",
                 (-3, 3): "After E, South may lose by 3 seeds.", (-3, 0): "After E, South draws at best, and may lose by 3 seeds.",
                 (-9, -3): "After E, North wins by at least 3 seeds."}
    said = import_module(browser, "puzzles-card.js", f"{json.dumps(list(sentences))}.map((one) => it.openSentence('E', 'south', ...one))")
    equal(said, list(sentences.values()), "what a wrong move loses")
    browser.speak("fr")
    said = import_module(browser, "verdict.js", f"{json.dumps(positions[:3])}.map((one) => it.openVerdict(one).title)")
    equal(said, ["Sud gagne de 1 à 3 graines", "Sud gagne de 1 à 7 graines", "Sud gagne ou fait nulle"], "verdicts in French")


def expect_less_after_repetitions(browser, base):
    """Where a board from before may end the game, the tables tell an expectation; so if it has
    been there twice, and once under rules that end a game at the second occurrence."""
    # Two seeds that go round: the board of the start is there again after twelve plies.
    browser.open(with_start(base, "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S", rules="abapa", moves="AaBbCcDdEeFfA"))
    wait_until(lambda: browser.text("#verdict-kind") == "expected", "an expectation")
    assert "A position that was there before may end the game first." in browser.text("#verdict-details"), browser.text("#verdict-details")
    browser.type([LEFT])
    wait_until(lambda: browser.text("#verdict-kind") == "bounds", "certain bounds before that")
    game = "{ repetitions, positions: ['a', 'b', 'a', 'c'].map((position) => ({ position, seeds: 2 })) }"
    certain = import_module(browser, "verdict.js", f"[2, 3].map((repetitions) => [0, 1, 2, 3].map((ply) => it.isCertain({game}, ply)))")
    equal(certain, [[True, False, False, False], [True, True, True, False]], "certain positions")
    captured = "{ positions: [9, 9, 9, 7].map((seeds) => ({ position: 'a', seeds })) }"
    equal(import_module(browser, "verdict.js", f"[2, 3].map((ply) => it.isCertain({captured}, ply))"), [False, True], "after a capture")


def switch_shortcuts_off(browser, base):
    """P22: letters can be switched off, and work on layouts with other letters."""
    browser.open(start_position(base))
    browser.press("с", "KeyC")
    wait_until(lambda: moves_shown(browser) == "C", "a move on a Cyrillic layout")
    browser.press("&", "Digit1")
    wait_until(lambda: moves_shown(browser) == "Ca", "a move by a digit that needs Shift")
    browser.click("#settings")
    browser.click("#letter-keys")
    browser.type([ESCAPE])
    browser.script("document.querySelector('#best').focus()")
    browser.type("fn")
    browser.type([LEFT])
    at_ply(browser, "1 / 2", "the arrow")
    equal(moves_shown(browser), "Ca", "moves after letters that are switched off")
    browser.open(browser.address())
    browser.click("#settings")
    equal(browser.script("return document.querySelector('#letter-keys').checked"), False, "choice after a reload")


def number_the_moves(browser, base):
    """P26: moves are numbered as in OGN, and the title tells the position."""
    browser.open(f"{base}/?rules=awari&moves=FeCa")
    numbers = browser.script("return [...document.querySelectorAll('#moves .number:not([hidden])')].map(one => one.textContent)")
    equal(numbers, ["1.", "2."], "numbers of the moves")
    assert "move 2" in browser.script("return document.title"), browser.script("return document.title")
    equal(browser.label("#moves li:nth-child(4) button"), "Move 2: a", "name of a move")
    browser.type([LEFT])
    wait_until(lambda: browser.text("#line li:first-child .number") == "2...", "the number where the best line begins")
    assert browser.text("#line li:nth-child(2) .number") == "3.", browser.text("#line")
    browser.type([HOME])
    at_ply(browser, "0 / 4", "the start")
    assert "move" not in browser.script("return document.title"), browser.script("return document.title")
    # A player may move again in the store games.
    browser.open(f"{base}/?rules=kalah&moves=CFa")
    labels = browser.script("return [...document.querySelectorAll('#moves li')].map(one => one.innerText.replace(/\\s+/g, ' ').trim())")
    equal(labels, ["1. C", "F", "a"], "moves of kalah")


def name_the_buttons(browser, base):
    """P28: a button says what it will do."""
    browser.open(with_start(base, TRAP))
    equal(browser.text("#hints"), "Hide values", "button while values are shown")
    browser.click("#hints")
    wait_until(lambda: browser.text("#hints") == "Show values", "button while values are hidden")
    browser.open(with_start(base, TRAP))
    equal(browser.text("#hints"), "Show values", "button after a reload")


def turn_the_board(browser, base):
    """The board can be turned, and stays so."""
    browser.open(start_position(base))
    lower = lambda: browser.box(pit(6))[1] > browser.box(pit(0))[1]  # noqa: E731
    equal(lower(), False, "North's row is below at first")
    browser.click("#flip")
    equal((lower(), browser.box(pit(6))[0] < browser.box(pit(11))[0]), (True, True), "turned board")
    browser.open(start_position(base))
    equal(lower(), True, "the board after a reload")
    browser.type("r")
    equal(lower(), False, "the board turned back")


CHECKS = [play_a_move, type_moves_quickly, show_values, estimate_above_the_tables, review_a_game, see_the_review, open_examples,
          count_seeds_at_the_end, ask_before_saying_unknown, name_the_winner, list_distances_and_bounds,
          call_the_list_of_actions, say_what_bounds_decide, expect_less_after_repetitions,
          switch_shortcuts_off, number_the_moves, name_the_buttons, turn_the_board]
