"""No function of the web page's JavaScript has more than 60 lines, whatever form it is written in.

A function's lines are those from its parameters or its name to the end of its body.
"""

import re
from dataclasses import dataclass
from pathlib import Path

MOST = 60
CLOSING = {"(": ")", "[": "]", "{": "}"}
# A word, a number, an arrow, or one character that is none of these.
TOKEN = re.compile(r"[\w$#]+|=>|.", re.S)
SKIPPED = re.compile(r"\s+|//[^\n]*|/\*.*?\*/", re.S)
QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", re.S)
EXPRESSION = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/\w*")
# A slash after these begins a regular expression, and not a division.
BEFORE_EXPRESSION = set("(,=:[!&|?{};+-*%<>~^") | {"=>", "return", "typeof", "case", "in", "of"}
# A parenthesis and a block follow these, too, without a function between them.
CONTROL = {"if", "for", "while", "switch", "catch", "with"}


@dataclass
class Token:
    text: str
    line: int
    # The index of the token that opens or closes what this one closes or opens.
    partner: int = -1


def template_text(text: str, start: int) -> int:
    """The index at which the template text that begins at `start` ends: at its backquote, or at a
    `${`."""
    while text[start] != "`" and not text.startswith("${", start):
        start += 2 if text[start] == "\\" else 1
    return start


def tokens(text: str) -> list[Token]:
    """The program's tokens; strings, templates' text and regular expressions are each one."""
    found: list[Token] = []
    opened: list[int] = []
    at, line = 0, 1
    while at < len(text):
        start = at
        if space := SKIPPED.match(text, at):
            at = space.end()
            line += text.count("\n", start, at)
            continue
        before = found[-1].text if found else ";"
        ends_part = text[at] == "}" and opened and found[opened[-1]].text == "${"
        if text[at] == "`" or ends_part:
            if ends_part:
                close(found, opened, Token("}", line))
            at = template_text(text, at + 1)
            found.append(Token("`", line))
            line += text.count("\n", start, at)
            if text[at] == "$":
                opened.append(len(found))
                found.append(Token("${", line))
            at += 2 if text[at] == "$" else 1
            continue
        if literal := QUOTED.match(text, at):
            at, word = literal.end(), '"'
        elif before in BEFORE_EXPRESSION and (literal := EXPRESSION.match(text, at)):
            at, word = literal.end(), "/"
        else:
            word = TOKEN.match(text, at)[0]
            at += len(word)
        token = Token(word, line)
        line += text.count("\n", start, at)
        if word in CLOSING:
            opened.append(len(found))
            found.append(token)
        elif word in CLOSING.values():
            close(found, opened, token)
        else:
            found.append(token)
    if opened:
        raise ValueError(
            f"{found[opened[-1]].text} of line {found[opened[-1]].line} is never closed"
        )
    return found


def close(found: list[Token], opened: list[int], token: Token) -> None:
    """Appends `token`, which closes the bracket that was opened last."""
    opener = opened.pop() if opened else -1
    if opener < 0 or CLOSING[found[opener].text.lstrip("$")] != token.text:
        raise ValueError(f"{token.text} of line {token.line} closes nothing")
    token.partner = opener
    found[opener].partner = len(found)
    found.append(token)


def arrow_end(found: list[Token], body: int) -> int:
    """The index of the last token of an arrow function's body, a block or an expression."""
    if found[body].text == "{":
        return found[body].partner
    end = body
    while end < len(found) and found[end].text not in {",", ";", ")", "]", "}"}:
        end = max(found[end].partner, end) + 1
    return end - 1


def functions(found: list[Token]) -> list[tuple[str, int, int]]:
    """The functions' names with their first and last line."""
    listed = []
    for index, token in enumerate(found):
        if token.text == "=>":
            start = found[index - 1].partner if found[index - 1].text == ")" else index - 1
            if found[start - 1].text == "async":
                start -= 1
            is_named = found[start - 1].text in {"=", ":"}
            name = found[start - 2].text if is_named else ""
            listed.append((name, found[start].line, found[arrow_end(found, index + 1)].line))
        elif token.text == "{" and index and found[index - 1].text == ")":
            start = found[index - 1].partner - 1
            # A name in brackets, or no name at all: the word before the parameters is the
            # function's.
            if found[start].text in CONTROL or not re.match(r"[\w$#\]\"]", found[start].text):
                continue
            listed.append((found[start].text, found[start].line, found[token.partner].line))
    return [
        (name if re.match(r"[\w$#]", name) and name != "function" else "a function", first, last)
        for name, first, last in listed
    ]


def faults(file: Path, name: str) -> list[str]:
    """Returns a message for each function of `file` that has too many lines."""
    try:
        listed = functions(tokens(file.read_text()))
    except (ValueError, IndexError) as failure:
        return [f"{name}: cannot be read as JavaScript: {failure}"]
    return [
        f"{name}:{first}: {function} has {last - first + 1} lines; at most {MOST}"
        for function, first, last in listed
        if last - first + 1 > MOST
    ]
