"""Checks of games with a friend on the page of `krou serve`, in two browsers. `scripts/test-page`
runs them."""

from axe import accessible
from browser import Browser, equal, wait_until
from kept import LAST, kept, press
from playing import at_ply, pit


def free(browser):
    wait_until(lambda: browser.text("#verdict") == "One seat is free." and browser.shown("#room-sit"), "the free seat")


def join(browser, link):
    """Takes the free seat of a room for somebody without a page."""
    browser.script("""
        const id = new URL(arguments[0]).searchParams.get("room");
        return fetch(`api/v1/rooms/${id}`, { method: "POST", headers: { "content-type": "text/plain" },
          body: JSON.stringify({ token: "f".repeat(32), action: "join" }) }).then(({ status }) => status);""", link)


def told(browser, sentence):
    wait_until(lambda: browser.text("#room-told") == sentence, f"'{sentence}', not '{browser.text('#room-told')}'")


def make_room(browser, base, start=""):
    """South makes a room, with a clock; returns its link."""
    browser.open(f"{base}/?view=play{start}")
    browser.choose("#play-clock", "5-3")
    browser.click("#friend")
    told(browser, "Send the link to your friend. The game begins when they sit down.")
    equal(browser.text("#verdict"), "Waiting for your friend …", "verdict while one waits")
    equal(browser.shown("#resign"), False, "resigning before the friend comes")
    browser.script("Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (words) => { window.link = words; } } })")
    browser.click("#room-link")
    link = wait_until(lambda: browser.script("return window.link"), "the link")
    equal(browser.text("#room-address"), link, "the link to read")
    return link


def play_with_a_friend(browser, base):
    """Two browsers play a game with a loss of the line, a takeback and a rematch."""
    friend = Browser()
    try:
        friend.emulate(1280, 900)
        friend.remember(base)
        link = make_room(browser, base)
        accessible(browser, "waiting for a friend")
        friend.open(link)
        free(friend)
        friend.click("#room-sit")
        wait_until(lambda: browser.text("#verdict") == "Your turn, South", "the friend")
        equal((browser.shown("#resign"), browser.shown("#room-address")), (True, False), "the game before the first move")
        accessible(browser, "playing with a friend")
        assert "Your turn" in browser.script("return document.title"), browser.script("return document.title")
        browser.click(pit(2))
        at_ply(friend, "1 / 1", "the move of the friend")
        wait_until(lambda: friend.text(".running dt") == "North", "the clock")
        # The move that is played while the line is lost comes when it is back.
        browser.connect(online=False)
        told(browser, "The line is lost: trying again …")
        friend.click(pit(11))
        at_ply(friend, "2 / 2", "the reply")
        browser.connect()
        at_ply(browser, "2 / 2", "the reply after the loss of the line")
        take_back(browser, friend)
        browser.click(pit(0))
        at_ply(friend, "1 / 1", "another move")
        friend.open(friend.address())
        wait_until(lambda: friend.shown("#resign"), "the seat after a reload")
        friend.click("#resign")
        wait_until(lambda: browser.text("#verdict") == "You win: the opponent resigned", "the result")
        wait_until(lambda: friend.text("#verdict") == "You lose: you resigned", "the result of the other")
        accessible(browser, "after a game with a friend")
        friend.click("#rematch")
        told(browser, "Your friend proposes another game.")
        browser.click("#room-accept")
        wait_until(lambda: friend.text("#verdict") == "Your turn, South", "the next game")
        equal(friend.failures(), [], "messages in the console of the friend")
    finally:
        friend.close()


def take_back(browser, friend):
    browser.click("#takeback")
    told(friend, "Your friend asks to take back a move.")
    accessible(browser, "asking for a takeback")
    accessible(friend, "asked for a takeback")
    friend.click("#room-decline")
    told(browser, "")
    browser.click("#takeback")
    told(friend, "Your friend asks to take back a move.")
    friend.click("#room-accept")
    at_ply(browser, "0 / 0", "the start")
    at_ply(friend, "0 / 0", "the start of the friend")


def keep_a_game_of_a_room(browser, base):
    """A room begins from an edited position. Its games are kept, go on from the list while they
    last, and can be reviewed afterwards."""
    friend = Browser()
    try:
        friend.emulate(1280, 900)
        friend.remember(base)
        friend.open(make_room(browser, base, f"&rules=awari&start={LAST}"))
        free(friend)
        equal(friend.label(pit(5)).split(",")[:2], ["F", " 1 seed"], "the position of the room")
        friend.click("#room-sit")
        wait_until(lambda: browser.text("#verdict") == "Your turn, South", "the friend")
        browser.click(pit(5))
        for one, verdict in ((browser, "You win 25 to 22"), (friend, "You lose 22 to 25")):
            wait_until(lambda: one.text("#verdict") == verdict, verdict)
        browser.click("#rematch")
        told(friend, "Your friend proposes another game.")
        friend.click("#room-accept")
        wait_until(lambda: friend.text("#verdict") == "Your turn, South", "the next game")
        friend.click(".pit.legal")
        wait_until(lambda: browser.shown("#result"), "the result of the next game")
        friend.open(f"{base}/?view=play")
        equal(len(kept(friend)), 2, "games of the friend")
        browser.click("#again")
        wait_until(lambda: browser.count("#kept-list li") == 2, "the kept games")
        first, second = kept(browser)
        assert first.startswith("A friend lost 22 to 25 · "), first
        assert second.startswith("A friend won 25 to 22 · ") and "Open" in second, second
        equal(browser.text("#kept-rows"), "A friend101", "results")
        press(browser, 2, "kept-review")
        wait_until(lambda: browser.shown("#lesson-moments-title"), "the review", 60)
        assert "view=play" not in browser.address() and browser.text("#ply") == "1 / 1", browser.address()
    finally:
        friend.close()


def continue_in_a_room(browser, base):
    """Who closes the page in the middle of a game with a friend comes back to it by the list."""
    link = make_room(browser, base)
    join(browser, link)
    wait_until(lambda: browser.text("#verdict") == "Your turn, South", "the friend")
    browser.click(pit(2))
    at_ply(browser, "1 / 1", "the move")
    browser.open(f"{base}/?view=play")
    equal(browser.text("#continue-about"), "A friend · 0 to 0 after 1 move", "game to continue")
    browser.click("#continue-game")
    at_ply(browser, "1 / 1", "the game")
    wait_until(lambda: browser.shown("#resign"), "the seat")
    browser.click("#resign")
    wait_until(lambda: browser.text("#verdict") == "You lose: you resigned", "the result")


def watch_a_room(browser, base):
    """Who has no seat sees the game and cannot move."""
    link = make_room(browser, base)
    browser.script("localStorage.removeItem('krou-rooms')")
    browser.open(link)
    free(browser)
    equal([browser.shown(one) for one in ("#resign", "#takeback", "#hint")], [False] * 3, "buttons of players")
    join(browser, link)
    told(browser, "You are watching.")
    accessible(browser, "watching a room")
    browser.open(link.replace("room=", "room=0"))
    wait_until(lambda: browser.shown("#notice"), "the message about a room that is not there")


CHECKS = [play_with_a_friend, keep_a_game_of_a_room, continue_in_a_room, watch_a_room]
