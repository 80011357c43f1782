import Testing

@testable import Detection
@testable import Imaging

/// A scene in front of the camera, shown for a while.
struct DeskScene: Sendable {
    var seconds: Double
    /// The page's number; 0 for an empty sheet, nil for no sheet.
    var page: Int?
    var confidence = 0.95
    /// The corners of the page, in pixels of a frame of 480 × 360.
    var quad: Quad = Desk.place
    /// The page's motion in pixels per frame.
    var speed = 0.0
    var sharpness: Double? = 1
    var paper = 215
    var glare = 0.0
    /// The part of the page under a hand, in cells from the left.
    var hand = 0
    /// True if every second frame does not show the page.
    var flickers = false
    /// The camera's state in each frame, by the frame's number in the scene; none by default.
    var camera: @Sendable (_ frame: Int) -> CameraState? = { _ in nil }
}

@Suite struct AutoCaptureTests {
    /// The captures, each with its page and time, and the last status.
    struct Outcome {
        var captures: [(page: Int?, time: Double)] = []
        var reasons: [WaitReason?] = []
        var states: [LiveState] = []
    }

    /// The signatures of the pages' printed patterns, made once: noise is added in each frame.
    private static func signature(_ scene: DeskScene, _ dice: inout Dice) -> PageSignature {
        let side = PageSignature.side
        var detail = [Float](repeating: 0, count: side * side)
        if let page = scene.page, page > 0 {
            var print = Dice(UInt64(page) &* 31)
            for cell in detail.indices {
                detail[cell] = Float(Int(print.next() % 3)) * 0.06 - 0.06
            }
        }
        for y in 0..<side { for x in 0..<scene.hand { detail[y * side + x] = 0.2 } }
        let blocks = side / PageSignature.block
        let paper = (0..<blocks * blocks).map { block -> Float in
            (block % blocks + 1) * PageSignature.block <= scene.hand ? 0.6 : 1
        }
        for cell in detail.indices {
            detail[cell] += Float.random(in: -0.004...0.004, using: &dice)
        }
        let fineSide = PageSignature.fineSide
        let fine = (0..<fineSide * fineSide).map { cell in
            let (x, y) = (cell % fineSide / 2, cell / fineSide / 2)
            return UInt8((150 * (1 + detail[y * side + x])).rounded())
        }
        return PageSignature(detail: detail, paper: paper, fine: fine)
    }

    static func run(
        _ scenes: [DeskScene], settings: AutoCaptureSettings = AutoCaptureSettings(),
        rate: Double = 12
    ) -> Outcome {
        var capture = AutoCapture(settings: settings)
        var outcome = Outcome()
        var dice = Dice(1)
        var (time, track, frame) = (0.0, 0, 0)
        var isThere = false
        for scene in scenes {
            var quad = scene.quad
            for number in 0..<Int((scene.seconds * rate).rounded()) {
                var seen = LiveObservation(
                    time: time, width: 480, height: 360, camera: scene.camera(number))
                if scene.page != nil {
                    if !isThere { track += 1 }
                    isThere = true
                    quad = quad.moved(scene.speed, 0)
                    seen.page = TrackedPage(
                        quad: quad.shaken(0.3, &dice), confidence: scene.confidence, track: track,
                        missed: scene.flickers && frame % 2 == 1 ? 1 : 0)
                    seen.measures = PageMeasures(
                        sharpness: scene.sharpness, paper: scene.paper, median: scene.paper,
                        glare: scene.glare)
                    seen.signature = signature(scene, &dice)
                } else {
                    isThere = false
                }
                let status = capture.observe(seen)
                outcome.states.append(status.state)
                outcome.reasons.append(status.reason)
                if status.state == .capturing { outcome.captures.append((scene.page, time)) }
                time += 1 / rate
                frame += 1
            }
        }
        return outcome
    }

    static let away = DeskScene(seconds: 1, page: nil)

    @Test("A page that is put down and stays still is captured once, half a second later")
    func once() {
        let outcome = Self.run([Self.away, DeskScene(seconds: 20, page: 1)])
        #expect(outcome.captures.map(\.page) == [1])
        #expect((1.499...1.6).contains(outcome.captures[0].time))
        #expect(outcome.states.first == .searching)
        #expect(outcome.reasons.last == .captured)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var scenes: [DeskScene]
        var pages: [Int?]
        var testDescription: String { name }
    }

    private static let elsewhere = Desk.place.moved(60, 10)

    static let sequences: [Case] = [
        Case(
            name: "pages laid down and taken away",
            scenes: (1...5).flatMap { [away, DeskScene(seconds: 1.5, page: $0)] },
            pages: [1, 2, 3, 4, 5]),
        Case(
            name: "a page slid on top of another",
            scenes: [
                DeskScene(seconds: 2, page: 1), DeskScene(seconds: 0.5, page: 2, speed: 9),
                DeskScene(seconds: 2, page: 2),
            ], pages: [1, 2]),
        Case(
            name: "a page swapped between two frames",
            scenes: [DeskScene(seconds: 2, page: 1), DeskScene(seconds: 2, page: 2)],
            pages: [1, 2]),
        Case(
            name: "a page that is moved about",
            scenes: [
                DeskScene(seconds: 2, page: 1), DeskScene(seconds: 1, page: 1, speed: 6),
                DeskScene(seconds: 2, page: 1, quad: elsewhere),
            ], pages: [1]),
        Case(
            name: "a page that is taken away and brought back",
            scenes: [
                DeskScene(seconds: 2, page: 1), away,
                DeskScene(seconds: 3, page: 1, quad: elsewhere),
            ],
            pages: [1]),
        Case(
            name: "an earlier page that comes to light again",
            scenes: [
                DeskScene(seconds: 2, page: 1), DeskScene(seconds: 2, page: 2), away,
                DeskScene(seconds: 2, page: 1), away, DeskScene(seconds: 2, page: 3),
            ], pages: [1, 2, 3]),
        Case(
            name: "a hand that rests on the page",
            scenes: [
                DeskScene(seconds: 2, page: 1), DeskScene(seconds: 2, page: 1, hand: 15),
                DeskScene(seconds: 2, page: 1),
            ], pages: [1]),
        Case(
            name: "a page that is seen in every second frame only",
            scenes: [DeskScene(seconds: 3, page: 1, flickers: true)], pages: [1]),
        Case(
            name: "an empty page after a full one, and another empty one",
            scenes: [
                DeskScene(seconds: 2, page: 1), DeskScene(seconds: 2, page: 0), away,
                DeskScene(seconds: 2, page: 0),
            ], pages: [1, 0, 0]),
        Case(
            name: "an empty page that is moved",
            scenes: [
                DeskScene(seconds: 2, page: 0), DeskScene(seconds: 1, page: 0, speed: 6),
                DeskScene(seconds: 2, page: 0, quad: elsewhere),
            ], pages: [0]),
        Case(
            name: "light that goes off and on",
            scenes: [
                DeskScene(seconds: 2, page: 1), DeskScene(seconds: 2, page: 1, paper: 20),
                DeskScene(seconds: 2, page: 1),
            ], pages: [1]),
    ]

    @Test("Each page is captured once", arguments: sequences)
    func sequence(_ row: Case) {
        let outcome = Self.run(row.scenes)
        #expect(outcome.captures.map(\.page) == row.pages)
    }

    struct Wait: Sendable, CustomTestStringConvertible {
        var scene: DeskScene
        var reason: WaitReason
        var state = LiveState.ready
        var testDescription: String { "\(reason)" }
    }

    static let hindrances: [Wait] = [
        Wait(scene: DeskScene(seconds: 4, page: nil), reason: .noPage, state: .searching),
        Wait(
            scene: DeskScene(seconds: 4, page: 1, confidence: 0.4), reason: .unclear,
            state: .searching),
        Wait(
            scene: DeskScene(seconds: 4, page: 1, confidence: 0.7), reason: .unclear,
            state: .found),
        Wait(
            scene: DeskScene(seconds: 4, page: 1, quad: Desk.place.moved(-126, 0)),
            reason: .cutOff),
        Wait(
            scene: DeskScene(seconds: 4, page: 1, quad: Desk.place.scaled(x: 0.4, y: 0.4)),
            reason: .tooSmall),
        Wait(scene: DeskScene(seconds: 4, page: 1, paper: 30), reason: .tooDark),
        Wait(scene: DeskScene(seconds: 4, page: 1, glare: 0.05), reason: .glare),
        Wait(
            scene: DeskScene(seconds: 1.5, page: 1, quad: Desk.place.moved(-60, 0), speed: 4),
            reason: .moving),
    ]

    @Test("Each obstacle to a capture is reported, and prevents it", arguments: hindrances)
    func waits(_ row: Wait) {
        let outcome = Self.run([row.scene])
        #expect(outcome.captures.isEmpty)
        #expect(outcome.reasons.last == row.reason)
        #expect(outcome.states.last == row.state)
    }

    @Test("A page that is less sharp than the best waits, and is captured when patience ends")
    func blur() {
        let outcome = Self.run([
            DeskScene(seconds: 2, page: 1, sharpness: 1), Self.away,
            DeskScene(seconds: 1.5, page: 2, sharpness: 0.3),
            DeskScene(seconds: 1, page: 2, sharpness: 0.8),
            Self.away, DeskScene(seconds: 4, page: 3, sharpness: 0.3),
        ])
        #expect(outcome.captures.map(\.page) == [1, 2, 3])
        #expect(outcome.reasons.contains(.blurred))
        // The page is captured as soon as it is sharp; if it never becomes sharp, after half a
        // second and two more seconds of patience.
        #expect((4.499...4.6).contains(outcome.captures[1].time))
        #expect((8.999...9.1).contains(outcome.captures[2].time))
    }

    @Test("While the camera focuses, a page waits, though it is sharp enough already")
    func focusing() {
        let outcome = Self.run([
            DeskScene(seconds: 1, page: 1), Self.away,
            DeskScene(seconds: 0.75, page: 2, sharpness: 0.1),
            DeskScene(seconds: 1.0 / 12, page: 2, sharpness: 0.65),
            DeskScene(seconds: 1, page: 2),
        ])
        #expect(outcome.captures.map(\.page) == [1, 2])
        // The sharpness is 0.65 at the first look and higher at the second; the third is as sharp
        // as the second.
        let sharp = 1 + 1 + 0.75 + 1.0 / 12
        #expect(abs((outcome.captures.last?.time ?? 0) - (sharp + 1.0 / 12)) < 0.01)
    }

    @Test("A page without edges is not delayed for its sharpness")
    func noEdges() {
        let outcome = Self.run([
            DeskScene(seconds: 2, page: 1), Self.away,
            DeskScene(seconds: 1, page: 2, sharpness: nil),
        ])
        #expect(outcome.captures.map(\.page) == [1, 2])
    }

    @Test("The state does not change while the confidence varies within the hysteresis")
    func hysteresis() {
        let wavering = (0..<20).map {
            DeskScene(
                seconds: 0.1, page: 1, confidence: $0.isMultiple(of: 2) ? 0.86 : 0.78, speed: 3)
        }
        var settings = AutoCaptureSettings()
        settings.isManual = true
        let up = Self.run(wavering, settings: settings, rate: 10)
        #expect(Set(up.states) == [.ready])
        let below = Self.run(
            [
                DeskScene(seconds: 1, page: 1, confidence: 0.84),
                DeskScene(seconds: 1, page: 1, confidence: 0.52),
            ])
        #expect(Set(below.states) == [.found])
        let lost = Self.run(
            [
                DeskScene(seconds: 1, page: 1, confidence: 0.9),
                DeskScene(seconds: 1, page: 1, confidence: 0.49),
            ])
        #expect(lost.states.last == .searching)
    }

    @Test("Thresholds come from the settings")
    func settings() {
        var settings = AutoCaptureSettings()
        settings.ready = 0.6
        settings.steady = 1
        let outcome = Self.run(
            [DeskScene(seconds: 3, page: 1, confidence: 0.65)], settings: settings)
        #expect((0.99...1.1).contains(outcome.captures.first?.time ?? 0))
    }

    @Test("In manual mode, nothing is captured automatically, and the line says what to do")
    func manual() {
        var settings = AutoCaptureSettings()
        settings.isManual = true
        let outcome = Self.run([DeskScene(seconds: 3, page: 1)], settings: settings)
        #expect(outcome.captures.isEmpty)
        #expect(outcome.reasons.last == .byHand)
    }

    @Test("With a fixed region the empty stand is not a page")
    func fixed() {
        var settings = AutoCaptureSettings()
        settings.beginsEmpty = true
        let whole = Quad(width: 480, height: 360)
        func scene(_ page: Int) -> DeskScene { DeskScene(seconds: 2, page: page, quad: whole) }
        let outcome = Self.run([scene(9), scene(1), scene(9), scene(2)], settings: settings)
        #expect(outcome.captures.map(\.page) == [1, 2])
        // A captured page is reported only after the first capture.
        #expect(outcome.reasons.first { $0 == .noPage || $0 == .captured } == .noPage)
        #expect(outcome.reasons.contains(.captured))
    }

    @Test("A page that could not be stored is captured again")
    func failed() {
        var capture = AutoCapture(settings: AutoCaptureSettings())
        var dice = Dice(4)
        var captured: [Int] = []
        for frame in 0..<40 {
            let signature = Self.signature(DeskScene(seconds: 0, page: 1), &dice)
            let seen = LiveObservation(
                time: Double(frame) / 12, page: TrackedPage(quad: Desk.place, confidence: 1),
                width: 480, height: 360, signature: signature)
            if capture.observe(seen).state == .capturing {
                captured.append(frame)
                if captured.count == 1 { capture.captureFailed() }
            }
        }
        #expect(captured.count == 2)
    }

    @Test("A page captured by hand is not also captured automatically")
    func byHand() {
        var capture = AutoCapture(settings: AutoCaptureSettings())
        var dice = Dice(4)
        for frame in 0..<40 {
            let seen = LiveObservation(
                time: Double(frame) / 12, page: TrackedPage(quad: Desk.place, confidence: 1),
                width: 480, height: 360,
                signature: Self.signature(DeskScene(seconds: 0, page: 1), &dice))
            let state = capture.observe(seen).state
            #expect(state != .capturing)
            if frame == 2 { capture.capturedByHand(seen) }
        }
    }

    @Test("Any sequence of scenes captures no page twice", arguments: 1...5)
    func neverTwice(seed: UInt64) {
        var dice = Dice(seed)
        let scenes = (0..<40).map { _ -> DeskScene in
            var scene = DeskScene(
                seconds: Double.random(in: 0.1...2, using: &dice),
                page: [nil, 1, 2, 3, 4, 5].randomElement(using: &dice)!)
            scene.quad = Desk.place.moved(Double.random(in: -40...60, using: &dice), 5)
            scene.confidence = Double.random(in: 0.4...1, using: &dice)
            scene.speed = Bool.random(using: &dice) ? 0 : Double.random(in: 1...8, using: &dice)
            scene.hand = Int.random(in: 0..<4, using: &dice) == 0 ? 8 : 0
            return scene
        }
        let pages = Self.run(scenes).captures.compactMap(\.page)
        #expect(Set(pages).count == pages.count, "\(pages)")
    }
}
