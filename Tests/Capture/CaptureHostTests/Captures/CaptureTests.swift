import CaptureKit
import ContractSupport
import Testing

@testable import CaptureHost

@Suite struct CaptureTests {
    @Test("Pages come in order, complete, on the disk and readable")
    func pagesArrive() async throws {
        let bench = try Bench(FakeBackend())
        let device = try await bench.open()
        let outcome = await bench.capture(device)
        #expect(outcome.error == nil)
        #expect(outcome.pages.map(\.number) == [1, 2, 3])
        #expect(outcome.began == [1, 2, 3])
        for page in outcome.pages {
            #expect(page.description == .small)
            #expect(page.pixels == bench.folder.file("page-000\(page.number).raw"))
            #expect(Bench.read(page.pixels) == [UInt8](repeating: UInt8(page.number), count: 1200))
            let mapped = try page.mapPixels()
            #expect(mapped.bytes.count == 1200)
            #expect(mapped.bytes.allSatisfy { $0 == UInt8(page.number) })
            mapped.release()
        }
        #expect(bench.folder.names().filter { $0.hasSuffix(".part") } == [])
        await bench.host.shutdown()
    }

    @Test("A second capture shares the folder by starting at another number")
    func sharedFolder() async throws {
        let bench = try Bench(FakeBackend())
        let device = try await bench.open()
        _ = await bench.capture(device, CaptureRequest(limit: 1))
        let second = await bench.capture(device, CaptureRequest(limit: 1), from: 2)
        #expect(second.pages.map(\.number) == [2])
        // An existing page is never overwritten.
        let third = await bench.capture(device, CaptureRequest(limit: 1), from: 2)
        #expect(third.pages.isEmpty)
        #expect(third.hostError?.code == .spoolFailed)
        #expect(Bench.read(bench.folder.file("page-0002.raw")).count == 1200)
        await bench.host.shutdown()
    }

    @Test("A frame of unknown height gets its height from the bytes written")
    func unknownHeight() async throws {
        let bench = try Bench(
            FakeBackend { _, _, sink in
                let writer = try await sink.begin(
                    FrameDescription(format: .rgb8, width: 10, height: nil, stride: 32))
                for row in 0..<1000 {
                    try await writer.write([UInt8](repeating: UInt8(row % 256), count: 32))
                }
                try await writer.write([UInt8](repeating: 9, count: 30))
                try await writer.finish()
            })
        let outcome = await bench.capture(try await bench.open())
        #expect(outcome.error == nil)
        let page = try #require(outcome.pages.first)
        #expect(page.description.height == 1001)
        #expect(Bench.read(page.pixels).count == 1000 * 32 + 30)
        await bench.host.shutdown()
    }

    @Test("Bytes made in place end up in the host's file")
    func filledInPlace() async throws {
        let bench = try Bench(
            FakeBackend { _, _, sink in
                let writer = try await sink.begin(.small)
                try await writer.write([UInt8](repeating: 1, count: 40))
                try await writer.fill(count: 1160) { buffer in
                    for index in 0..<1160 { buffer[index] = 2 }
                    return 1160
                }
                try await writer.finish()
            })
        let outcome = await bench.capture(try await bench.open())
        #expect(outcome.error == nil)
        let page = try #require(outcome.pages.first)
        let expected = [UInt8](repeating: 1, count: 40) + [UInt8](repeating: 2, count: 1160)
        #expect(Bench.read(page.pixels) == expected)
        await bench.host.shutdown()
    }

    @Test("The encoded original is stored beside the page")
    func original() async throws {
        let jpeg = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let bench = try Bench(
            FakeBackend { _, _, sink in
                let writer = try await sink.begin(.small)
                try await writer.write([UInt8](repeating: 1, count: 1200))
                try await writer.finish(
                    original: EncodedOriginal(mediaType: "image/jpeg", bytes: jpeg))
            })
        let outcome = await bench.capture(try await bench.open())
        let page = try #require(outcome.pages.first)
        let original = try #require(page.original)
        #expect(original.mediaType == "image/jpeg")
        #expect(original.path == bench.folder.file("page-0001.jpg"))
        #expect(Bench.read(original.path) == jpeg)
        page.discard()
        #expect(!bench.folder.names().contains { $0.hasPrefix("page-") })
        await bench.host.shutdown()
    }

    @Test("A page that can't be captured is reported, even halfway through, and the others arrive")
    func skippedPages() async throws {
        let damaged = CaptureError(.damagedData, "strip 4 can't be read")
        let bench = try Bench(
            FakeBackend { device, _, sink in
                try await device.page(1, sink)
                try await sink.skip(label: "two", damaged)
                let torn = try await sink.begin(.small)
                try await torn.write([1, 2, 3])
                try await sink.skip(label: "three", damaged)
                try await device.page(4, sink)
            })
        let outcome = await bench.capture(try await bench.open())
        #expect(outcome.error == nil)
        #expect(outcome.pages.map(\.number) == [1, 4])
        #expect(outcome.skipped.map(\.page) == [2, 3])
        #expect(outcome.skipped.map(\.label) == ["two", "three"])
        #expect(outcome.skipped.first?.error == damaged)
        #expect(
            bench.folder.names().filter { $0.hasPrefix("page") } == [
                "page-0001.json", "page-0001.raw", "page-0004.json", "page-0004.raw",
            ])
        await bench.host.shutdown()
    }

    @Test("Good pages come before the failure, with its code and advice")
    func failureAfterPages() async throws {
        let bench = try Bench(
            FakeBackend { device, _, sink in
                try await device.page(1, sink)
                try await device.page(2, sink)
                throw CaptureError(.jammed, "sheet 3 is stuck")
            })
        let outcome = await bench.capture(try await bench.open())
        #expect(outcome.pages.map(\.number) == [1, 2])
        #expect(outcome.hostError?.code == HostError.Code(.jammed))
        #expect(outcome.hostError?.message == "sheet 3 is stuck")
        #expect(outcome.hostError?.advice?.contains("jam") == true)
        await bench.host.shutdown()
    }

    @Test("A frame with too few bytes is refused as incomplete, and leaves nothing")
    func tornInside() async throws {
        let bench = try Bench(
            FakeBackend { _, _, sink in
                let writer = try await sink.begin(.small)
                try await writer.write([1, 2, 3])
                try await writer.finish()
            })
        let outcome = await bench.capture(try await bench.open())
        #expect(outcome.pages.isEmpty)
        #expect(outcome.hostError?.code == HostError.Code(.damagedData))
        #expect(outcome.hostError?.message.contains("3 of 1200 bytes") == true)
        #expect(!bench.folder.names().contains { $0.hasPrefix("page") })
        await bench.host.shutdown()
    }

    @Test("A frame with more bytes than its description allows is refused")
    func tooManyBytes() async throws {
        let bench = try Bench(
            FakeBackend { _, _, sink in
                let writer = try await sink.begin(.small)
                try await writer.write([UInt8](repeating: 0, count: 1201))
            })
        let outcome = await bench.capture(try await bench.open())
        #expect(outcome.hostError?.code == HostError.Code(.internalFault))
        await bench.host.shutdown()
    }

    @Test("A frame beyond the limit is refused, and the backend may skip it and continue")
    func tooLarge() async throws {
        let bench = try Bench(
            FakeBackend { device, _, sink in
                do {
                    _ = try await sink.begin(
                        FrameDescription(format: .rgb8, width: 30_000, height: 30_000))
                } catch let error as CaptureError {
                    try await sink.skip(label: "huge", error)
                }
                try await device.page(2, sink)
            })
        let outcome = await bench.capture(try await bench.open())
        #expect(outcome.error == nil)
        #expect(outcome.skipped.map(\.page) == [1])
        #expect(outcome.skipped.first?.error.code == .tooLarge)
        #expect(outcome.pages.map(\.number) == [2])
        await bench.host.shutdown()
    }

    @Test("A page that was begun and never finished fails the capture")
    func unfinished() async throws {
        let bench = try Bench(FakeBackend { _, _, sink in _ = try await sink.begin(.small) })
        let outcome = await bench.capture(try await bench.open())
        #expect(outcome.hostError?.message.contains("not finished") == true)
        await bench.host.shutdown()
    }

    @Test("A missing spool folder fails the capture with its name")
    func noFolder() async throws {
        let bench = try Bench(FakeBackend())
        let device = try await bench.open()
        let spool = SpoolFolder(path: bench.folder.file("absent"))
        await #expect {
            for try await _ in device.capture(CaptureRequest(), spool: spool) {}
        } throws: { error in
            (error as? HostError)?.code == .spoolFailed
                && (error as? HostError)?.message.contains("absent") == true
        }
        await bench.host.shutdown()
    }

    @Test("A page that does not fit on the disk is reported as such, and leaves nothing")
    func noSpace() throws {
        let folder = try TemporaryFolder()
        #expect {
            _ = try SpoolFile(path: folder.file("page-0001.raw"), size: 1 << 50)
        } throws: { ($0 as? HostError)?.code == .noSpace }
        #expect(folder.names() == [])
    }
}
