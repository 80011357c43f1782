"""What a dealer does: card after card is laid down, slid, stacked, fanned, or held up."""

import numpy as np

from ..pages import Sheet
from ..stage import Moment, Pose
from ..story import Story

# The maximum number of cards in a fan.
FAN = 5


class Dealer(Story):
    """The acts of one clip of cards.

    `way` is what happens to the cards before: "single" (taken away), "stack" (they stay below) or
    "fan" (they stay, beside and partly below the next one).
    """

    GRIP = 11
    FOCUS = 0.1
    EVENTS = {"nothing": 0.62, "hand": 0.1, "light": 0.1, "nudge": 0.1, "bump": 0.08}
    BEFORE = (1.2, 2)
    AFTER = (0.7, 1.2)

    def __init__(self, stage, random: np.random.Generator, way: str):
        super().__init__(stage, random, is_pile=way != "single")
        self.way = way
        self.table = stage.ground
        # The cards of the present fan, but for the last, and how far one lies from the next.
        self.fan: list[tuple[Sheet, Pose]] = []
        self.step = np.zeros(2)

    # How a card comes and goes

    def arrive(self, number: int, sheet: Sheet, is_first: bool) -> None:
        random, stage = self.random, self.stage
        if not is_first:
            if self.way == "single" or self.way == "fan" and len(self.fan) + 1 == FAN:
                self.clear()
                stage.play(random.uniform(0.1, 0.4))
            elif self.way == "fan":
                self.fan.append((stage.top[1], stage.top[2]))
        goal = self.place()
        kind = random.choice(["slide", "drop", "hold"], p=[0.42, 0.42, 0.16])
        if kind == "slide":
            start = self.beside(goal, sheet.height + 40, random.normal(0, 0.2))
            stage.put(number, sheet, start)
        else:
            start = self.beside(goal, 20, random.normal(0, 0.12), random.uniform(20, 40))
            far = self.beside(goal, sheet.height + 60, start.turn - goal.turn, start.z)
            stage.put(number, sheet, far)
            if kind == "hold":
                start = self.held(far, goal)
            else:
                self.carried(far, start, random.uniform(0.25, 0.45))
        self.carried(start, goal, random.uniform(0.35, 0.7))
        self.withdraw()

    def beside(self, goal: Pose, way: float, turn: float, z: float = 0) -> Pose:
        """A pose so many millimeters from another, on the hand's side."""
        x, y = self.stage.away * way
        return Pose(goal.x + x, goal.y + y, z, goal.turn + turn)

    def place(self) -> Pose:
        """Where the next card is laid: near the middle, or beside the last one of the fan."""
        random = self.random
        middle = random.normal(0, 4, 2)
        if self.way == "fan":
            if not self.fan:
                way = random.uniform(-0.35, 0.35)
                self.step = np.array([np.cos(way), np.sin(way)]) * random.uniform(16, 42)
            middle = random.normal(0, 2, 2) + self.step * (len(self.fan) - (FAN - 1) / 2)
        turn = random.normal(0, 0.05) + (0.06 * (len(self.fan) - 2) if self.way == "fan" else 0)
        return Pose(*middle, 0, turn)

    def held(self, far: Pose, goal: Pose) -> Pose:
        """The card is held up to the camera for a second, and shakes a little; where it is then."""
        random, stage = self.random, self.stage
        pose = Pose(
            *random.normal(0, 6, 2),
            random.uniform(30, 80),
            goal.turn + random.normal(0, 0.06),
            random.normal(0, 0.08),
        )
        self.carried(far, pose, random.uniform(0.4, 0.7))
        seconds = random.uniform(1, 1.5)
        rates, phases = random.uniform(3, 9, 2), random.uniform(0, 6, 2)
        sheet = stage.top[1]

        def shaken(share: float) -> Pose:
            x, y = 0.2 * np.sin(rates * seconds * share + phases)
            return Pose(pose.x + x, pose.y + y, pose.z, pose.turn, pose.flip)

        def moment(share: float) -> Moment:
            return Moment(light=stage.light, tip=self.grip(sheet, shaken(share)), is_held=True)

        stage.play(seconds, shaken, moment)
        return stage.top[2]

    def clear(self) -> None:
        """All cards on the table are taken away; a stack as a whole stays below."""
        if self.stage.top is None:
            return
        if self.way == "fan":
            self.sweep()
        else:
            self.leave()

    def sweep(self) -> None:
        """The fan is pushed off the table."""
        stage = self.stage
        (number, sheet, pose), below = stage.top, self.fan
        count = max(2, round(self.random.uniform(0.4, 0.7) * stage.rate))
        way = stage.away * (sheet.height + 140)
        for index in range(count):
            share = (index / count) ** 2
            shift = way * share

            def moved(old: Pose) -> Pose:
                return Pose(old.x + shift[0], old.y + shift[1], old.z, old.turn)

            stage.ground = self.table
            for card, place in below:
                stage.ground = stage.composed(card, moved(place))
            stage.top = (number, sheet, moved(pose))
            moment = Moment(light=stage.light, tip=self.grip(sheet, moved(pose)))
            stage.film(index, count, lambda _: stage.top[2], moment, None)
        stage.ground = self.table
        stage.clear()
        self.fan = []
