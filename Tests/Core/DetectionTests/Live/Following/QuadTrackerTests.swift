import Testing

@testable import Detection
@testable import Imaging

@Suite struct QuadTrackerTests {
    private static let (width, height) = (640, 480)
    private static let left = Quad(
        topLeft: Point(x: 40, y: 60), topRight: Point(x: 260, y: 62),
        bottomRight: Point(x: 258, y: 400), bottomLeft: Point(x: 38, y: 398))
    private static let right = left.moved(330, 20)

    /// A tracker as a class, because `#expect` can't call mutating methods.
    private final class Follower {
        private var tracker = QuadTracker()

        func see(
            _ quad: Quad?, width: Int = QuadTrackerTests.width,
            height: Int = QuadTrackerTests.height, isStill: Bool = false,
            isSettled: Bool = false, trust: QuadTracker.Trust = .vote(1)
        ) -> TrackedPage? {
            tracker.update(
                quad.map { DetectedPage(quad: $0, confidence: 0.9) }, width: width, height: height,
                isStill: isStill, isSettled: isSettled, trust: trust)
        }
    }

    @Test("A page up to half a pixel from the rim is completely in the frame", arguments: 0..<4)
    func whole(side: Int) {
        // The distance by which each side of the page is moved outward until the side is on the
        // frame's rim.
        let room = [60.0, 380, 80, 38][side]
        let ways = [(0.0, -1.0), (1, 0), (0, 1), (-1, 0)]
        for (distance, isWhole) in [(room - 1, true), (room - 0.4, false), (room + 3, false)] {
            let moved = Self.left.moved(ways[side].0 * distance, ways[side].1 * distance)
            #expect(moved.isWhole(width: Self.width, height: Self.height) == isWhole)
        }
    }

    @Test("The tip of one corner may be out of view, and nothing more", arguments: 0..<4)
    func tip(corner: Int) {
        // A square standing on its tip: no side is parallel to a rim.
        let (reach, middle) = (200.0, 240.0)
        let ways = [(0.0, -1.0), (1, 0), (0, 1), (-1, 0)]
        func square(_ beyond: Double, sideways: Double = 0) -> Quad {
            var points = ways.map { Point(x: middle + reach * $0.0, y: middle + reach * $0.1) }
            let (x, y) = ways[corner]
            points[corner] = Point(
                x: middle + (middle + beyond) * x, y: middle + (middle + beyond) * y)
            // The adjacent corner comes as close to the rim.
            let next = (corner + 1) % 4
            points[next] = Point(
                x: points[next].x + sideways * x, y: points[next].y + sideways * y)
            return Quad(
                topLeft: points[0], topRight: points[1], bottomRight: points[2],
                bottomLeft: points[3])
        }
        func isWhole(_ quad: Quad) -> Bool { quad.isWhole(width: 480, height: 480) }
        #expect(isWhole(square(-2)) && isWhole(square(0)) && isWhole(square(1)))
        #expect(!isWhole(square(2)) && !isWhole(square(30)))
        #expect(isWhole(square(1, sideways: 220)))
        #expect(!isWhole(square(1, sideways: 236)) && !isWhole(square(1, sideways: 241)))
    }

    @Test("Settled corners stay while nothing moves, and then follow")
    func settles() {
        let tracker = Follower()
        let elsewhere = Self.left.moved(9, 0)
        _ = tracker.see(Self.left)
        for _ in 0..<30 {
            #expect(tracker.see(elsewhere, isStill: true, isSettled: true)?.quad == Self.left)
        }
        // Another page is followed only after the settled page is no longer seen.
        for _ in 0..<2 { _ = tracker.see(Self.right, isStill: true, isSettled: true) }
        #expect(tracker.see(Self.right, isStill: true, isSettled: true)?.quad == Self.right)
        _ = tracker.see(Self.right.moved(40, 0), isSettled: true)
        #expect(tracker.see(Self.right.moved(40, 0))!.quad.drift(from: Self.right) > 0.05)
    }

    @Test("A page is kept for two missed frames, and lost in the third")
    func bridges() {
        let tracker = Follower()
        #expect(tracker.see(Self.left)?.missed == 0)
        #expect(tracker.see(nil)?.missed == 1)
        #expect(tracker.see(nil)?.quad == Self.left)
        #expect(tracker.see(nil) == nil)
        #expect(tracker.see(Self.left)?.track == 2)
    }

    @Test("Corners that jump sometimes in a still picture stay where they are")
    func votes() {
        let tracker = Follower()
        var dice = Dice(11)
        // The lower side alternates between the sheet and the sheet under it.
        var other = Self.left
        other.bottomLeft.y += 12
        other.bottomRight.y += 12
        _ = tracker.see(Self.left)
        var places: [Double] = []
        for frame in 0..<60 {
            let seen = (frame % 5 >= 3 ? other : Self.left).shaken(0.3, &dice)
            places.append(tracker.see(seen, isStill: true)!.quad.drift(from: Self.left))
        }
        #expect(places.allSatisfy { $0 < 0.004 }, "\(places.max()!)")
    }

    @Test(
        "The closer looks of half a second stay with the place of the first three, though the last four are for another"
    )
    func wavering() {
        let tracker = Follower()
        let other = Self.left.moved(0.017 * Self.left.diagonal, 0)
        _ = tracker.see(other)
        let looks = Array(repeating: Self.left, count: 3) + Array(repeating: other, count: 4)
        for look in looks {
            #expect(tracker.see(look, isStill: true)!.quad.drift(from: Self.left) < 0.001)
        }
    }

    @Test("If looks differ by one hundredth, the page stays within 0.8 % after the third")
    func nearby() {
        let tracker = Follower()
        let other = Self.left.moved(0.01 * Self.left.diagonal, 0)
        let looks = [Self.left] + Array(repeating: other, count: 12)
        let places = looks.map { tracker.see($0, isStill: true)!.quad }
        for place in places.dropFirst(2) { #expect(place.drift(from: places.last!) < 0.008) }
        #expect(places.last!.drift(from: other) < 0.001)
    }

    @Test(
        "Ten detections in a row move the page, even if nothing seemed to move"
    )
    func outvoted() {
        let tracker = Follower()
        let moved = Self.left.moved(14, 0)
        for _ in 0..<20 { _ = tracker.see(Self.left, isStill: true) }
        let drifts = (0..<10).map { _ in tracker.see(moved, isStill: true)!.quad.drift(from: moved)
        }
        #expect(drifts.first! > 0.02)
        #expect(drifts.last! < 0.002)
        #expect(tracker.see(Self.left, isStill: true)!.track == 1)
    }

    @Test(
        "A certain place is used at once, and other looks don't count until something moves")
    func certain() throws {
        let tracker = Follower()
        for _ in 0..<10 { _ = tracker.see(Self.left, isStill: true) }
        let place = Self.left.moved(20, 12)
        #expect(tracker.see(place, isStill: true, trust: .certain)?.quad == place)
        for _ in 0..<20 { _ = tracker.see(Self.left, isStill: true) }
        #expect(tracker.see(Self.left, isStill: true)?.quad == place)
        // A certain page may be measured more exactly.
        for _ in 0..<20 { _ = tracker.see(place.moved(1, 0), isStill: true, trust: .certain) }
        let told = try #require(tracker.see(Self.left, isStill: true)).quad
        #expect(told.drift(from: place.moved(1, 0)) < 0.0005)
        _ = tracker.see(Self.left)
        #expect(tracker.see(Self.left, isStill: true)?.quad == Self.left)
    }

    @Test("Looks with less weight do not move a page, however many there are")
    func lesserVotes() {
        let tracker = Follower()
        var page: TrackedPage?
        for number in 0..<30 {
            let isOld = number % 2 == 1
            page = tracker.see(
                isOld ? Self.left.moved(20, 12) : Self.left, isStill: number > 0,
                trust: .vote(isOld ? 0.25 : 1))
        }
        #expect(page?.quad == Self.left)
    }

    @Test("A moving page's assumed place is ignored once the page is still")
    func firstLook() {
        let tracker = Follower()
        _ = tracker.see(Self.left.moved(14, 0))
        let first = tracker.see(Self.left, isStill: true, trust: .vote(0.25))
        #expect(first?.quad == Self.left)
    }

    @Test("Two looks that agree replace the place of one look, but not that of two")
    func singleLook() throws {
        let other = Self.left.moved(20, 12)
        for (before, expected) in [(1, Self.left), (2, other)] {
            let tracker = Follower()
            _ = tracker.see(other)
            for _ in 0..<before { _ = tracker.see(other, isStill: true) }
            #expect(tracker.see(Self.left, isStill: true)?.quad == other)
            #expect(tracker.see(Self.left, isStill: true)?.quad == expected)
        }
    }

    @Test(
        "A place whose looks count for more takes over as soon as it has more votes; one whose looks count for less does not"
    )
    func plainPlace() {
        let (plain, doubtful) = (Self.left, Self.left.moved(20, 12))
        for (first, then) in [((doubtful, 0.5), (plain, 1.0)), ((plain, 1), (doubtful, 0.5))] {
            let tracker = Follower()
            for _ in 0..<2 { _ = tracker.see(first.0, isStill: true, trust: .vote(first.1)) }
            for _ in 0..<2 {
                let page = tracker.see(then.0, isStill: true, trust: .vote(then.1))
                #expect(page?.quad == plain)
            }
        }
    }

    @Test("A still page is smoothed")
    func smooths() {
        let tracker = Follower()
        var dice = Dice(5)
        var (raw, smooth) = (0.0, 0.0)
        for frame in 0..<200 {
            let seen = Self.left.shaken(2, &dice)
            let page = tracker.see(seen)!
            guard frame >= 10 else { continue }
            raw = max(raw, seen.drift(from: Self.left))
            smooth = max(smooth, page.quad.drift(from: Self.left))
        }
        #expect(smooth < 0.8 * raw)
    }

    @Test("A moving page is followed without delay", arguments: [15.0, -20])
    func follows(step: Double) {
        let tracker = Follower()
        var quad = Self.left.moved(100, 0)
        for _ in 0..<5 {
            quad = quad.moved(step, step / 4)
            #expect(tracker.see(quad)!.quad == quad)
        }
    }

    @Test("With two pages in view, the result is one of them", arguments: 1...20)
    func neverBetween(seed: UInt64) {
        var dice = Dice(seed)
        let tracker = Follower()
        var last: (track: Int, isLeft: Bool)?
        for _ in 0..<300 {
            let seen: Quad? =
                switch Int.random(in: 0..<5, using: &dice) {
                case 0: nil
                case 1, 2: Self.left.shaken(1.5, &dice)
                default: Self.right.shaken(1.5, &dice)
                }
            guard let page = tracker.see(seen) else { continue }
            let isLeft = page.quad.intersectionOverUnion(Self.left) > 0.95
            let isRight = page.quad.intersectionOverUnion(Self.right) > 0.95
            #expect(isLeft != isRight)
            // Each track follows one page.
            if let last, last.track == page.track { #expect(last.isLeft == isLeft) }
            last = (page.track, isLeft)
        }
    }

    @Test("A page that is detected in every third frame is kept beside another")
    func holds() {
        let tracker = Follower()
        _ = tracker.see(Self.left)
        for frame in 1..<60 {
            let page = tracker.see(frame % 3 == 0 ? Self.left : Self.right)
            #expect(page?.track == 1)
        }
        for _ in 0..<3 { _ = tracker.see(Self.right) }
        #expect(tracker.see(Self.right)?.track == 2)
    }

    @Test("A frame of three times the size gives corners three times as far")
    func scales() {
        let (small, large) = (Follower(), Follower())
        var dice = Dice(8)
        for frame in 0..<60 {
            let quad = Self.left.moved(Double(frame % 20) * 3, 0).shaken(4, &dice)
            let a = small.see(frame % 7 == 0 ? nil : quad)
            let b = large.see(
                frame % 7 == 0 ? nil : quad.scaled(x: 3, y: 3),
                width: 3 * Self.width, height: 3 * Self.height)
            #expect((a == nil) == (b == nil))
            if let a, let b { #expect(b.quad.drift(from: a.quad.scaled(x: 3, y: 3)) < 1e-9) }
        }
    }

    @Test("A page that turns until its corners are renamed stays the same page")
    func turns() {
        let tracker = Follower()
        let first = tracker.see(Self.left)!
        let renamed = tracker.see(Self.left.turned)!
        #expect(renamed == first)
    }

    @Test("A change of the frame's size, and impossible corners, start over")
    func resets() {
        let tracker = Follower()
        _ = tracker.see(Self.left)
        #expect(tracker.see(nil, width: 320, height: 240) == nil)
        let crossed = Quad(
            topLeft: Point(x: 0, y: 0), topRight: Point(x: 9, y: 9),
            bottomRight: Point(x: 9, y: 0), bottomLeft: Point(x: 0, y: .nan))
        #expect(tracker.see(crossed) == nil)
    }
}
