"""Drives Chromium for `scripts/test-page` and `scripts/test-site` through WebDriver, which is
JSON over HTTP and needs only the standard library."""

import base64
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

TIMEOUT = 10  # seconds
PAGE = pathlib.Path(__file__).resolve().parents[2] / "web" / "index.html"
LANGUAGES = re.search(r'data-languages="([^"]*)"', PAGE.read_text())[1].split()
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # as WebDriver names elements
RIGHT, LEFT, HOME, ESCAPE = "\ue014", "\ue012", "\ue011", "\ue00c"


def install():
    """Installs the browser if it is missing."""
    if shutil.which("chromium") and shutil.which("chromedriver"):
        return
    command = ["apt-get", "install", "--yes", "--no-install-recommends", "chromium", "chromium-driver"]
    print("installing chromium and chromium-driver", file=sys.stderr)
    if os.geteuid() != 0 or subprocess.run(command, stdout=subprocess.DEVNULL).returncode != 0:
        sys.exit(f"chromium is missing and cannot be installed: run '{' '.join(command)}' as root")


class Browser:
    """A headless Chromium with the actions of a user."""

    def __init__(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.driver = subprocess.Popen(["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL)
        self.base = f"http://127.0.0.1:{port}"
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-color-profile=srgb"]
        options = {"goog:chromeOptions": {"args": arguments}, "goog:loggingPrefs": {"browser": "ALL"}}
        wait_until(lambda: self.ready(), "the driver to start")
        session = self.call("POST", "/session", {"capabilities": {"alwaysMatch": options}})
        self.base += f"/session/{session['sessionId']}"

    def ready(self):
        try:
            return self.call("GET", "/status")["ready"]
        except OSError:
            return False

    def call(self, method, path, body=None):
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(json.load(error)["value"]["message"].split("\n")[0]) from None

    def close(self):
        self.call("DELETE", "")
        self.driver.terminate()
        self.driver.wait()

    def development(self, command, **parameters):
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def emulate(self, width, height, dark=False, still=False, forced=False):
        """Sets the size of the window, the colour scheme, the motion preference and forced
        colours."""
        self.development("Emulation.setDeviceMetricsOverride", width=width, height=height,
                         deviceScaleFactor=1 if width > 600 else 2, mobile=width < 600)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        motion = {"name": "prefers-reduced-motion", "value": "reduce" if still else "no-preference"}
        colours = {"name": "forced-colors", "value": "active" if forced else "none"}
        self.development("Emulation.setEmulatedMedia", features=[scheme, motion, colours])

    def connect(self, online=True, latency=0):
        """Sets whether there is a network, and its latency in milliseconds."""
        self.development("Network.enable")
        self.development("Network.emulateNetworkConditions", offline=not online, latency=latency,
                         downloadThroughput=-1, uploadThroughput=-1)

    def remember(self, base, **settings):
        """Sets what the page of this server remembers, and nothing else."""
        with urllib.request.urlopen(f"{base}/", timeout=TIMEOUT) as page:
            icon = re.search(r'<link rel="icon" href="([^"]*)"', page.read().decode())[1]
        self.call("POST", "/url", {"url": f"{base}/{icon}"})
        self.script("localStorage.clear(); localStorage.setItem('krou', arguments[0])",
                    json.dumps({"welcomed": True, "language": "en", "speed": "off", "view": "analyse", **settings}))

    def open(self, address):
        self.call("POST", "/url", {"url": address})
        wait_until(lambda: self.script("return document.querySelectorAll('body:not(.loading) .pit').length") == 12, "the board")
        wait_until(lambda: self.text("#verdict") != "" and self.text("#ply") != "", "the position")

    def script(self, code, *arguments):
        return self.call("POST", "/execute/sync", {"script": code, "args": arguments})

    def text(self, selector):
        return self.script("return document.querySelector(arguments[0])?.textContent.trim()", selector)

    def label(self, selector):
        return self.script("return document.querySelector(arguments[0]).getAttribute('aria-label')", selector)

    def shown(self, selector):
        return self.script("return document.querySelector(arguments[0])?.checkVisibility() ?? false", selector)

    def count(self, selector):
        return self.script("return document.querySelectorAll(arguments[0]).length", selector)

    def value(self, selector):
        return self.script("return document.querySelector(arguments[0]).value", selector)

    def box(self, selector):
        """The place of an element: left, top, right and bottom."""
        return self.script("const { left, top, right, bottom } = document.querySelector(arguments[0])"
                           ".getBoundingClientRect(); return [left, top, right, bottom]", selector)

    def style(self, selector, name):
        return self.script("return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]", selector, name)

    def press(self, key, code, selector="body"):
        """Presses a key of another keyboard layout on an element."""
        self.script("document.querySelector(arguments[2]).dispatchEvent(new KeyboardEvent('keydown',"
                    " { key: arguments[0], code: arguments[1], bubbles: true, cancelable: true }))", key, code, selector)

    def address(self):
        return self.call("GET", "/url")

    def click(self, selector):
        found = self.call("POST", "/element", {"using": "css selector", "value": selector})
        self.call("POST", f"/element/{found[ELEMENT]}/click", {})

    def type(self, keys):
        """Presses keys on the focused element."""
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def write(self, selector, text):
        """Replaces the text of a field."""
        self.script("document.querySelector(arguments[0]).value = arguments[1]", selector, text)

    def choose(self, selector, value):
        self.script("const s = document.querySelector(arguments[0]); s.value = arguments[1];"
                    "s.dispatchEvent(new Event('change'))", selector, value)

    def speak(self, code):
        """Chooses the language in the settings, whose texts are loaded then."""
        self.click("#settings")
        self.choose("#language", code)
        wait_until(lambda: self.script("return document.documentElement.lang") == code, f"the language {code}")
        self.click("#settings-dialog [method=dialog] button")

    def shoot(self, path, whole=True):
        shot = self.development("Page.captureScreenshot", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(shot["data"]))

    def failures(self):
        """Errors in the console, except expected responses and failed connections."""
        log = self.call("POST", "/se/log", {"type": "browser"})
        return [entry["message"] for entry in log if "404 (Not Found)" not in entry["message"]
                and "400 (Bad Request)" not in entry["message"] and "414 (" not in entry["message"] and "net::ERR_" not in entry["message"]]


def wait_until(holds, what, timeout=TIMEOUT):
    end = time.monotonic() + timeout
    while not (result := holds()):
        if time.monotonic() > end:
            raise AssertionError(f"timed out waiting for {what}")
        time.sleep(0.05)
    return result


def equal(found, expected, what):
    if found != expected:
        raise AssertionError(f"{what}: {found!r} instead of {expected!r}")


def run_checks(checks, only, failed, run, after=None):
    """Runs the checks with this word in their names, each by `run(check, browser)`, and then
    `after(browser)`. A failure ends the program, with a screenshot in the file `failed`."""
    browser = Browser()
    name = "start"
    try:
        for check in checks:
            if only in check.__name__:
                name = check.__name__.replace("_", " ")
                run(check, browser)
                print(f"{name}: ok", flush=True)
        if after:
            name = after.__name__
            after(browser)
    except AssertionError as error:
        browser.shoot(failed)
        sys.exit(f"{name}: {error}\nscreenshot: {failed}")
    finally:
        browser.close()
