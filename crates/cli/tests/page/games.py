"""Checks of games on the page of `krou serve`: opponents, the editor, links, files and
errors. `scripts/test-page` runs them."""

import pathlib
import tempfile

from browser import ESCAPE, equal, wait_until
from playing import LINE, START, TRAP, at_ply, moves_shown, pit, start_position, with_start


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


def hold_replies(browser):
    """Holds the opponent's replies until `release_replies`, or until the page drops them."""
    browser.script("""
        const real = window.realFetch ??= window.fetch;
        window.held = [];
        window.dropped = 0;
        window.fetch = (address, options) => {
          if (!String(address).includes("/reply")) return real(address, options);
          return new Promise((resolve, reject) => {
            window.held.push(() => resolve(real(address, options)));
            options.signal.addEventListener("abort", () => {
              window.dropped += 1;
              reject(options.signal.reason);
            });
          });
        };""")


def release_replies(browser):
    browser.script("window.fetch = window.realFetch; window.held.forEach(release => release())")


def match(base, opponent="engine", side="south", level=1, moves="", start=START, rules="awari"):
    """The address of a game against an opponent."""
    return (f"{base}/?view=play&rules={rules}&start={start}&moves={moves}"
            f"&opponent={opponent}&level={level}&side={side}")


def set_up_a_game(browser, base):
    """One chooses an opponent, a side and rules, and starts; values are hidden, and the board
    is turned to the player."""
    browser.open(f"{base}/")
    browser.click("[data-door=play]")
    wait_until(lambda: browser.shown("#setup"), "the form")
    browser.click("#opponents label:has([value=engine-3])")
    assert "Level 3 of 14" in browser.text("#opponent-about"), browser.text("#opponent-about")
    browser.click("#sides label:has([value=north])")
    browser.choose("#play-rules", "awari")
    wait_until(lambda: "rules=awari" in browser.address(), "the rules")
    browser.click("#start")
    at_ply(browser, "1 / 1", "the opponent's first move")
    for part in ("view=play", "opponent=engine", "level=3", "side=north", "rules=awari"):
        assert part in browser.address(), browser.address()
    assert browser.box(pit(6))[1] > browser.box(pit(0))[1], "the board is not turned to the player"
    equal(browser.text("#verdict"), "Your turn, North", "turn")
    equal(browser.count(".pit .value:not(:empty)"), 0, "values while playing")
    equal([browser.shown(name) for name in ("#values", "#graph", "#best", "#setup", "#bar")], [False] * 5, "help while playing")
    browser.open(browser.address())
    equal(browser.text("#playing-title"), "Against Learner", "opponent after a reload")
    browser.click(".pit.legal")
    at_ply(browser, "3 / 3", "the reply after a reload")
    # The form remembers the choice.
    browser.click("#again")
    wait_until(lambda: browser.shown("#setup"), "the form")
    equal(browser.script("return document.querySelector('#opponents :checked').value"), "engine-3", "chosen opponent")
    # A first click starts a game as chosen.
    browser.click(pit(2))
    at_ply(browser, "2 / 2", "the reply to the first click")


def send_a_challenge(browser, base):
    """A link holds position, rules, side and level."""
    browser.development("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    browser.open(f"{base}/?rules=awari&moves=FeCa")
    browser.click("#play-here")
    wait_until(lambda: browser.shown("#setup-position"), "the form")
    browser.click("#opponents label:has([value=engine-7])")
    browser.click("#sides label:has([value=north])")
    browser.click("#challenge")
    wait_until(lambda: browser.text("#challenge") == "Copied", "the answer")
    link = browser.call("POST", "/execute/async", {"script": "navigator.clipboard.readText().then(arguments[0])", "args": []})
    for part in ("view=play", "opponent=engine", "level=7", "side=north", "rules=awari", "start=6-5-0"):
        assert part in link, link
    browser.open(link)
    at_ply(browser, "1 / 1", "the first move of the challenge")


def end_a_game(browser, base):
    """The result is told from the player's side, with a rematch, other sides and a review."""
    last = "0-0-0-0-0-1-1-0-0-0-0-1-23-22-S"
    browser.open(match(base, start=last))
    browser.click(pit(5))
    wait_until(lambda: browser.text("#verdict") == "You win 25 to 22", "the result")
    assert browser.shown("#result"), "no buttons at the end"
    equal(browser.text("#stronger"), "Play the next level: Beginner", "the next level")
    browser.click(pit(5))
    wait_until(lambda: browser.text("#error") == "The game is over.", "the message")
    assert "calm" in browser.script("return document.querySelector('#notice').className"), "a slip is told as an error"
    browser.click("#swap")
    at_ply(browser, "1 / 1", "the opponent's move")
    assert "side=north" in browser.address(), browser.address()
    wait_until(lambda: browser.text("#verdict") == "You lose 22 to 25", "the other result")
    assert not browser.shown("#stronger"), "a next level after a loss"
    hold_replies(browser)
    browser.click("#rematch")
    wait_until(lambda: not browser.shown("#result"), "the rematch")
    release_replies(browser)
    wait_until(lambda: browser.shown("#result"), "its end")
    browser.click("#review-result")
    wait_until(lambda: browser.script("return document.documentElement.dataset.view") == "analyse", "the review")
    equal(browser.shown("#result"), False, "buttons of the result beside the review")
    wait_until(lambda: browser.shown("#lesson-summary") or browser.count("#graph .point") == 2, "its graph", 60)
    assert "moves=" in browser.address() and "opponent" not in browser.address(), browser.address()
    # Two players share the board.
    browser.open(match(base, opponent="none"))
    browser.click(pit(0))
    browser.click(pit(6))
    at_ply(browser, "2 / 2", "moves of both players")


def play_an_opponent(browser, base):
    """P10: the opponent replies, moves first as South, and is there after a reload."""
    browser.open(match(base, "random"))
    browser.click(pit(0))
    at_ply(browser, "2 / 2", "the reply")
    # A link to a position in which the opponent is to move starts it.
    browser.open(match(base, level=2, side="south", moves="F"))
    at_ply(browser, "2 / 2", "the move after opening a link")
    # Undo takes back the reply and the user's move, and the browser's history has both as
    # one step.
    browser.click(".pit.legal")
    at_ply(browser, "4 / 4", "the reply")
    moves = browser.address()
    browser.click("#undo")
    at_ply(browser, "2 / 2", "the game after undo")
    browser.click("#redo")
    at_ply(browser, "4 / 4", "the game after redo")
    equal(browser.address(), moves, "the game after redo")
    browser.click("#undo")
    at_ply(browser, "2 / 2", "the game after undo")
    browser.script("history.back()")
    at_ply(browser, "4 / 4", "the game after going back in the history")


def interrupt_an_opponent(browser, base):
    """P15: while the opponent thinks its pits are refused; other actions cancel its move."""
    def let_it_think():
        hold_replies(browser)
        browser.click(pit(0))
        wait_until(lambda: browser.text("#verdict") == "North is thinking …", "the opponent to think")

    browser.open(match(base, level=5))
    let_it_think()
    # A second click on the pit that was just played means nothing.
    browser.click(pit(0))
    assert not browser.shown("#notice"), browser.text("#error")
    browser.click(pit(6))
    wait_until(lambda: "North is thinking" in browser.text("#error"), "the message")
    release_replies(browser)
    at_ply(browser, "2 / 2", "the move after the refused click")
    for interrupt, ply in [("#back", "0 / 1"), ("[data-door=analyse]", "1 / 1"), ("#undo", "0 / 0")]:
        browser.open(match(base, level=5))
        let_it_think()
        browser.click(interrupt)
        wait_until(lambda: browser.script("return window.dropped") == 1, "the end of the search")
        wait_until(lambda: browser.text("#ply") == ply, f"the game after {interrupt}")
        assert not browser.shown("#notice"), browser.text("#error")
    # Its turn in the past is not the user's; it can be asked for another move.
    browser.open(match(base, level=5, moves="FeCa&ply=3"))
    browser.click(pit(6))
    wait_until(lambda: "played by the opponent" in browser.text("#error"), "the message")
    equal(browser.text("#ply"), "3 / 4", "game after a click for the opponent")
    browser.click("#notice-action")
    wait_until(lambda: browser.text("#ply") == "4 / 4" and "moves=FeC" in browser.address(), "another move")


def lose_the_connection(browser, base):
    """P15: a lost connection or a busy server never loses the opponent's reply."""
    browser.open(match(base))
    fail_requests(browser, "/reply", 503, 2)
    browser.click(pit(0))
    at_ply(browser, "2 / 2", "the reply of a server that was busy")
    fail_requests(browser, "/reply", 500, 1, '{"error": "it failed", "code": "internal"}')
    browser.click(".pit.legal")
    wait_until(lambda: browser.text("#error") == "The server failed.", "the message")
    equal(browser.text("#verdict"), "North to move (the computer)", "status without the reply")
    browser.click("#notice-close")
    browser.click(pit(7))
    wait_until(lambda: "played by the opponent" in browser.text("#error"), "the refusal")
    browser.click("#notice-action")
    at_ply(browser, "4 / 4", "the reply at last")
    # A refused click does not lose the reply.
    hold_replies(browser)
    browser.click(".pit.legal")
    wait_until(lambda: browser.text("#verdict") == "North is thinking …", "the opponent to think")
    # A second click on the pit just played says nothing.
    browser.click(pit(5))
    wait_until(lambda: "North is thinking" in browser.text("#error"), "the refusal")
    release_replies(browser)
    at_ply(browser, "6 / 6", "the reply after a refused click")
    # Without a connection the page says so, and goes on when it is back.
    browser.connect(online=False)
    browser.click(".pit.legal")
    wait_until(lambda: "cannot be reached" in browser.text("#error"), "the message")
    equal((browser.text("#ply"), browser.count(".pit.asked")), ("6 / 6", 0), "game without a connection")
    browser.connect()
    browser.click("#notice-action")
    at_ply(browser, "8 / 8", "the move once the connection is back")


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


def keep_the_legal_beginning(browser, base):
    """P27: of a link with an illegal move the moves before it are shown."""
    browser.open(f"{base}/?rules=awari&moves=FeCaBBcd")
    at_ply(browser, "5 / 5", "the legal moves")
    wait_until(lambda: "The moves before it are shown." in browser.text("#error"), "the message")
    equal(moves_shown(browser), "FeCaB", "legal moves")


def save_and_load(browser, base):
    """A game is shown as OGN, saved, and loaded from a text."""
    browser.open(f"{base}/?rules=awari&moves=FeCa")
    browser.click("#files")
    wait_until(lambda: "1. F e 2. C a" in browser.value("#ogn"), "the game as text")
    with tempfile.TemporaryDirectory() as folder:
        browser.development("Browser.setDownloadBehavior", behavior="allow", downloadPath=folder)
        browser.click("#ogn-download")
        saved = pathlib.Path(folder) / "game.ogn"
        wait_until(saved.is_file, "the saved game")
        equal(saved.read_text(), browser.value("#ogn"), "saved game")
    browser.write("#ogn", "[Variant \"awari\"] 1. A b 2. X *")
    browser.click("#ogn-load")
    wait_until(lambda: browser.shown("#files-error"), "the message on the text")
    browser.write("#ogn", TRAP)
    browser.click("#ogn-load")
    wait_until(lambda: TRAP in browser.address(), "the position in place of a game")
    browser.click("#files")
    browser.write("#ogn", f"[Variant \"kalah\"] [FEN \"{START}\"] 1. C F a *")
    browser.click("#ogn-load")
    at_ply(browser, "3 / 3", "the game of the text")
    equal((browser.value("#rules"), moves_shown(browser)), ("kalah", "CFa"), "game of the text")


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
    browser.open(f"{base}/?rules=awari&moves={'Fe' * 3000}")
    wait_until(lambda: "too long" in browser.text("#error"), "the message on a long link")
    # An illegal move gives the reason and names the pit by its letter.
    browser.open(with_start(base, "1-0-0-0-0-1-0-0-0-0-0-0-0-0-S"))
    browser.click(pit(0))
    wait_until(lambda: "Pit A would leave the opponent" in browser.text("#error"), "the reason")


CHECKS = [set_up_a_game, send_a_challenge, end_a_game, play_an_opponent, interrupt_an_opponent, lose_the_connection, edit_a_board, keep_an_unchanged_game,
          keep_the_board_under_other_rules, copy_the_link, keep_the_legal_beginning, save_and_load, see_errors]
