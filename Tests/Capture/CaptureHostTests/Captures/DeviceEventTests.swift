import CaptureKit
import ContractSupport
import Dispatch
import Synchronization
import Testing

@testable import CaptureHost

/// Tests the search for devices, and their arrival and removal.
@Suite struct DeviceEventTests {
    /// A backend that answers each `devices` request with the next list from the test, and waits
    /// for a list if necessary.
    private final class ListingBackend: CaptureBackend {
        private struct State {
            var lists: [Result<DeviceFindings, CaptureError>] = []
            var waiting: [CheckedContinuation<DeviceFindings, any Error>] = []
        }

        private let state = Mutex(State())
        let stream: AsyncStream<DeviceChange>
        let announce: AsyncStream<DeviceChange>.Continuation

        init() { (stream, announce) = AsyncStream<DeviceChange>.makeStream() }

        func give(_ list: Result<DeviceFindings, CaptureError>) {
            let waiting = state.withLock {
                state -> CheckedContinuation<DeviceFindings, any Error>? in
                if state.waiting.isEmpty { state.lists.append(list) }
                return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
            }
            waiting?.resume(with: list.mapError { $0 as any Error })
        }

        func give(_ ids: [String]) {
            give(.success(DeviceFindings(devices: ids.map { .fake($0) })))
        }

        func devices(_ query: DeviceQuery) async throws -> [DeviceDescriptor] {
            try await findings(query).devices
        }

        func findings(_ query: DeviceQuery) async throws -> DeviceFindings {
            try await withCheckedThrowingContinuation { continuation in
                let list = state.withLock { state -> Result<DeviceFindings, CaptureError>? in
                    if state.lists.isEmpty { state.waiting.append(continuation) }
                    return state.lists.isEmpty ? nil : state.lists.removeFirst()
                }
                if let list { continuation.resume(with: list.mapError { $0 as any Error }) }
            }
        }

        func open(_ id: String) async throws -> any CaptureDevice {
            throw CaptureError(.noSuchDevice, "there is no '\(id)'")
        }

        func changes() async -> AsyncStream<DeviceChange>? { stream }
    }

    /// Runs tasks on a queue that can be held, so that a test decides when they continue.
    private final class HeldExecutor: TaskExecutor {
        private let queue = DispatchQueue(label: "held")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }

        func hold() { queue.suspend() }
        func release() { queue.resume() }
    }

    private func words(_ event: DeviceEvent) -> String {
        switch event {
        case .added(let device): "+\(device.id)"
        case .changed(let device): "~\(device.id)"
        case .removed(let id): "-\(id)"
        case .problem(let problem): "!\(problem.code.rawValue)"
        case .answered(let backend): ".\(backend)"
        }
    }

    @Test("A quick backend's devices are reported while a slow one still searches")
    func quickFirst() async throws {
        let slow = ListingBackend()
        let quick = ListingBackend()
        quick.give(["a", "b"])
        let bench = try Bench(["quick": quick, "slow": slow])
        var told: [String] = []
        for await event in bench.host.deviceEvents() {
            told.append(words(event))
            // The slow backend gets its list only now, so a listing that waits for all backends
            // would wait forever.
            if event == .answered(backend: "quick") { slow.give(["c"]) }
        }
        #expect(told == ["+quick:a", "+quick:b", ".quick", "+slow:c", ".slow"])
        await bench.host.shutdown()
    }

    @Test(
        "What a backend announces during a search is reported at once, and again only with more details"
    )
    func announced() async throws {
        let backend = ListingBackend()
        let bench = try Bench(["sane": backend])
        backend.announce.yield(.added(.fake("a")))
        var told: [String] = []
        for await event in bench.host.deviceEvents() {
            told.append(words(event))
            if told == ["+sane:a"] {
                var more = DeviceDescriptor.fake("a")
                more.sources = ["flatbed"]
                backend.announce.yield(.added(more))
                backend.announce.yield(.added(.fake("b")))
            }
            if told.last == "+sane:b" {
                var more = DeviceDescriptor.fake("a")
                more.sources = ["flatbed"]
                backend.give(.success(DeviceFindings(devices: [more])))
            }
        }
        #expect(told == ["+sane:a", "~sane:a", "+sane:b", "-sane:b", ".sane"])
        await bench.host.shutdown()
    }

    @Test("A list does not undo what was announced after it, even if its requester is slow")
    func announcedAfterList() async throws {
        let backend = ListingBackend()
        let (events, continuation) = AsyncStream<DeviceEvent>.makeStream()
        let watch = DeviceWatch(backends: ["sane"], continuation)
        let (asked, ask) = AsyncStream<Void>.makeStream()
        let (answered, answer) = AsyncStream<Void>.makeStream()
        let (announced, announce) = AsyncStream<Void>.makeStream()
        let folder = try TemporaryFolder()
        var configuration = HostConfiguration(
            backendFolders: [folder.path], stateFile: folder.file("devices.json"))
        configuration.trace = { message in
            let isList = String(decoding: message.json, as: UTF8.self).contains("\"devices\"")
            if isList { (message.sender == .host ? ask : answer).yield() }
        }
        configuration.onDeviceChange = { backend, change in
            watch.take(change, of: backend)
            if case .added = change { announce.yield() }
        }
        let report = BackendReport(id: "sane", name: "sane", protocol: captureProtocolVersion)
        let supervisor = BackendSupervisor(
            report, .inProcess(backend, version: "1"), configuration)
        let executor = HeldExecutor()
        let asking = Task(executorPreference: executor) {
            await askForDevices(of: supervisor, quick: false) { watch.take($0, of: "sane") }
        }
        for await _ in asked { break }
        executor.hold()
        backend.give(["a"])
        for await _ in answered { break }
        backend.announce.yield(.removed("a"))
        backend.announce.yield(.added(.fake("b")))
        for await _ in announced { break }
        executor.release()
        await asking.value
        continuation.finish()
        var told: [String] = []
        for await event in events { told.append(words(event)) }
        #expect(told == ["+sane:a", ".sane", "-sane:a", "+sane:b"])
        await supervisor.stop()
    }

    @Test("A partly failed search is a problem in addition to the devices, with its advice")
    func problems() async throws {
        let backend = ListingBackend()
        let problem = CaptureError(.offline, "the driver 'x' hung", advice: "Leave it out.")
        for _ in 0..<2 {
            backend.give(
                .success(DeviceFindings(devices: [.fake("a")], problems: [problem])))
        }
        let bench = try Bench(["sane": backend])
        let listing = await bench.host.listDevices()
        #expect(listing.devices.map(\.id) == ["sane:a"])
        #expect(listing.problems.map(\.message) == ["the driver 'x' hung"])
        #expect(listing.problems.first?.advice == "Leave it out.")
        #expect(listing.problems.first?.backend == "sane")
        var told: [String] = []
        for await event in bench.host.deviceEvents(backend: "sane") { told.append(words(event)) }
        #expect(told == ["+sane:a", "!offline", ".sane"])
        await bench.host.shutdown()
    }

    @Test(
        "Following reports what comes and goes, from events and from the next search, and problems once"
    )
    func follow() async throws {
        let backend = ListingBackend()
        let bench = try Bench(["sane": backend])
        let problem = CaptureError(.offline, "the driver 'x' hung")
        backend.give(["a", "b"])
        var told: [String] = []
        for await event in bench.host.followDevices(every: .milliseconds(1)) {
            told.append(words(event))
            let answers = told.count { $0 == ".sane" }
            switch (told.last, answers) {
            case (".sane", 1): backend.announce.yield(.removed("a"))
            case ("-sane:a", 1): backend.announce.yield(.added(.fake("c")))
            case ("+sane:c", 1):
                let devices: [DeviceDescriptor] = [.fake("b"), .fake("c"), .fake("d")]
                backend.give(.success(DeviceFindings(devices: devices, problems: [problem])))
            case (".sane", 2):
                backend.give(
                    .success(DeviceFindings(devices: [.fake("d")], problems: [problem])))
            case (".sane", 3): backend.give(.failure(CaptureError(.inputOutput, "no search")))
            case (".sane", 4): backend.give(["d"])
            default: break
            }
            if answers == 5 { break }
        }
        #expect(
            told == [
                "+sane:a", "+sane:b", ".sane", "-sane:a", "+sane:c", "+sane:d", "!offline",
                ".sane", "-sane:b", "-sane:c", ".sane", "-sane:d", "!inputOutput", ".sane",
                "+sane:d", ".sane",
            ])
        // The host can end only after the running search has ended.
        backend.give([])
        await bench.host.shutdown()
    }

    @Test("An unknown backend ends the stream with its problem")
    func unknown() async throws {
        let bench = try Bench(["sane": ListingBackend()])
        var told: [String] = []
        for await event in bench.host.followDevices(backend: "snae") { told.append(words(event)) }
        #expect(told == ["!noSuchBackend"])
        await bench.host.shutdown()
    }

    @Test("Aliases and the default device are reported with the devices")
    func names() async throws {
        let backend = ListingBackend()
        backend.give(["a"])
        let bench = try Bench(["sane": backend])
        try await bench.host.setAlias("desk", for: "sane:a")
        try await bench.host.setDefault("sane:a")
        var devices: [ListedDevice] = []
        for await event in bench.host.deviceEvents() {
            if case .added(let device) = event { devices.append(device) }
        }
        #expect(devices.map(\.aliases) == [["desk"]])
        #expect(devices.map(\.isDefault) == [true])
        await bench.host.shutdown()
    }

    @Test("More announcements than any machine has devices are left out")
    func many() async throws {
        let (stream, continuation) = AsyncStream<DeviceEvent>.makeStream()
        let watch = DeviceWatch(backends: ["sane"], continuation)
        for number in 0..<(DeviceRules.most + 50) {
            watch.take(.added(.fake("d\(number)")), of: "sane")
        }
        watch.take(.added(.fake("other")), of: "another")
        let all = DeviceAnswer(devices: [.fake("d0")])
        watch.take(all, of: "sane")
        continuation.finish()
        var told = 0
        for await _ in stream { told += 1 }
        // Every accepted device except the first came and went, and then the backend answered.
        #expect(told == 2 * DeviceRules.most)
    }
}
