"""Checks of the page without a server. `scripts/test-site` runs them."""

import json
import pathlib
import re
import urllib.parse

from browser import equal, wait_until
from playing import START, at_ply, estimated, moves_shown, pit, with_start

# Nine seeds, which the built-in tables know, and eleven, which they do not.
KNOWN = "0-1-1-0-2-2-0-1-0-1-1-0-20-19-S"
UNKNOWN = "1-1-1-0-2-2-0-1-0-2-1-0-20-17-S"
GAME = "FeCaBcEcBb"
LONG = 300  # seconds, for solving and strong opponents on a busy machine


def probe(browser, board, rules):
    """The answer of `window.krou.probe`, or the message of its error."""
    return browser.call("POST", "/execute/async", {"script": """
        const [board, rules, done] = arguments;
        window.krou.probe(board, ...(rules === null ? [] : [rules])).then(
          (answer) => done({ answer }),
          (error) => done({ error: error.message, is: error instanceof Error }));
        """, "args": [board, rules]})


def probe_many(browser, boards, rules):
    return browser.call("POST", "/execute/async", {"script": """
        const [boards, rules, done] = arguments;
        Promise.all(boards.map((board) => window.krou.probe(board, rules).catch(
          (error) => ({ error: error.message })))).then(done);
        """, "args": [boards, rules]})


def play_and_take_back(browser, site):
    """Moves, refused moves, values and undo work as with a server, below any path."""
    browser.open(f"{site.base}/?rules=awari")
    browser.click(pit(2))
    at_ply(browser, "1 / 1", "the move")
    browser.click(pit(3))
    wait_until(lambda: "It is North’s turn" in browser.text("#error"), "the message")
    browser.type("f")
    at_ply(browser, "2 / 2", "a move by keyboard")
    equal(moves_shown(browser), "Cf", "move list")
    browser.click("#undo")
    at_ply(browser, "1 / 1", "undo")
    browser.open(with_start(site.base, KNOWN))
    wait_until(lambda: browser.text("#verdict-kind") == "exact", "an exact value")
    wait_until(lambda: browser.count("#line li") > 2, "the best line")
    equal(browser.text("#rules option:checked"), "awari (to 9 seeds)", "the ruleset")


def edit_a_board(browser, site):
    browser.open(f"{site.base}/?rules=awari")
    browser.click("#edit")
    browser.click("#empty")
    browser.write("#notation", KNOWN)
    browser.click(".notation button")
    wait_until(lambda: browser.text(f"{pit(4)} .count") == "2", "the board")
    browser.click("#edit-done")
    wait_until(lambda: browser.text("#verdict-kind") == "exact", "its value")
    browser.click("#edit")
    browser.write("#notation", "1 2 3")
    browser.click(".notation button")
    wait_until(lambda: "12" in browser.text("#error") or "twelve" in browser.text("#error"), "the error")


def estimate_while_searching(browser, site):
    """The engine tells one depth after another, and stops when the position changes."""
    browser.open(with_start(site.base, START))
    estimated(browser)
    depth = browser.text("#analysis-source")
    wait_until(lambda: browser.text("#analysis-source") != depth, "a deeper search")
    # The search of six seconds is in progress: another position does not wait for it.
    browser.click(pit(5))
    at_ply(browser, "1 / 1")
    estimated(browser)


def play_against_the_engine(browser, site):
    for style in ("random", "engine", "perfect"):
        browser.open(f"{site.base}/?view=play&rules=abapa&opponent={style}&side=south&level=5")
        browser.click(pit(5))
        # The strongest search a fixed number of nodes, whose time depends on the machine.
        wait_until(lambda: browser.text("#ply") == "2 / 2", f"the reply of {style}", LONG)


def review_a_game(browser, site):
    browser.open(with_start(site.base, START, GAME))
    at_ply(browser, f"{len(GAME)} / {len(GAME)}")
    browser.click("#review")
    wait_until(lambda: browser.shown("#lesson-summary") and browser.text("#review") == "Review game", "the review", LONG)


def save_and_load_a_game(browser, site):
    browser.open(with_start(site.base, START, GAME))
    browser.click("#files")
    wait_until(lambda: "[FEN" in browser.value("#ogn") or "1. F" in browser.value("#ogn"), "the text")
    text = browser.value("#ogn")
    browser.open(f"{site.base}/?rules=abapa")
    browser.click("#files")
    wait_until(lambda: browser.value("#ogn") not in ("", text), "the text of another game")
    browser.write("#ogn", text)
    browser.click("#ogn-load")
    wait_until(lambda: moves_shown(browser) == GAME, "the game")
    browser.click("#files")
    browser.write("#ogn", "1. Z")
    browser.click("#ogn-load")
    wait_until(lambda: browser.text("#files-error") != "", "the error")


def probe_from_scripts(browser, site):
    """`window.krou.probe` gives what `krou probe --json` prints."""
    browser.open(f"{site.base}/?rules=awari")
    compared = 0
    for rules in ("awari", "awale", "abapa", "awale-c", "awale-info", "pratt", "ifmg", "kalah", "kalah-empty",
                  "oware+all+required+nobody+even"):
        probes = site.probes(rules)
        found = probe_many(browser, [board for board, _ in probes], rules)
        for (board, expected), answer in zip(probes, found, strict=True):
            equal(answer, expected, f"{rules}: {board}")
            compared += 1
    assert compared > 140, compared
    board, expected = site.probes("abapa")[-1]
    numbers = [int(number) for number in board.split()]
    equal(probe(browser, numbers, None), {"answer": expected}, "numbers, and the default ruleset")
    equal(probe(browser, board, "awri")["is"], True, "an error for a ruleset that is none")
    assert "there is no ruleset 'awri'" in probe(browser, board, "awri")["error"]
    equal(probe(browser, board, "a/b")["is"], True, "an error for a ruleset with a slash")


def layers(browser):
    return browser.text("#solver-tables")


def solve(browser, seeds):
    browser.choose("#solver-seeds", str(seeds))
    browser.click("#solver-start")
    wait_until(lambda: browser.text("#solver-start") == "Stop", "the build")
    wait_until(lambda: browser.text("#solver-start") == "Solve", f"{seeds} seeds", LONG)
    equal(browser.shown("#solver-error"), False, "an error of the build")


def solve_in_the_page(browser, site):
    """Layers are solved and stored, found again after a reload, and can be removed."""
    address = with_start(site.base, UNKNOWN)
    browser.open(address)
    estimated(browser)
    solve(browser, 11)
    wait_until(lambda: browser.text("#verdict-kind") == "exact", "the value of the new table")
    assert layers(browser).startswith("awari up to 11 seeds"), layers(browser)
    value = browser.text("#verdict")
    browser.open(address)
    wait_until(lambda: browser.text("#verdict-kind") == "exact", "the value after a reload")
    equal(browser.text("#verdict"), value, "the value")
    wait_until(lambda: layers(browser).startswith("awari up to 11 seeds"), "the stored tables")
    equal(browser.text("#rules option:checked"), "awari (to 11 seeds)", "the ruleset")
    browser.click("#solver-tables button")
    wait_until(lambda: not browser.shown("#solver-stored"), "nothing stored")
    estimated(browser)
    wait_until(lambda: browser.text("#rules option:checked") == "awari (to 9 seeds)", "the built-in tables")


def solve_other_rules(browser, site):
    """Tables that are solved in the page hold what krou builds: also bounds and distances."""
    browser.open(f"{site.base}/?rules=abapa")
    solve(browser, 10)
    browser.open(f"{site.base}/?rules=abapa")
    known = [(board, answer) for board, answer in site.built("abapa", 8) if "error" not in answer]
    found = probe_many(browser, [board for board, _ in known], "abapa")
    for (board, expected), answer in zip(known, found, strict=True):
        equal(answer, expected, board)


def stop_solving(browser, site):
    """A stopped build keeps its finished layers, and resumes from them."""
    browser.open(f"{site.base}/?rules=kalah")
    browser.choose("#solver-seeds", "14")
    browser.click("#solver-start")
    wait_until(lambda: layers(browser).startswith("kalah up to"), "a layer", LONG)
    wait_until(lambda: browser.shown("#solver-progress"), "the bar")
    wait_until(lambda: re.match(r"kalah: layer \d+ of \d+", browser.text("#solver-phase")), "the layer in work", LONG)
    browser.click("#solver-start")
    wait_until(lambda: browser.text("#solver-start") == "Solve", "the end")
    assert layers(browser).startswith("kalah up to"), layers(browser)
    equal(browser.shown("#solver-error"), False, "an error")


def damaged_tables_count_as_missing(browser, site):
    browser.open(f"{site.base}/?rules=abapa")
    solve(browser, 10)
    browser.call("POST", "/execute/async", {"script": """
        const done = arguments[0];
        const request = indexedDB.open("krou-tables");
        request.onsuccess = () => {
          const store = request.result.transaction("tables", "readwrite").objectStore("tables");
          store.get("abapa-10.value.krou").onsuccess = ({ target }) => {
            target.result.bytes[20] ^= 255;
            store.put(target.result).onsuccess = () => done();
          };
        };""", "args": []})
    browser.open(f"{site.base}/?rules=abapa")
    # The built-in tables end at 9 seeds, so that nothing stands in for this layer.
    board = "4 1 0 0 0 0 0 1 4 0 0 0"
    equal(probe(browser, board, "abapa")["answer"]["missing"], 10, "the missing layer")
    # The worker that searches reads the tables too, and warns of them.
    estimated(browser)
    warnings = browser.failures()
    assert any("abapa" in line or "stored table" in line for line in warnings), warnings


def values_before_the_engine(browser, site):
    """On a first visit rules and values come before the engine. What needs it waits, and says
    so."""
    browser.development("Network.clearBrowserCache")
    site.server.requests.clear()
    site.server.hold("krou.wasm.gz")
    try:
        browser.open(with_start(site.base, KNOWN))
        wait_until(lambda: browser.text("#verdict-kind") == "exact", "an exact value")
        wait_until(lambda: browser.count("#values tbody tr") > 0, "the values of moves")
        equal(browser.shown("#notice"), False, "a message")
        browser.open(with_start(site.base, START))
        wait_until(lambda: "The engine is still being loaded" in browser.text("#error"), "what the page waits for")
        browser.click(pit(2))
        at_ply(browser, "1 / 1", "a move without the engine")
        equal(probe(browser, "0 0 0 0 0 1 / 2 0 0 0 0 1", "awari")["answer"]["value"], 4, "a probe without it")
        wait_until(lambda: browser.shown("#notice"), "the message after a move")
    finally:
        site.server.release()
    estimated(browser)
    equal(browser.shown("#notice"), False, "the message once the engine is there")
    names = [path.rpartition("/")[2] for path, *_ in site.server.requests]
    probing = max(names.index(name) for name in ("main.js", "krou-probe.wasm.gz", "tables-abapa.bin"))
    assert probing < names.index("krou.wasm.gz") < names.index("sw.js"), names
    # The files of the worker that answers do not wait for those of the page.
    assert max(names.index(name) for name in ("worker-probe.js", "worker.js", "library.js")) < names.index("main.js"), names


def offline_after_the_first_visit(browser, site):
    browser.open(with_start(site.base, KNOWN))
    ready = browser.call("POST", "/execute/async", {
        "script": "navigator.serviceWorker.ready.then(({ scope }) => arguments[0](scope));", "args": []})
    equal(ready, f"{site.base}/", "what the service worker serves")
    site.server.stop()
    try:
        browser.open(with_start(site.base, KNOWN))
        wait_until(lambda: browser.text("#verdict-kind") == "exact", "a value offline")
        browser.open(with_start(site.base, START))
        estimated(browser)
        browser.open(f"{site.base}/")
        answer = probe(browser, "0 0 0 0 0 1 / 2 0 0 0 0 1", "awari")
        equal(answer["answer"]["value"], 4, "a probe offline")
    finally:
        site.server.start()


def speak_french(browser, site):
    browser.open(f"{site.base}/?rules=awari")
    browser.speak("fr")
    equal(browser.text("#solver-title"), "Résoudre dans ce navigateur", "title")
    equal(browser.text("#solver-start"), "Résoudre", "button")


def loads_nothing_from_elsewhere(browser, site):
    browser.open(with_start(site.base, START))
    estimated(browser)
    loaded = json.loads(browser.script("return JSON.stringify(performance.getEntriesByType('resource').map(e => e.name))"))
    assert loaded and all(name.startswith(f"{site.base}/") for name in loaded), loaded
    assert not any("/api/" in name for name in loaded), loaded


def known_facts_lead_to_boards(browser, site):
    browser.open(f"{site.base}/?view=learn&rules=awari")
    wait_until(lambda: browser.shown("#learn-list a"), "the link")
    browser.click("#learn-list a")
    wait_until(lambda: browser.count(".facts table") == 4, "the tables")
    equal(browser.count(".facts svg"), 26, "boards")
    browser.click(".facts a[href*='rules=awari'][href*='-20-19-S']")
    wait_until(lambda: browser.text("#verdict-kind") == "exact", "its value")
    equal(browser.count(".pit .count"), 12, "pits")


# Ten seeds: one move is worth ten seeds more than the others.
HOSTED = "3-0-1-0-0-2-1-1-0-1-0-1-19-19-S"


def read_tables_of_a_host(browser, site):
    """The page knows what the host has; opponents and reviews use it; what was read stays readable
    offline; tables may lie beside the page."""
    base = site.hosted(site.build_host("awari", 10))
    browser.open(f"{base}/?rules=awari&start={HOSTED}")
    wait_until(lambda: browser.text("#rules option:checked") == "awari (to 10 seeds)", "the tables of the host")
    wait_until(lambda: browser.text("#verdict-kind") == "exact", "a value of the host")
    assert "up to 10 seeds" in browser.text("#ruleset-text"), browser.text("#ruleset-text")
    assert browser.text("#solver-host").startswith("Read from the tables of"), browser.text("#solver-host")
    best = browser.text("#values tbody tr:first-child .move")
    browser.open(f"{base}/?view=play&rules=awari&start={HOSTED}&opponent=perfect&side=north")
    wait_until(lambda: browser.text("#ply").startswith("1 /"), "the reply", LONG)
    assert f"moves={best[0]}" in browser.address(), f"the perfect opponent does not play {best}: {browser.address()}"
    browser.open(f"{base}/?rules=awari&start={HOSTED}&moves={best[0]}")
    at_ply(browser, "1 / 1")
    browser.click("#review")
    wait_until(lambda: browser.text("#review") == "Review game" and browser.shown("#lesson"), "the review", LONG)
    # In another order, without the server.
    browser.call("POST", "/execute/async", {
        "script": "navigator.serviceWorker.ready.then(() => arguments[0]());", "args": []})
    site.server.stop()
    try:
        browser.open(f"{base}/?rules=awari&start={HOSTED}&moves={best[0]}")
        wait_until(lambda: browser.text("#verdict-kind") == "exact", "a value that was read, offline")
        browser.open(f"{base}/?rules=awari&start={HOSTED}")
        wait_until(lambda: browser.text("#verdict-kind") == "exact", "the value before it, offline")
    finally:
        site.server.start()
    browser.open(f"{base}/?view=puzzles&rules=awari")


def tell_a_dead_host(browser, site):
    """A host that does not answer is named, and the tables of the page answer at once."""
    base = site.hosted("http://localhost:9/tables/")
    browser.open(f"{base}/?rules=awari&start={KNOWN}")
    wait_until(lambda: browser.text("#verdict-kind") == "exact", "a value of the page's tables")
    wait_until(lambda: "The tables of localhost:9 cannot be read" in browser.text("#error"), "the sentence")
    assert "does not answer, or does not allow" in browser.text("#solver-host"), browser.text("#solver-host")
    equal(browser.text("#rules option:checked"), "awari (to 9 seeds)", "the tables of the page")
    base = site.hosted("/nothing/")
    browser.open(f"{base}/?rules=awari&start={KNOWN}")
    wait_until(lambda: "it has no index of tables" in browser.text("#error"), "the sentence")


def say_why_it_does_not_start(browser, site):
    """Opened as a file, in a frame that is shut off, or without one of its parts, the page says so."""
    folder = pathlib.Path(site.server.folder) / urllib.parse.urlparse(site.base).path.strip("/")
    browser.call("POST", "/url", {"url": f"file://{folder}/index.html"})
    wait_until(lambda: "from a folder" in browser.text("#error"), "the sentence about files")
    assert browser.shown("#notice") and browser.count("body.loading") == 0, "the page seems to load"
    frame = folder / "frame.html"
    frame.write_text('<!doctype html><iframe sandbox="allow-scripts" src="./" width="900" height="700"></iframe>')
    browser.call("POST", "/url", {"url": f"{site.base}/frame.html"})
    browser.call("POST", "/frame", {"id": 0})
    wait_until(lambda: "This frame does not let" in (browser.text("#error") or ""), "the sentence about frames")
    browser.call("POST", "/frame", {"id": None})
    frame.unlink()
    [part] = folder.glob("web-*/notice.js")
    hidden = part.rename(part.with_suffix(".away"))
    try:
        site.forget(browser)
        browser.call("POST", "/url", {"url": f"{site.base}/?lang"})
        wait_until(lambda: "A part of the page could not be loaded" in browser.text("#error"), "the sentence")
    finally:
        hidden.rename(part)
    browser.failures()  # the browser's own words for the same


def play_by_mail(browser, site):
    """Two friends send each other links with the game; there are no rooms."""
    browser.open(f"{site.base}/?view=play")
    wait_until(lambda: browser.shown("#start"), "the form")
    equal(browser.shown("#friend"), False, "rooms without a server")
    browser.open(f"{site.base}/?view=play&opponent=none")
    equal(browser.shown("#mail"), False, "a link before the first move")
    browser.click(pit(2))
    at_ply(browser, "1 / 1", "the move")
    browser.script("Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (words) => { window.link = words; } } })")
    browser.click("#mail")
    link = wait_until(lambda: browser.script("return window.link"), "the link")
    browser.open(link)
    at_ply(browser, "1 / 1", "the game of the link")
    browser.click(pit(11))
    at_ply(browser, "2 / 2", "the reply")


CHECKS = [
    play_and_take_back,
    play_by_mail,
    edit_a_board,
    estimate_while_searching,
    play_against_the_engine,
    review_a_game,
    save_and_load_a_game,
    probe_from_scripts,
    solve_in_the_page,
    solve_other_rules,
    stop_solving,
    damaged_tables_count_as_missing,
    values_before_the_engine,
    offline_after_the_first_visit,
    speak_french,
    loads_nothing_from_elsewhere,
    known_facts_lead_to_boards,
    read_tables_of_a_host,
    tell_a_dead_host,
    say_why_it_does_not_start,
]
