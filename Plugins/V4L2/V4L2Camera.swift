import CV4L2
import CaptureKit
import Synchronization

/// An open camera: films in the forms it has by nature, takes stills, and has its controls as options.
///
/// Requests to the driver block; they are made one after the other on a queue of the camera's own, and frames are taken on a thread.
final class V4L2Camera: CaptureDevice {
    /// How often a still is taken again when the frame was damaged.
    private static let attempts = 5

    let descriptor: DeviceDescriptor?
    private let name: String
    /// Nil once it is closed.
    private let opened: Mutex<CameraNode?>
    private let patience: CameraStream.Patience
    private let queue = BlockingQueue("copystand.camera")
    private let state: Mutex<State>
    private let onClose: @Sendable () -> Void

    private struct State {
        var settings: CameraSettings
        var isCapturing = false
    }

    /// The camera of a node; blocks.
    ///
    /// - Throws: ``CaptureError`` `busy`, `offline`; `unsupported` when it has no format that can be read.
    init(
        _ node: CameraNode, _ descriptor: DeviceDescriptor, patience: CameraStream.Patience,
        onClose: @escaping @Sendable () -> Void
    ) throws(CaptureError) {
        try node.checkUsable()
        if node.isBusy { throw CameraFault.busy(node.name) }
        let modes = ModeList.read(node.file.raw, type: node.type)
        guard let settings = CameraSettings(modes) else {
            let formats = Set(modes.map(\.format.description)).sorted().joined(separator: ", ")
            throw CaptureError(
                .unsupported,
                "The camera '\(node.name)' has no format that can be read"
                    + (formats.isEmpty ? "" : ", only \(formats)"))
        }
        name = node.name
        opened = Mutex(node)
        self.descriptor = descriptor
        self.patience = patience
        self.onClose = onClose
        state = Mutex(State(settings: settings))
    }

    func options() async throws -> [DeviceOption] {
        let settings = state.withLock { $0.settings }
        return try await queue.run { [self] in
            settings.options + ControlPanel(node: try node()).options()
        }
    }

    func set(_ option: String, to value: OptionValue) async throws -> OptionOutcome {
        if let outcome = try state.withLock({ try $0.settings.set(option, to: value) }) {
            return outcome
        }
        let outcome = try await queue.run { [self] in
            try ControlPanel(node: node()).set(option, to: value)
        }
        if let outcome { return outcome }
        throw CaptureError(
            .noSuchOption, "The camera '\(name)' has no option '\(option)'")
    }

    func close() async {
        opened.withLock { $0 = nil }
        onClose()
    }

    private func node() throws(CaptureError) -> CameraNode {
        if let node = opened.withLock({ $0 }) { return node }
        throw CaptureError(.internalFault, "the camera '\(name)' was closed")
    }

    func capture(_ request: CaptureRequest, into sink: any FrameSink) async throws {
        guard request.limit ?? 1 >= 1 else {
            throw CaptureError(.invalidValue, "\(request.limit ?? 0) frames can't be captured")
        }
        let settings = try state.withLock { state in
            guard !state.isCapturing else {
                throw CaptureError(.busy, "The camera '\(name)' is filming already")
            }
            state.isCapturing = true
            return state.settings
        }
        defer { state.withLock { $0.isCapturing = false } }
        let choice = request.mode == .live ? settings.live : settings.still
        guard let choice else {
            throw CaptureError(
                .unsupported, "The camera '\(name)' has no such size in this format")
        }
        let stream = try await CameraStream.start(node(), choice, patience: patience)
        do {
            switch request.mode {
            case .live: try await film(stream, request.limit, into: sink)
            case .pages:
                try await settle(stream, for: .seconds(settings.warmUp))
                for _ in 1...(request.limit ?? 1) { try await takeStill(stream, into: sink) }
            }
        } catch {
            await stream.stop()
            throw error
        }
        await stream.stop()
    }

    // MARK: Live

    private func film(_ stream: CameraStream, _ limit: Int?, into sink: any FrameSink) async throws
    {
        let odd = stream.form.route == .converted ? try OddFormats(stream.node) : nil
        var sent = 0
        while sent < limit ?? .max {
            try Task.checkCancellation()
            let frame = try await stream.next()
            let isTaken: Bool
            do {
                isTaken = try await send(frame, of: stream, odd, into: sink)
            } catch {
                stream.give(frame)
                throw error
            }
            stream.give(frame)
            if isTaken { sent += 1 }
        }
    }

    /// Copies a frame from the driver's memory to the host's; false when the host had no room.
    private func send(
        _ frame: FilledBuffer, of stream: CameraStream, _ odd: OddFormats?, into sink: any FrameSink
    ) async throws -> Bool {
        let form = stream.form
        let description = form.description(time: frame.time)
        let writer = try await sink.begin(description)
        guard writer.isWanted else {
            try await writer.finish()
            return false
        }
        // Nobody else has the buffer until it is given back.
        nonisolated(unsafe) let memory = stream.memory(of: frame)
        let size = description.byteCount(rows: form.size.height)
        switch form.route {
        case .native:
            let count = min(memory.count, size)
            try await writer.fill(count: count) { target in
                target.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<count]))
                return count
            }
        case .swapped:
            try await writer.fill(count: size) { target in
                RowCopy.copy(
                    UnsafeRawBufferPointer(memory), form, bytesPerPixel: 3, isSwapped: true,
                    to: target)
                return size
            }
        case .converted:
            do {
                try await writer.fill(count: size) { target in
                    try odd?.convert(memory, form, into: target)
                    return size
                }
            } catch let error as CaptureError where error.code == .damagedData {
                try await sink.skip(label: nil, error)
                return false
            }
        }
        try await writer.finish()
        return true
    }

    // MARK: Stills

    /// Lets the camera film for a while and throws the frames away.
    private func settle(_ stream: CameraStream, for time: Duration) async throws {
        let end = ContinuousClock.now + time
        while ContinuousClock.now < end { stream.give(try await stream.next()) }
    }

    private func takeStill(_ stream: CameraStream, into sink: any FrameSink) async throws {
        for attempt in 1... {
            let frame = try await stream.next()
            do {
                let picture = try await decode(frame, of: stream)
                stream.give(frame)
                return try await send(picture, into: sink)
            } catch let error as CaptureError where error.code == .damagedData {
                stream.give(frame)
                if attempt == V4L2Camera.attempts { throw error }
            } catch {
                stream.give(frame)
                throw error
            }
        }
    }

    private func decode(
        _ frame: FilledBuffer, of stream: CameraStream
    ) async throws -> StillPicture {
        try await queue.run {
            let form = stream.form
            let memory = stream.memory(of: frame)
            guard form.route == .converted else {
                return try StillPicture(UnsafeRawBufferPointer(memory), form)
            }
            let odd = try OddFormats(stream.node)
            var pixels = [UInt8](repeating: 0, count: form.size.area * 3)
            try pixels.withUnsafeMutableBytes { try odd.convert(memory, form, into: $0) }
            return StillPicture(rgb: pixels, form)
        }
    }

    private func send(_ picture: StillPicture, into sink: any FrameSink) async throws {
        let writer = try await sink.begin(picture.description)
        try await writer.fill(count: picture.pixels.count) { target in
            target.copyBytes(from: picture.pixels)
            return picture.pixels.count
        }
        try await writer.finish(original: picture.original)
    }
}
