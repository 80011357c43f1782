import CaptureKit
import ContractSupport
import Glibc
import Testing

@testable import CaptureHost

/// Tests pages with unused bytes before their pixels.
@Suite struct RoomTests {
    private static let room = 4096

    private func capture(_ bench: Bench) async throws -> [CapturedPage] {
        let device = try await bench.open()
        var pages: [CapturedPage] = []
        let spool = SpoolFolder(path: bench.folder.path)
        for try await event in device.capture(CaptureRequest(), spool: spool, room: Self.room) {
            if case .page(let page) = event { pages.append(page) }
        }
        return pages
    }

    /// Checks a page of 1200 equal bytes, in the file and in its mapping.
    private func expect(_ page: CapturedPage, of value: UInt8, behind room: Int) throws {
        #expect(page.room == room)
        let file = Bench.read(page.pixels)
        #expect(file.count == room + 1200)
        #expect(file.prefix(room).allSatisfy { $0 == 0 })
        #expect(file.dropFirst(room).allSatisfy { $0 == value })
        let mapped = try page.mapPixels()
        defer { mapped.release() }
        #expect(mapped.bytes.count == 1200 && mapped.bytes.allSatisfy { $0 == value })
    }

    @Test("A capable backend writes after the room, where another process finds the pixels")
    func offsets() async throws {
        let bench = try Bench(FakeBackend())
        let pages = try await capture(bench)
        #expect(pages.count == 3)
        for page in pages { try expect(page, of: UInt8(page.number), behind: Self.room) }
        let later = try SpoolFolder(path: bench.folder.path).pages()
        #expect(later.map(\.description) == pages.map(\.description))
        for page in later { try expect(page, of: UInt8(page.number), behind: Self.room) }
        await bench.host.shutdown()
    }

    @Test("Inline pixels are put after the room")
    func inline() async throws {
        let bench = try Bench(
            script: """
                capture = opened()
                page(capture, 1)
                answer({"request": capture})
                take()
                """)
        let pages = try await capture(bench)
        try expect(try #require(pages.first), of: UInt8(ascii: "p"), behind: Self.room)
        await bench.host.shutdown()
    }

    @Test("A backend that accepts files but no offsets gets a file without room")
    func withoutOffsets() async throws {
        let bench = try Bench(
            script: """
                capture = opened("descriptors")
                send({"event": "frame", "capture": capture, "frame": 1, "format": "gray8", \
                "width": 40, "height": 30})
                data, fds, _, _ = socket.recv_fds(host, 65536, 4)
                message = json.loads(data)
                assert "offset" not in message and message["size"] == 1200, message
                os.pwrite(fds[0], b"p" * 1200, 0)
                send({"event": "done", "capture": capture, "frame": 1, "rows": 30})
                answer({"request": capture})
                take()
                """)
        let pages = try await capture(bench)
        try expect(try #require(pages.first), of: UInt8(ascii: "p"), behind: 0)
        await bench.host.shutdown()
    }

    @Test("A page whose backend stops within the room is incomplete")
    func tornInRoom() async throws {
        let bench = try Bench(
            script: """
                capture = opened("descriptors", "offsets")
                send({"event": "frame", "capture": capture, "frame": 1, "format": "gray8", \
                "width": 40, "height": 30})
                data, fds, _, _ = socket.recv_fds(host, 65536, 4)
                assert json.loads(data)["offset"] == 4096
                os.ftruncate(fds[0], 4096 + 1000)
                send({"event": "done", "capture": capture, "frame": 1, "rows": 30})
                take()
                """)
        await #expect(throws: HostError.self) { _ = try await capture(bench) }
        #expect(!bench.folder.names().contains { $0.hasPrefix("page-") })
        await bench.host.shutdown()
    }

    @Test("A page of unknown height has room too, and a note with its height")
    func unknownHeight() async throws {
        let bench = try Bench(
            FakeBackend { _, _, sink in
                let writer = try await sink.begin(
                    FrameDescription(format: .gray8, width: 40, height: nil))
                try await writer.write([UInt8](repeating: 7, count: 1200))
                try await writer.finish()
            })
        _ = try await capture(bench)
        let page = try #require(try SpoolFolder(path: bench.folder.path).pages().first)
        #expect(page.description.height == 30)
        try expect(page, of: 7, behind: Self.room)
        await bench.host.shutdown()
    }

    @Test("Very short pages have their notes too")
    func shortPages() async throws {
        let bench = try Bench(
            FakeBackend { _, _, sink in
                for number in 1...300 {
                    let writer = try await sink.begin(
                        FrameDescription(format: .gray8, width: 1, height: 1))
                    try await writer.write([UInt8(number % 256)])
                    try await writer.finish()
                }
            })
        let pages = try await capture(bench)
        #expect(pages.count == 300)
        #expect(try SpoolFolder(path: bench.folder.path).pages().count == 300)
        await bench.host.shutdown()
    }

    // MARK: Files with a second name

    @Test("A page that a sink linked stays valid until the delivered file is changed")
    func sharedPage() async throws {
        let bench = try Bench(FakeBackend())
        let first = try #require(try await capture(bench).first)
        let spool = SpoolFolder(path: bench.folder.path)
        let other = bench.folder.file("delivered.tiff")
        #expect(link(first.pixels, other) == 0)
        #expect(try spool.pages().count == 3)
        let file = open(other, O_WRONLY | O_CLOEXEC)
        #expect(pwrite(file, "edited", 6, off_t(Self.room)) == 6)
        close(file)
        let error = #expect(throws: HostError.self) { try spool.pages() }
        #expect(error?.code == .spoolFailed && error?.message.contains("page 1") == true)
        await bench.host.shutdown()
    }

    @Test("A page with its own file does not change with the delivered one")
    func separated() async throws {
        let bench = try Bench(FakeBackend())
        let first = try #require(try await capture(bench).first)
        let spool = SpoolFolder(path: bench.folder.path)
        let other = bench.folder.file("delivered.tiff")
        #expect(link(first.pixels, other) == 0)
        try spool.separatePages()
        let file = open(other, O_WRONLY | O_TRUNC | O_CLOEXEC)
        close(file)
        for page in try spool.pages() {
            try expect(page, of: UInt8(page.number), behind: Self.room)
        }
        #expect(!bench.folder.names().contains { $0.hasSuffix(".part") })
        await bench.host.shutdown()
    }
}
