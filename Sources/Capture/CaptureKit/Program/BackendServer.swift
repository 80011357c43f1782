import Dispatch
import ExpectedFailures
import Synchronization

/// The backend's end of a connection: reads requests, runs them on a ``CaptureBackend``, and
/// answers each exactly once.
package final class BackendServer: Sendable {
    private let socket: OwnedDescriptor
    private let writer: WireWriter
    private let name: String
    private let version: String
    private let backend: any CaptureBackend
    private let state = Mutex(State())

    private struct State {
        var lanes: [Int: DeviceLane] = [:]
        var nextHandle = 1
        var captures: [Int: (sink: WireSink, lane: DeviceLane)] = [:]
        var watch: Task<Void, Never>?
        /// The tasks that watch the options of each open device.
        var listening: [Int: Task<Void, Never>] = [:]
    }

    /// A server of `backend` on a connected socket.
    package init(
        socket: OwnedDescriptor, name: String, version: String, backend: any CaptureBackend
    ) {
        self.socket = socket
        self.name = name
        self.version = version
        self.backend = backend
        writer = WireWriter(socket: socket)
    }

    /// Serves until the host closes the connection; blocks the calling thread.
    ///
    /// At the end, captures are canceled and devices closed, for at most three seconds.
    package func run() throws(WireError) {
        defer { windDown() }
        let reader = WireReader(socket: socket, acceptsDescriptors: true)
        while let line = try reader.next() {
            if let id = line.header.request {
                serve(id, line)
            } else if let event = line.header.event.flatMap(EventName.init) {
                deliver(event, line)
            }
        }
    }

    private func windDown() {
        // A semaphore waits by the time of day here: for years, once the clock is set back.
        let done = DispatchGroup()
        done.enter()
        Task {
            await closeEverything()
            done.leave()
        }
        _ = done.wait(timeout: .now() + 3)
    }

    private func closeEverything() async {
        let (lanes, watch) = state.withLock { state in
            defer {
                state.lanes = [:]
                state.watch = nil
            }
            for task in state.listening.values { task.cancel() }
            return (Array(state.lanes.values), state.watch)
        }
        watch?.cancel()
        for lane in lanes { lane.cancelCapture() }
        for lane in lanes {
            await lane.captureEnd()
            await lane.enqueue { await lane.device.close() }.value
        }
    }

    // MARK: Requests

    private func serve(_ id: Int, _ line: WireLine) {
        do {
            guard let verb = line.header.verb.flatMap(Verb.init) else {
                throw CaptureError(.unsupported, "there is no verb '\(line.header.verb ?? "")'")
            }
            switch verb {
            case .hello: answer(id) { self.hello() }
            case .devices:
                let query = try line.decode(DeviceQuery.self)
                answer(id) {
                    let found = try await self.backend.findings(query)
                    return Wire.Devices(
                        devices: found.devices,
                        problems: found.problems.isEmpty ? nil : found.problems)
                }
            case .open:
                let request = try line.decode(Wire.Open.self)
                answer(id) { try await self.open(request.device) }
            case .options:
                let lane = try lane(line.decode(Wire.Handle.self).handle)
                lane.enqueue {
                    await self.respond(id) {
                        Wire.Options(options: try await lane.device.options())
                    }
                }
            case .set:
                let request = try line.decode(Wire.Set.self)
                let lane = try lane(request.handle)
                lane.enqueue {
                    await self.respond(id) {
                        try await lane.device.set(request.option, to: request.value)
                    }
                }
            case .capture: try capture(id, line.decode(Wire.Capture.self))
            case .cancel:
                let capture = try line.decode(Wire.Cancel.self).capture
                state.withLock { $0.captures[capture]?.lane }?.cancelCapture()
                answer(id) { Wire.Empty() }
            case .close: try close(id, handle: line.decode(Wire.Handle.self).handle)
            }
        } catch {
            refuse(id, error)
        }
    }

    private func hello() -> Wire.HelloAnswer {
        let isFirst = state.withLock { $0.watch == nil }
        if isFirst {
            let watch = Task {
                guard let changes = await backend.changes() else { return }
                for await change in changes { report(change) }
            }
            state.withLock { $0.watch = watch }
        }
        return Wire.HelloAnswer(
            protocol: captureProtocolVersion, name: name, version: version,
            capabilities: [Wire.HelloAnswer.descriptors, Wire.HelloAnswer.offsets])
    }

    private func report(_ change: DeviceChange) {
        switch change {
        case .added(let device): announce(.deviceAdded, Wire.DeviceAdded(device: device))
        case .changed(let device): announce(.deviceChanged, Wire.DeviceAdded(device: device))
        case .removed(let id): announce(.deviceRemoved, Wire.DeviceRemoved(id: id))
        }
    }

    /// Sends an event; if that fails, the host finds the change when it next lists the devices or
    /// reads the options.
    private func announce(_ event: EventName, _ body: some Encodable) {
        reportedLater { try writer.send(WireHeader(event: event), body) }
    }

    private func open(_ id: String) async throws -> Wire.OpenAnswer {
        let device = try await backend.open(id)
        let handle = state.withLock { state in
            defer { state.nextHandle += 1 }
            state.lanes[state.nextHandle] = DeviceLane(device)
            return state.nextHandle
        }
        listen(to: device, handle)
        return Wire.OpenAnswer(handle: handle, device: device.descriptor)
    }

    private func listen(to device: any CaptureDevice, _ handle: Int) {
        let task = Task {
            guard let changes = await device.optionChanges() else { return }
            for await change in changes {
                announce(
                    .optionChanged,
                    Wire.OptionChanged(handle: handle, option: change.name, value: change.value))
            }
        }
        state.withLock { $0.listening[handle] = task }
    }

    private func lane(_ handle: Int) throws(CaptureError) -> DeviceLane {
        guard let lane = state.withLock({ $0.lanes[handle] }) else {
            throw CaptureError(.noSuchDevice, "no open device has the handle \(handle)")
        }
        return lane
    }

    private func capture(_ id: Int, _ request: Wire.Capture) throws {
        let lane = try lane(request.handle)
        guard request.limit ?? 1 >= 1 else {
            throw CaptureError(
                .invalidValue, "a capture of \(request.limit ?? 0) frames is impossible")
        }
        let body = CaptureRequest(
            mode: request.mode ?? .pages, limit: request.limit, after: request.after)
        let sink = WireSink(capture: id, request: body, writer: writer)
        // The capture is noted before the device starts, because the host may answer its first
        // frame immediately.
        state.withLock { $0.captures[id] = (sink, lane) }
        do {
            try lane.startCapture {
                try await lane.device.capture(body, into: sink)
                try sink.checkComplete()
            } then: { result in
                self.state.withLock { $0.captures[id] = nil }
                await self.respond(id) {
                    try result.get()
                    return Wire.Empty()
                }
            }
        } catch {
            state.withLock { $0.captures[id] = nil }
            throw error
        }
    }

    private func close(_ id: Int, handle: Int) throws {
        let lane = try lane(handle)
        state.withLock { state in
            state.lanes[handle] = nil
            state.listening.removeValue(forKey: handle)?.cancel()
        }
        lane.enqueue {
            lane.cancelCapture()
            await lane.captureEnd()
            await lane.device.close()
            await self.respond(id) { Wire.Empty() }
        }
    }

    // MARK: Answers

    private func answer<Body: Encodable & SendableMetatype>(
        _ id: Int, _ work: @escaping @Sendable () async throws -> Body
    ) {
        Task { await respond(id, work) }
    }

    private func respond<Body: Encodable & SendableMetatype>(
        _ id: Int, _ work: @Sendable () async throws -> Body
    ) async {
        do {
            let body = try await work()
            try writer.send(WireHeader(answer: id), body)
        } catch {
            refuse(id, error)
        }
    }

    private func refuse(_ id: Int, _ error: any Error) {
        var failure: CaptureError
        switch error {
        case let error as CaptureError: failure = error
        case is CancellationError: failure = CaptureError(.cancelled, "the capture was canceled")
        case let error as WireError: failure = CaptureError(.unsupported, error.message)
        default: failure = CaptureError(.internalFault, "\(error)")
        }
        failure.message = String(failure.message.prefix(4096))
        // This short message can fail only if the connection is closed, and then no one waits for
        // it.
        reportedLater { try writer.send(WireHeader(answer: id, error: failure), Wire.Empty()) }
    }

    // MARK: Events from the host

    private func deliver(_ event: EventName, _ line: WireLine) {
        guard let frame = ofKnownForm({ try line.decode(Wire.FrameReference.self) }),
            let sink = state.withLock({ $0.captures[frame.capture]?.sink })
        else { return }
        switch event {
        case .buffer:
            do {
                let buffer = try line.decode(Wire.Buffer.self)
                sink.deliver(
                    .success(Grant(buffer: buffer, descriptor: line.descriptor)), for: frame.frame)
            } catch {
                // Without an answer, the capture would wait for this buffer for ever.
                let fault = CaptureError(.internalFault, "the host sent a buffer without a meaning")
                sink.deliver(.failure(fault), for: frame.frame)
            }
        case .refused:
            let error =
                line.header.error ?? CaptureError(.internalFault, "the host refused the frame")
            sink.deliver(.failure(error), for: frame.frame)
        default: break
        }
    }
}
