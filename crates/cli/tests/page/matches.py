"""Checks of what belongs to a game against somebody on the page of `krou serve`: clocks, its end by
the players, hints, previews, and what is said when. `scripts/test-page` runs them."""

import re
import time

from browser import equal, wait_until
from following import LAP, LONG
from games import match
from kept import LAST
from playing import at_ply, pit

# South has 26 with F, and three seeds are left.
MAJORITY = "0-1-0-0-0-1-1-0-1-0-0-1-24-19-S"
# Two seeds that go round; the position is there again after these moves.
ROUND = "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S"
ROUND_MOVES = "AaBbCcDdEeFf"
# Notes the verdicts with the seeds that are on their way.
NOTE_VERDICTS = """
    window.told = [];
    const note = () => window.told.push([document.querySelector("#verdict").textContent, document.querySelectorAll(".flight").length]);
    new MutationObserver(note).observe(document.querySelector("#verdict"), { childList: true, characterData: true, subtree: true });"""


def play_with_a_clock(browser, base):
    """A clock is chosen, runs for the player to move, goes on after a reload, and ends the game."""
    browser.remember(base, view="play", opponent="engine-1")
    browser.open(f"{base}/")
    browser.choose("#play-clock", "5-3")
    browser.click("#start")
    wait_until(lambda: browser.shown("#clocks"), "the clocks")
    assert "clock=5-3" in browser.address(), browser.address()
    equal((browser.text("#clock-south"), browser.count(".running")), ("5:00", 0), "clock before the first move")
    browser.click(pit(2))
    at_ply(browser, "2 / 2", "the reply")
    wait_until(lambda: browser.text(".running dt") == "South", "the clock of the player to move")
    wait_until(lambda: re.match(r"4:5|5:0[01]", browser.text("#clock-south")), "a second or more")
    north = browser.text("#clock-north")
    browser.open(browser.address())
    wait_until(lambda: browser.text(".running dt") == "South", "the clock after a reload")
    equal(browser.text("#clock-north"), north, "the other clock after a reload")
    browser.open(match(base) + "&clock=0.05-0")
    browser.click(pit(2))
    at_ply(browser, "2 / 2", "the reply")
    wait_until(lambda: browser.text("#verdict") in ("You lose on time", "You win on time"), "the end of the time")
    assert browser.text("#verdict-details").endswith("has no time left."), browser.text("#verdict-details")
    browser.click(pit(1))
    wait_until(lambda: browser.text("#error") == "The game is over.", "the message")
    browser.click("#rematch")
    wait_until(lambda: browser.text("#clock-south") == "3.0", "the clock of the next game")


def stop_the_clock_while_hidden(browser, base):
    """A clock stands while the page is hidden, and what is left is kept before it comes back."""
    def hide(hidden):
        browser.script("Object.defineProperty(document, 'hidden', { value: arguments[0], configurable: true });"
                       "document.dispatchEvent(new Event('visibilitychange'))", hidden)

    def seconds(clock):
        minutes, rest = clock.split(":")
        return 60 * int(minutes) + int(rest)

    browser.open(match(base) + "&clock=5-0")
    browser.click(pit(2))
    at_ply(browser, "2 / 2", "the reply")
    wait_until(lambda: re.match("4:5[0-7]", browser.text("#clock-south")), "a few seconds")
    hide(True)
    wait_until(lambda: browser.count(".running") == 0, "the clock that stands")
    left = seconds(browser.text("#clock-south"))
    clock = browser.script("return JSON.parse(localStorage.getItem('krou-kept'))[0].clock.south")
    assert clock < 298_000, f"{clock} milliseconds are kept"
    time.sleep(2.5)
    hide(False)
    wait_until(lambda: browser.count(".running") == 1, "the clock that goes on")
    assert seconds(browser.text("#clock-south")) >= left - 1, f"{browser.text('#clock-south')} after {left} seconds"


def resign_a_game(browser, base):
    """A game can be resigned, which can be taken back; the result is kept."""
    browser.open(match(base))
    equal(browser.shown("#resign"), False, "resigning before the first move")
    browser.click(pit(2))
    at_ply(browser, "2 / 2", "the reply")
    browser.click("#resign")
    wait_until(lambda: browser.text("#verdict") == "You lose: you resigned", "the result")
    browser.click("#notice-action")
    wait_until(lambda: browser.text("#verdict") == "Your turn, South", "the game after all")
    browser.click("#resign")
    wait_until(lambda: browser.shown("#result"), "the result")
    browser.open(browser.address())
    wait_until(lambda: browser.text("#verdict") == "You lose: you resigned", "the result after a reload")
    # A move that was taken back makes it a game again.
    browser.click("#undo")
    at_ply(browser, "0 / 0", "the game before")
    browser.click(pit(2))
    at_ply(browser, "2 / 2", "the game that goes on")
    equal(browser.text("#verdict"), "Your turn, South", "turn in the game that goes on")
    browser.click("#resign")
    wait_until(lambda: browser.shown("#result"), "the result")
    browser.click("#again")
    wait_until(lambda: browser.shown("#kept"), "the games")
    assert "First steps lost by resignation" in browser.text("#kept-list"), browser.text("#kept-list")
    equal(browser.shown("#continue"), False, "a game to continue")


def agree_on_a_circle(browser, base):
    """Where the position repeats, the players can end the game with the seeds in their own rows."""
    browser.open(match(base, "none", start=ROUND, moves=ROUND_MOVES[:-1], rules="abapa"))
    equal(browser.shown("#agree"), False, "agreement before the position repeats")
    browser.click(pit(11))
    at_ply(browser, "12 / 12", "the position again")
    browser.click("#agree")
    wait_until(lambda: browser.text("#verdict") == "Drawn, 24 each", "the result")
    assert "agreed" in browser.text("#verdict-details"), browser.text("#verdict-details")


def play_on_after_a_majority(browser, base):
    """A game that is decided can be played on to its end."""
    browser.open(match(base, start=MAJORITY, rules="abapa"))
    browser.click(pit(5))
    wait_until(lambda: browser.text("#verdict") == "You win 26 to 19", "the result")
    browser.click("#go-on")
    wait_until(lambda: browser.text("#ply") == "2 / 2", "the move of the opponent, who plays on")
    assert not browser.shown("#go-on") or browser.text("#verdict").startswith("You win"), browser.text("#verdict")
    browser.open(match(base, start=LAST))
    browser.click(pit(5))
    wait_until(lambda: browser.shown("#result"), "the result")


def ask_for_a_hint(browser, base):
    """A hint is given when it is asked for, from the tables and from a search."""
    for start in (LAST, MAJORITY.replace("24-19", "4-3"), "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"):
        browser.open(match(base, start=start))
        equal((browser.text("#hint-told"), browser.count(".pit.best")), ("", 0), "hint before it is asked for")
        browser.click("#hint")
        wait_until(lambda: re.match(r"A good move is [A-F]\.", browser.text("#hint-told")), "the hint")
        equal(browser.count(".pit.best"), 1, "the pit of the hint")
        browser.click(".pit.best")
        wait_until(lambda: browser.text("#ply") != "0 / 0", "the move")
        equal((browser.text("#hint-told"), browser.count(".pit.best")), ("", 0), "hint after the move")


def preview_in_games(browser, base):
    """In games what a move takes is shown by a setting alone, for mouse and touch alike."""
    def press(kind):
        browser.script("document.querySelector(arguments[0]).dispatchEvent(new PointerEvent('pointerover',"
                       " { pointerType: arguments[1], bubbles: true }))", pit(5), kind)

    for kind in ("mouse", "touch"):
        browser.remember(base)
        browser.open(match(base, start=LAP, rules="abapa"))
        press(kind)
        equal((browser.shown("#preview"), browser.count(".pit.takes")), (False, 0), f"preview by {kind}")
        browser.click("#settings")
        browser.click("#preview-setting")
        browser.click("#settings-dialog [method=dialog] button")
        press(kind)
        wait_until(lambda: browser.text("#preview") == "F: the last seed lands in c and captures 9 seeds.", f"the preview by {kind}")


def say_whose_turn_it_is(browser, base):
    """It is the user's turn once the seeds have arrived, and never after the end."""
    browser.remember(base, speed="normal")
    browser.open(match(base, start=LAP, rules="abapa", opponent="random"))
    browser.script(NOTE_VERDICTS)
    browser.click(pit(5))
    wait_until(lambda: browser.text("#verdict") == "Your turn, South" and browser.text("#ply") == "2 / 2", "the user's turn", LONG)
    told = browser.script("return window.told")
    names = [name for name, _ in told]
    assert "South sows …" in names and "North sows …" in names, told
    assert not [name for name in names if "played by the opponent" in name], told
    assert all(flights == 0 for name, flights in told if name.startswith("Your turn")), told
    browser.open(match(base, start=LAST))
    browser.script(NOTE_VERDICTS)
    browser.click(pit(5))
    wait_until(lambda: browser.text("#verdict") == "You win 25 to 22", "the result", LONG)
    assert browser.text("#live").startswith("South plays F and captures 2. You win 25 to 22."), browser.text("#live")
    names = [name for name, _ in browser.script("return window.told")]
    after = names[names.index("South sows …"):]
    equal([name for name in after if name.startswith("Your turn")], [], "turns after the end")


def mark_both_moves(browser, base):
    """Where moves are shown at once, the user's move stays marked beside the reply."""
    browser.open(match(base))
    browser.click(pit(2))
    at_ply(browser, "2 / 2", "the reply")
    equal((browser.count(".row.south .before"), browser.count(".row.north .last")), (1, 1), "marks of both moves")


def set_up_on_a_phone(browser, base):
    """Start is on the first screen, below a game to continue as well; rules have the names that
    players know."""
    browser.open(match(base))
    browser.click(pit(2))
    at_ply(browser, "2 / 2", "a game to continue")
    for width, height in ((390, 844), (1280, 800)):
        browser.emulate(width, height)
        browser.open(f"{base}/?view=play")
        wait_until(lambda: browser.count("#play-rules option") == 9, "the rules")
        assert browser.box("#start")[3] <= height, f"Start ends at {browser.box('#start')[3]} of {height}"
        assert browser.box("#continue-game")[3] <= height, "the game to continue is below the first screen"
    names = browser.script("return [...document.querySelector('#play-rules').children].map(one => one.label)")
    equal(names, ["Oware (tournament rules)", "Other rules"], "rules to choose from")
    assert browser.script("return document.querySelector('#play-rules').value") == "abapa"


CHECKS = [play_with_a_clock, stop_the_clock_while_hidden, resign_a_game, agree_on_a_circle, play_on_after_a_majority, ask_for_a_hint, preview_in_games,
          say_whose_turn_it_is, mark_both_moves, set_up_on_a_phone]
