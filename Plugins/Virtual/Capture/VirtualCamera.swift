import BlockingWork
import CaptureKit
import Synchronization

/// The camera: stills on request, frames at its own rate.
final class VirtualCamera: CaptureDevice {
    private struct State {
        var table: OptionTable
        var pictures: [PictureReference]
        var clip: VideoClip?
        /// The index of the next still.
        var position = 0
        var isCapturing = false
    }

    private let shared: SharedState
    private let cache = PictureCache()
    private let state: Mutex<State>

    /// Opens the camera in front of the folder's pictures, or of a made-up desk.
    init(shared: SharedState) async throws {
        self.shared = shared
        let folder = shared.folder
        let pictures = try await onOwnThread { try folder.map(PictureFolder.pictures(in:)) ?? [] }
        let table = OptionTable(CameraOptions.specs(folder: folder ?? ""))
        state = Mutex(State(table: table, pictures: pictures))
    }

    func options() async throws -> [DeviceOption] {
        try await shared.trigger(.options)
        return state.withLock { $0.table.options }
    }

    func set(_ option: String, to value: OptionValue) async throws -> OptionOutcome {
        let taken = try state.withLock { try $0.table.check(option, value) }
        guard case .text(let path) = taken, option == "folder" || option == "clip" else {
            return try state.withLock { try $0.table.set(option, to: taken) }
        }
        if option == "folder" {
            let pictures = try await onOwnThread {
                path.isEmpty ? [] : try PictureFolder.pictures(in: path)
            }
            return try state.withLock {
                ($0.pictures, $0.position) = (pictures, 0)
                return try $0.table.set(option, to: taken)
            }
        }
        let clip = try await onOwnThread { path.isEmpty ? nil : try VideoClip(path: path) }
        return try state.withLock {
            ($0.clip, $0.position) = (clip, 0)
            return try $0.table.set(option, to: taken)
        }
    }

    func capture(_ request: CaptureRequest, into sink: any FrameSink) async throws {
        try request.checkLimit()
        let start = try state.withLock { state in
            guard !state.isCapturing else {
                throw CaptureError(.busy, "The virtual camera is already capturing")
            }
            state.isCapturing = true
            return state
        }
        defer { state.withLock { $0.isCapturing = false } }
        let sender = FrameSender(
            settings: start.table.settings, sink: sink, actuator: shared.actuator,
            pacer: shared.pacer
        )
        let content = CameraContent(
            pictures: start.pictures, clip: start.clip, cache: cache,
            loops: start.table.settings.isOn("loop"),
            size: CameraOptions.size(start.table.settings))
        switch request.mode {
        case .pages:
            try await stills(request.limit ?? 1, of: content, from: start.position, with: sender)
        case .live: try await live(request.limit, of: content, with: sender)
        }
    }

    func close() async { shared.closed("camera") }

    private func stills(
        _ limit: Int, of content: CameraContent, from first: Int, with sender: FrameSender
    ) async throws {
        for number in 1...limit {
            try Task.checkCancellation()
            guard
                try await content.send(
                    first + number - 1, number: number, isStill: true, with: sender)
            else {
                guard number > 1 else {
                    throw CaptureError(
                        .feederEmpty, "The camera has shown all of its frames",
                        advice: "Set the option 'loop', or another 'folder' or 'clip'.")
                }
                return
            }
            state.withLock { $0.position = first + number }
        }
    }

    /// Frame n is due n ÷ rate after the first; frames whose time has passed are left out.
    private func live(_ limit: Int?, of content: CameraContent, with sender: FrameSender)
        async throws
    {
        let rate = max(1, sender.settings.number("rate"))
        var sender = sender
        sender.isLive = true
        let start = shared.pacer.now()
        var (index, sent) = (0, 0)
        while sent < limit ?? .max {
            try await shared.pacer.sleep(until: start + .seconds(Double(index) / rate))
            try Task.checkCancellation()
            sender.time = Double(index) / rate
            guard try await content.send(index, number: sent + 1, with: sender) else { return }
            sent += 1
            let late = (shared.pacer.now() - start) / .seconds(1) * rate
            index = max(index + 1, Int(late.rounded(.down)))
        }
    }
}
