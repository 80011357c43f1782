import BlockingWork
import CV4L2
import CaptureKit
import Synchronization

/// An open camera: streams in its native formats, takes stills, and has its controls as
/// options.
///
/// Requests to the driver block; they run one after the other on a separate queue, and frames are
/// fetched on a thread.
final class V4L2Camera: CaptureDevice {
    /// The number of times that a still is captured again when its frame was damaged.
    private static let attempts = 5

    let descriptor: DeviceDescriptor?
    private let name: String
    /// The open camera; nil once it is closed.
    private let opened: Mutex<CameraNode?>
    private let patience: CameraStream.Patience
    private let queue = OwnQueue(label: "copystand.camera")
    private let state: Mutex<State>
    private let button: CameraButton?
    private let onClose: @Sendable () -> Void

    private struct State {
        /// The settings; nil while there is no signal.
        var settings: CameraSettings?
        /// The timings of a digital signal that were chosen; nil to follow the signal.
        var timings: String?
        var isCapturing = false
        /// The controls as they were last listed, and the time of that.
        var controls: (options: [DeviceOption], at: ContinuousClock.Instant)?
        /// The time of the last streaming.
        var filmed: ContinuousClock.Instant?
    }

    /// The time for which a list of controls is used during a capture, because asking a camera for
    /// some of them is slow.
    private static let controlsAge = Duration.seconds(2)
    /// The time after streaming for which a camera keeps its exposure and focus, and the longest
    /// time that it then needs to settle in another size.
    private static let settledFor = Duration.seconds(3), resettling = 0.2

    /// The camera of a node; blocks.
    ///
    /// - Throws: ``CaptureError`` `busy`, `offline`; `unsupported` when it has no format that can
    ///   be read.
    init(
        _ node: CameraNode, _ descriptor: DeviceDescriptor, button: CameraButton? = nil,
        patience: CameraStream.Patience, onClose: @escaping @Sendable () -> Void
    ) throws(CaptureError) {
        try node.checkUsable()
        if node.isBusy { throw CameraFault.busy(node.name) }
        let inputs = CameraInputs(node)
        inputs.followSignal()
        let modes = ModeList.read(node.file.raw, type: node.type)
        let settings = CameraSettings(modes)
        // Another input may have a signal.
        if settings == nil, inputs.options().isEmpty { throw Self.unreadable(modes, node.name) }
        name = node.name
        opened = Mutex(node)
        self.descriptor = descriptor
        self.patience = patience
        self.button = button
        self.onClose = onClose
        state = Mutex(State(settings: settings))
    }

    private static func unreadable(_ modes: [CameraMode], _ name: String) -> CaptureError {
        let formats = Set(modes.map(\.format.description)).sorted().joined(separator: ", ")
        return CaptureError(
            .unsupported,
            "The camera '\(name)' has no format that can be read"
                + (formats.isEmpty ? "" : ", only \(formats)"))
    }

    func options() async throws -> [DeviceOption] {
        let (settings, timings, isCapturing, known) = state.withLock {
            ($0.settings, $0.timings, $0.isCapturing, $0.controls)
        }
        return try await queue.run { [self] in
            let node = try node()
            let own = CameraInputs(node, timings: timings).options() + (settings?.options ?? [])
            let pressed = button.map { [$0.option()] } ?? []
            if isCapturing, let known, .now - known.at < Self.controlsAge {
                return own + pressed + known.options
            }
            let controls = CameraSettings.panel(of: node).options()
            state.withLock { $0.controls = (controls, .now) }
            return own + pressed + controls
        }
    }

    func set(_ option: String, to value: OptionValue) async throws -> OptionOutcome {
        if let outcome = try state.withLock({ try $0.settings?.set(option, to: value) }) {
            return outcome
        }
        let outcome: OptionOutcome? = try await queue.run { [self] in
            let node = try node()
            var inputs = CameraInputs(node, timings: state.withLock { $0.timings })
            if try inputs.set(option, to: value) {
                let modes = ModeList.read(node.file.raw, type: node.type)
                state.withLock { state in
                    state.timings = inputs.chosenTimings
                    state.settings = CameraSettings(modes)
                }
                return OptionOutcome(value: value, reloadOptions: true)
            }
            defer { state.withLock { $0.controls = nil } }
            return try CameraSettings.panel(of: node).set(option, to: value)
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
        let (timings, filmed) = try state.withLock { state in
            guard !state.isCapturing else {
                throw CaptureError(.busy, "The camera '\(name)' is already capturing")
            }
            state.isCapturing = true
            return (state.timings, state.filmed)
        }
        defer {
            state.withLock { state in
                state.isCapturing = false
                state.filmed = .now
            }
        }
        let settings = try await queue.run { [self] in try filmable(timings) }
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
                let isSettled = filmed.map { .now - $0 < Self.settledFor } ?? false
                let warmUp = isSettled ? min(settings.warmUp, Self.resettling) : settings.warmUp
                try await settle(stream, for: .seconds(warmUp))
                for _ in 1...(request.limit ?? 1) { try await takeStill(stream, into: sink) }
            }
        } catch {
            await stream.stop()
            throw error
        }
        await stream.stop()
    }

    /// The current signal, which may have changed since the camera was opened.
    private func filmable(_ timings: String?) throws(CaptureError) -> CameraSettings {
        let node = try node()
        let inputs = CameraInputs(node, timings: timings)
        if inputs.followSignal() {
            let modes = ModeList.read(node.file.raw, type: node.type)
            state.withLock { $0.settings = CameraSettings(modes) }
        }
        try inputs.checkSignal()
        if let settings = state.withLock({ $0.settings }) { return settings }
        throw Self.unreadable(ModeList.read(node.file.raw, type: node.type), name)
    }

    // MARK: Live

    private func film(_ stream: CameraStream, _ limit: Int?, into sink: any FrameSink) async throws
    {
        let odd = stream.form.route == .converted ? try OddFormats(stream.node) : nil
        let change = LevelChange(stream.form)
        var sent = 0
        while sent < limit ?? .max {
            try Task.checkCancellation()
            let frame = try await stream.next()
            let isTaken: Bool
            do {
                for _ in 0..<stream.takeDamaged() {
                    try await sink.skip(
                        label: nil,
                        CaptureError(
                            .damagedData,
                            "a frame of the camera '\(name)' arrived damaged"))
                }
                isTaken = try await send(frame, of: stream, odd, change, into: sink)
            } catch {
                stream.giveBack(frame)
                throw error
            }
            stream.giveBack(frame)
            if isTaken { sent += 1 }
        }
    }

    /// Copies a frame from the driver's memory to the host's; false when the host had no room.
    private func send(
        _ frame: FilledBuffer, of stream: CameraStream, _ odd: OddFormats?, _ change: LevelChange?,
        into sink: any FrameSink
    ) async throws -> Bool {
        let form = stream.form
        let description = form.description(time: frame.time)
        let writer = try await sink.begin(description)
        guard writer.isWanted else {
            try await writer.finish()
            return false
        }
        // No one else uses the buffer until it is returned.
        nonisolated(unsafe) let memory = stream.memory(of: frame)
        let size = description.byteCount(rows: form.size.height)
        switch form.route {
        case .native:
            let source = UnsafeRawBufferPointer(rebasing: memory[..<min(memory.count, size)])
            var end = form.route == .native(.jpeg) ? JPEGEnds.missing(in: source) : []
            if source.count + end.count > size { end = [] }
            nonisolated(unsafe) let bytes = source
            let mark = end
            try await writer.fill(count: bytes.count + mark.count) { target in
                if let change {
                    change.write(bytes, to: target)
                } else {
                    target.copyMemory(from: bytes)
                }
                target[bytes.count...].copyBytes(from: mark)
                return bytes.count + mark.count
            }
        case .swapped:
            try await writer.fill(count: size) { target in
                RowCopy.copy(
                    UnsafeRawBufferPointer(memory), form, bytesPerPixel: 3, isSwapped: true,
                    to: target)
                change?.write(UnsafeRawBufferPointer(target), to: target)
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

    /// Lets the camera stream for a while and discards the frames.
    private func settle(_ stream: CameraStream, for time: Duration) async throws {
        let end = ContinuousClock.now + time
        while ContinuousClock.now < end { stream.giveBack(try await stream.next()) }
    }

    private func takeStill(_ stream: CameraStream, into sink: any FrameSink) async throws {
        for attempt in 1... {
            let frame = try await stream.next()
            do {
                let picture = try await decode(frame, of: stream)
                stream.giveBack(frame)
                return try await send(picture, into: sink)
            } catch let error as CaptureError where error.code == .damagedData {
                stream.giveBack(frame)
                if attempt == V4L2Camera.attempts { throw error }
            } catch {
                stream.giveBack(frame)
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
