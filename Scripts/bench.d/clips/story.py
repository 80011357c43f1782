"""The acts of people: page after page is laid down, moved and turned over, with other events in
between."""

import numpy as np

from .pages import Sheet
from .stage import Moment, Pose, Stage


class Story:
    """The acts of one clip."""

    # How far within a page's edge the fingertips are, in millimeters.
    GRIP = 25
    # How often the camera searches for its focus, and how often each event happens.
    FOCUS = 0.2
    EVENTS = {"nothing": 0.45, "hand": 0.17, "light": 0.15, "nudge": 0.13, "bump": 0.1}
    # How long a page lies before an event and after it, in seconds.
    BEFORE = (1.5, 2.3)
    AFTER = (0.8, 1.4)

    def __init__(self, stage: Stage, random: np.random.Generator, is_pile: bool):
        self.stage = stage
        self.random = random
        self.is_pile = is_pile

    def tell(self, sheets: list[Sheet], numbers: list[int]) -> None:
        """Shows the pages one after another."""
        self.stage.play(self.random.uniform(0.4, 0.9))
        for number, sheet in zip(numbers, sheets):
            self.arrive(number, sheet, is_first=self.stage.top is None)
            self.rest()
        self.clear()
        self.stage.play(self.random.uniform(0.4, 0.8))

    # How a page comes and goes

    def arrive(self, number: int, sheet: Sheet, is_first: bool) -> None:
        top = self.stage.top
        same_paper = top is not None and (top[1].width, top[1].height) == (
            sheet.width,
            sheet.height,
        )
        kinds = ["slide", "drop"] + (["flip"] * 2 if same_paper and not is_first else [])
        kind = self.random.choice(kinds)
        if kind == "flip":
            return self.flip(number, sheet)
        if not self.is_pile and not is_first:
            self.leave()
            self.stage.play(self.random.uniform(0.1, 0.4))
        goal = self.place()
        if kind == "slide":
            way = self.stage.away * (sheet.height + 120)
            start = Pose(
                goal.x + way[0], goal.y + way[1], 0, goal.turn + self.random.normal(0, 0.15)
            )
        else:
            way = self.stage.away * 60
            start = Pose(
                goal.x + way[0],
                goal.y + way[1],
                self.random.uniform(60, 120),
                goal.turn + self.random.normal(0, 0.1),
            )
            way = self.stage.away * (sheet.height + 160)
            far = Pose(goal.x + way[0], goal.y + way[1], start.z, start.turn)
            self.stage.put(number, sheet, far)
            self.carried(far, start, self.random.uniform(0.3, 0.5))
        if kind == "slide":
            self.stage.put(number, sheet, start)
        self.carried(start, goal, self.random.uniform(0.45, 0.9))
        self.withdraw()

    def place(self) -> Pose:
        """A place where people lay a page: near the middle, and nearly straight."""
        return Pose(
            self.random.normal(0, 7), self.random.normal(0, 4), 0, self.random.normal(0, 0.03)
        )

    def carried(self, start: Pose, goal: Pose, seconds: float) -> None:
        """The page on top is moved by the hand."""
        stage = self.stage
        sheet = stage.top[1]

        def moment(share: float) -> Moment:
            return Moment(light=stage.light, tip=self.grip(sheet, start.toward(goal, share)))

        stage.play(seconds, lambda share: start.toward(goal, share), moment)

    def grip(self, sheet: Sheet, pose: Pose) -> np.ndarray:
        """The place where fingertips hold a page: slightly inside the edge over which the hand
        comes."""
        away = self.stage.away
        within = (
            min(
                sheet.height / 2 / max(abs(away[1]), 1e-6),
                sheet.width / 2 / max(abs(away[0]), 1e-6),
            )
            - self.GRIP
        )
        return self.stage.camera.project(
            np.array([[pose.x + away[0] * within, pose.y + away[1] * within, pose.z]])
        )[0]

    def withdraw(self) -> None:
        """The hand lets go and leaves the picture."""
        stage = self.stage
        tip = self.grip(stage.top[1], stage.top[2])
        way = stage.away * stage.camera.size[1]
        stage.play(
            self.random.uniform(0.25, 0.45),
            moment=lambda share: Moment(light=stage.light, tip=tip + way * share**2),
        )

    def leave(self) -> None:
        """Takes the page on top away; the rest of a stack stays."""
        if self.stage.top is None:
            return
        sheet, pose = self.stage.top[1:]
        way = self.stage.away * (sheet.height + 120)
        self.carried(
            pose,
            Pose(pose.x + way[0], pose.y + way[1], 10, pose.turn),
            self.random.uniform(0.4, 0.7),
        )
        self.stage.clear()

    def clear(self) -> None:
        """Empties the desk, but for what stays below."""
        self.leave()

    def flip(self, number: int, sheet: Sheet) -> None:
        """Turns the page on top over; its back is the next page."""
        stage = self.stage
        pose = stage.top[2]
        end = Pose(
            pose.x + self.random.normal(0, 4),
            pose.y + self.random.normal(0, 3),
            0,
            pose.turn,
            np.pi,
        )
        stage.play(
            self.random.uniform(0.6, 1),
            lambda share: pose.toward(end, share),
            lambda share: Moment(light=stage.light),
            back=(number, sheet),
        )
        stage.turn_over(number, sheet)

    # What happens while the page lies on the desk

    def rest(self) -> None:
        stage, random = self.stage, self.random
        if random.random() < self.FOCUS:
            self.focus()
        stage.play(random.uniform(*self.BEFORE))
        event = random.choice(list(self.EVENTS), p=list(self.EVENTS.values()))
        if event != "nothing":
            getattr(self, event)()
            stage.play(random.uniform(*self.AFTER))

    def focus(self) -> None:
        """The camera searches for its focus."""
        worst = self.random.uniform(2, 5)
        self.stage.play(
            self.random.uniform(0.4, 0.8),
            moment=lambda share: Moment(
                light=self.stage.light, blur=worst * abs(np.cos(share * np.pi * 0.5)) + 0.01
            ),
        )

    def hand(self) -> None:
        """Moves a hand over the page, which points at something and leaves."""
        stage = self.stage
        goal = stage.camera.project(stage.top[2].corners(stage.top[1]).mean(0, keepdims=True))[0]
        goal = goal + self.random.normal(0, 0.15, 2) * stage.camera.size[1]
        way = stage.away * stage.camera.size[1]
        stage.play(
            self.random.uniform(1, 1.6),
            moment=lambda share: Moment(
                light=stage.light, tip=goal + way * (1 - np.sin(np.pi * share)) ** 1.5
            ),
        )

    def light(self) -> None:
        """Switches a lamp, or lets a cloud pass. The new light stays."""
        before, after = self.stage.light, self.random.uniform(0.68, 1.12)
        self.stage.play(
            self.random.uniform(0.1, 0.6),
            moment=lambda share: Moment(light=before + (after - before) * share),
        )
        self.stage.light = after

    def nudge(self) -> None:
        """Pushes the page a little and lets it be still again: it counts as the same page."""
        pose = self.stage.top[2]
        goal = Pose(
            pose.x + self.random.normal(0, 8),
            pose.y + self.random.normal(0, 8),
            0,
            pose.turn + self.random.normal(0, 0.04),
        )
        self.carried(pose, goal, self.random.uniform(0.3, 0.5))
        self.withdraw()

    def bump(self) -> None:
        """Shakes the camera, as when someone bumps into the desk, and lets it come to rest."""
        way = self.random.normal(0, 1, 2)
        way *= self.stage.camera.size[1] * self.random.uniform(0.004, 0.015) / np.linalg.norm(way)
        self.stage.play(
            self.random.uniform(0.3, 0.5),
            moment=lambda share: Moment(
                light=self.stage.light, shift=way * np.cos(share * 20) * (1 - share) + 1e-6
            ),
        )
