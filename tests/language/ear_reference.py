"""What the published encoder makes of sentences of every kind, by its own tokeniser and in torch.

    .venv-train/bin/python -m tests.language.ear_reference

``test_ear`` holds ours against it, number by number.
"""

from __future__ import annotations

import json
from pathlib import Path

from negotiation.engine.deal.listening.ear.encoder import published
from negotiation.engine.deal.listening.ear.wordpiece import MOST_PIECES

REFERENCE = Path(__file__).with_suffix(".json")
SENTENCES = (
    "Who signs?",
    "Before we talk numbers, what is it that drives your people up the wall today?",
    "Caf\u00e9 na\u00efve, \u00fcber 12.5% \u2013 \u201cquoted\u201d \u20ac940k\u2026",
    "don't you'd $1,250.50 a/b",
    "\u4e2d\u6587 and \u05e2\u05d1\u05e8\u05d9\u05ea and \u0939\u093f\u0928\u094d\u0926\u0940",
    "x" * 120 + " is no word",
    "\u200bzero\u00a0width\ttab\nline",
    "emoji \U0001f600\U0001f600 here",
    "a" * 30,
    "one word after another " * 60,
    "",
)
SHOWN = 8
"""Of each point so many of its 384 numbers are kept."""


def main() -> None:
    import torch
    from transformers import AutoModel, AutoTokenizer

    folder = published()
    if folder is None:
        message = "install requirements/ear.txt into this environment first"
        raise SystemExit(message)
    cut = AutoTokenizer.from_pretrained(folder)
    model = AutoModel.from_pretrained(folder).eval()
    found = []
    for text in SENTENCES:
        batch = cut(text, return_tensors="pt", truncation=True, max_length=MOST_PIECES)
        with torch.no_grad():
            mean = model(**batch).last_hidden_state[0].mean(0)
        point = (mean / mean.norm()).tolist()
        found.append({"text": text, "pieces": batch["input_ids"][0].tolist(), "point": point[:SHOWN]})
    REFERENCE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
