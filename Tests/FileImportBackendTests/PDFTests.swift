import CaptureKit
import Testing

@Suite struct PDFTests {
    private func record(
        _ pages: [PDFFixture.Page], _ options: [String: OptionValue] = [:]
    ) async throws -> Recording {
        let scratch = try Scratch()
        return try await FileImportBackendTests.record(
            scratch.file("a.pdf", PDFFixture.bytes(pages)), options)
    }

    @Test("A page is rendered at 300 dpi unless told otherwise, and says so")
    func rendered() async throws {
        // A red rectangle over the left half of a page of 144 × 72 points.
        let page = PDFFixture.Page(size: (144, 72), content: "1 0 0 rg 0 0 72 72 re f")
        let plain = try #require(try await record([page]).pages.first)
        #expect(plain.description.format == .rgb8)
        #expect(plain.description.width == 600)
        #expect(plain.description.height == 300)
        #expect(plain.description.resolution == Resolution(x: 300))
        let row = pixels(plain.bytes, size: 3)[150 * 600..<151 * 600]
        #expect(row.prefix(299).allSatisfy { $0 == [255, 0, 0] })
        #expect(row.suffix(299).allSatisfy { $0 == [255, 255, 255] })
        let coarse = try #require(
            try await record([page], ["resolution": .integer(72)]).pages.first)
        #expect(coarse.description.width == 144)
        #expect(coarse.description.resolution == Resolution(x: 72))
    }

    @Test("A rendered page without colour is gray, a blank one bilevel")
    func reduced() async throws {
        let recording = try await record([
            .init(content: "0.5 g 20 20 50 50 re f"), .init(content: ""),
            .init(content: "BT /F1 24 Tf 20 40 Td (Hamburg) Tj ET"),
        ])
        #expect(recording.pages.map(\.description.format) == [.gray8, .bilevel, .gray8])
        #expect(recording.labels == ["a.pdf, page 1", "a.pdf, page 2", "a.pdf, page 3"])
        #expect(recording.pages[1].bytes.allSatisfy { $0 == 0 })
        #expect(recording.pages[2].bytes.contains { $0 < 64 })
    }

    @Test("The pages option and a page's own turn are honoured")
    func turned() async throws {
        let recording = try await record(
            [
                .init(size: (144, 72), content: ""),
                .init(size: (144, 72), content: "0 0 1 rg 0 0 72 72 re f", rotate: 90),
            ], ["pages": .text("2"), "resolution": .integer(72)])
        let page = try #require(recording.pages.first)
        #expect(recording.pages.count == 1)
        #expect(page.description.width == 72)
        // The left half is on top after a quarter turn clockwise.
        let all = pixels(page.bytes, size: 3)
        #expect(all[10 * 72 + 36] == [0, 0, 255])
        #expect(all[130 * 72 + 36] == [255, 255, 255])
    }

    @Test("An encrypted PDF opens with its user's or its owner's password only")
    func encrypted() async throws {
        let scratch = try Scratch()
        let bytes = try PDFFixture.encrypted(
            PDFFixture.bytes([.init(content: "")]), user: "open", owner: "sesame")
        let path = try scratch.file("secret.pdf", bytes)
        let missing = try await failure(path)
        #expect(missing.code == .passwordNeeded)
        #expect(missing.message.contains("secret.pdf"))
        #expect(missing.advice?.contains("--password") == true)
        let wrong = try await failure(path, ["password": .text("guess")])
        #expect(wrong.code == .passwordNeeded)
        #expect(wrong.message != missing.message)
        #expect(!wrong.message.contains("guess"))
        for password in ["open", "sesame"] {
            let recording = try await FileImportBackendTests.record(
                path, ["password": .text(password)])
            #expect(recording.pages.count == 1)
        }
    }

    @Test("A PDF that is no PDF inside is damaged")
    func damaged() async throws {
        let scratch = try Scratch()
        let whole = PDFFixture.bytes([.init(content: "")])
        for bytes in [
            Array("%PDF-1.7\n".utf8), Array(whole.prefix(60)), Array("%PDF-1.7\n1 0 obj <<<<".utf8),
        ] {
            let error = try await failure(scratch.file("a.pdf", bytes))
            #expect(error.code == .damagedData)
            #expect(error.message.contains("PDF"))
        }
    }
}
