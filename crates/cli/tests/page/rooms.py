"""Checks of games with a friend on the page of `krou serve`, in two browsers. `scripts/test-page`
runs them."""

from browser import Browser, equal, wait_until
from playing import at_ply, pit


def told(browser, sentence):
    wait_until(lambda: browser.text("#room-told") == sentence, f"'{sentence}', not '{browser.text('#room-told')}'")


def make_room(browser, base):
    """South makes a room, with a clock; returns its link."""
    browser.open(f"{base}/?view=play")
    browser.choose("#play-clock", "5-3")
    browser.click("#friend")
    told(browser, "Send the link to your friend. The game begins when they sit down.")
    browser.script("Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (words) => { window.link = words; } } })")
    browser.click("#room-link")
    return wait_until(lambda: browser.script("return window.link"), "the link")


def play_with_a_friend(browser, base):
    """Two browsers play a game with a loss of the line, a takeback and a rematch."""
    friend = Browser()
    try:
        friend.emulate(1280, 900)
        friend.remember(base)
        link = make_room(browser, base)
        friend.open(link)
        told(friend, "One seat is free.")
        friend.click("#room-sit")
        wait_until(lambda: browser.text("#verdict") == "Your turn, South", "the friend")
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
    friend.click("#room-decline")
    told(browser, "")
    browser.click("#takeback")
    told(friend, "Your friend asks to take back a move.")
    friend.click("#room-accept")
    at_ply(browser, "0 / 0", "the start")
    at_ply(friend, "0 / 0", "the start of the friend")


def watch_a_room(browser, base):
    """Who has no seat sees the game and cannot move."""
    link = make_room(browser, base)
    browser.script("localStorage.removeItem('krou-rooms')")
    browser.open(link)
    told(browser, "One seat is free.")
    equal([browser.shown(one) for one in ("#resign", "#takeback", "#hint")], [False] * 3, "buttons of players")
    browser.open(link.replace("room=", "room=0"))
    wait_until(lambda: browser.shown("#notice"), "the message about a room that is not there")


CHECKS = [play_with_a_friend, watch_a_room]
