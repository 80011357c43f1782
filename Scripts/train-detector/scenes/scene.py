"""One scene put together: surface, things, page, what covers it, light, camera."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from . import camera, things
from .canvas import Canvas, box, capsule
from .colour import gray, hsv, vivid
from .desk import surface
from .dice import Dice
from .geometry import place, turned, visible_share
from .hands import hand
from .pools import Document, Pools
from .recipes import RECIPES, Recipe
from .sheet import Lay, lay

#: Scenes whose page is hidden more than this are shown with nothing over it.
MOST_HIDDEN = 0.45
ASPECTS = (16 / 9, 16 / 9, 4 / 3, 4 / 3, 1.0, 3 / 4, 3 / 4, 9 / 16)


@dataclass
class Scene:
    """A picture (uint8 RGB), the page's corners in 0..1 of the frame (top left, top right, bottom right, bottom left
    of the sheet; may lie outside) or None, and the recipe's name."""

    picture: np.ndarray
    corners: np.ndarray | None
    recipe: str


class SceneMaker:
    """Makes scenes from pools. `short` is the frame's short side in pixels while drawing; `squash` the square every
    frame is reduced to (the network's input), or None to leave frames in the camera's shape."""

    def __init__(self, pools: Pools, split_seed: int, short: int = 176, squash: int | None = 192) -> None:
        self.pools, self.split_seed, self.short, self.squash = pools, split_seed, short, squash

    def make(self, index: int, recipe: Recipe | None = None) -> Scene:
        """The scene of this number: the same on every machine."""
        dice = Dice(self.split_seed, 3, index)
        recipe = recipe or dice.weighted([(r, r.share) for r in RECIPES])
        aspect = dice.pick(ASPECTS) if dice.chance(0.9) else dice.real(0.5, 2)
        size = (round(self.short * max(1, aspect)), round(self.short * max(1, 1 / aspect)))
        canvas = Canvas(surface(dice, self.pools, recipe, size), tuple(dice.rng.normal(0, 0.7, 2)))
        corners = self._page(dice, canvas, recipe) if recipe.page else self._no_page(dice, canvas, recipe)
        picture = camera.take(dice, camera.light(dice, canvas.pixels.astype(np.float32)), (self.squash, self.squash) if self.squash else size)
        return Scene(picture, None if corners is None else (corners / canvas.size).astype(np.float32), recipe.name)

    def _page(self, dice: Dice, canvas: Canvas, recipe: Recipe) -> np.ndarray | None:
        document = self._document(dice, recipe)
        corners = place(dice, document.ratio, canvas.size, recipe.placing)
        if corners is None:
            return self._no_page(dice, canvas, recipe)
        if dice.chance(recipe.match):
            _match(dice, canvas, document)
        self._scatter(dice, canvas, recipe)
        tone = None
        if dice.chance(recipe.board):
            _board(dice, canvas, corners)
        if dice.chance(recipe.stack):
            tone = self._stack(dice, canvas, document, corners)
        if dice.chance(recipe.neighbours):
            self._neighbours(dice, canvas, corners)
        curl = dice.real(*recipe.curl) if dice.chance(recipe.curl_chance) else 0.0
        lay(dice, canvas, document, corners, Lay(curl, 0.08, tone=tone))
        if recipe.board and dice.chance(0.7):
            _clamp(dice, canvas, corners)
        if dice.chance(recipe.cover):
            bare = canvas.pixels.copy()
            self._cover(dice, canvas, recipe, corners)
            if _hidden_share(bare, canvas.pixels, corners) > MOST_HIDDEN:
                canvas.pixels = bare
        return corners

    def _no_page(self, dice: Dice, canvas: Canvas, recipe: Recipe) -> None:
        self._scatter(dice, canvas, recipe)
        if dice.chance(0.1):
            hand(dice, canvas, canvas.size * (box(np.array([0.5, 0.5]), 0.5, 0.5, dice.angle()) + dice.rng.normal(0, 0.3, 2)))

    def _document(self, dice: Dice, recipe: Recipe) -> Document:
        white = dice.chance(recipe.light_page)
        for _ in range(200):
            document = dice.pick(self.pools.documents)
            if (not recipe.kinds or document.kind in recipe.kinds) and (not white or document.is_light):
                return document
        raise ValueError(f"no document of the kinds {recipe.kinds} in a pool of {len(self.pools.documents)}: make a larger pool")

    def _scatter(self, dice: Dice, canvas: Canvas, recipe: Recipe) -> None:
        """Things anywhere, and things and sheets at the frame's rim."""
        if dice.chance(recipe.loose_chance):
            for _ in range(dice.whole(*recipe.loose)):
                things.any_thing(dice, canvas, dice.rng.uniform(-0.05, 1.05, 2) * canvas.size)
        for _ in range(dice.whole(*recipe.rim)):
            at = dice.rng.uniform(-0.05, 1.05, 2)
            at[dice.whole(0, 1)] = dice.real(-0.1, 0.2) if dice.chance(0.5) else dice.real(0.8, 1.1)
            kind = dice.real(0, 1)
            if kind < 0.22:
                self._rim_sheet(dice, canvas, at)
            elif kind < 0.36:
                middle = canvas.size * (0.5 + (at - 0.5) * 1.3)
                canvas.thing(box(middle, canvas.unit * dice.real(30, 90), canvas.unit * dice.real(25, 70), dice.angle()), gray(dice, 5, 80, 8), 2.0)
            else:
                things.any_thing(dice, canvas, at * canvas.size)

    def _rim_sheet(self, dice: Dice, canvas: Canvas, at: np.ndarray) -> None:
        """A sheet, magazine or book mostly out of view: at most half of it is seen."""
        document, reach = dice.pick(self.pools.documents), canvas.unit * dice.real(25, 70)
        flat = box(np.zeros(2), reach, reach * document.ratio, dice.angle())
        for push in (1.0, 1.25, 1.6, 2.2):
            corners = (flat + canvas.size * (0.5 + (at - 0.5) * push)).astype(np.float32)
            if visible_share(corners / canvas.size) < 0.5:
                lay(dice, canvas, document, corners)
                return

    def _stack(self, dice: Dice, canvas: Canvas, document: Document, corners: np.ndarray) -> np.ndarray | None:
        """Sheets under the page, a little turned and moved, often of the same paper. Returns that paper's tone."""
        same = dice.chance(0.6)
        tone, reach = None, corners.max(0) - corners.min(0)
        for _ in range(dice.whole(1, 4)):
            other = document if dice.chance(0.3) else dice.pick(self.pools.documents) if dice.chance(0.5) else self._like(dice, document)
            under = turned(corners, dice.normal(0, 0.12), dice.real(0.95, 1.06), dice.rng.normal(0, 0.07, 2) * reach)
            tone = lay(dice, canvas, other, under, Lay(0.0, tone=tone if same else None))
        return tone if same else None

    def _like(self, dice: Dice, document: Document) -> Document:
        for _ in range(20):
            other = dice.pick(self.pools.documents)
            if other.kind == document.kind and other.is_light == document.is_light:
                return other
        return document

    def _neighbours(self, dice: Dice, canvas: Canvas, corners: np.ndarray) -> None:
        """Other sheets beside the page, partly under it."""
        reach = corners.max(0) - corners.min(0)
        for _ in range(dice.whole(1, 3)):
            way = dice.angle()
            shift = np.array([np.cos(way), np.sin(way)]) * reach * dice.real(0.35, 0.85)
            beside = turned(corners, dice.angle() if dice.chance(0.6) else dice.normal(0, 0.2), dice.real(0.6, 1.1), shift)
            lay(dice, canvas, dice.pick(self.pools.documents), beside)

    def _cover(self, dice: Dice, canvas: Canvas, recipe: Recipe, corners: np.ndarray) -> None:
        """What lies over the page: another sheet, things over its sides, cables across it, hands."""
        if dice.chance(recipe.sheet_over):
            side = dice.whole(0, 3)
            at = corners[side] if dice.chance(0.5) else (corners[side] + corners[(side + 1) % 4]) / 2
            outward = (at - corners.mean(0)) / (np.linalg.norm(at - corners.mean(0)) + 1e-6)
            over = turned(corners, dice.angle(), dice.real(0.25, 0.8), np.zeros(2)) - corners.mean(0)
            inner = -(over @ outward).min() - dice.real(0.03, 0.18) * np.linalg.norm(corners[2] - corners[0])
            lay(dice, canvas, dice.pick(self.pools.documents), (over + at + outward * inner).astype(np.float32))
        for _ in range(dice.whole(*recipe.cables_over)):
            things.cable(dice, canvas, corners.mean(0) + (corners[dice.whole(0, 3)] - corners.mean(0)) * dice.real(0, 1))
        for _ in range(dice.whole(*recipe.things_over)):
            side = dice.whole(0, 3)
            on_side = corners[side] + (corners[(side + 1) % 4] - corners[side]) * dice.real(0, 1)
            things.any_thing(dice, canvas, corners.mean(0) + (on_side - corners.mean(0)) * dice.real(0.5, 1.15))
        if dice.chance(recipe.hands):
            hand(dice, canvas, corners)
            if dice.chance(recipe.second_hand):
                hand(dice, canvas, corners)


def _hidden_share(before: np.ndarray, after: np.ndarray, corners: np.ndarray) -> float:
    """Share of the quad's visible pixels that changed plainly."""
    mask = np.zeros(before.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 1)
    changed = cv2.absdiff(before, after).max(2) > 40
    return float(changed[mask > 0].mean()) if mask.any() else 1.0


def _match(dice: Dice, canvas: Canvas, document: Document) -> None:
    """Draws the desk's colours towards the page's, so that its edge is faint."""
    target = np.median(document.mips[3][..., :3].reshape(-1, 3), axis=0)
    desk = canvas.pixels.astype(np.float32)
    flat = np.float32(dice.real(0.2, 1))
    middle = desk.mean((0, 1))
    canvas.pixels = np.clip((desk - middle) * flat + middle + (target - middle) * np.float32(dice.real(0.55, 1.0)), 0, 255).astype(np.uint8)


def _board(dice: Dice, canvas: Canvas, corners: np.ndarray) -> None:
    """A clipboard, mat, tray or folder that the page lies on."""
    rim = turned(corners, dice.normal(0, 0.02), dice.real(1.05, 1.35), dice.rng.normal(0, 0.5, 2) * canvas.unit)
    colour = dice.weighted([(hsv(dice.real(0.04, 0.1), dice.real(0.3, 0.7), dice.real(0.3, 0.8)), 3), (gray(dice, 5, 70, 5), 3),
                            (vivid(dice, 0.1, 0.1), 2), (gray(dice, 120, 250, 8), 1)])
    canvas.thing(rim, colour, dice.real(0.5, 2), 0.4)
    if dice.chance(0.4):
        canvas.fill(turned(rim, 0, 0.97, np.zeros(2)), np.clip(np.float32(colour) * dice.real(0.7, 1.3), 0, 255))


def _clamp(dice: Dice, canvas: Canvas, corners: np.ndarray) -> None:
    """A clipboard's metal clip over the middle of the top side."""
    side = dice.pick([0, 0, 0, 1, 3])
    one, other = corners[side], corners[(side + 1) % 4]
    half, outward = dice.real(0.12, 0.3), (one + other) / 2 - corners.mean(0)
    start, end = one + (other - one) * (0.5 - half), one + (other - one) * (0.5 + half)
    colour = np.float32(gray(dice, 30, 210, 8))
    canvas.thing(capsule(start, end, canvas.unit * dice.real(4, 11), dice.chance(0.3)), colour, 1.0, 0.4)
    canvas.fill(capsule(start + outward * 0.05, end + outward * 0.05, canvas.unit * dice.real(1, 3), False), np.clip(colour * 1.25, 0, 255))
