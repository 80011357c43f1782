import CaptureKit
import Imaging
import Synchronization

/// An artificial camera, or recording, that shows artificial pages one after another.
///
/// Frames are 320 × 240 gray. A page is a light sheet with its own print on a dark desk. Pages from
/// ``slips`` on are slips that lie on page 1.
final class StageBackend: CaptureBackend {
    /// A scene that the camera sees for some frames.
    struct Scene: Sendable {
        /// The page's number; nil for the empty desk.
        var page: Int?
        var frames: Int
    }

    /// The ways in which the camera fails.
    struct Trouble: Sendable {
        /// The number of frames of a capture after which the camera disappears; nil if it never
        /// does.
        var unplugAfter: Int?
        /// The number of failed openings of the camera afterward.
        var absences = 0
        /// The number of later captures that start but send no frame.
        var silences = 0
        /// True for a camera that never sends a frame, and never reports the reason.
        var isMute = false
        /// The frames, counted from 0, that are JPEG pictures without their lower half.
        var cut = 0..<0
    }

    /// The kind of stills that the camera takes, compared with the film's frames of 320 × 240
    /// pixels.
    enum Still: Sendable {
        /// The camera has no stills of another size.
        case none
        /// Twice the width and height.
        case large
        /// The same size, but with the film's next page.
        case late
        /// The same size, but an empty desk.
        case empty
        /// The same size, but with the page elsewhere.
        case moved
        /// The same size, but out of focus.
        case blurred
        /// 800 × 480, with more of the desk at both sides.
        case wide
        /// A damaged picture.
        case damaged
    }

    private struct State {
        var place = 0
        var presses = 0
        var stills = 0
        var trouble: Trouble
        var isGone = false
    }

    let kind: DeviceKind
    let scenes: [Scene]
    let still: Still
    let hasButton: Bool
    /// The number of pixels of a frame, horizontally and vertically, for each pixel of the painted
    /// picture.
    fileprivate let enlarged: Int
    private let repeats: Bool
    private let state: Mutex<State>
    fileprivate let interval: Duration

    /// A stage whose scenes are shown once, or repeatedly if it is a camera.
    init(
        _ kind: DeviceKind, _ scenes: [Scene], trouble: Trouble = Trouble(), still: Still = .none,
        hasButton: Bool = false, enlarged: Int = 1
    ) {
        self.enlarged = enlarged
        self.kind = kind
        self.still = still
        self.hasButton = hasButton
        self.scenes = scenes
        repeats = kind == .camera
        interval = kind == .camera ? .milliseconds(1000 / Int(Self.rate)) : .zero
        state = Mutex(State(trouble: trouble))
    }

    static let rate = 12.0
    static let (width, height) = (320, 240)

    func devices(_ query: DeviceQuery) async throws -> [DeviceDescriptor] {
        [DeviceDescriptor(id: "stage", name: "Stage", kind: kind)]
    }

    func open(_ id: String) async throws -> any CaptureDevice {
        try state.withLock { state in
            guard state.isGone else { return }
            guard state.trouble.absences == 0 else {
                state.trouble.absences -= 1
                throw CaptureError(.offline, "the stage is dark")
            }
            state.isGone = false
            state.trouble.unplugAfter = state.trouble.silences > 0 ? 0 : nil
            state.trouble.silences = max(0, state.trouble.silences - 1)
        }
        return StageCamera(stage: self)
    }

    /// Presses the camera's button.
    func press() { state.withLock { $0.presses += 1 } }

    /// The number of stills that were taken.
    var stills: Int { state.withLock { $0.stills } }

    fileprivate func takePress() -> Bool {
        state.withLock { state in
            defer { state.presses = 0 }
            return state.presses > 0
        }
    }

    /// The page that is present now; nil for an empty desk.
    fileprivate func pageForStill() -> Int? {
        state.withLock { state in
            state.stills += 1
            var left = max(0, state.place - 1) % scenes.reduce(0) { $0 + $1.frames }
            for scene in scenes {
                if left < scene.frames { return scene.page }
                left -= scene.frames
            }
            return nil
        }
    }

    /// The page of the next frame; the inner nil is an empty desk, the outer nil is the end.
    fileprivate func next(sent: Int) throws -> Int?? {
        try state.withLock { state in
            if let most = state.trouble.unplugAfter, sent >= most {
                state.isGone = true
                throw CaptureError(.offline, "the stage was unplugged")
            }
            let total = scenes.reduce(0) { $0 + $1.frames }
            guard repeats || state.place < total else { return nil }
            var left = state.place % total
            state.place += 1
            for scene in scenes {
                if left < scene.frames { return .some(scene.page) }
                left -= scene.frames
            }
            return nil
        }
    }

    fileprivate var isMute: Bool { state.withLock(\.trouble.isMute) }

    /// Half of a frame's JPEG picture, if the trouble cuts this frame; otherwise nil.
    fileprivate func cutFrame(_ number: Int, _ page: Int?) throws -> [UInt8]? {
        guard state.withLock({ $0.trouble.cut.contains(number) }) else { return nil }
        var picture = Raster(width: Self.width, height: Self.height, format: .gray8)
        let pixels = Self.paint(page)
        let stride = picture.stride
        picture.withMutableBytes { bytes in
            for y in 0..<Self.height {
                bytes[y * stride..<y * stride + Self.width].copyBytes(
                    from: pixels[y * Self.width..<(y + 1) * Self.width])
            }
        }
        let whole = try picture.encodedJPEG(quality: 90)
        return Array(whole.prefix(whole.count / 2))
    }

    /// Paints a frame, with each pixel as a square of this many pixels a side.
    fileprivate static func paint(_ page: Int?, enlarged: Int) -> [UInt8] {
        let pixels = paint(page)
        guard enlarged > 1 else { return pixels }
        return (0..<height * enlarged).flatMap { y in
            (0..<width * enlarged).map { x in
                pixels[y / enlarged * width + x / enlarged]
            }
        }
    }

    /// The first page that is a slip.
    static let slips = 50
    /// The places of the slips, with their dark rims.
    static let (slipColumns, slipRows) = (104..<218, 44..<206)

    /// The pixels of a frame.
    static func paint(_ page: Int?) -> [UInt8] {
        var pixels = [UInt8](repeating: 60, count: width * height)
        guard let page else { return pixels }
        let isSlip = page >= slips
        if isSlip {
            pixels = paint(1)
            for y in slipRows { for x in slipColumns { pixels[y * width + x] = 110 } }
        }
        let rows = isSlip ? slipRows.dropFirst().dropLast() : 20..<220
        let columns = isSlip ? slipColumns.dropFirst().dropLast() : 90..<232
        for y in rows { for x in columns { pixels[y * width + x] = 220 } }
        var state = UInt64(page) &* 0x9E37_79B9_7F4A_7C15 | 1
        for line in stride(from: rows.lowerBound + 14, to: rows.upperBound - 20, by: 16) {
            for column in stride(from: columns.lowerBound + 10, to: columns.upperBound - 22, by: 16)
            {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                guard state >> 63 != 0 else { continue }
                for y in line..<line + 12 {
                    for x in column..<column + 14 { pixels[y * width + x] = 70 }
                }
            }
        }
        return pixels
    }
}

private final class StageCamera: CaptureDevice {
    let stage: StageBackend

    init(stage: StageBackend) { self.stage = stage }

    func options() async throws -> [DeviceOption] {
        let sizes = ["320x240", "640x480", "800x480"]
        func size(_ name: String, _ value: String) -> DeviceOption {
            DeviceOption(
                name: name, title: name, help: "", type: .choice(sizes), value: .text(value))
        }
        var options: [DeviceOption] = []
        if stage.still != .none {
            options += [
                size("size", "320x240"),
                size("still-size", stage.still == .wide ? "800x480" : "640x480"),
            ]
        }
        if stage.hasButton {
            options.append(
                DeviceOption(
                    name: "button", title: "Button", help: "", type: .toggle,
                    value: .bool(stage.takePress()), isReadOnly: true, sensor: .button))
        }
        return options
    }

    /// The mean over 9 by 9 pixels.
    private static func blurred(_ pixels: [UInt8], _ width: Int) -> [UInt8] {
        [1, width].reduce(pixels) { pixels, step in
            pixels.indices.map { place in
                let sum = (-4...4).reduce(0) { sum, away in
                    let other = place + away * step
                    return sum + Int(pixels.indices.contains(other) ? pixels[other] : pixels[place])
                }
                return UInt8(sum / 9)
            }
        }
    }

    private func takeStill(into sink: any FrameSink) async throws {
        let page = stage.pageForStill()
        let shown: Int? =
            switch stage.still {
            case .late: page.map { $0 + 1 }
            case .empty: nil
            default: page
            }
        if stage.still == .damaged {
            throw CaptureError(.damagedData, "the stage's still is damaged")
        }
        let width = stage.still == .wide ? 800 : 640
        let small = StageBackend.paint(shown)
        let margin = (width - 640) / 2
        var pixels = [UInt8](repeating: 60, count: width * 480)
        for y in 0..<480 {
            for x in 0..<640 {
                pixels[y * width + x + margin] = small[y / 2 * StageBackend.width + x / 2]
            }
        }
        switch stage.still {
        case .moved:
            for y in 0..<480 {
                pixels.replaceSubrange(
                    y * width..<y * width + 600, with: pixels[y * width + 40..<(y + 1) * width])
            }
        case .blurred: pixels = Self.blurred(pixels, width)
        default: break
        }
        let writer = try await sink.begin(
            FrameDescription(format: .gray8, width: width, height: 480, label: "page \(shown ?? 0)")
        )
        try await writer.write(pixels)
        try await writer.finish()
    }

    func set(_ option: String, to value: OptionValue) async throws -> OptionOutcome {
        throw CaptureError(.noSuchOption, "the stage has no options")
    }

    func capture(_ request: CaptureRequest, into sink: any FrameSink) async throws {
        if request.mode == .pages { return try await takeStill(into: sink) }
        if stage.isMute { try await Task.sleep(for: .seconds(3600)) }
        var sent = 0
        while let page = try stage.next(sent: sent) {
            try Task.checkCancellation()
            if stage.interval > .zero { try await Task.sleep(for: stage.interval) }
            if let cut = try stage.cutFrame(sent, page) {
                let description = FrameDescription(
                    format: .jpeg, width: StageBackend.width, height: StageBackend.height,
                    capacity: cut.count, time: Double(sent) / StageBackend.rate)
                let writer = try await sink.begin(description)
                if writer.isWanted { try await writer.write(cut) }
                try await writer.finish()
                sent += 1
                continue
            }
            let writer = try await sink.begin(
                FrameDescription(
                    format: .gray8, width: StageBackend.width * stage.enlarged,
                    height: StageBackend.height * stage.enlarged,
                    label: "page \(page ?? 0)", time: Double(sent) / StageBackend.rate))
            if writer.isWanted {
                try await writer.write(StageBackend.paint(page, enlarged: stage.enlarged))
            }
            try await writer.finish()
            sent += 1
        }
    }

    func close() async {}
}
