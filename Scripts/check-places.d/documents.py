"""The documents of users that list everything of a kind, each by its name."""

from pathlib import Path

STEPS = "Docs/Profiles.md"
SINKS = "Docs/Destinations.md"


def missing(root: Path, steps: list[str], sinks: list[str]) -> list[str]:
    """A line for each step without a row, and each kind of sink without a row or a recipe."""
    rows, recipes = ((root / name).read_text() for name in (STEPS, SINKS))
    return [
        f"the step '{name}': no row of {STEPS} begins with it"
        for name in steps
        if f"\n| `{name}` |" not in rows
    ] + [
        f"the kind of sink '{name}': {SINKS} has no recipe with `-k {name}`, and no row for it"
        for name in sinks
        if f"-k {name} " not in recipes and f"\n| `{name}` |" not in recipes
    ]
