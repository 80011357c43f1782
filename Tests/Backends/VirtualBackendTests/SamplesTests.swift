import CaptureKit
import FoundationEssentials
import Testing

@testable import VirtualBackend

/// Tests that the repository's sample pages match the description in their README.
@Suite struct SamplesTests {
    @Test("The feeder serves every sample page with its resolution")
    func served() async throws {
        let sink = try await Bench().capture("feeder", ["folder": .text(samplesFolder)])
        #expect(
            sink.labels == [
                "01-letter.jpg", "02-minutes.jpg", "03-invoice.png", "04-register.tif, page 1",
                "04-register.tif, page 2", "05-notice.jpg", "06-receipt.jpg",
            ])
        #expect(sink.skipped.isEmpty)
        let resolutions = sink.frames.map { $0.description.resolution?.x }
        #expect(resolutions == [200, 200, 200, 300, 300, 220, 250])
    }

    @Test(
        "The bilevel sample has a few black pixels in a hundred")
    func register() async throws {
        let pictures = try PictureFolder.pictures(in: samplesFolder).filter { $0.page != nil }
        #expect(pictures.count == 2)
        for reference in pictures {
            let picture = try PictureFile(reference)
            var row = [UInt8](repeating: 0, count: picture.width)
            var dark = 0
            for y in 0..<picture.height {
                row.withUnsafeMutableBufferPointer { picture.row(y, color: false, into: $0) }
                #expect(row.allSatisfy { $0 == 0 || $0 == 255 })
                dark += row.count { $0 == 0 }
            }
            let share = Double(dark) / Double(picture.width * picture.height)
            #expect((0.01...0.10).contains(share))
        }
    }

    @Test("Every sample has its true text beside it, one part for each page, in a small size")
    func texts() throws {
        var bytes = 0
        for (file, pages, phrase) in [
            ("01-letter.jpg", 1, "Bartholomew Quill"),
            ("02-minutes.jpg", 1, "Minutes of the Spring"),
            ("03-invoice.png", 1, "492.40"), ("04-register.tif", 2, "Register of Items"),
            ("05-notice.jpg", 1, "Notice to Volunteers"),
            ("06-receipt.jpg", 1, "Receipt for a Loan"),
        ] {
            let name = file.prefix { $0 != "." }
            let text = try String(
                contentsOf: URL(filePath: "\(samplesFolder)/text/\(name).txt"), encoding: .utf8)
            let parts = text.split(separator: "\u{0C}", omittingEmptySubsequences: false)
            #expect(parts.count == pages)
            #expect(parts.allSatisfy { $0.contains(phrase) || pages > 1 })
            #expect(text.contains(phrase))
            bytes += try Data(contentsOf: URL(filePath: "\(samplesFolder)/\(file)")).count
        }
        #expect(bytes < 700_000)
    }
}
