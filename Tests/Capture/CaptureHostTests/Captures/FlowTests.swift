import CaptureKit
import ContractSupport
import Synchronization
import Testing

@testable import CaptureHost

/// Tests back-pressure, canceling and live frames.
@Suite struct FlowTests {
    @Test("No more pages are captured than fit into the window", arguments: [1, 2])
    func window(_ window: Int) async throws {
        let granted = Mutex(0)
        let released = Mutex(0)
        let most = Mutex(0)
        let bench = try Bench(
            FakeBackend { _, _, sink in
                for _ in 1...8 {
                    let writer = try await sink.begin(.small)
                    let out = granted.withLock { granted in
                        granted += 1
                        return granted - released.withLock { $0 }
                    }
                    most.withLock { $0 = max($0, out) }
                    try await writer.write([UInt8](repeating: 0, count: 1200))
                    try await writer.finish()
                }
            })
        let device = try await bench.open()
        var held: [CapturedPage] = []
        var count = 0
        for try await event in device.capture(
            CaptureRequest(), spool: SpoolFolder(path: bench.folder.path), window: window)
        {
            guard case .page(let page) = event else { continue }
            count += 1
            held.append(page)
            if held.count == window {
                released.withLock { $0 += 1 }
                held.removeFirst().release()
            }
        }
        #expect(count == 8)
        #expect(most.withLock { $0 } <= window)
        await bench.host.shutdown()
    }

    @Test("Dropping a page frees its place in the window")
    func droppedPages() async throws {
        let bench = try Bench(FakeBackend())
        let device = try await bench.open()
        var numbers: [Int] = []
        for try await event in device.capture(
            CaptureRequest(), spool: SpoolFolder(path: bench.folder.path), window: 1)
        {
            if case .page(let page) = event { numbers.append(page.number) }
        }
        #expect(numbers == [1, 2, 3])
        await bench.host.shutdown()
    }

    @Test(
        "A canceled capture keeps complete pages, deletes others, and the device stays usable")
    func cancel() async throws {
        let rounds = Mutex(0)
        let bench = try Bench(
            FakeBackend { device, _, sink in
                let round = rounds.withLock { rounds in
                    rounds += 1
                    return rounds
                }
                try await device.page(1, sink)
                if round > 1 { return }
                let writer = try await sink.begin(.small)
                try await writer.write([1, 2, 3])
                // The lamp stops until the scan is canceled.
                try await Task.sleep(for: .seconds(3600))
            })
        let device = try await bench.open()
        var pages: [Int] = []
        await #expect(throws: CancellationError.self) {
            for try await event in device.capture(
                CaptureRequest(), spool: SpoolFolder(path: bench.folder.path))
            {
                if case .page(let page) = event { pages.append(page.number) }
                if case .began(page: 2, _) = event { Task { await device.cancelCapture() } }
            }
        }
        #expect(pages == [1])
        #expect(
            bench.folder.names().filter { $0.hasPrefix("page") }
                == ["page-0001.json", "page-0001.raw"])
        let again = await bench.capture(device, from: 10)
        #expect(again.pages.map(\.number) == [10])
        await bench.host.shutdown()
    }

    @Test("Dropping the stream cancels the capture, and closing waits for its end")
    func droppedStream() async throws {
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let backend = FakeBackend { _, _, sink in
            defer { end.finish() }
            let writer = try await sink.begin(.small)
            try await writer.write([1])
            try await Task.sleep(for: .seconds(3600))
        }
        let bench = try Bench(backend)
        let device = try await bench.open()
        for try await event in device.capture(
            CaptureRequest(), spool: SpoolFolder(path: bench.folder.path))
        {
            if case .began = event { break }
        }
        for await _ in ended {}
        await device.close()
        #expect(backend.closes.withLock { $0 } == 1)
        #expect(!bench.folder.names().contains { $0.hasPrefix("page") })
        await #expect { _ = try await device.options() } throws: {
            ($0 as? HostError)?.code == .closed
        }
        await bench.host.shutdown()
    }

    @Test("A capture that waits for the window can be canceled")
    func cancelWhileWaiting() async throws {
        let bench = try Bench(FakeBackend())
        let device = try await bench.open()
        var held: [CapturedPage] = []
        await #expect(throws: CancellationError.self) {
            for try await event in device.capture(
                CaptureRequest(), spool: SpoolFolder(path: bench.folder.path), window: 1)
            {
                guard case .page(let page) = event else { continue }
                held.append(page)
                await device.cancelCapture()
            }
        }
        #expect(held.map(\.number) == [1])
        await bench.host.shutdown()
    }

    @Test("Live frames use three buffers in turn, and frames without one are dropped")
    func live() async throws {
        let (drops, drop) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let bench = try Bench(
            FakeBackend { _, request, sink in
                #expect(request.mode == .live)
                for number in 1... {
                    let writer = try await sink.begin(.small)
                    if !writer.isWanted { drop.yield() }
                    try await writer.fill(count: 1200) { buffer in
                        buffer.initializeMemory(as: UInt8.self, repeating: UInt8(number % 251))
                        return 1200
                    }
                    try await writer.finish()
                }
            })
        let device = try await bench.open()
        var held: [CapturedPage] = []
        var seen = 0
        for try await event in device.capture(
            CaptureRequest(mode: .live), spool: SpoolFolder(path: "/nowhere"))
        {
            guard case .page(let page) = event else { continue }
            seen += 1
            let mapped = try page.mapPixels()
            let first = mapped.bytes.first
            #expect(mapped.bytes.count == 1200)
            #expect(mapped.bytes.allSatisfy { $0 == first })
            mapped.release()
            held.append(page)
            if held.count == 3 {
                // No buffer is free, and the device has to notice that.
                for await _ in drops { break }
                held = []
            }
            if seen == 9 { break }
        }
        #expect(seen == 9)
        await device.close()
        await bench.host.shutdown()
    }

    @Test("Captures on different devices of a backend run at the same time")
    func concurrentDevices() async throws {
        let arrivals = Mutex(0)
        let (both, arrived) = AsyncStream.makeStream(of: Void.self)
        let bench = try Bench(
            FakeBackend(devices: [.fake("one"), .fake("two")]) { device, _, sink in
                // Neither capture continues before the other has begun.
                if arrivals.withLock({
                    $0 += 1; return $0
                }) == 2 {
                    arrived.finish()
                }
                for await _ in both {}
                try await device.page(1, sink)
            })
        let first = try await bench.open("fake:one")
        let second = try await bench.open("fake:two")
        async let one = bench.capture(first, from: 1)
        async let two = bench.capture(second, from: 2)
        let outcomes = await [one, two]
        #expect(outcomes.map { $0.pages.map(\.number) } == [[1], [2]])
        await bench.host.shutdown()
    }

    @Test("Progress is reported, but not for every row")
    func progress() async throws {
        let bench = try Bench(
            FakeBackend { _, _, sink in
                let writer = try await sink.begin(
                    FrameDescription(format: .gray8, width: 4000, height: 4000))
                let row = [UInt8](repeating: 0, count: 4000)
                for _ in 0..<4000 { try await writer.write(row) }
                try await writer.finish()
            })
        let outcome = await bench.capture(try await bench.open())
        #expect(outcome.error == nil)
        let rows = outcome.progress.map(\.rows)
        #expect(rows == rows.sorted())
        #expect((5...100).contains(rows.count))
        await bench.host.shutdown()
    }

    @Test("Devices that come and go are reported")
    func changes() async throws {
        let (changes, change) = AsyncStream.makeStream(of: DeviceChange.self)
        let (told, tell) = AsyncStream.makeStream(of: DeviceChange.self)
        let bench = try Bench(FakeBackend(changes: changes)) {
            $0.onDeviceChange = { _, change in tell.yield(change) }
        }
        _ = await bench.host.listDevices()
        change.yield(.added(.fake("new")))
        change.yield(.removed("old"))
        var seen: [DeviceChange] = []
        for await change in told {
            seen.append(change)
            if seen.count == 2 { break }
        }
        #expect(seen == [.added(.fake("new")), .removed("old")])
        await bench.host.shutdown()
    }
}
