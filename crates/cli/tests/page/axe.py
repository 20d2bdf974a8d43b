"""Checks the accessibility of a state of the page with axe-core, which npm installs."""

import json
import os
import pathlib
import subprocess
import sys

from browser import equal

PACKAGE = "axe-core@4.14.1"
ROOT = pathlib.Path(__file__).resolve().parents[4]
FOLDER = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "axe"
SCRIPT = FOLDER / "node_modules/axe-core/axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def source():
    """The script of axe-core, installed first if it is missing or another version."""
    package = SCRIPT.with_name("package.json")
    if not package.is_file() or json.loads(package.read_text())["version"] != PACKAGE.split("@")[1]:
        print(f"installing {PACKAGE}", file=sys.stderr)
        command = ["npm", "install", "--prefix", FOLDER, "--ignore-scripts", "--no-audit", "--no-fund", PACKAGE]
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return SCRIPT.read_text()


def accessible(browser, state):
    """Nothing is wrong with the page in this state."""
    browser.script(source())
    found = browser.script("""
        return axe.run(document, { runOnly: arguments[0], resultTypes: ["violations"] }).then(({ violations }) =>
          violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`));""", RULES)
    equal(found, [], f"violations of axe, {state}")
