"""Checks of how the page of `krou serve` looks: sizes, colours, languages, and screenshots.
`scripts/test-page` runs them."""

import time

from browser import LANGUAGES, equal, wait_until
from playing import GAME, START, TRAP, estimated, pit, start_position, with_start

FORCED = "1-1-1-1-1-12-0-0-0-0-0-0-15-16-S"
REVIEWED = ("0-2-1-1-0-1-2-1-0-0-1-0-20-19-S", "DaBbEeDcFbCdEcDeAd&ply=11")


def check_width(browser, width):
    """Nothing makes the page wider than the screen."""
    found = browser.script("return document.documentElement.scrollWidth")
    wide = browser.script("return [...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > arguments[0])"
                          ".map(e => e.id || e.getAttribute('class') || e.tagName)", width)
    assert found <= width, f"{found} pixels wide on a screen of {width} pixels: {wide}"


def show_legal_pits(browser, base):
    """P4: pits that may be played look different, and the others say why not."""
    browser.open(with_start(base, FORCED))
    equal(browser.count(".pit.legal"), 1, "legal pits")
    chosen, other = (browser.style(f"{pit(n)} .letter", "backgroundColor") for n in (5, 0))
    assert chosen != other, f"letters of legal and other pits have the same background {chosen}"
    equal(browser.style(f"{pit(0)} .hollow svg", "opacity"), "0.5", "seeds of a pit that may not be played")
    reason = browser.script("return document.querySelector(arguments[0]).title", pit(0))
    assert "without seeds" in reason, reason
    equal(browser.label(pit(0)), "A, 1 seed, South’s pit, cannot be played", "label of a pit that may not be played")


def outline_forced_colours(browser, base):
    """P5: in forced colours borders show what backgrounds and shadows show otherwise."""
    browser.emulate(1280, 900, forced=True)
    browser.open(with_start(base, *REVIEWED))
    for selector in (".board", ".hollow", ".store"):
        equal(browser.style(selector, "borderTopStyle"), "solid", f"border of {selector}")
    wait_until(lambda: browser.count(".pit.best") == 1, "the best move")
    equal(browser.style(".pit.best .hollow", "borderTopStyle"), "double", "border of the best move")
    assert browser.style(".pit.last .hollow", "borderTopColor") != browser.style(".board", "backgroundColor")
    current = browser.style("#moves [aria-current]", "backgroundColor")
    assert current != browser.style("#moves li:first-child button", "backgroundColor"), "the current move is not marked"


def keep_the_board_in_place(browser, base):
    """P11: a message moves nothing, and can be closed."""
    browser.open(start_position(base))
    before = browser.box("#board")
    browser.click(pit(6))
    wait_until(lambda: browser.shown("#notice"), "the message")
    equal(browser.box("#board"), before, "place of the board")
    assert browser.box("#notice")[3] <= before[1] + 1, "the message covers the board"
    browser.click("#notice-close")
    assert not browser.shown("#notice"), "the message cannot be closed"
    # The page does not scroll from the board to the current move in the list.
    browser.emulate(390, 844)
    browser.open(with_start(base, *REVIEWED))
    equal(browser.script("return scrollY"), 0, "scroll position")


def grow_with_the_text(browser, base):
    """P12: with text of twice the size there is one column, and nothing overlaps."""
    browser.open(with_start(base, *REVIEWED))
    wait_until(lambda: browser.text(f"{pit(11)} .value") != "", "the values")
    small = browser.style("#graph text", "fontSize")
    browser.script("document.documentElement.style.fontSize = '200%'")
    wait_until(lambda: browser.box("#status")[1] > browser.box("#board")[3], "one column")
    check_width(browser, 1280)
    right = 0
    for number in (11, 10, 9, 8):
        box = browser.box(f"{pit(number)} .letter"), browser.box(f"{pit(number)} .value")
        assert box[0][0] >= right and box[0][2] <= box[1][0] + 1, f"overlapping values at pit {number}"
        right = box[1][2]
    wait_until(lambda: browser.style("#graph text", "fontSize") != small, "larger text in the graph")


def start_help_at_its_title(browser, base):
    """P18, P19: help begins at its title, and explains the game and the rulesets."""
    browser.emulate(320, 568)
    browser.open(start_position(base))
    browser.click("#help")
    wait_until(lambda: browser.shown("#help-title"), "help")
    equal(browser.script("return document.querySelector('#help-dialog').scrollTop"), 0, "scroll position of help")
    assert browser.box("#help-title")[1] < 100, "the title is not visible"
    equal(browser.count("#help-rulesets dt"), 9, "rulesets in help")
    assert "sowing" in browser.text("#help-rulesets") and "capture them" in browser.text("#help-play")
    assert "Computer Olympiad" in browser.text("#ruleset-text"), browser.text("#ruleset-text")


def fit_all_screens(browser, base):
    """P23, P24, P25: nothing is wider than the screen, touch targets are large enough, and
    the board uses the screen."""
    for width in (320, 360, 390, 768, 1280):
        browser.emulate(width, 800)
        for query in ("?rules=awari", "?rules=oware%2Bforced%2Brequired%2Bowner%2Bnobody",
                      "?start=0-2-0-1-0-1-2-1-0-0-1-1-0-0-S&moves=FfEeD",
                      "?view=play", "?view=play&opponent=none&side=south&moves=FeCa"):
            for language in LANGUAGES:
                browser.remember(base, language=language)
                browser.open(f"{base}/{query}")
                for editing in (False, True):
                    if editing and "play" in query:
                        break
                    if editing:
                        browser.click("#edit")
                        wait_until(lambda: browser.shown("#editor"), "the editor")
                    check_width(browser, width)
                    small = browser.script(
                        "return [...document.querySelectorAll('button, nav a, select, .switch span, .options span, #notation')]"
                        ".filter(e => e.checkVisibility() && !e.closest('dialog'))"
                        ".filter(e => { const { width, height } = e.getBoundingClientRect(); return width < 43 || height < 44; })"
                        ".map(e => e.id || e.className || e.textContent)")
                    equal(small if width < 600 else [], [], f"touch targets too small on a screen of {width} pixels")
                cut = browser.script("const e = document.querySelector('#notation'); return e.scrollWidth - e.clientWidth")
                assert cut <= 1, f"{cut} pixels of the notation are hidden on a screen of {width} pixels"
    for language in LANGUAGES:
        browser.remember(base, language=language)
        browser.emulate(320, 568)
        browser.open(start_position(base))
        wait_until(lambda: "9" in browser.script("return document.querySelector('#rules').selectedOptions[0].text"), "the rulesets")
        # The field is as wide as its text where nothing limits it.
        free = browser.script("const one = document.querySelector('#rules').cloneNode(true); one.style.cssText ="
                              "'position: absolute; width: auto; max-width: none'; one.id = '';"
                              "one.replaceChildren(document.querySelector('#rules').selectedOptions[0].cloneNode(true));"
                              "document.querySelector('.rules').append(one); const { width } = one.getBoundingClientRect();"
                              "one.remove(); return width")
        left, _, right, _ = browser.box("#rules")
        assert right - left >= free, f"the ruleset is cut off: {right - left} of {free} pixels"
    browser.remember(base)
    browser.emulate(390, 844)
    browser.open(f"{base}/?view=play")
    assert browser.box("#opponents label")[3] < 844, "the opponents are below the first screen"
    browser.emulate(1920, 1080)
    browser.open(start_position(base))
    left, _, right, _ = browser.box("#board")
    assert right - left > 1200, f"the board is {right - left} pixels wide on a screen of 1920"
    browser.emulate(844, 390)
    browser.open(start_position(base))
    assert browser.box("#board")[3] <= 390, "the board is cut off on a phone held sideways"


def luminance(colour):
    """The relative luminance of `#rrggbb`, as WCAG 2 defines it."""
    parts = [int(colour[n:n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear))


# Colours beside each other, by their names in the style sheet: text, and parts that must be
# told apart.
TEXT_COLOURS = [("ink", "page"), ("ink", "card"), ("soft", "page"), ("soft", "card"), ("accent-ink", "accent"),
                ("badge-ink", "plus"), ("badge-ink", "minus"), ("badge-ink", "even"), ("minus-text", "card"),
                ("plus-text", "card"), ("warn-text", "card"), ("error-ink", "error"), ("on-wood", "wood-light"),
                ("on-wood", "wood-dark"), ("on-store", "hollow-light"), ("on-wood-ink", "on-wood")]
PART_COLOURS = [("edge", "page"), ("edge", "card"), ("accent", "card"), ("badge-edge", "wood-light"),
                ("badge-edge", "wood-dark"), ("on-store", "hollow-dark"), ("on-store", "hollow-light")]


def check_contrast(browser, base):
    """P21: text has a contrast of at least 4.5 to 1 with its background, and parts of 3 to
    1. The golden ring has a dark edge, or stands out itself."""
    for dark in (False, True):
        browser.emulate(1280, 900, dark)
        browser.open(start_position(base))

        def ratio(pair):
            colours = [browser.script("return getComputedStyle(document.documentElement)"
                                      ".getPropertyValue('--' + arguments[0]).trim()", name) for name in pair]
            low, high = sorted(map(luminance, colours))
            return (high + 0.05) / (low + 0.05)

        for pairs, least in ((TEXT_COLOURS, 4.5), (PART_COLOURS, 3)):
            for pair in pairs:
                assert ratio(pair) >= least, f"{pair[0]} on {pair[1]}, {'dark' if dark else 'light'}: {ratio(pair):.2f} to 1"
        for wood in ("wood-light", "wood-dark"):
            ring = max(ratio(("gold", wood)), min(ratio(("gold", "gold-edge")), ratio(("gold-edge", wood))))
            assert ring >= 3, f"golden ring on {wood}, {'dark' if dark else 'light'}: {ring:.2f} to 1"
        for hollow in ("hollow-light", "hollow-dark"):
            count = max(ratio(("card", hollow)), ratio(("count-edge", hollow)))
            assert count >= 3, f"count on {hollow}, {'dark' if dark else 'light'}: {count:.2f} to 1"


def compare_languages(browser, base):
    """P29: all languages have the same texts, one of them is loaded, and the page changes its
    language at once."""
    browser.open(start_position(base))
    loaded = browser.script("return performance.getEntriesByType('resource').map(one => one.name)"
                            ".filter(name => /[/]text[/]..[.]js/.test(name)).map(name => name.slice(-5))")
    equal(loaded, ["en.js"], "languages that are loaded")
    differences = browser.script("""
        const [first, ...others] = document.documentElement.dataset.languages.split(" ");
        const load = (code) => import(new URL(`web/text/${code}.js`, document.baseURI)).then((found) => found.default);
        return Promise.all([first, ...others].map(load)).then(([en, ...texts]) => {
          const found = [];
          const compare = (one, other, path) => {
            if (typeof one !== typeof other) found.push(`${path}: ${typeof one}, ${typeof other}`);
            else if (typeof one === "function" && one.length < other.length) found.push(`${path}: parameters`);
            else if (typeof one === "string" && (one === "") !== (other === "")) found.push(`${path}: empty`);
            else if (typeof one === "object") {
              for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) compare(one[key], other[key], `${path}.${key}`);
            }
          };
          texts.forEach((text, index) => {
            compare(en, text, others[index]);
            if (text.code !== others[index]) found.push(`${others[index]} calls itself ${text.code}`);
          });
          const find = (path, text) => path.split(".").reduce((part, name) => part?.[name], text);
          for (const name of ["text", "label", "title"]) {
            for (const element of document.querySelectorAll(`[data-${name}]`)) {
              const path = element.dataset[name];
              if (typeof find(path, en) !== "string") found.push(`${path} is not a text`);
            }
          }
          return found;
        });""")
    equal(differences, [], "differences between the languages")
    browser.speak("fr")
    equal((browser.text("#new"), browser.text("#status")), ("Nouvelle partie", "À Sud de jouer"), "French texts")
    assert ", 4 graines, case de Sud" in browser.label(pit(0)), browser.label(pit(0))
    browser.click(pit(6))
    wait_until(lambda: "C’est à Sud de jouer" in browser.text("#error"), "the French message")
    browser.open(with_start(base, TRAP))
    equal((browser.text("#verdict"), browser.script("return document.documentElement.lang")), ("Sud gagne 28 à 20", "fr"),
          "language after a reload")
    browser.open(with_start(base, "1-0-1-0-1-0-1-0-1-0-2-2-20-19-S", "AeEcFdAeCf"))
    assert browser.text("#verdict-details").startswith("Sud n’a plus de coup jouable."), browser.text("#verdict-details")
    browser.speak("en")
    equal(browser.text("#verdict"), "South wins 27 to 21", "English again")


def take_screenshots(browser, base, folder):
    """Takes screenshots of the page for inspection."""
    views = [("wide", 1280, 800), ("tablet", 768, 1024), ("phone", 390, 844), ("small", 320, 568)]
    looks = [("light", {}), ("dark", {"dark": True}), ("forced", {"forced": True})]
    for name, width, height in views:
        for shade, look in looks:
            browser.remember(base)
            browser.emulate(width, height, still=True, **look)
            browser.open(f"{base}/")
            wait_until(lambda: browser.count("#values tr") > 0, "the values")
            browser.shoot(folder / f"{name}-{shade}-first.png")
            browser.open(f"{base}/?rules=awari&moves={GAME}")
            estimated(browser)
            time.sleep(0.5)
            browser.shoot(folder / f"{name}-{shade}-estimate.png")
            browser.open(with_start(base, *REVIEWED))
            wait_until(lambda: browser.count("#values tr") > 0, "the values")
            browser.shoot(folder / f"{name}-{shade}-game.png")
        browser.emulate(width, height, still=True)
        browser.click("#edit")
        browser.shoot(folder / f"{name}-light-edit.png")
        browser.open(f"{base}/?moves=AX")
        browser.shoot(folder / f"{name}-light-message.png", whole=False)
        browser.click("#notice-close")
        browser.click("#help")
        browser.shoot(folder / f"{name}-light-help.png", whole=False)
        browser.remember(base, language="fr", welcomed=False)
        browser.open(f"{base}/?rules=awari&start={START}&moves={GAME}&ply=8")
        browser.click("#review")
        wait_until(lambda: browser.shown("#lesson-summary"), "the review", 60)
        browser.shoot(folder / f"{name}-light-french.png")
    browser.remember(base)
    browser.emulate(844, 390, still=True)
    browser.open(f"{base}/")
    browser.shoot(folder / "sideways.png", whole=False)
    browser.emulate(1920, 1080, still=True)
    browser.open(f"{base}/")
    browser.shoot(folder / "large.png", whole=False)


CHECKS = [show_legal_pits, outline_forced_colours, keep_the_board_in_place, grow_with_the_text, start_help_at_its_title,
          fit_all_screens, check_contrast, compare_languages]
