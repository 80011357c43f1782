import CaptureKit
import Testing

@Suite struct PNMTests {
    private func page(_ header: String, _ data: [UInt8] = []) async throws -> Recording.Page {
        let scratch = try Scratch()
        let path = try scratch.file("a", Array(header.utf8) + data)
        return try #require(try await record(path).pages.first)
    }

    @Test("Plain bitmaps need no spaces and may have comments (P1)")
    func plainBits() async throws {
        let page = try await page("P1\n# a comment\n3 2\n101\n0 1 1\n")
        #expect(page.description.format == .bilevel)
        #expect(page.bytes == [0b1010_0000, 0b0110_0000])
    }

    @Test("Plain grays and colors are scaled to their maximum (P2, P3)")
    func plainSamples() async throws {
        let gray = try await page("P2 3 1 15 0 7 15")
        #expect(gray.bytes == [0, 119, 255])
        let color = try await page("P3 1 1 255\n1 2 3\n")
        #expect(color.description.format == .rgb8)
        #expect(color.bytes == [1, 2, 3])
    }

    @Test("Raw bitmaps lose the bits after their last pixel (P4)")
    func rawBits() async throws {
        let page = try await page("P4 3 2\n", [0b1011_1111, 0b0101_0101])
        #expect(page.bytes == [0b1010_0000, 0b0100_0000])
    }

    @Test("Raw grays and colors are exact (P5, P6)")
    func rawSamples() async throws {
        #expect(try await page("P5 2 2 255\n", [1, 2, 3, 4]).bytes == [1, 2, 3, 4])
        #expect(try await page("P6\n1 2\n255\n", [1, 2, 3, 4, 5, 6]).bytes == [1, 2, 3, 4, 5, 6])
    }

    @Test("Sixteen-bit samples are big-endian in the file, little-endian in the frame")
    func wide() async throws {
        let gray = try await page("P5 2 1 65535\n", [0x12, 0x34, 0xAB, 0xCD])
        #expect(gray.description.format == .gray16)
        #expect(gray.bytes == [0x34, 0x12, 0xCD, 0xAB])
        let color = try await page("P6 1 1 65535\n", [1, 2, 3, 4, 5, 6])
        #expect(color.description.format == .rgb16)
        #expect(color.bytes == [2, 1, 4, 3, 6, 5])
        #expect(words(try await page("P2 1 1 1000 500").bytes) == [32_768])
    }

    @Test(
        "An incomplete picture counts as damaged",
        arguments: [
            "P5 2 2 255\n\u{1}", "P5 2", "P5 x 2 255\n", "P5 0 2 255\n", "P5 2 2 0\n    ",
            "P2 1 1 9 10",
            "P1 2 1 2 0", "P5 2 2 70000\n    ", "P5 9999999999 1 255\n", "P6 1 1 255\n\u{1}",
        ])
    func damaged(text: String) async throws {
        let scratch = try Scratch()
        let error = try await failure(scratch.file("a.pgm", Array(text.utf8)))
        #expect(error.code == .damagedData)
    }

    @Test(
        "Pictures that follow one another in a file are its pages",
        arguments: [
            "P5 2 1 255\n", "P6 2 1 255\n", "P4 9 1\n",
            "P7\nWIDTH 2\nHEIGHT 1\nDEPTH 1\nMAXVAL 255\nENDHDR\n",
        ])
    func several(head: String) async throws {
        let scratch = try Scratch()
        let count = head.hasPrefix("P6") ? 6 : 2
        let one = { (value: UInt8) in Array(head.utf8) + [UInt8](repeating: value, count: count) }
        let path = try scratch.file("a.pnm", one(0) + one(128) + Array("\n".utf8) + one(255))
        let pages = try await record(path).pages
        #expect(pages.count == 3)
        #expect(Set(pages.map(\.bytes)).count == 3)
        // The bytes after the last picture are not a picture.
        let more = try scratch.file("b.pnm", one(0) + Array("Print this".utf8))
        #expect(try await record(more).pages.count == 1)
    }
}
