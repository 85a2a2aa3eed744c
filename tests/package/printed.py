"""The commands that the pages print, and a process that reads each as its program does, without running it.

    python -m tests.package.printed < COMMANDS

takes a JSON list of argument vectors and answers with what was wrong with each, "" where nothing was. One process reads
them all, each in a fork of its own: libraries are loaded once, and no program sees what another has done.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import re
import runpy
import shlex
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = (
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "SECURITY.md",
    *sorted((ROOT / "docs").glob("**/*.md")),
)
PROGRAM = re.compile(
    r"(?<![\w/.])(?:(?:\.venv[\w-]*/bin/)?python -m (?:bench|trainer|negotiation|tests)\b"
    r"|(?:python )?manage\.py [a-z]|bin/[a-z][\w-]*)"
)
FENCE = re.compile(r"^```[a-z]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
STANDS_FOR = {
    "GAME": "0b9f4c52-6c1f-4f0e-9d1a-3a3f5e0b1c11", "COMMAND": "generate", "NAME": "name", "DIR": "var/x",
    "FOLDER": "var/x", "EMAIL": "a@example.com", "MODEL": "var/x", "F": "var/x", "N": "3", "PATH": "tests/web",
    "RUN": "0b9f4c52-6c1f-4f0e-9d1a-3a3f5e0b1c11",
}  # fmt: skip
"""What a page's word in capitals is replaced by."""
LEARNING_STACK = (
    "torch",
    "transformers",
    "peft",
    "tokenizers",
    "safetensors",
    "accelerate",
    "websockets",
    "psutil",
    "openenv",
    "orjson",
)


class Understood(Exception):
    """The program's own parser took the command."""


def printed() -> dict[str, set[str]]:
    """Every command by the pages that print it: blocks, indented lines, and what stands in backticks in a sentence."""
    found: dict[str, set[str]] = {}
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        blocks = FENCE.findall(text)
        rest = FENCE.sub("", text)
        lines = [line for block in blocks for line in block.splitlines()]
        lines += [line[4:] for line in rest.splitlines() if line.startswith("    ")]
        lines += re.findall(r"`([^`]+)`", rest)
        for line in lines:
            # What follows a pipe, a comment or a wrapper is the command itself.
            for part in re.split(r"\s\|\s|&&|\s#\s", " ".join(line.split())):
                begin = PROGRAM.search(part)
                if begin and not part[: begin.start()].strip().endswith(("-c", "cat")):
                    found.setdefault(part[begin.start() :].strip(), set()).add(page.name)
    return found


def words_of(command: str) -> list[str]:
    """A command as its argument vector; what is optional is taken along, what stands for something is replaced."""
    plain = re.sub(r"[\[\]]", "", command.split(" < ")[0].split(" > ")[0]).replace(" ...", "")
    return [STANDS_FOR.get(word, word) for word in shlex.split(plain)]


def wrong_with(words: list[str]) -> str:
    """What the program's own parser says against it; "" where it takes it."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            _read(words)
        except Understood:
            return ""
        except SystemExit as end:
            told = f"{said.getvalue()}{end.code if isinstance(end.code, str) else ''}".strip()
            if end.code in (0, None) or "not in this environment" not in told:
                return "" if end.code in (0, None) else told.splitlines()[-1]
            return _by_source(words)
        except ModuleNotFoundError as missing:
            library = (missing.name or "").split(".")[0]
            return _by_source(words) if library in LEARNING_STACK else f"{words}: no module {missing.name}"
    return f"it read no arguments: {said.getvalue().strip()[-200:]}"


def _read(words: list[str]) -> None:
    def parse(
        parser: argparse.ArgumentParser, args: list[str] | None = None, namespace: object = None
    ) -> None:
        given, rest = parser.parse_known_args(args, namespace)
        if rest:
            parser.error(f"unrecognized arguments: {' '.join(rest)}")
        raise Understood(given)

    argparse.ArgumentParser.parse_args = parse  # type: ignore[assignment,method-assign]
    if words[0] == "manage.py":
        from django.core.management import get_commands, load_command_class

        name = words[1]
        load_command_class(get_commands()[name], name).create_parser("manage.py", name).parse_args(words[2:])
        return
    source = (ROOT / words[0].replace(".", "/")).with_suffix(".py")
    if source.exists() and not re.search(
        r"argparse|experiment\(|options\(", source.read_text(encoding="utf-8")
    ):
        if words[1:]:
            raise SystemExit(f"{words[0]} takes no arguments")
        raise Understood(words)
    sys.argv = [words[0], *words[1:]]
    runpy.run_module(words[0], run_name="__main__", alter_sys=True)


def _by_source(words: list[str]) -> str:
    """Without the libraries of a program: whether its sources know every option by name."""
    folder = ROOT / words[0].split(".")[0]
    known = "".join(path.read_text(encoding="utf-8") for path in folder.glob("**/*.py"))
    unknown = [word for word in words if word.startswith("--") and f'"{word}"' not in known]
    return f"{words[0]} knows no {unknown}" if unknown else ""


def main() -> None:
    """Answer for each command on standard input."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "parlay_web.settings.test")
    django.setup()
    import trainer.commands  # noqa: F401  # once, for all forks

    answers = []
    for words in json.load(sys.stdin):
        ours, theirs = os.pipe()
        child = os.fork()
        if not child:
            os.close(ours)
            with os.fdopen(theirs, "w") as answer:
                answer.write(wrong_with(words))
            os._exit(0)
        os.close(theirs)
        with os.fdopen(ours) as answer:
            answers.append(answer.read())
        os.waitpid(child, 0)
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
