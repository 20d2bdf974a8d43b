"""Checks of what the page of `krou serve` does: playing, values, opponents, the editor,
links, files and errors. `scripts/test-page` runs them."""

import re
import time

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
    """The letters of the list of moves, without captures and marks."""
    return browser.script("return [...document.querySelectorAll('#moves button > span')]"
                          ".map(one => one.textContent[0]).join('')")


def fail_requests(browser, pattern, status, times, body="{}"):
    """Lets the next requests to matching addresses fail with this status."""
    browser.script("""
        const [pattern, status, times, body] = arguments;
        const real = window.realFetch ??= window.fetch;
        let left = times;
        window.fetch = (address, options) => {
          if (left === 0 || !String(address).includes(pattern)) return real(address, options);
          left -= 1;
          return Promise.resolve(new Response(body, { status, headers: { "retry-after": "1" } }));
        };""", pattern, status, times, body)


def play_a_move(browser, base):
    """A click sows and updates the board, the address, the move list and the live region."""
    browser.open(start_position(base))
    equal(browser.label(pit(2)).split(", ")[:2], ["South’s pit C", "4 seeds"], "label of a pit")
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
    equal(browser.label(pit(5)), "South’s pit F, 1 seed, final lead +4, best", "label of the best move")
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
    equal(browser.count("#values tr"), 3, "moves with a value")
    equal(browser.count(".pit .value[data-kind=estimate]:not(:empty)"), 3, "estimates at the pits")
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
    wait_until(lambda: browser.shown("#review-summary"), "the summary")
    equal(browser.count("#graph .point"), 21, "points of the graph")
    assert re.search(r"South gave away .* North gave away", browser.text("#review-summary")), browser.text("#review-summary")
    assert browser.count("#moves small[data-mark]:not([data-mark=''], [hidden])") > 0, "no move is marked"
    assert browser.count("#graph .point[data-mark]") > 0, "no point is marked"
    assert browser.count("#moves [aria-label*='gave away']") > 0, "no move has a label with its loss"
    equal(browser.text("#review"), "Review game", "button after the review")


def open_examples(browser, base):
    """P2: the first screen has a verdict and examples to try."""
    browser.open(f"{base}/")
    equal((browser.text("#verdict"), browser.text("#verdict-kind")), ("South wins 28 to 20", "exact"), "first verdict")
    assert TRAP in browser.address(), browser.address()
    for name, part in [("draw", "20-20-S"), ("long", "0-0-2-1-19-20"), ("start", "rules=awari"), ("game", "moves=FeCa")]:
        browser.click(f"[data-example={name}]")
        wait_until(lambda: part in browser.address(), f"the example {name}")
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
    loaded = browser.script("return performance.getEntriesByType('resource').map(one => new URL(one.name).pathname)"
                            ".filter(path => path.endsWith('.js'))")
    preloaded = browser.script("return [...document.querySelectorAll('link[rel=modulepreload]')]"
                               ".map(one => new URL(one.href).pathname)")
    equal(sorted(set(loaded) - set(preloaded)), [loaded[0][:loaded[0].rindex("/")] + "/main.js"], "modules without preload")
    page = browser.script("return fetch('./').then(answer => answer.text())")
    assert re.search(r'id="best"[^>]*aria-disabled="true"', page), "the best move looks ready before it is known"


def edit_a_board(browser, base):
    """P7: seeds are moved, added and removed, also on a full board; edits can be undone."""
    browser.open(start_position(base))
    browser.click("#edit")
    wait_until(lambda: browser.shown("#editor"), "the editor")
    browser.click(pit(0))
    browser.click(pit(7))
    browser.click(".store.south")
    equal([browser.text(f"{pit(0)} .count"), browser.text(f"{pit(7)} .count"), browser.text(".store.south .count")],
          ["2", "5", "1"], "seeds moved on a full board")
    browser.click("#edit-undo")
    equal(browser.text(".store.south .count"), "0", "seeds after undo")
    browser.click("input[value=add]")
    browser.click(pit(1))
    wait_until(lambda: "at most 48 seeds" in browser.text("#error"), "the message on a full board")
    browser.click("#empty")
    equal(browser.text("#seeds"), "0 of 48 seeds", "seeds of the empty board")
    for number, seeds in [(5, 1), (6, 2), (11, 1)]:
        for _ in range(seeds):
            browser.click(pit(number))
    browser.press("+", "Equal", ".store.north")
    equal(browser.text(".store.north .count"), "1", "store after +")
    browser.press("-", "Minus", ".store.north")
    browser.press("-", "Minus", ".store.north")
    wait_until(lambda: "no seed in North’s store" in browser.text("#error"), "the message on an empty store")
    equal(browser.value("#notation"), "0-0-0-0-0-1-2-0-0-0-0-1-0-0-S", "notation")
    browser.click("#turn")
    browser.type([ESCAPE, ESCAPE])
    wait_until(lambda: not browser.shown("#editor"), "the end of editing")
    assert "0-0-0-0-0-1-2-0-0-0-0-1-0-0-N" in browser.address(), browser.address()
    wait_until(lambda: browser.text(f"{pit(6)} .value") != "", "values for North")
    # A notation of either kind is read by the server.
    browser.click("#edit")
    browser.write("#notation", "1 2 3")
    browser.click("#editor [type=submit]")
    wait_until(lambda: "3 were given" in browser.text("#error"), "the message on the notation")
    browser.write("#notation", LINE)
    browser.click("#editor [type=submit]")
    wait_until(lambda: browser.text(f"{pit(4)} .count") == "2", "the board of the notation")
    browser.click("#edit-cancel")
    wait_until(lambda: not browser.shown("#editor"), "the end of editing")
    assert LINE not in browser.address(), "the discarded board is kept"


def keep_an_unchanged_game(browser, base):
    """P8: editing without a change keeps the game."""
    browser.open(f"{base}/?rules=awari&moves=FeCa")
    browser.click("#edit")
    wait_until(lambda: browser.shown("#editor"), "the editor")
    browser.click("#edit-done")
    wait_until(lambda: not browser.shown("#editor"), "the end of editing")
    equal((browser.text("#ply"), moves_shown(browser)), ("4 / 4", "FeCa"), "game after editing")


def keep_the_board_under_other_rules(browser, base):
    """P9, P20: another ruleset keeps the board; without the server the old one stays."""
    browser.open(with_start(base, TRAP))
    browser.choose("#rules", "kalah")
    wait_until(lambda: "rules=kalah" in browser.address(), "the ruleset")
    assert TRAP in browser.address(), browser.address()
    browser.connect(online=False)
    browser.choose("#rules", "abapa")
    wait_until(lambda: "cannot be reached" in browser.text("#error"), "the message")
    equal(browser.value("#rules"), "kalah", "ruleset without the server")
    browser.connect()
    browser.click("#notice-action")
    wait_until(lambda: "rules=abapa" in browser.address(), "the ruleset once the server is back")


def play_an_opponent(browser, base):
    """P10: the opponent replies, moves first as South, and is there after a reload."""
    browser.open(start_position(base))
    browser.choose("#style", "random")
    browser.click(pit(0))
    at_ply(browser, "2 / 2", "the reply")
    browser.choose("#style", "engine")
    browser.choose("#level", "2")
    browser.choose("#side", "south")
    at_ply(browser, "3 / 3", "South's move")
    browser.open(browser.address())
    equal([browser.value("#style"), browser.value("#side"), browser.value("#level"), browser.text("#level-shown")],
          ["engine", "south", "2", "Level 2"], "opponent after a reload")
    browser.click("#values button, .pit.legal")
    at_ply(browser, "5 / 5", "the reply after a reload")
    # A link to a position in which the opponent is to move starts it.
    browser.open(f"{base}/?rules=awari&moves=Fe")
    at_ply(browser, "3 / 3", "the move after opening a link")
    # Undo takes back the reply and the user's move, and the browser's history has both as
    # one step.
    browser.click(".pit.legal")
    at_ply(browser, "5 / 5", "the reply")
    browser.click("#undo")
    at_ply(browser, "3 / 3", "the game after undo")
    browser.script("history.back()")
    at_ply(browser, "5 / 5", "the game after going back in the history")


def interrupt_an_opponent(browser, base):
    """P15: while the opponent thinks its pits are refused; other actions cancel its move."""
    def let_it_think():
        browser.click(pit(0))
        wait_until(lambda: browser.text("#status") == "North is thinking …", "the opponent to think")

    browser.remember(base, style="engine")
    browser.open(start_position(base))
    let_it_think()
    browser.click(pit(6))
    wait_until(lambda: "North is thinking" in browser.text("#error"), "the message")
    at_ply(browser, "2 / 2", "the move after the refused click")
    for interrupt, ply in [("#back", "0 / 1"), ("#edit", "0 / 1"), ("#undo", "0 / 0")]:
        browser.open(start_position(base))
        let_it_think()
        browser.click(interrupt)
        # Longer than the move would have taken.
        time.sleep(1)
        if interrupt != "#edit":
            equal(browser.text("#ply"), ply, "game after an interruption")
        assert moves_shown(browser) in ("A", ""), "the opponent moved after an interruption"
        assert not browser.shown("#notice"), browser.text("#error")
    # Its turn in the past is not the user's; it can be asked for another move.
    browser.open(f"{base}/?rules=awari&moves=FeCa&ply=3")
    browser.click(pit(6))
    wait_until(lambda: "played by the opponent" in browser.text("#error"), "the message")
    equal(browser.text("#ply"), "3 / 4", "game after a click for the opponent")
    browser.click("#notice-action")
    wait_until(lambda: browser.text("#ply") == "4 / 4" and moves_shown(browser).startswith("FeC"), "another move")
    # The best line and the history lead to its turn as well.
    browser.open(with_start(base, LINE))
    browser.click("#line li button")
    at_ply(browser, "2 / 2", "the reply to the best move")


def lose_the_connection(browser, base):
    """P15: a lost connection or a busy server never loses the opponent's reply."""
    browser.remember(base, style="engine", level=1)
    browser.open(start_position(base))
    fail_requests(browser, "/reply", 503, 2)
    browser.click(pit(0))
    at_ply(browser, "2 / 2", "the reply of a server that was busy")
    fail_requests(browser, "/reply", 500, 1, '{"error": "it failed", "code": "internal"}')
    browser.click(".pit.legal")
    wait_until(lambda: browser.text("#error") == "The server failed.", "the message")
    equal(browser.text("#status"), "North to move, played by the opponent", "status without the reply")
    browser.click("#notice-close")
    browser.click(pit(7))
    wait_until(lambda: "played by the opponent" in browser.text("#error"), "the refusal")
    browser.click("#notice-action")
    at_ply(browser, "4 / 4", "the reply at last")
    # A refused click does not lose the reply, nor the values.
    browser.click(".pit.legal")
    wait_until(lambda: browser.text("#status") == "North is thinking …", "the opponent to think")
    browser.click(".row.south .pit")
    at_ply(browser, "6 / 6", "the reply after a refused click")
    # Going back in the history to its turn asks the opponent.
    browser.remember(base)
    browser.open(f"{base}/?rules=awari&moves=F")
    browser.click("[data-example=trap]")
    wait_until(lambda: TRAP in browser.address(), "the example")
    browser.choose("#style", "random")
    browser.script("history.back()")
    at_ply(browser, "2 / 2", "the reply after going back")
    # Without a connection the page says so, and goes on when it is back.
    browser.choose("#style", "")
    browser.connect(online=False)
    browser.click(".pit.legal")
    wait_until(lambda: "cannot be reached" in browser.text("#error"), "the message")
    equal((browser.text("#ply"), browser.count(".pit.asked")), ("2 / 2", 0), "game without a connection")
    browser.connect()
    browser.click("#notice-action")
    at_ply(browser, "3 / 3", "the move once the connection is back")


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
    equal(browser.text("#values .result"), "−4 to 0", "bounds of the move")
    assert "between −4 and 0" in browser.text("#verdict-details"), browser.text("#verdict-details")


def copy_the_link(browser, base):
    """P13, P14: the link is copied, or selected where the page may not copy."""
    browser.open(start_position(base))
    browser.development("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    browser.click("#share")
    wait_until(lambda: browser.text("#share") == "Copied", "the answer")
    browser.click("#share")
    wait_until(lambda: browser.text("#share") == "Copy link", "the label after two copies")
    browser.script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    browser.click("#share")
    wait_until(lambda: browser.shown("#link-dialog"), "the link to copy by hand")
    selected = browser.script("const one = document.querySelector('#link'); return one.value.slice(one.selectionStart, one.selectionEnd)")
    equal(selected, browser.address(), "selected link")


def switch_shortcuts_off(browser, base):
    """P22: letters can be switched off, and work on layouts with other letters."""
    browser.open(start_position(base))
    browser.press("с", "KeyC")
    wait_until(lambda: moves_shown(browser) == "C", "a move on a Cyrillic layout")
    browser.press("&", "Digit1")
    wait_until(lambda: moves_shown(browser) == "Ca", "a move by a digit that needs Shift")
    browser.click("#help")
    browser.click("#letter-keys")
    browser.type([ESCAPE])
    browser.script("document.querySelector('#best').focus()")
    browser.type("fn")
    browser.type([LEFT])
    at_ply(browser, "1 / 2", "the arrow")
    equal(moves_shown(browser), "Ca", "moves after letters that are switched off")
    browser.open(browser.address())
    browser.click("#help")
    equal(browser.script("return document.querySelector('#letter-keys').checked"), False, "choice after a reload")


def number_the_moves(browser, base):
    """P26: moves are numbered as in OGN, and the title tells the position."""
    browser.open(f"{base}/?rules=awari&moves=FeCa")
    numbers = browser.script("return [...document.querySelectorAll('#moves .number:not([hidden])')].map(one => one.textContent)")
    equal(numbers, ["1.", "2."], "numbers of the moves")
    assert "move 4" in browser.script("return document.title"), browser.script("return document.title")
    browser.type([HOME])
    at_ply(browser, "0 / 4", "the start")
    assert "move" not in browser.script("return document.title"), browser.script("return document.title")
    # A player may move again in the store games.
    browser.open(f"{base}/?rules=kalah&moves=CFa")
    labels = browser.script("return [...document.querySelectorAll('#moves li')].map(one => one.innerText.replace(/\\s+/g, ' ').trim())")
    equal(labels, ["1. C", "F", "a"], "moves of kalah")


def keep_the_legal_beginning(browser, base):
    """P27: of a link with an illegal move the moves before it are shown."""
    browser.open(f"{base}/?rules=awari&moves=FeCaBBcd")
    at_ply(browser, "5 / 5", "the legal moves")
    wait_until(lambda: "The moves before it are shown." in browser.text("#error"), "the message")
    equal(moves_shown(browser), "FeCaB", "legal moves")


def name_the_buttons(browser, base):
    """P28: a button says what it will do, and the level is told with its number."""
    browser.remember(base, style="engine", level=7)
    browser.open(with_start(base, TRAP))
    equal(browser.text("#hints"), "Hide values", "button while values are shown")
    browser.click("#hints")
    wait_until(lambda: browser.text("#hints") == "Show values", "button while values are hidden")
    browser.open(with_start(base, TRAP))
    equal(browser.text("#hints"), "Show values", "button after a reload")
    equal(browser.text("#level-shown"), "Level 7", "level")


def save_and_load(browser, base):
    """A game is shown as OGN, saved, and loaded from a text."""
    browser.open(f"{base}/?rules=awari&moves=FeCa")
    browser.click("#files")
    wait_until(lambda: "1. F e 2. C a" in browser.value("#ogn"), "the game as text")
    browser.write("#ogn", "[Variant \"awari\"] 1. A b 2. X *")
    browser.click("#ogn-load")
    wait_until(lambda: browser.shown("#files-error"), "the message on the text")
    browser.write("#ogn", f"[Variant \"kalah\"] [FEN \"{START}\"] 1. C F a *")
    browser.click("#ogn-load")
    at_ply(browser, "3 / 3", "the game of the text")
    equal((browser.value("#rules"), moves_shown(browser)), ("kalah", "CFa"), "game of the text")


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


def see_errors(browser, base):
    """Each error is one sentence above a playable board."""
    for query, part in [
        ("?start=4-4-4", "3 were given"),
        ("?rules=awri", "no ruleset 'awri'"),
        ("?rules=<img src=x onerror=alert(1)>", "no ruleset '<img src=x onerror=alert(1)>'"),
        ("?start=1-0-0-0-0-1-0-0-0-0-0-0-0-0-S&moves=A", "pit F would not"),
    ]:
        browser.open(f"{base}/{query}")
        wait_until(lambda: part in browser.text("#error"), part)
        assert browser.shown("#error") and browser.text("#status") == "South to move"
    # An illegal move gives the reason and names the pit by its letter.
    browser.open(with_start(base, "1-0-0-0-0-1-0-0-0-0-0-0-0-0-S"))
    browser.click(pit(0))
    wait_until(lambda: "Pit A would leave the opponent" in browser.text("#error"), "the reason")


CHECKS = [play_a_move, type_moves_quickly, show_values, estimate_above_the_tables, review_a_game, open_examples,
          count_seeds_at_the_end, ask_before_saying_unknown, edit_a_board, keep_an_unchanged_game,
          keep_the_board_under_other_rules, play_an_opponent, interrupt_an_opponent, lose_the_connection,
          name_the_winner, list_distances_and_bounds, copy_the_link, switch_shortcuts_off, number_the_moves,
          keep_the_legal_beginning, name_the_buttons, save_and_load, turn_the_board, see_errors]
