"""Draws a film of sheets that are laid on a desk one after another, as pictures in a folder, for a
virtual camera.
"""

import os
from pathlib import Path

SIZE = (1280, 720)
SHEETS = (
    (
        "Garden plan",
        (
            "Peas and radishes are sown in March, beans in the second week of May. The bed beside"
            " the fence stays empty until autumn, so that the soil can rest."
        ),
    ),
    (
        "Harbour notice",
        (
            "The northern quay is closed to vessels above twelve metres. Ferries leave from the"
            " fish market. Fog signals are tested each Thursday at noon."
        ),
    ),
    (
        "Choir rehearsal",
        (
            "Altos meet in the small hall, basses on the gallery. Please bring pencils and the"
            " green folder; the organist arrives later because of the train."
        ),
    ),
    (
        "Bread for six",
        (
            "Mix rye, wheat, salt and lukewarm water. Knead it for ten minutes, let the dough rise"
            " overnight, and bake it on a hot stone until the crust sings."
        ),
    ),
    (
        "Bicycle workshop",
        (
            "Chains, cables and brake pads are on the shelf by the door. Whoever borrows the torque"
            " wrench writes a name and a telephone number on the list."
        ),
    ),
    (
        "Museum visit",
        (
            "The coach waits behind the school. Each class sees the whale skeleton, the lamps of"
            " the miners and the clock that has not stopped since Napoleon."
        ),
    ),
)
# Numbers of frames; the camera shows fifteen a second.
SLIDING, LYING, EMPTY = 5, 40, 10
STYLE = """
body { margin: 0; height: 100vh; overflow: hidden;
  background: repeating-linear-gradient(92deg,
    #54402f 0 60px, #4b3829 60px 64px, #5b4633 64px 140px); perspective: 1500px }
div { position: absolute; left: 440px; top: 60px; width: 400px; height: 566px;
  background: #f4f1ea; box-shadow: 0 6px 18px #0009; box-sizing: border-box; padding: 34px;
  font: 21px/1.55 Georgia, serif; color: #1c1c1c }
h1 { font-size: 33px; margin: 0 0 14px; border-bottom: 3px solid #8a2f2a }
"""


def desk(sheet: int | None, away: float = 0) -> str:
    """The desk as HTML, with a sheet on it that is `away` from its place, as a fraction of the
    picture's height.
    """
    if sheet is None:
        return f"<style>{STYLE}</style>"
    title, words = SHEETS[sheet]
    turn = (-4, 3, -2, 5, 1, -5)[sheet]
    return (
        f"<style>{STYLE}</style><div style='transform: translateY({away * SIZE[1]}px) rotateX(9deg)"
        f" rotate({turn}deg)'><h1>{title}</h1><p>{words}</p><p>{'&#9632; ' * (sheet + 2)}</p></div>"
    )


def film(story, folder: Path) -> None:
    """Draws the film into the empty folder."""

    def picture(name: str, html: str) -> Path:
        return story.drawn(name, html, *SIZE)

    frames = []
    empty = picture("desk.png", desk(None))
    for sheet in range(len(SHEETS)):
        frames += [empty] * EMPTY
        frames += [
            picture(f"sheet-{sheet}-{step}.png", desk(sheet, away=1 - step / SLIDING))
            for step in range(SLIDING)
        ]
        frames += [picture(f"sheet-{sheet}.png", desk(sheet))] * LYING
    for number, frame in enumerate(frames):
        os.link(frame, folder / f"{number:04}.png")
