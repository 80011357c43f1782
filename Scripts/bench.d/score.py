"""Scores the text of a PDF against the true text: words right, without regard to order."""

import subprocess
from collections import Counter
from pathlib import Path


def words(text: str) -> Counter:
    return Counter(text.split())


def right(truth: str, text: str) -> tuple[int, int]:
    """The words of the truth that are in a text, whatever their order and case, and the number
    of words in the truth."""
    true = words(truth.lower())
    return sum((true & words(text.lower())).values()), sum(true.values())


def page_texts(pdf: Path) -> list[str]:
    """The text of each page of a PDF."""
    text = subprocess.run(
        ["pdftotext", "-raw", str(pdf), "-"], check=True, capture_output=True, text=True
    ).stdout
    return text.split("\f")[:-1]


def recall(pdf: Path, truths: list[Path]) -> tuple[int, int]:
    """The words of the truth that are in the PDF's text layer, and the words in the truth, each
    with its number of occurrences.
    """
    text = " ".join(page_texts(pdf))
    true = sum((words(truth.read_text()) for truth in truths), Counter())
    return sum((true & words(text)).values()), sum(true.values())
