import CaptureHost
import CaptureKit
import FoundationEssentials
import Imaging
import JobOptions
import Synchronization
import Testing

@testable import Archive
@testable import ScanService

/// Captured pages on their way to a worker.
@Suite struct LeftPageTests {
    private let spool: TemporarySpool

    init() throws { spool = try TemporarySpool() }

    /// A captured page with the bytes of `picture` as its file, and an original if there is one.
    private func captured(
        _ picture: Raster, as format: FrameFormat, original: [UInt8]? = nil
    ) throws -> CapturedPage {
        var description = FrameDescription(
            format: format, width: picture.width, height: picture.height, stride: picture.stride,
            resolution: .init(x: 204, y: 98), label: "sheet 1")
        description.problems = ["The lamp is old."]
        let path = spool.path + "/page.raw"
        try Data([0, 0] + picture.withBytes { Array($0) }).write(to: URL(filePath: path))
        if let original {
            try Data(original).write(to: URL(filePath: spool.path + "/page.jpg"))
        }
        return CapturedPage(
            number: 3, description: description, pixels: path, room: 2,
            original: original.map { _ in
                .init(path: spool.path + "/page.jpg", mediaType: "image/jpeg")
            }, corners: PageCorners([[1, 2], [50, 3], [49, 40], [2, 41]]))
    }

    private func picture(_ format: PixelFormat) -> Raster {
        var generator = SystemRandomNumberGenerator()
        var picture = Raster(width: 61, height: 47, format: format, resolution: 204)
        picture.withMutableBytes { bytes in
            for index in bytes.indices { bytes[index] = .random(in: 0...255, using: &generator) }
        }
        return picture
    }

    /// The page as a worker has it, from what a station left.
    private func sent(_ page: CapturedPage) throws -> (page: FedPage, media: String, files: Int) {
        let (note, picture, original) = try LeftPage.pack(page, device: "virtual:x", label: "one")
        let files = [picture] + (original.map { [$0] } ?? [])
        let hashes = files.map { ImageHash(of: $0.bytes) }
        let left = LeftJob.Page(
            note: note, picture: hashes[0], media: picture.media,
            original: original == nil ? nil : hashes[1])
        let folder = spool.path + "/worker"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let fed = try LeftPage.unpack(
            left, { hash in files[hashes.firstIndex(of: hash) ?? 0].bytes }, in: folder
        ) {}
        return (fed, picture.media, files.count)
    }

    @Test(
        "A page arrives with every pixel and everything known about it",
        arguments: [
            (FrameFormat.bilevel, PixelFormat.bilevel), (.gray8, .gray8), (.gray16, .gray16),
            (.rgb8, .rgb8), (.rgb16, .rgb16),
        ])
    func formats(format: FrameFormat, pixels: PixelFormat) throws {
        let page = try captured(picture(pixels), as: format)
        let arrived = try sent(page).page
        let (before, after) = (
            try page.raster(keepingPixels: true).image,
            try arrived.captured.raster(keepingPixels: true).image
        )
        #expect(after.hasPixels(of: before))
        if pixels == .bilevel {
            // The last byte of a row has three bits of padding.
            for row in 0..<before.height {
                let (one, other) = (
                    before.withBytes { $0[row * before.stride + 7] },
                    after.withBytes { $0[row * after.stride + 7] }
                )
                #expect(one >> 3 == other >> 3)
            }
        }
        var known = arrived.captured.description
        known.stride = page.description.stride
        #expect(known == page.description && arrived.captured.corners == page.corners)
        #expect(arrived.captured.number == 3)
        #expect(arrived.device == "virtual:x" && arrived.label == "one")
    }

    @Test("A JPEG is sent alone if it has the captured pixels, and otherwise beside them")
    func originals() throws {
        let file = try picture(.gray8).encodedJPEG(quality: 80)
        let decoded = try Raster.decodedJPEG(from: file)
        let same = try sent(captured(decoded, as: .gray8, original: file))
        #expect(same.media == "image/jpeg" && same.files == 1)
        let other = try sent(captured(picture(.gray8), as: .gray8, original: file))
        #expect(other.media == "image/png" && other.files == 2)
        for page in [same.page, other.page] {
            let original = try #require(page.captured.original)
            #expect(original.mediaType == "image/jpeg" && readFile(original.path) == file)
        }
    }

    @Test("The files of a page are gone once it is released")
    func released() throws {
        let arrived = try sent(captured(picture(.rgb8), as: .rgb8)).page
        let path = arrived.captured.pixels
        #expect(FileManager.default.fileExists(atPath: path))
        arrived.captured.release()
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("A picture of another size than the note says is refused, and so is a file cut short")
    func wrong() throws {
        let page = try captured(picture(.rgb8), as: .rgb8)
        let (note, _, _) = try LeftPage.pack(page, device: "virtual:x", label: nil)
        let other = try Raster(width: 9, height: 9, format: .rgb8).encodedPNG()
        let deep = try captured(picture(.rgb16), as: .rgb16)
        let (deepNote, rows, _) = try LeftPage.pack(deep, device: "virtual:x", label: nil)
        for (note, bytes, media) in [
            (note, other, "image/png"), (note, Array(other.dropLast(9)), "image/png"),
            (deepNote, Array(rows.bytes.dropLast(40)), rows.media), (note, [], "image/png"),
        ] {
            let left = LeftJob.Page(
                note: note, picture: ImageHash(of: bytes), media: media, original: nil)
            #expect(throws: (any Error).self) {
                try LeftPage.unpack(left, { _ in bytes }, in: spool.path) {}
            }
        }
    }
}

/// The reasons why an order's pages can't be left to workers.
@Suite struct LeavingOrderTests {
    private func order(_ outputs: [String], from source: String = "virtual:feeder") -> ScanOrder {
        ScanOrder(sources: [source], outputs: outputs, profile: "document")
    }

    @Test("Only pages of devices for one shared archive can be left")
    func obstacles() {
        #expect(order(["archive:postgresql://db/scans"]).obstacleToLeaving == nil)
        #expect(
            order(["archive:/home/me/scans"]).obstacleToLeaving?.contains("only on this machine")
                == true)
        #expect(order(["a.pdf"]).obstacleToLeaving?.contains("'a.pdf'") == true)
        #expect(order(["archive:postgresql://a/b", "a.pdf"]).obstacleToLeaving != nil)
        #expect(order([]).obstacleToLeaving != nil)
        let files = order(["archive:postgresql://db/scans"], from: "file:/a.pdf")
        #expect(files.obstacleToLeaving?.contains("files") == true)
        var sent = order(["archive:postgresql://db/scans"])
        sent.sinks = ["office"]
        #expect(sent.obstacleToLeaving?.contains("'office'") == true)
        var explained = order(["archive:postgresql://db/scans"])
        explained.explanation = "/tmp/why"
        #expect(explained.obstacleToLeaving != nil)
    }

    @Test("An order that asks for workers and can't be left to them is refused before the capture")
    func refusal() async throws {
        let bench = try Bench()
        var order = bench.order("a.pdf")
        order.options[.processing] = .later
        let error = await #expect(throws: JobError.self) {
            try await bench.service.run(order, control: ScanControl()) { _ in }
        }
        #expect(error?.code == .notForWorkers && error?.message.contains("--process") == true)
        #expect(bench.store.jobs().isEmpty)
    }

    @Test("An order of an older version is processed where it was captured")
    func older() throws {
        var order = order(["archive:postgresql://db/scans"])
        order.options[.processing] = .bulk
        let data = try JSONEncoder().encode(order)
        #expect(try JSONDecoder().decode(ScanOrder.self, from: data).options[.processing] == .bulk)
        let text = String(decoding: data, as: UTF8.self)
            .replacing(",\"processing\":\"bulk\"", with: "")
            .replacing("\"processing\":\"bulk\",", with: "")
        #expect(!text.contains("processing"))
        let old = try JSONDecoder().decode(ScanOrder.self, from: Data(text.utf8))
        #expect(old.options[.processing] == .here)
    }
}
