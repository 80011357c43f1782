"""Makes one scene: surface, things, page, objects over it, light, camera."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from . import bindings, boards, camera, fans, holders, leads, others, piles, screens, things
from .canvas import Canvas, box
from .color import gray
from .desk import surface
from .dice import Dice
from .geometry import place
from .hands import hand
from .pools import Document, Pools
from .recipes import TRAINING, Recipe
from .sheet import Lay, lay

#: If more of the page than this is hidden, the scene is drawn without objects over it.
MOST_HIDDEN = 0.45
SHORT = 176  #: pixels of a frame's short side while it is drawn, unless told otherwise
ASPECTS = (16 / 9, 16 / 9, 4 / 3, 4 / 3, 1.0, 3 / 4, 3 / 4, 9 / 16)


@dataclass
class Scene:
    """A scene: a picture (uint8 RGB), the page's corners in 0..1 of the frame (top left, top right,
    bottom right, bottom left of the sheet; may lie outside) or None, and the recipe's name.
    """

    picture: np.ndarray
    corners: np.ndarray | None
    recipe: str


class SceneMaker:
    """Makes scenes from pools. `short` is the frame's short side in pixels while drawing; `squash`
    is the side of the square that every frame is reduced to (the network's input), or None to leave
    frames in the camera's shape.
    """

    def __init__(
        self, pools: Pools, split_seed: int, short: int = SHORT, squash: int | None = 192
    ) -> None:
        self.pools, self.split_seed, self.short, self.squash = pools, split_seed, short, squash

    def make(self, index: int, recipe: Recipe | None = None) -> Scene:
        """The scene of this number: the same on every machine."""
        dice = Dice(self.split_seed, 3, index)
        recipe = recipe or dice.weighted([(r, r.share) for r in TRAINING])
        aspect = dice.pick(ASPECTS) if dice.chance(0.9) else dice.real(0.5, 2)
        size = (round(self.short * max(1, aspect)), round(self.short * max(1, 1 / aspect)))
        desk = surface(dice, self.pools, recipe, size)
        canvas = Canvas(desk, dice.rng.normal(0, 0.7, 2))
        corners = (
            self._page(dice, canvas, recipe) if recipe.page else self._no_page(dice, canvas, recipe)
        )
        lit = camera.light(dice, canvas.pixels.astype(np.float32))
        if recipe.hardship and dice.chance(recipe.hardship):
            lit = camera.hardship(dice, lit)
        if recipe.bars and dice.chance(recipe.bars):
            lit = camera.bars(dice, lit)
        if recipe.vignette and dice.chance(recipe.vignette):
            lit = camera.vignette(dice, lit)
        picture = camera.take(dice, lit, (self.squash, self.squash) if self.squash else size)
        return Scene(
            picture,
            None if corners is None else (corners / canvas.size).astype(np.float32),
            recipe.name,
        )

    def _page(self, dice: Dice, canvas: Canvas, recipe: Recipe) -> np.ndarray | None:
        """Draws a scene with a page. Returns the page's corners in pixels."""
        document = self._document(dice, recipe)
        corners = place(dice, document.ratio, canvas.size, recipe.placing)
        if corners is None:
            return self._no_page(dice, canvas, recipe)
        if dice.chance(recipe.match):
            _match(dice, canvas, document)
        self._scatter(dice, canvas, recipe)
        tone = None
        if dice.chance(recipe.board):
            boards.board(dice, canvas, corners)
        if dice.chance(recipe.stack):
            tone = others.stacked_under(dice, canvas, self.pools, document, corners)
        if recipe.bed and dice.chance(recipe.bed):
            piles.bed(dice, canvas, self.pools, corners)
        if recipe.ledge and dice.chance(recipe.ledge):
            piles.ledge(dice, canvas, self.pools, corners)
        if recipe.pile and dice.chance(recipe.pile):
            tone = piles.pile(dice, canvas, self.pools, document, corners)
        if dice.chance(recipe.neighbors):
            others.beside(dice, canvas, self.pools, corners)
        self._behind(dice, canvas, recipe, document, corners)
        curl = dice.real(*recipe.curl) if dice.chance(recipe.curl_chance) else 0.0
        held = None
        if recipe.holder and dice.chance(recipe.holder):
            held = holders.under(dice, canvas, corners)
        lay(dice, canvas, document, corners, Lay(curl, 0.08, tone=tone))
        if held is not None and dice.chance(0.6):
            holders.glare(dice, canvas, held)
        if recipe.board and dice.chance(0.7):
            boards.clamp(dice, canvas, corners)
        if recipe.rings and dice.chance(recipe.rings):
            bindings.rings(dice, canvas, corners)
        if dice.chance(recipe.cover):
            bare = canvas.pixels.copy()
            self._cover(dice, canvas, recipe, corners)
            if _hidden_share(bare, canvas.pixels, corners) > MOST_HIDDEN:
                canvas.pixels = bare
        return corners

    def _behind(
        self, dice: Dice, canvas: Canvas, recipe: Recipe, document: Document, corners: np.ndarray
    ) -> None:
        """Draws the objects directly under or around the page, in kinds that are only for
        training."""
        if recipe.screen and dice.chance(recipe.screen):
            screens.under(dice, canvas, corners)
        if recipe.row and dice.chance(recipe.row):
            fans.row(dice, canvas, self.pools, document, corners)
        if recipe.fan and dice.chance(recipe.fan):
            fans.fan(dice, canvas, self.pools, document, corners)
        if recipe.raised and dice.chance(recipe.raised):
            screens.raised(dice, canvas, corners)

    def _no_page(self, dice: Dice, canvas: Canvas, recipe: Recipe) -> None:
        """Draws a scene without a page."""
        self._scatter(dice, canvas, recipe)
        if recipe.leads[1]:
            for _ in range(dice.whole(*recipe.leads)):
                leads.lead(dice, canvas, dice.rng.uniform(0.05, 0.95, 2) * canvas.size)
        if dice.chance(0.1):
            reach = box(np.array([0.5, 0.5]), 0.5, 0.5, dice.angle())
            hand(dice, canvas, canvas.size * (reach + dice.rng.normal(0, 0.3, 2)))

    def _document(self, dice: Dice, recipe: Recipe) -> Document:
        """A document of a kind that the recipe allows."""
        white = dice.chance(recipe.light_page)
        for _ in range(200):
            document = dice.pick(self.pools.documents)
            if (not recipe.kinds or document.kind in recipe.kinds) and (
                not white or document.is_light
            ):
                return document
        count = len(self.pools.documents)
        raise ValueError(
            f'no document fits the recipe "{recipe.name}" in a pool of {count}: make a larger pool'
        )

    def _scatter(self, dice: Dice, canvas: Canvas, recipe: Recipe) -> None:
        """Draws things anywhere, and things and sheets at the frame's rim."""
        if dice.chance(recipe.loose_chance):
            for _ in range(dice.whole(*recipe.loose)):
                things.any_thing(dice, canvas, dice.rng.uniform(-0.05, 1.05, 2) * canvas.size)
        for _ in range(dice.whole(*recipe.rim)):
            at = dice.rng.uniform(-0.05, 1.05, 2)
            at[dice.whole(0, 1)] = dice.real(-0.1, 0.2) if dice.chance(0.5) else dice.real(0.8, 1.1)
            kind = dice.real(0, 1)
            if kind < 0.22:
                others.at_the_rim(dice, canvas, self.pools, at)
            elif kind < 0.36:
                middle = canvas.size * (0.5 + (at - 0.5) * 1.3)
                slab = box(
                    middle,
                    canvas.unit * dice.real(30, 90),
                    canvas.unit * dice.real(25, 70),
                    dice.angle(),
                )
                canvas.thing(slab, gray(dice, 5, 80, 8), 2.0)
            else:
                things.any_thing(dice, canvas, at * canvas.size)

    def _cover(self, dice: Dice, canvas: Canvas, recipe: Recipe, corners: np.ndarray) -> None:
        """Draws the things over the page: another sheet, cables across it, things over its sides,
        hands.
        """
        middle = corners.mean(0)
        if dice.chance(recipe.sheet_over):
            others.over(dice, canvas, self.pools, corners)
        for _ in range(dice.whole(*recipe.cables_over)):
            things.cable(
                dice, canvas, middle + (corners[dice.whole(0, 3)] - middle) * dice.real(0, 1)
            )
        if recipe.leads[1]:
            for _ in range(dice.whole(*recipe.leads)):
                leads.lead(
                    dice,
                    canvas,
                    middle + (corners[dice.whole(0, 3)] - middle) * dice.real(-0.2, 1.6),
                )
        for _ in range(dice.whole(*recipe.things_over)):
            side = dice.whole(0, 3)
            on_side = corners[side] + (corners[(side + 1) % 4] - corners[side]) * dice.real(0, 1)
            things.any_thing(dice, canvas, middle + (on_side - middle) * dice.real(0.5, 1.15))
        if dice.chance(recipe.hands):
            hand(dice, canvas, corners)
            if dice.chance(recipe.second_hand):
                hand(dice, canvas, corners)


def _hidden_share(before: np.ndarray, after: np.ndarray, corners: np.ndarray) -> float:
    """The share of the quad's visible pixels that clearly changed."""
    mask = np.zeros(before.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 1)
    changed = cv2.absdiff(before, after).max(2) > 40
    return float(changed[mask > 0].mean()) if mask.any() else 1.0


def _match(dice: Dice, canvas: Canvas, document: Document) -> None:
    """Moves the desk's colors toward the page's, so that its edge is faint."""
    target = np.median(document.mips[3][..., :3].reshape(-1, 3), axis=0)
    desk = canvas.pixels.astype(np.float32)
    flat, middle = np.float32(dice.real(0.2, 1)), desk.mean((0, 1))
    drawn = (desk - middle) * flat + middle + (target - middle) * np.float32(dice.real(0.55, 1.0))
    canvas.pixels = np.clip(drawn, 0, 255).astype(np.uint8)
