"""The examples of the docstrings, of the tutorial and of the README."""

from __future__ import annotations

import doctest
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import krou

ROOT = Path(__file__).parent.parent
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def docstrings() -> Iterator[tuple[str, str]]:
    """The docstrings of everything that krou exports, with their names."""
    yield "krou", inspect.getdoc(krou) or ""
    for name in krou.__all__:
        thing = getattr(krou, name)
        if isinstance(thing, str):
            continue
        yield name, thing.__doc__ or ""
        if inspect.isclass(thing):
            for member, value in vars(thing).items():
                if not member.startswith("_") and not isinstance(value, (krou.Board, str)):
                    yield f"{name}.{member}", getattr(thing, member).__doc__ or ""


def run(name: str, text: str, scope: dict[str, object]) -> int:
    # Exceptions have notes since Python 3.11.
    if sys.version_info < (3, 11):
        text = re.sub(r"^while processing '.*'\n", "", text, flags=re.MULTILINE)
    test = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)
    # What a block defines stays for those after it.
    test.globs = scope
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    report: list[str] = []
    runner.run(test, out=report.append, clear_globs=False)
    assert runner.summarize(verbose=False).failed == 0, "".join(report)
    return len(test.examples)


def test_everything_has_a_docstring() -> None:
    for name, text in docstrings():
        assert text.strip(), name


def test_examples_of_docstrings_hold() -> None:
    examples = sum(run(name, inspect.cleandoc(text), {}) for name, text in docstrings())
    assert examples > 50


@pytest.mark.parametrize("document", ["docs/python.md", "README.md"])
def test_examples_of_documents_hold(
    document: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    scope: dict[str, object] = {}
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    examples = sum(run(document, block, scope) for block in blocks)
    assert examples >= {"docs/python.md": 30, "README.md": 3}[document]
