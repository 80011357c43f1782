"""The light on the scene, and the camera."""

from __future__ import annotations

import cv2
import numpy as np

from .dice import Dice


def light(dice: Dice, picture: np.ndarray) -> np.ndarray:
    """Uneven light, cast shadows, glare, vignetting (float32 RGB in and out)."""
    height, width = picture.shape[:2]
    short = min(height, width)
    x = (np.arange(width, dtype=np.float32) + 0.5)[None] / width - 0.5
    y = (np.arange(height, dtype=np.float32) + 0.5)[:, None] / height - 0.5
    gain = np.ones((height, width), np.float32)
    if dice.chance(0.6):
        way = dice.angle()
        gain *= np.clip(1 + (np.cos(way) * x + np.sin(way) * y) * dice.real(0, 0.9), 0.3, 1.6)
    if dice.chance(0.3):
        patchy = cv2.resize(
            dice.rng.random((3, 3), dtype=np.float32),
            (width, height),
            interpolation=cv2.INTER_CUBIC,
        )
        gain *= dice.real(0.5, 0.8) + 0.5 * patchy
    for _ in range(dice.whole(1, 2) if dice.chance(0.3) else 0):
        mask = _shadow_shape(dice, width, height)
        blur = short * (dice.real(0.003, 0.012) if dice.chance(0.4) else dice.real(0.01, 0.05))
        gain *= (
            1
            - dice.real(0.15, 0.65) * cv2.GaussianBlur(mask, (0, 0), blur).astype(np.float32) / 255
        )
    if dice.chance(0.2):
        gain *= 1 - dice.real(0.2, 0.6) * 1.6 * (x * x + y * y)
    picture = picture * gain[..., None]
    if dice.chance(0.1):
        for _ in range(dice.whole(1, 2)):
            spot = np.exp(
                -(
                    ((x - dice.real(-0.5, 0.5)) / dice.real(0.03, 0.2)) ** 2
                    + ((y - dice.real(-0.5, 0.5)) / dice.real(0.03, 0.2)) ** 2
                )
            )
            picture += spot[..., None] * np.float32(dice.real(60, 260))
    return picture


def _shadow_shape(dice: Dice, width: int, height: int) -> np.ndarray:
    """An arm's, phone's or blind's shadow as a mask."""
    mask, size, kind = (
        np.zeros((height, width), np.uint8),
        np.array([width, height]),
        dice.whole(0, 3),
    )
    if kind == 0:
        at, way = dice.rng.random(2) * size, dice.angle()
        along = np.array([np.cos(way), np.sin(way)]) * 3 * size.max()
        beside = np.array([-along[1], along[0]]) * (
            0.5 if dice.chance(0.5) else dice.real(0.02, 0.15)
        )
        cv2.fillPoly(
            mask,
            [np.int32([at - along, at + along, at + along + beside, at - along + beside])],
            255,
        )
    elif kind == 1:
        center, axes = (
            (dice.rng.random(2) * size).astype(int).tolist(),
            (dice.rng.uniform(0.1, 0.6, 2) * size.min()).astype(int).tolist(),
        )
        cv2.ellipse(mask, center, axes, dice.real(0, 180), 0, 360, 255, -1)
    elif kind == 2:
        cv2.fillPoly(
            mask,
            [cv2.convexHull((dice.rng.uniform(-0.2, 1.2, (5, 2)) * size).astype(np.int32))],
            255,
        )
    else:
        way, period = dice.angle(), size.min() * dice.real(0.08, 0.3)
        x, y = np.arange(width)[None], np.arange(height)[:, None]
        mask[
            np.sin((x * np.cos(way) + y * np.sin(way)) / period * 2 * np.pi) > dice.real(-0.3, 0.5)
        ] = 255
    return mask


def bars(dice: Dice, picture: np.ndarray) -> np.ndarray:
    """Draws black bars at some of the frame's sides, as in films, scans and lens corrections."""
    height, width = picture.shape[:2]
    most, level = dice.real(0.01, 0.12), dice.real(0, 14)
    picture = picture.copy()
    sides = dice.pick([(0, 1, 2, 3), (0, 1, 2, 3), (0, 1), (2, 3), (dice.whole(0, 3),)])
    for side in sides:
        thick = dice.real(0.3, 1) * most
        rows, columns = max(1, round(thick * height)), max(1, round(thick * width))
        part = (np.s_[:rows], np.s_[-rows:], np.s_[:, :columns], np.s_[:, -columns:])[side]
        picture[part] = level
    return picture


def vignette(dice: Dice, picture: np.ndarray) -> np.ndarray:
    """Draws a dark rim around a round or oblong middle, soft or hard, as from a lens, a tube or
    an edit."""
    height, width = picture.shape[:2]
    x = np.abs((np.arange(width, dtype=np.float32) + 0.5)[None] / width - 0.5) * 2
    y = np.abs((np.arange(height, dtype=np.float32) + 0.5)[:, None] / height - 0.5) * 2
    power = dice.pick([2.0, 2.0, 4.0, 8.0])
    away = (x**power + y**power) ** (1 / power)
    start, soft = dice.real(0.85, 1.15), dice.log_real(0.01, 0.5)
    dark = np.clip((away - start) / soft, 0, 1)[..., None] * np.float32(dice.real(0.5, 1))
    return picture * (1 - dark)


def hardship(dice: Dice, picture: np.ndarray) -> np.ndarray:
    """Makes a bad picture of a good scene: low light with noise, a band of glare, a shaken camera,
    strong compression, or a cheap webcam (float32 RGB in and out).
    """
    height, width = picture.shape[:2]
    kind = dice.whole(0, 4)
    if kind == 4:
        return _webcam(dice, picture)
    if kind == 0:
        dim = np.float32(dice.real(0.25, 0.6))
        grain = dice.rng.standard_normal((height, width, 3), dtype=np.float32) * np.float32(
            dice.real(2, 12)
        )
        return cv2.GaussianBlur(picture * dim + grain, (0, 0), dice.real(0.4, 1.2))
    if kind == 1:
        way, at = dice.angle(), dice.real(-0.35, 0.35)
        x = (np.arange(width, dtype=np.float32) + 0.5)[None] / width - 0.5
        y = (np.arange(height, dtype=np.float32) + 0.5)[:, None] / height - 0.5
        off = (np.cos(way) * x + np.sin(way) * y - at) / dice.real(0.03, 0.25)
        return picture + np.exp(-off * off)[..., None] * np.float32(dice.real(30, 170))
    if kind == 2:
        return _shake(dice, picture, max(3, int(min(width, height) * dice.real(0.02, 0.07))))
    whole = np.clip(picture, 0, 255).astype(np.uint8)
    packed = cv2.imencode(".jpg", whole, [cv2.IMWRITE_JPEG_QUALITY, dice.whole(8, 30)])[1]
    return cv2.imdecode(packed, cv2.IMREAD_COLOR).astype(np.float32)


def _webcam(dice: Dice, picture: np.ndarray) -> np.ndarray:
    """Imitates a cheap webcam: few pixels made larger, smeared colors, noise in patches,
    oversharpened edges."""
    height, width = picture.shape[:2]
    few = dice.real(0.35, 0.8)
    size = (max(32, int(width * few)), max(32, int(height * few)))
    small = cv2.resize(np.ascontiguousarray(picture), size, interpolation=cv2.INTER_AREA)
    luma = small @ np.float32([0.299, 0.587, 0.114])
    smear = cv2.GaussianBlur(small - luma[..., None], (0, 0), dice.real(1, 4))
    noise = dice.rng.standard_normal(luma.shape, dtype=np.float32) * np.float32(dice.real(2, 10))
    luma = luma + cv2.GaussianBlur(noise, (0, 0), dice.real(0.3, 1.2)) * np.float32(2)
    sharp = luma + (luma - cv2.GaussianBlur(luma, (0, 0), 1.0)) * np.float32(dice.real(0.3, 2))
    small = sharp[..., None] + smear * np.float32(dice.real(0.6, 1.3))
    return cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)


def take(dice: Dice, picture: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """White balance, exposure, tone, blur, reduction to the size (width, height), noise, JPEG.
    uint8 RGB.
    """
    balance = dice.rng.normal(1, dice.weighted([(0.06, 0.75), (0.12, 0.19), (0.22, 0.06)]), 3)
    picture = picture * np.float32(np.clip(balance, 0.4, 1.6) * np.exp(dice.normal(-0.05, 0.2)))
    if dice.chance(0.3):
        picture = 255 * (np.clip(picture, 0, 255) / 255) ** np.float32(np.exp(dice.normal(0, 0.25)))
    if dice.chance(0.15):
        picture = (picture - 128) * np.float32(dice.real(0.5, 1)) + np.float32(
            128 + dice.real(-30, 30)
        )
    if dice.chance(0.12):
        luma = (picture @ np.float32([0.299, 0.587, 0.114]))[..., None]
        picture = luma + (picture - luma) * np.float32(dice.real(0, 0.7))
    short = min(picture.shape[:2])
    picture = np.ascontiguousarray(picture, np.float32)
    if dice.chance(0.45):
        picture = cv2.GaussianBlur(
            picture,
            (0, 0),
            short * (dice.real(0.0015, 0.007) if dice.chance(0.85) else dice.real(0.006, 0.014)),
        )
    if dice.chance(0.1):
        picture = _shake(dice, picture, max(3, int(short * dice.real(0.015, 0.05))))
    if picture.shape[1::-1] != size:
        picture = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    if dice.chance(0.15):
        soft = cv2.GaussianBlur(picture, (0, 0), max(0.8, min(size) * 0.006))
        picture = picture + (picture - soft) * np.float32(dice.real(0.3, 1.5))
    if dice.chance(0.45):
        grain = dice.rng.standard_normal(
            (size[1], size[0], 1 if dice.chance(0.4) else 3), dtype=np.float32
        )
        picture = picture + grain * np.float32(abs(dice.normal(0, 6)))
    picture = np.clip(picture, 0, 255).astype(np.uint8)
    if dice.chance(0.3):
        picture = cv2.imdecode(
            cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, dice.whole(25, 90)])[1],
            cv2.IMREAD_COLOR,
        )
    return picture


def _shake(dice: Dice, picture: np.ndarray, length: int) -> np.ndarray:
    """Motion blur along a line."""
    kernel, way, middle = (
        np.zeros((length, length), np.float32),
        dice.real(0, np.pi),
        length / 2 - 0.5,
    )
    reach = np.array([np.cos(way), np.sin(way)]) * middle
    cv2.line(
        kernel,
        np.round(middle - reach).astype(int).tolist(),
        np.round(middle + reach).astype(int).tolist(),
        1,
    )
    return cv2.filter2D(picture, -1, kernel / kernel.sum())
