"""Kinds of scenes, with the frequency of each part."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from .geometry import Placing


@dataclass(frozen=True)
class Recipe:
    """Probabilities (0 to 1) and counts for the contents of a scene; `share` is the recipe's
    share of all scenes."""

    name: str
    share: float
    page: bool = True  #: False: no page in view
    placing: Placing = field(default_factory=Placing)
    kinds: tuple[str, ...] = ()  #: kinds of document; any when empty
    light_page: float = 0.0  #: chance of insisting on a white sheet
    white_desk: float = 0.0  #: chance of a plain, light desk
    busy_surface: float = 0.0  #: chance of insisting on a busy surface
    loose: tuple[int, int] = (0, 0)  #: things anywhere, under the page
    loose_chance: float = 0.45
    rim: tuple[int, int] = (0, 0)  #: things and sheets at the frame's rim
    board: float = 0.0  #: clipboard, mat or folder under the page
    stack: float = 0.18  #: sheets of about the same place under the page
    neighbors: float = 0.15  #: other sheets beside and partly under it
    match: float = 0.08  #: desk drawn toward the page's own color
    curl: tuple[float, float] = (0.004, 0.03)
    curl_chance: float = 0.4
    cover: float = (
        0.42  #: chance of anything lying over the page at all; the next six hold only then
    )
    hands: float = 0.5
    second_hand: float = 0.2
    things_over: tuple[int, int] = (0, 3)  #: things over the page's sides and corners
    cables_over: tuple[int, int] = (0, 1)
    sheet_over: float = 0.15
    # The following fields were added later: at zero they draw no random number, so that the
    # benchmarks' scenes do not change.
    leads: tuple[int, int] = (0, 0)  #: long cables across desk and page
    pile: float = 0.0  #: a pile of sheets under the page
    bed: float = 0.0  #: a larger book, notebook or sheet under the page
    ledge: float = 0.0  #: larger sheets under the page
    holder: float = 0.0  #: a clear sleeve or holder about a card
    bars: float = 0.0  #: black bars at the frame's rim, as of films and scans
    vignette: float = 0.0  #: a dark rim that a lens or an edit leaves
    screen: float = 0.0  #: a monitor, tablet or picture frame behind the page
    raised: float = 0.0  #: a wide soft shadow under the page
    fan: float = 0.0  #: cards of a hand behind the card
    row: float = 0.0  #: cards beside the card
    rings: float = 0.0  #: a notebook's wire at one side
    hardship: float = 0.0  #: a bad picture: little light, glare, shaking, compression


_DESK = dict(white_desk=0.6, loose=(0, 4), rim=(2, 7), stack=0.5, neighbors=0.25)
#: The ten kinds of the benchmarks.
RECIPES: tuple[Recipe, ...] = (
    Recipe("table", 0.16, loose=(1, 6)),
    Recipe(
        # White paper on a light desk, crossed by cables: without enough such scenes, a network ends
        # the page at the cable.
        "desk",
        0.30,
        placing=Placing(0.25, 0.85, 0.03),
        light_page=0.7,
        match=0.3,
        cover=0.9,
        hands=0.15,
        second_hand=0.05,
        things_over=(1, 5),
        cables_over=(0, 3),
        sheet_over=0.2,
        **_DESK,
    ),
    Recipe(
        "held",
        0.08,
        placing=Placing(0.3, 0.95),
        busy_surface=0.35,
        loose=(0, 4),
        cover=1.0,
        hands=1.0,
        second_hand=0.4,
        things_over=(0, 1),
        cables_over=(0, 0),
        sheet_over=0.03,
    ),
    Recipe(
        "small",
        0.05,
        placing=Placing(0.2, 0.5, 0.0),
        kinds=("card", "receipt"),
        loose=(1, 6),
        rim=(0, 4),
    ),
    Recipe("board", 0.05, board=1.0, loose=(0, 4), stack=0.1, neighbors=0.0),
    Recipe("faint", 0.08, match=0.9, loose=(0, 3), white_desk=0.4, light_page=0.5, stack=0.25),
    Recipe(
        "curled", 0.06, placing=Placing(0.35, 0.95), curl=(0.03, 0.1), curl_chance=1.0, loose=(0, 5)
    ),
    Recipe(
        "close",
        0.06,
        placing=Placing(0.8, 1.05, 0.5, 0.2, 0.4),
        loose=(0, 2),
        stack=0.1,
        neighbors=0.1,
    ),
    Recipe("empty", 0.06, page=False, loose=(0, 4)),
    Recipe(
        "empty busy",
        0.10,
        page=False,
        busy_surface=0.5,
        white_desk=0.3,
        loose=(2, 12),
        loose_chance=0.9,
        rim=(1, 7),
    ),
)
_CLUTTER = dict(loose=(1, 7), rim=(2, 7), loose_chance=0.8)
#: Kinds that only training draws.
_MORE: tuple[Recipe, ...] = (
    Recipe(
        "pile",
        0.12,
        placing=Placing(0.35, 0.95),
        white_desk=0.3,
        light_page=0.5,
        pile=1.0,
        loose=(0, 4),
        stack=0.0,
        neighbors=0.2,
        bed=0.05,
        hands=0.6,
        things_over=(0, 2),
        leads=(0, 1),
        hardship=0.15,
    ),
    Recipe(
        "workplace",
        0.11,
        placing=Placing(0.25, 0.75, 0.02, 0.45),
        white_desk=0.65,
        light_page=0.75,
        match=0.25,
        cover=0.92,
        hands=0.12,
        second_hand=0.05,
        things_over=(0, 4),
        cables_over=(0, 0),
        leads=(1, 4),
        sheet_over=0.12,
        stack=0.15,
        pile=0.45,
        neighbors=0.15,
        bed=0.05,
        hardship=0.15,
        **_CLUTTER,
    ),
    Recipe(
        "filling",
        0.05,
        placing=Placing(0.9, 1.1, 0.6, 0.18, 0.3, 0.0),
        loose=(0, 2),
        stack=0.1,
        neighbors=0.1,
        pile=0.2,
        bed=0.1,
        curl_chance=0.5,
        hardship=0.15,
    ),
    Recipe(
        "bed",
        0.05,
        placing=Placing(0.25, 0.8),
        bed=1.0,
        loose=(0, 5),
        rim=(0, 3),
        stack=0.1,
        leads=(0, 1),
        hardship=0.15,
    ),
    Recipe(
        "trinket",
        0.05,
        placing=Placing(0.2, 0.5, 0.0, 0.4),
        kinds=("card", "receipt"),
        match=0.2,
        bed=0.15,
        pile=0.1,
        leads=(0, 2),
        hardship=0.2,
        busy_surface=0.3,
        **_CLUTTER,
    ),
    Recipe(
        "steep",
        0.05,
        placing=Placing(0.35, 0.95, 0.05, 0.6),
        loose=(0, 4),
        pile=0.15,
        leads=(0, 1),
        hardship=0.3,
    ),
    Recipe(
        "ledge",
        0.09,
        placing=Placing(0.25, 0.75, 0.0),
        white_desk=0.3,
        light_page=0.4,
        ledge=1.0,
        loose=(0, 4),
        stack=0.05,
        neighbors=0.1,
        cover=0.3,
        curl_chance=0.5,
        hardship=0.15,
    ),
    Recipe(
        "dealt",
        0.07,
        placing=Placing(0.25, 0.95, 0.02),
        kinds=("card", "trading"),
        match=0.15,
        white_desk=0.1,
        loose=(0, 3),
        stack=0.15,
        neighbors=0.15,
        pile=0.15,
        ledge=0.1,
        cover=0.3,
        curl_chance=0.15,
        hardship=0.15,
    ),
    Recipe(
        "trading",
        0.22,
        placing=Placing(0.2, 0.85, 0.02, 0.3),
        kinds=("trading",),
        match=0.1,
        loose=(0, 3),
        stack=0.15,
        neighbors=0.15,
        pile=0.1,
        ledge=0.12,
        cover=0.15,
        curl_chance=0.1,
        holder=0.35,
        bars=0.05,
        hardship=0.3,
    ),
    Recipe(
        "shown",
        0.1,
        placing=Placing(0.25, 0.9, 0.02, 0.3),
        kinds=("trading", "card"),
        busy_surface=0.4,
        loose=(0, 2),
        stack=0.05,
        neighbors=0.05,
        cover=1.0,
        hands=1.0,
        second_hand=0.15,
        things_over=(0, 0),
        cables_over=(0, 0),
        sheet_over=0.0,
        curl_chance=0.1,
        holder=0.3,
        hardship=0.3,
    ),
    Recipe(
        "brimful",
        0.05,
        placing=Placing(0.8, 1.0, 0.15, 0.2, 0.1, 0.05),
        kinds=("trading", "card"),
        loose=(0, 1),
        stack=0.1,
        neighbors=0.05,
        cover=0.2,
        curl_chance=0.1,
        holder=0.2,
        hardship=0.2,
    ),
    Recipe(
        # The page is small enough that no bar hides an edge, whose place would be unknown.
        "rimmed",
        0.04,
        placing=Placing(0.25, 0.74, 0.0, aside=0.0),
        loose=(0, 4),
        bars=0.7,
        vignette=0.5,
        cover=0.3,
        hardship=0.3,
    ),
    Recipe(
        "empty rimmed",
        0.05,
        page=False,
        busy_surface=0.7,
        loose=(0, 8),
        loose_chance=0.7,
        rim=(0, 4),
        bars=0.7,
        vignette=0.4,
        hardship=0.3,
    ),
    Recipe(
        "screened",
        0.06,
        placing=Placing(0.25, 0.8, 0.0),
        screen=1.0,
        loose=(0, 4),
        stack=0.03,
        neighbors=0.05,
        cover=0.25,
        curl_chance=0.2,
        hardship=0.2,
    ),
    Recipe(
        "raised",
        0.05,
        placing=Placing(0.35, 0.95, 0.03),
        white_desk=0.3,
        raised=1.0,
        loose=(0, 3),
        stack=0.03,
        cover=0.25,
        hardship=0.15,
    ),
    Recipe(
        "fanned",
        0.06,
        placing=Placing(0.25, 0.75, 0.0),
        kinds=("trading", "card"),
        fan=0.7,
        row=0.4,
        loose=(0, 2),
        stack=0.0,
        neighbors=0.05,
        cover=0.45,
        hands=0.8,
        things_over=(0, 0),
        cables_over=(0, 0),
        sheet_over=0.0,
        curl_chance=0.1,
        holder=0.15,
        hardship=0.2,
    ),
    Recipe(
        "purse",
        0.06,
        placing=Placing(0.2, 1.0, 0.1, 0.3),
        kinds=("card", "banknote"),
        match=0.1,
        loose=(0, 3),
        neighbors=0.1,
        stack=0.1,
        cover=0.35,
        curl_chance=0.25,
        hardship=0.2,
    ),
    Recipe(
        "bound",
        0.04,
        placing=Placing(0.35, 0.95, 0.05),
        kinds=("page",),
        light_page=0.4,
        rings=1.0,
        stack=0.7,
        loose=(0, 4),
        cover=0.3,
        hardship=0.15,
    ),
    Recipe(
        "empty room",
        0.06,
        page=False,
        busy_surface=1.0,
        loose=(0, 5),
        loose_chance=0.4,
        bars=0.1,
        vignette=0.1,
        hardship=0.35,
    ),
    Recipe(
        "empty workplace", 0.04, page=False, white_desk=0.6, leads=(0, 4), hardship=0.15, **_CLUTTER
    ),
)
_SHARES = {
    "table": 0.11,
    "desk": 0.14,
    "held": 0.06,
    "small": 0.05,
    "board": 0.03,
    "faint": 0.06,
    "curled": 0.04,
    "close": 0.04,
    "empty": 0.04,
    "empty busy": 0.08,
}
#: The kinds of training scenes with their shares: those of the benchmarks and others.
TRAINING: tuple[Recipe, ...] = tuple(replace(r, share=_SHARES[r.name]) for r in RECIPES) + _MORE
