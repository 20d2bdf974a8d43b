"""Checks of the games that the page of `krou serve` keeps. `scripts/test-page` runs them."""

import pathlib
import tempfile

from browser import equal, wait_until
from games import match
from playing import at_ply, pit

# South captures two seeds with F, has 25, and has won.
LAST = "0-0-0-0-0-1-1-0-0-0-0-1-23-22-S"


def other_window(browser):
    """Goes on in another window, and closes the one before."""
    made = browser.call("POST", "/window/new", {"type": "window"})
    browser.call("DELETE", "/window")
    browser.call("POST", "/window", {"handle": made["handle"]})
    # Without the focus of the system its elements would not be told of theirs.
    browser.development("Emulation.setFocusEmulationEnabled", enabled=True)


def kept(browser):
    """The kept games as lines of text."""
    return browser.script("return [...document.querySelectorAll('#kept-list li')].map(one => one.textContent)")


def press(browser, number, action):
    """Presses a button of a game in the list, which may be drawn again at any time."""
    browser.script("document.querySelector(`#kept-list li:nth-child(${arguments[0]}) [data-action=${arguments[1]}]`).click()",
                   number, action)


def come_back_to_a_game(browser, base):
    """The page opens in Play until another view was chosen; a game goes on after its window was
    closed, and one that is left can be taken up again."""
    browser.remember(base, view="play")
    browser.open(f"{base}/")
    equal((browser.shown("#setup"), browser.shown("#continue"), browser.shown("#kept")), (True, False, False), "the first visit")
    browser.open(match(base))
    browser.click(pit(2))
    at_ply(browser, "2 / 2", "the reply")
    game = browser.address()
    other_window(browser)
    browser.open(f"{base}/")
    assert "Against First steps · 0 to 0 after 2 moves" == browser.text("#continue-about"), browser.text("#continue-about")
    browser.click("#continue-game")
    at_ply(browser, "2 / 2", "the game")
    equal(browser.address(), game, "address of the game")
    browser.click(".pit.legal")
    at_ply(browser, "4 / 4", "the next reply")
    # A step back in the browser's history does not shorten the game that is kept.
    browser.script("history.back()")
    at_ply(browser, "2 / 2", "the step back")
    browser.script("history.forward()")
    at_ply(browser, "4 / 4", "the step forward")
    browser.type("n")
    wait_until(lambda: browser.shown("#setup"), "the form")
    equal((browser.text("#error"), browser.text("#notice-action")), ("Your game is kept.", "Back to the last game"), "message")
    browser.click("#notice-action")
    at_ply(browser, "4 / 4", "the game after the message")
    browser.click("[data-door=analyse]")
    browser.open(f"{base}/")
    equal(browser.script("return document.documentElement.dataset.view"), "analyse", "view that was chosen last")


def list_the_games(browser, base):
    """Games are listed with their results, and counted by opponent. They can be opened, reviewed,
    saved and deleted."""
    browser.open(match(base, start=LAST))
    browser.click(pit(5))
    wait_until(lambda: browser.text("#verdict") == "You win 25 to 22", "the result")
    browser.click("#swap")
    wait_until(lambda: browser.text("#verdict") == "You lose 22 to 25", "the other result")
    browser.open(match(base, "none"))
    browser.click(pit(1))
    at_ply(browser, "1 / 1", "a move of two players")
    browser.click("#again")
    wait_until(lambda: browser.count("#kept-list li") == 3, "the games")
    first, second, third = kept(browser)
    assert first.startswith("Two players 0 to 0 after 1 move · ") and "Continue" in first, first
    assert second.startswith("First steps lost 22 to 25 · ") and "Open" in second, second
    assert third.startswith("First steps won 25 to 22 · "), third
    equal(browser.text("#kept-rows"), "First steps101", "results")
    press(browser, 2, "kept-open")
    wait_until(lambda: browser.text("#verdict") == "You lose 22 to 25", "the game")
    browser.click("#review-result")
    wait_until(lambda: browser.shown("#lesson-moments-title"), "the review", 60)
    browser.click("[data-door=play]")
    browser.click("#again")
    wait_until(lambda: browser.count("#kept-list li") == 3, "the games")
    with tempfile.TemporaryDirectory() as folder:
        browser.development("Browser.setDownloadBehavior", behavior="allow", downloadPath=folder)
        press(browser, 2, "kept-export")
        saved = pathlib.Path(folder) / "game.ogn"
        wait_until(saved.is_file, "the saved game")
        for part in ('[South "First steps"]', '[North "You"]', "1. F"):
            assert part in saved.read_text(), saved.read_text()
    press(browser, 2, "kept-delete")
    wait_until(lambda: browser.count("#kept-list li") == 2, "the deletion")
    browser.click("#notice-action")
    wait_until(lambda: browser.count("#kept-list li") == 3, "the game that comes back")
    press(browser, 1, "kept-delete")
    wait_until(lambda: browser.count("#kept-list li") == 2, "the deletion")
    browser.open(f"{base}/?view=play")
    wait_until(lambda: browser.count("#kept-list li") == 2, "the games after a reload")


CHECKS = [come_back_to_a_game, list_the_games]
