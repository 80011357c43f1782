import CaptureKit
import Synchronization

/// A made-up camera, or recording, before which made-up pages lie in turn.
///
/// Frames are 320 × 240 gray. A page is a light sheet with print of its own on a dark desk.
final class StageBackend: CaptureBackend {
    /// What is seen for some frames.
    struct Scene: Sendable {
        /// The page's number; nil for the empty desk.
        var page: Int?
        var frames: Int
    }

    /// How it goes wrong.
    struct Trouble: Sendable {
        /// Frames of a capture after which the camera is gone; nil for never.
        var unplugAfter: Int?
        /// How often opening it fails then.
        var absences = 0
    }

    private struct State {
        var place = 0
        var trouble: Trouble
        var isGone = false
    }

    let kind: DeviceKind
    let scenes: [Scene]
    private let repeats: Bool
    private let state: Mutex<State>
    fileprivate let interval: Duration

    /// A stage whose scenes pass once, or again and again when it is a camera.
    init(_ kind: DeviceKind, _ scenes: [Scene], trouble: Trouble = Trouble()) {
        self.kind = kind
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
            state.trouble.unplugAfter = nil
        }
        return StageCamera(stage: self)
    }

    /// The page of the next frame; nil inside for an empty desk, outside at the end.
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

    /// A frame's pixels.
    static func paint(_ page: Int?) -> [UInt8] {
        var pixels = [UInt8](repeating: 60, count: width * height)
        guard let page else { return pixels }
        for y in 20..<220 { for x in 90..<232 { pixels[y * width + x] = 220 } }
        var state = UInt64(page) &* 0x9E37_79B9_7F4A_7C15 | 1
        for line in stride(from: 34, to: 200, by: 16) {
            for column in stride(from: 100, to: 210, by: 16) {
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

    func options() async throws -> [DeviceOption] { [] }

    func set(_ option: String, to value: OptionValue) async throws -> OptionOutcome {
        throw CaptureError(.noSuchOption, "the stage has no options")
    }

    func capture(_ request: CaptureRequest, into sink: any FrameSink) async throws {
        var sent = 0
        while let page = try stage.next(sent: sent) {
            try Task.checkCancellation()
            if stage.interval > .zero { try await Task.sleep(for: stage.interval) }
            let writer = try await sink.begin(
                FrameDescription(
                    format: .gray8, width: StageBackend.width, height: StageBackend.height,
                    label: "page \(page ?? 0)", time: Double(sent) / StageBackend.rate))
            if writer.isWanted { try await writer.write(StageBackend.paint(page)) }
            try await writer.finish()
            sent += 1
        }
    }

    func close() async {}
}
