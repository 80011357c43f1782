import CaptureKit
import Clocks

extension CaptureHost {
    /// The devices of one backend, or of all backends, as they are found: those of quick backends
    /// come first.
    ///
    /// The stream ends when every backend has answered; the search ends early when the stream is
    /// dropped.
    ///
    ///     for await event in host.deviceEvents() {
    ///         if case .added(let device) = event { print(device.id) }
    ///     }
    ///
    /// - Parameters:
    ///   - backend: the id of the only backend to ask; nil for all.
    ///   - quick: true to skip slow searches, such as those of the network.
    public nonisolated func deviceEvents(
        backend: String? = nil, quick: Bool = false
    ) -> AsyncStream<DeviceEvent> {
        events(backend) { watch in await self.ask(backend, quick, watch) }
    }

    /// The devices as ``deviceEvents(backend:quick:)`` gives them, and then every change, until the
    /// stream is dropped.
    ///
    /// A backend that notices changes, such as a plugged cable, reports them immediately. All
    /// backends are asked again at intervals, which also finds changes on the network. A backend
    /// that fails is reported and restarted after a second, and after a longer wait each time if it
    /// keeps failing.
    ///
    /// - Parameters:
    ///   - backend: the id of the only backend to follow; nil for all.
    ///   - interval: the time from one search to the next.
    ///   - clock: the clock for `interval`.
    public nonisolated func followDevices(
        backend: String? = nil, every interval: Duration = .seconds(30),
        clock: any Clock<Duration> = ContinuousClock()
    ) -> AsyncStream<DeviceEvent> {
        let (failures, failed) = AsyncStream<String>.makeStream(
            bufferingPolicy: .bufferingNewest(64))
        return events(backend, onFailure: { failed.yield($0) }) { watch in
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    repeat {
                        await self.ask(backend, false, watch)
                    } while await clock.pause(for: interval)
                    failed.finish()
                }
                group.addTask {
                    await self.recover(from: failures, watch, longest: interval, clock)
                }
            }
        }
    }

    /// Asks failed backends again.
    private nonisolated func recover(
        from failures: AsyncStream<String>, _ watch: DeviceWatch, longest: Duration,
        _ clock: any Clock<Duration>
    ) async {
        var waits: [String: (wait: Duration, last: ContinuousClock.Instant)] = [:]
        for await backend in failures {
            let before = waits[backend]
            let isSoon = before.map { ContinuousClock.now - $0.last < longest } ?? false
            let wait = isSoon ? min(longest, (before?.wait ?? .zero) * 2) : .seconds(1)
            guard await clock.pause(for: wait) else { return }
            await ask(backend, false, watch)
            waits[backend] = (wait, .now)
        }
    }

    private nonisolated func events(
        _ backend: String?, onFailure: @escaping @Sendable (String) -> Void = { _ in },
        _ body: @escaping @Sendable (DeviceWatch) async -> Void
    ) -> AsyncStream<DeviceEvent> {
        let (stream, continuation) = AsyncStream<DeviceEvent>.makeStream()
        let task = Task {
            let backends: [BackendSupervisor]
            do throws(HostError) {
                backends = try await self.asked(backend)
            } catch {
                continuation.yield(.problem(error))
                return continuation.finish()
            }
            let watch = DeviceWatch(backends: backends.map(\.report.id), continuation)
            let listener = relay.add({ watch.take($1, of: $0) }) { id, failure in
                guard backend == nil || backend == id else { return }
                watch.take(failure: failure, of: id)
                onFailure(id)
            }
            await body(watch)
            relay.remove(listener)
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    /// Asks all backends once, at the same time.
    private func ask(_ backend: String?, _ quick: Bool, _ watch: DeviceWatch) async {
        do { watch.take(try registry.read()) } catch { watch.take(asHostError(error)) }
        if backend == nil { for error in broken { watch.take(error) } }
        let backends: [BackendSupervisor]
        do { backends = try asked(backend) } catch { return watch.take(error) }
        await withTaskGroup(of: Void.self) { group in
            for supervisor in backends {
                // The answer is handled as it arrives, because anything that the backend announces
                // later is newer.
                group.addTask {
                    await askForDevices(of: supervisor, quick: quick) {
                        watch.take($0, of: supervisor.report.id)
                    }
                }
            }
        }
    }
}
