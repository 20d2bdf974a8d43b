"""Checks of what makes a game on the page easy to follow: moving seeds, previews, lines beside
the game, the graph, and the state before and without answers. `scripts/test-page` runs
them."""

import re
import time

from browser import LANGUAGES, LEFT, equal, wait_until
from games import match
from playing import GAME, START, TRAP, at_ply, estimated, pit, start_position, with_start

# For an animation on a busy machine, in seconds.
LONG = 60
# Under abapa F makes three seeds in each of a, b and c, and captures them.
LAP = "0-0-0-0-0-14-1-1-1-1-2-2-10-16-S"
WORDS_IN_NAME = """
    return [...document.querySelectorAll("button, a[href], select")].filter(one => one.checkVisibility()).flatMap(one => {
      const visible = [];
      const read = node => {
        if (node.nodeType === Node.TEXT_NODE) visible.push(node.data);
        else if (node.tagName !== "OPTION" && node.checkVisibility?.({ visibilityProperty: true })) node.childNodes.forEach(read);
      };
      one.childNodes.forEach(read);
      const plain = text => text.toLowerCase().replace(/[^\\p{L}\\p{N}]+/gu, " ").trim();
      const [name, shown] = [plain(one.ariaLabel ?? visible.join(" ")), plain(visible.join(" "))];
      return shown && !` ${name} `.includes(` ${shown} `) ? [`${shown} | ${name}`] : [];
    });"""


def counts(browser, *places):
    return [int(browser.text(f"{place} .count")) for place in places]


def watch(browser):
    """Notes the seeds of pit a and of South's store whenever they change."""
    browser.script("""
        window.seen = { pit: [], store: [] };
        const note = (name, selector) => {
          const count = document.querySelector(selector);
          new MutationObserver(() => window.seen[name].push(Number(count.textContent))).observe(count, { childList: true });
        };
        note("pit", "[data-pit='6'] .count");
        note("store", ".store.south .count");""")


def check_store(browser):
    """The store has grown by and by. Seeds of two pits may arrive together."""
    seen = browser.script("return window.seen.store")
    assert seen in ([13, 16, 19], [13, 19], [16, 19], [19]) and seen[-1] == 19, seen


def follow_a_move(browser, base):
    """Seeds are lifted and dropped one by one; captured seeds come to the store at the end."""
    browser.remember(base, speed="normal")
    browser.open(with_start(base, LAP, rules="abapa"))
    watch(browser)
    browser.click(pit(5))
    at_ply(browser, "1 / 1", "the move")
    wait_until(lambda: browser.count(".flight") > 0, "seeds on their way")
    equal(counts(browser, ".store.south"), [10], "store while the seeds travel")
    equal(browser.count(".pit .value:not(:empty)"), 0, "values while the seeds travel")
    wait_until(lambda: browser.count(".flight.taken") > 0, "captured seeds on their way", LONG)
    assert browser.count(".pit.captured") == 3, browser.count(".pit.captured")
    wait_until(lambda: browser.script("return document.querySelector('.gain')?.textContent") == "+9", "what was captured", LONG)
    wait_until(lambda: browser.count(".flight, .gain, .captured") == 0, "the end of the move", LONG)
    equal(browser.script("return window.seen.pit"), [2, 3, 0], "seeds of a pit by and by")
    check_store(browser)
    equal(browser.count(f"{pit(5)}.last"), 1, "mark of the last move")
    # A single step is animated, forward and back; many are not.
    browser.click("#back")
    at_ply(browser, "0 / 1", "the step back")
    wait_until(lambda: browser.count(".flight.taken") > 0, "seeds on their way back", LONG)
    wait_until(lambda: browser.count(".flight") == 0, "the end of the way back", LONG)
    equal(counts(browser, pit(5), pit(6), ".store.south"), [14, 1, 10], "seeds after their way back")
    seen = browser.script("return window.seen.pit")
    equal(seen, [2, 3, 0, 3, 2, 1], "seeds of a pit by and by, and back")
    browser.click("#forward")
    wait_until(lambda: browser.count(".flight") > 0, "the step forward")
    # The next action ends it.
    browser.click("#back")
    wait_until(lambda: browser.count(".flight") == 0, "the end of the animation")
    equal(counts(browser, pit(5), ".store.south"), [14, 10], "seeds after going back")
    browser.open(f"{base}/?rules=awari&moves={GAME}&ply=0")
    browser.click("#last")
    at_ply(browser, "20 / 20", "the last position")
    equal(browser.count(".flight"), 0, "seeds on their way to a far position")


def wait_for_the_seeds(browser, base):
    """The opponent's reply comes after the user's own move."""
    browser.remember(base, speed="normal")
    browser.open(match(base, start=LAP, rules="abapa", opponent="random"))
    watch(browser)
    browser.click(pit(5))
    wait_until(lambda: browser.text("#ply") == "2 / 2", "the reply", LONG)
    check_store(browser)


def show_moves_at_once(browser, base):
    """Without motion, by the setting or the system's, a move is shown at once."""
    for still, speed in [(True, "normal"), (False, "off")]:
        browser.emulate(1280, 900, still=still)
        browser.remember(base, speed=speed)
        browser.open(with_start(base, LAP, rules="abapa"))
        browser.click(pit(5))
        at_ply(browser, "1 / 1", "the move")
        wait_until(lambda: counts(browser, ".store.south") == [19], "the captured seeds")
        equal(browser.count(".flight"), 0, "seeds on their way")
    browser.click("#settings")
    browser.choose("#speed", "slow")
    browser.open(browser.address())
    browser.click("#settings")
    equal(browser.value("#speed"), "slow", "speed after a reload")


def preview_a_move(browser, base):
    """The focus on a pit shows where its last seed lands and what it takes."""
    browser.open(with_start(base, LAP, rules="abapa"))
    wait_until(lambda: browser.script("document.querySelector(arguments[0]).focus();"
                                      "return document.querySelector('#preview').textContent", pit(5))
               == "F: the last seed lands in c and captures 9 seeds.", "the preview")
    equal(browser.count(".pit.takes"), 3, "pits that the move takes")
    browser.script("document.activeElement.blur()")
    equal((browser.text("#preview"), browser.count(".takes, .lands")), ("", 0), "preview without a pit")


def main_line(browser):
    return browser.script("return [...document.querySelectorAll('#moves > li > button > span')].map(one => one.textContent[0]).join('')")


def current_move(browser):
    return browser.script("return document.querySelector('#moves [aria-current] > span')?.textContent")


def take_back_and_play_again(browser, base):
    """P13: what was taken back can be played again."""
    browser.open(f"{base}/?rules=awari&moves=FdCbB")
    browser.click("#undo")
    at_ply(browser, "4 / 4", "the game after undo")
    browser.click("#undo")
    at_ply(browser, "3 / 3", "the game after two")
    browser.click("#redo")
    browser.click("#redo")
    at_ply(browser, "5 / 5", "the game after redo")
    equal(browser.script("return document.querySelector('#redo').ariaDisabled"), "true", "redo at the end")


def walk_through_variations(browser, base):
    """Other moves are variations of the game, in lists of their own, also inside others. A click
    or a key leads into them; they can become the main line, or be removed."""
    browser.open(f"{base}/?rules=awari&moves=FdCbB&ply=2")
    browser.type("a")
    at_ply(browser, "3 / 3", "another move")
    equal((main_line(browser), browser.label("#moves ol")), ("FdCbB", "Variation in place of move 2, C"), "the tree")
    equal((browser.text("#moves ol"), current_move(browser)), ("2.A", "A"), "the variation")
    browser.open(browser.address())
    wait_until(lambda: browser.text("#moves ol") == "2.A", "the variation after a reload")
    browser.type("b")
    at_ply(browser, "4 / 4", "its next move")
    browser.type([LEFT])
    browser.type("c")
    wait_until(lambda: browser.text("#moves ol ol") == "2...c", "a variation inside")
    browser.type("v")
    wait_until(lambda: current_move(browser) == "b", "the next variation")
    browser.click("#moves > li > [data-path=FdCb]")
    at_ply(browser, "4 / 5", "the main line")
    equal(browser.script("return document.querySelector('#remove').ariaDisabled"), "true", "removing the main line")
    browser.script("document.querySelector('#moves ol ol button').focus()")
    browser.type(["\ue007"])
    wait_until(lambda: current_move(browser) == "c", "a move by the keyboard")
    equal(browser.script("return document.activeElement.ariaCurrent"), "step", "focus on the move")
    browser.click("#promote")
    wait_until(lambda: main_line(browser) == "FdAc", "another main line")
    browser.click("#moves > li > ol > li > [data-path=FdCbB]")
    at_ply(browser, "5 / 5", "the line that it was")
    browser.click("#remove")
    at_ply(browser, "2 / 4", "the position before the variation")
    equal((main_line(browser), browser.count("#moves ol")), ("FdAc", 1), "the tree without it")
    browser.open(browser.address())
    wait_until(lambda: (main_line(browser), browser.text("#moves ol")) == ("FdAc", "2...b"), "the tree after a reload")


def read_the_graph(browser, base):
    """P25: the graph tells values under the pointer and by keyboard."""
    browser.open(with_start(base, "0-2-1-1-0-1-2-1-0-0-1-0-20-19-S", "DaBbEeDcFbC"))
    wait_until(lambda: browser.count("#graph .point") == 12, "the graph")
    browser.script("""
        const box = document.querySelector("#graph svg").getBoundingClientRect();
        document.querySelector("#graph svg").dispatchEvent(new PointerEvent("pointermove", { clientX: box.left, clientY: box.top + 20 }));""")
    equal(browser.text("#graph .tip"), "Start: +10", "value under the pointer")
    browser.script("document.querySelector('#graph svg').focus()")
    browser.type(["\ue012"])
    at_ply(browser, "10 / 11", "the step back")
    told = browser.script("const one = document.querySelector('#graph svg'); return [one.ariaValueNow, one.ariaValueText]")
    equal(told, ["10", "Move 5, b: −8"], "value by keyboard")


def think_longer(browser, base):
    """The engine can be paused, and asked to think longer."""
    browser.open(start_position(base))
    estimated(browser)
    browser.click("#pause")
    equal(browser.text("#pause"), "Go on", "button of the pause")
    browser.click(pit(2))
    at_ply(browser, "1 / 1", "the move")
    wait_until(lambda: browser.text("#values-note") == "The engine is paused.", "the pause")
    browser.click("#pause")
    estimated(browser)
    equal(browser.shown("#bar"), True, "the bar")
    wait_until(lambda: browser.script("return document.querySelector('#longer').ariaDisabled") == "false", "the end of the search")
    browser.click("#longer")
    wait_until(lambda: browser.script("return document.querySelector('#longer').ariaDisabled") == "true", "a longer search")
    # It goes on until it is paused.
    time.sleep(11)
    equal(browser.script("return document.querySelector('#longer').ariaDisabled"), "true", "the search after ten seconds")
    browser.click("#pause")
    wait_until(lambda: browser.text("#pause") == "Go on", "the pause of the search")


def keep_the_focus(browser, base):
    """Buttons that hide themselves leave the focus beside them, or on the board."""
    enter = "\ue007"

    def press_enter(selector, gone=None):
        wait_until(lambda: browser.shown(selector), selector)
        browser.script("document.querySelector(arguments[0]).focus()", selector)
        browser.type([enter])
        wait_until(lambda: not browser.shown(gone or selector), f"{gone or selector} to go")
        return wait_until(lambda: browser.script("const { activeElement: one } = document; return one !== document.body && one.checkVisibility()"
                                                 " && (one.id || (one.dataset.place !== undefined ? 'a pit' : one.className))"),
                          f"the focus after {selector}")

    browser.remember(base, welcomed=False)
    browser.open(f"{base}/?rules=awari")
    equal(press_enter("#welcome-close"), "try", "focus after the welcome")
    browser.script("document.querySelector('[data-pit=\"8\"]').focus()")
    browser.type([enter])
    wait_until(lambda: browser.shown("#notice"), "the message")
    equal(press_enter("#notice-close"), "a pit", "focus after a message")
    browser.click("#edit")
    equal(press_enter("#edit-done"), "a pit", "focus after editing")
    browser.open(f"{base}/?view=play&rules=awari")
    equal(press_enter("#start"), "a pit", "focus in a new game")
    browser.open(f"{base}/?view=learn&rules=awari")
    assert press_enter("#learn-show") in ("learn-again", "learn-next", "card"), "focus after a lesson"
    browser.open(f"{base}/?view=puzzles&rules=awari")
    assert press_enter("#puzzle-show").startswith("puzzle-"), "focus after a solution"
    equal(press_enter("#puzzle-begin"), "puzzle-sets", "focus after the first puzzle of a set")


def reach_the_pits(browser, base):
    """A link leads past the controls to the board, where arrows lead along the rows; after a click
    they go through the moves."""
    focused = lambda: browser.script("return document.activeElement.dataset.pit ?? document.activeElement.className")  # noqa: E731
    browser.open(f"{base}/?rules=awari&moves=FeCa")
    browser.type(["\ue004"])
    equal(focused(), "skip", "the first stop")
    browser.type(["\ue007"])
    equal(focused(), "0", "the pit after the link")
    browser.type(["\ue014", "\ue014"])
    equal((focused(), browser.text("#ply")), ("2", "4 / 4"), "the pit after two arrows")
    browser.type(["\ue013"])
    equal(focused(), "9", "the pit of the other row")
    equal(browser.count(".pit[tabindex='0']"), 2, "pits that Tab reaches")
    browser.type(["\ue015", "\ue014", "\ue007"])
    at_ply(browser, "5 / 5", "the move by keyboard")
    browser.click(".row.north .pit.legal")
    at_ply(browser, "6 / 6", "the move by mouse")
    browser.type([LEFT])
    at_ply(browser, "5 / 6", "the step back by an arrow")


def wait_for_a_busy_server(browser, base):
    """A page that is refused goes on by itself."""
    browser.open(with_start(base, TRAP))
    browser.script("""
        const real = window.fetch;
        let left = 6;
        window.fetch = (address, options) => String(address).includes("/analysis") && left-- > 0
          ? Promise.resolve(new Response("{}", { status: 503, headers: { "retry-after": "0.1" } })) : real(address, options);""")
    browser.click("[data-example=start]")
    estimated(browser)
    assert not browser.shown("#notice"), browser.text("#error")


def drag_a_seed(browser, base):
    """In the editor a seed can be dragged, and the rest goes to the stores."""
    browser.open(start_position(base))
    browser.click("#edit")
    wait_until(lambda: browser.shown("#editor"), "the editor")
    places = [browser.box(f"{pit(number)} .hollow") for number in (0, 8)]
    middles = [(round((left + right) / 2), round((top + bottom) / 2)) for left, top, right, bottom in places]
    steps = [{"type": "pointerMove", "x": middles[0][0], "y": middles[0][1]}, {"type": "pointerDown", "button": 0}]
    steps += [{"type": "pointerMove", "duration": 100, "x": x, "y": y} for x, y in (middles[0], middles[1])]
    browser.call("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": steps + [{"type": "pointerUp", "button": 0}]}]})
    wait_until(lambda: counts(browser, pit(0), pit(8)) == [3, 5], "the seed in its place")
    browser.click("#empty")
    browser.click(pit(1))
    browser.click("#rest")
    equal(counts(browser, ".store.south", ".store.north"), [24, 23], "stores with the rest")
    equal(browser.text("#seeds"), "48 of 48 seeds", "seeds")


def say_what_is_seen(browser, base):
    """P23: the name of a control has the words that are seen on it, in every view."""
    for query in ("?rules=awari", f"?rules=awari&start={TRAP}", "?view=play", f"?view=play&opponent=none&moves={GAME}",
                  "?view=puzzles", "?view=learn", f"?rules=awari&moves={GAME}"):
        for language in LANGUAGES:
            browser.remember(base, language=language, welcomed=False)
            browser.open(f"{base}/{query}")
            wait_until(lambda: "=" in browser.address(), "the address")
            equal(browser.script(WORDS_IN_NAME), [], f"names without what is seen, {query}, {language}")
    browser.remember(base)
    browser.open(f"{base}/?rules=awari&moves={GAME}")
    browser.click("#review")
    wait_until(lambda: browser.text("#review") == "Review game" and browser.count("#moves small:not([hidden])") > 0, "the review", 60)
    equal(browser.script(WORDS_IN_NAME), [], "names after a review")


def show_a_board_at_once(browser, base):
    """The start of a game stands in the page, as the script draws it."""
    browser.open(f"{base}/?view=play")
    found = browser.script("""
        return fetch("./").then(answer => answer.text()).then(page => {
          const read = root => [...root.querySelectorAll("#board [data-pit], #board .store")].map(place =>
            [place.querySelector(".count").textContent, [...place.querySelectorAll("circle")].map(one => ["cx", "cy", "r"].map(name => one.getAttribute(name)).join())]);
          return [read(new DOMParser().parseFromString(page, "text/html")), read(document)];
        });""")
    equal(found[0], found[1], "seeds of the page before and after its script")


def order_the_parts(browser, base):
    """On phones the board comes first, then the verdict, then the moves; only one row of
    controls is above the board."""
    for language in LANGUAGES:
        for width in (320, 390):
            browser.emulate(width, 844)
            browser.remember(base, language=language)
            browser.open(f"{base}/")
            wait_until(lambda: browser.count("#values tr") > 0, "the moves")
            tops = [browser.box(name)[1] for name in ("#board", "#verdict", "#values", "#examples", "#graph", "#rules")]
            equal(tops, sorted(tops), f"order at {width} pixels, {language}")
            rows = browser.script("return [...new Set([...document.querySelectorAll('header nav a, header button')]"
                                  ".filter(e => e.checkVisibility()).map(e => { const { top, height } = e.getBoundingClientRect();"
                                  "return Math.round(top + height / 2); }))]")
            assert max(rows) - min(rows) <= 4, f"rows of controls above the board at {width} pixels, {language}: {rows}"
            assert tops[0] < 100, f"the board begins at {tops[0]} at {width} pixels, {language}"


def fit_large_text_on_a_phone(browser, base):
    """P22: text of twice the size does not scroll sideways on a phone."""
    browser.emulate(390, 844)
    for query in (f"?rules=awari&start={TRAP}", f"?rules=awari&start={START}&moves={GAME}", "?view=play", "?view=puzzles", "?view=learn"):
        browser.open(f"{base}/{query}")
        browser.script("document.documentElement.style.fontSize = '200%'")
        if "rules" in query:
            wait_until(lambda: browser.count("#values tr") > 0, "the moves")
        wide = browser.script("return document.documentElement.scrollWidth")
        names = browser.script("return [...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > 391 && e.checkVisibility())"
                               ".map(e => e.id || e.getAttribute('class') || e.tagName).slice(0, 8)")
        assert wide <= 390, f"{wide} pixels wide with large text, {query}: {names}"


def mark_all_best_moves(browser, base):
    """P18: exact values by search have results, and all best moves are marked."""
    browser.open(with_start(base, "1-1-1-1-1-2-4-2-3-0-0-0-16-16-S", rules="kalah"))
    wait_until(lambda: browser.text("#analysis-source") == "exact, by search", "the end of the search", LONG)
    rows = browser.script("return [...document.querySelectorAll('#values tr')].map(row => [row.className, ...[...row.cells].map(cell => cell.textContent)])")
    best = [row for row in rows if row[0] == "best"]
    equal([row[2] for row in best], [rows[0][2]] * len(best), "leads of the best moves")
    assert len(best) == len([row for row in rows if row[2] == rows[0][2]]) == browser.count(".pit.best"), rows
    assert all(re.match(r"(wins|loses|draws) \d+–\d+$", row[3]) for row in rows), rows
    equal(browser.text("#line-end"), "", "what is said of the line")


def keep_small_things_small(browser, base):
    """P17, P19: a short message is one line, calm if it is about a slip; values keep apart."""
    browser.open(with_start(base, "1-0-0-0-0-1-0-0-0-0-0-0-0-0-S"))
    browser.click(pit(1))
    wait_until(lambda: browser.text("#error") == "Pit B is empty.", "the message")
    words, button, notice = (browser.box(name) for name in ("#error", "#notice-close", "#notice"))
    assert words[2] <= button[0] and notice[3] - notice[1] < 70, (words, button, notice)
    browser.open(with_start(base, "10-0-12-1-9-0-0-3-1-1-0-1-9-1-S"))
    estimated(browser)
    wait_until(lambda: browser.count(".pit .value:not(:empty)") >= 4, "the values")
    edges = browser.script("return [...document.querySelectorAll('.row.south .caption > *')].filter(e => e.textContent)"
                           ".map(e => { const { left, right } = e.getBoundingClientRect(); return [left, right]; })")
    for (_, right), (left, _) in zip(edges, edges[1:]):
        assert right <= left, f"values and letters touch: {edges}"


def tell_errors_of_a_text(browser, base):
    """P24: other languages name the line and the move of a text, and custom rules are told."""
    browser.remember(base, language="fr")
    browser.open(f"{base}/?rules=oware%2Bforced%2Brequired%2Bowner%2Bnobody")
    assert "grand chelem" in browser.text("#ruleset-text"), browser.text("#ruleset-text")
    browser.open(f"{base}/?rules=awari&moves=FeCa")
    browser.click("#files")
    wait_until(lambda: "F e" in browser.value("#ogn"), "the text")
    browser.write("#ogn", '[Variant "abapa"] 1. A b\n2. A *')
    browser.click("#ogn-load")
    wait_until(lambda: browser.text("#files-error") != "", "the error")
    assert re.match(r"Ligne 2 : « 2\. A »", browser.text("#files-error")), browser.text("#files-error")


CHECKS = [follow_a_move, wait_for_the_seeds, show_moves_at_once, preview_a_move, take_back_and_play_again, walk_through_variations, read_the_graph,
          think_longer, keep_the_focus, reach_the_pits, wait_for_a_busy_server, drag_a_seed, say_what_is_seen, show_a_board_at_once, order_the_parts,
          fit_large_text_on_a_phone, mark_all_best_moves, keep_small_things_small,
          tell_errors_of_a_text]
