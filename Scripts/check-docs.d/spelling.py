"""Words of documents are in hunspell's American dictionary or in Scripts/lib/words.txt.

Words that the dictionary has, but that the documents do not use, are in AVOIDED.
"""

import re
import subprocess
from pathlib import Path

from prose import lines, without_code

OWN_WORDS = Path(__file__).resolve().parent.parent / "lib/words.txt"

#: The words to avoid, as patterns, and the words to use instead.
AVOIDED = {
    r"house": "host, program or architecture",
    r"streets?": "pipeline",
    r"rooms": "modules",
    r"wish(?:es)?": "request",
    r"ears?": "listener",
    r"rolls?": "list",
    r"mend(?:s|ed)?": "fix",
    r"anew": "again",
    r"gone on with": "resumed",
    r"colour\w*": "color",
    r"grey\w*": "gray",
    r"centre\w*": "center",
    r"catalogues?": "catalog",
    r"licences?": "license",
    r"behaviour\w*": "behavior",
    r"(?:binar|recogn|organ|normal|optim|initial)is(?:e|ed|es|ing|ation|er)": "-ize",
    r"analyse\w*": "analyze",
    r"cancell(?:ed|ing)": "canceled, canceling",
    r"labell(?:ed|ing)": "labeled, labeling",
}
AVOIDED_WORD = re.compile(rf"\b(?<!')(?:{'|'.join(AVOIDED)})\b", re.IGNORECASE)


#: Names of types, formats and libraries: they contain a digit or a capital letter, or begin with
#: "lib", as libpng does.
NAME = re.compile(r".*\d|.*\w[A-Z]|lib[a-z]+$|.$")


def prose(file: Path) -> list[tuple[int, str]]:
    """The lines of `file` that are read as sentences, without names of code."""
    # A name in backticks may continue on the next line, so the file is cleaned as a whole.
    kept = {number: line for number, kind, line in lines(file) if kind in ("prose", "table")}
    last = max(kept, default=0)
    whole = "\n".join(kept.get(number, "") for number in range(1, last + 1))
    return list(enumerate(without_code(whole).split("\n"), 1))


def unknown_words(texts: list[str]) -> set[str]:
    """The words of `texts` that neither hunspell nor our own list has.

    Raises `RuntimeError` when hunspell or its American dictionary is missing.
    """
    checked = subprocess.run(
        ["hunspell", "-d", "en_US", "-i", "utf-8", "-l"],
        input="\n".join(texts),
        capture_output=True,
        text=True,
    )
    if checked.returncode != 0 or "Can't open" in checked.stderr:
        raise RuntimeError(
            "hunspell failed: "
            + checked.stderr.strip()
            + "\nInstall it: sudo apt install hunspell hunspell-en-us"
        )
    own = set(OWN_WORDS.read_text().split())

    def is_known(word: str) -> bool:
        word = re.sub(r"['’]s$", "", word)
        return bool({word, word.lower()} & own) or NAME.match(word) is not None

    return {word for word in checked.stdout.split() if not is_known(word)}


def faults(files: dict[str, Path]) -> list[str]:
    """Returns a message for each word in `files` that is misspelled or should not be used."""
    texts = {name: prose(file) for name, file in files.items()}
    unknown = unknown_words([text for rows in texts.values() for _, text in rows])
    found = []
    for name, rows in texts.items():
        for number, text in rows:
            for word in AVOIDED_WORD.findall(text):
                better = next(b for a, b in AVOIDED.items() if re.fullmatch(a, word, re.I))
                found.append(f"{name}:{number}: '{word}' is not used here; write {better}")
            for word in sorted(unknown & set(re.findall(r"[\w'’]*\w", text))):
                found.append(
                    f"{name}:{number}: '{word}' is not in the dictionary; "
                    "correct it, or add it to Scripts/lib/words.txt"
                )
    return found
