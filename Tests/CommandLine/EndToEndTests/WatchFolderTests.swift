import Foundation
import Testing

/// What becomes of the files that `copystand watch-folder` takes.
@Suite struct WatchFolderTests {
    let program: Program
    init() throws {
        program = try Program()
        try FileManager.default.createDirectory(
            atPath: program.home.path + "/in", withIntermediateDirectories: true)
    }

    /// A TIFF of gray pages; those of tone 255 are blank.
    private func tiff(_ tones: [Int], _ name: String) throws {
        let pages = tones.map { "make(\($0))" }.joined(separator: ", ")
        _ = try #require(
            try tool(
                "/usr/bin/python3", "-c",
                """
                import sys
                from PIL import Image, ImageDraw
                def make(tone):
                    page = Image.new("L", (620, 877), 255)
                    if tone < 255:
                        for line in range(80, 800, 40):
                            ImageDraw.Draw(page).text((60, line), "lantern harbor " * 5, fill=tone)
                    return page
                pages = [\(pages)]
                pages[0].save(sys.argv[1], save_all=True, append_images=pages[1:], dpi=(75, 75))
                """, program.home.path + "/in/" + name))
    }

    private func watch(_ more: String...) throws -> Program.Ending {
        try program.run(
            ["watch-folder", "in", "-p", "none", "--still", "0", "--once", "--delete"] + more)
    }

    private func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: program.home.path + "/in/" + name)
    }

    @Test("A file whose pages are all in its document is deleted")
    func whole() throws {
        try tiff([0, 0], "two.tif")
        let ending = try watch("-o", "two.pdf")
        #expect(ending.status == 0, "\(ending.messages)")
        #expect(!exists("two.tif") && !exists("done/two.tif"))
        #expect(try pageCount(program.home.path + "/two-001.pdf") == 2)
    }

    @Test("Each file gets a document of its own, with a number")
    func numbered() throws {
        try tiff([0], "a.tif")
        try tiff([0, 0], "b.tif")
        let ending = try watch("-o", "scan {n}.pdf")
        #expect(ending.status == 0, "\(ending.messages)")
        #expect(try pageCount(program.home.path + "/scan 001.pdf") == 1)
        #expect(try pageCount(program.home.path + "/scan 002.pdf") == 2)
    }

    @Test("A file with a blank page that was left out is kept")
    func blank() throws {
        try tiff([0, 255], "two.tif")
        let ending = try watch("--step", "blank=on", "-o", "two.pdf")
        #expect(ending.status == 0, "\(ending.messages)")
        #expect(exists("done/two.tif"))
        #expect(ending.messages.contains("'two.tif' is in"), "\(ending.messages)")
    }

    @Test("A file that is damaged is kept")
    func damaged() throws {
        let sample = try Data(contentsOf: URL(filePath: Samples.path + "/06-receipt.jpg"))
        let damaged = sample.prefix(sample.count * 2 / 3) + Data([0xFF, 0xD9])
        try damaged.write(to: URL(filePath: program.home.path + "/in/bad.jpg"))
        let ending = try watch("-o", "bad.pdf")
        #expect(exists("done/bad.jpg") || exists("failed/bad.jpg"), "\(ending.messages)")
    }
}
