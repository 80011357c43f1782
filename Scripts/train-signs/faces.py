"""The typefaces for drawing lines."""

from __future__ import annotations

from pathlib import Path

# The files in a folder of fonts. None is used by the serial benchmark (Nimbus Sans, DejaVu) or
# modeled on one of those.
TRAINED = [
    "LiberationSans-Regular",
    "LiberationSans-Bold",
    "LiberationMono-Regular",
    "LiberationMono-Bold",
    "Roboto-Regular",
    "Roboto-Medium",
    "Roboto-Bold",
    "RobotoCondensed-Regular",
    "RobotoCondensed-Bold",
    "OpenSans-Regular",
    "OpenSans-Semibold",
    "OpenSans-Bold",
    "OpenSans-CondBold",
    "Lato-Regular",
    "Lato-Medium",
    "Lato-Bold",
    "Inter-Regular",
    "Inter-Medium",
    "Inter-Bold",
    "InterDisplay-Regular",
    "Cantarell-Regular",
    "Cantarell-Bold",
    "B612-Regular",
    "B612-Bold",
    "B612Mono-Regular",
    "Go-Regular",
    "Go-Medium",
    "Go-Bold",
    "Go-Mono",
    "ClearSans-Regular",
    "ClearSans-Medium",
    "ClearSans-Bold",
    "Carlito-Regular",
    "Carlito-Bold",
    "JetBrainsMono-Regular",
    "JetBrainsMono-Bold",
    "NotoMono-Regular",
    "NotoSansMono-Bold",
    "GilliusADF-Regular",
    "GilliusADF-Bold",
    "GilliusADF-Cond",
    "UniversalisADFStd-Regular",
    "UniversalisADFStd-Bold",
    "UniversalisADFStd-Cond",
    "Tuffy",
    "Andika-Regular",
    "Inconsolata",
]
#: Typefaces that are never used for training, but for the printed figures.
HELD_OUT = ["Oxygen-Sans", "Oxygen-Sans-Bold", "OxygenMono-Regular", "PTS55F", "PTS75F", "PTC55F"]


def files(folder: Path, names: list[str]) -> list[Path]:
    """The named faces that are installed below `folder`."""
    there = {path.stem: path for path in sorted(folder.rglob("*.[to]tf"))}
    return [there[name] for name in names if name in there]
