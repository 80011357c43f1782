import Foundation
import Testing

/// Tests black and white pages from the scan to the document.
@Suite struct BilevelTests {
    let program: Program
    init() throws { program = try Program() }

    private func path(_ name: String) -> String { program.home.path + "/" + name }

    private func size(_ name: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path(name))[.size] as? Int ?? 0
    }

    /// The only picture in the output of `pdfimages -list`: columns, rows, bits per sample, coding.
    private func picture(_ name: String) throws -> [String] {
        let line = try #require(
            try tool("pdfimages", "-list", path(name))?.split(separator: "\n").last)
        let words = line.split(separator: " ").map(String.init)
        return [words[3], words[4], words[7], words[8]]
    }

    static let treatments: [(String, [String])] = [
        ("askew", ["-background", "white", "-rotate", "2"]),
        (
            "askew on black",
            [
                "-background", "white", "-rotate", "1.7", "-gravity", "center", "-background",
                "black", "-extent", "2700x3700",
            ]
        ),
        ("on its side", ["-rotate", "90"]), ("on its head", ["-rotate", "180"]),
    ]

    @Test(
        "A black-and-white scan stays so through cropping, turning and straightening",
        arguments: treatments)
    func treated(name: String, treatment: [String]) throws {
        let letter = Samples.path + "/01-letter.jpg"
        let made =
            ["convert", letter, "-resize", "2480x3508!", "-threshold", "60%"] + treatment
            + [
                "+repage", "-threshold", "50%", "-type", "bilevel", "-units", "PixelsPerInch",
                "-density", "300", "-compress", "group4", path("scan.tif"),
            ]
        try #require(try tool(made) != nil)
        let ending = try program.run([
            "import", "scan.tif", "-p", "document", "--no-step", "blank", "-o", "out.pdf", "-o",
            "out.tiff", "--verbose",
        ])
        #expect(ending.status == 0, "\(ending.messages)")
        // The picture was processed, so it is not just passed through.
        #expect(
            ending.messages.contains("turned") || ending.messages.contains("cropped"),
            "\(ending.messages)")
        #expect(try picture("out.pdf").suffix(2) == ["1", "ccitt"])
        #expect(try tool("tiffinfo", path("out.tiff"))?.contains("Bits/Sample: 1\n") == true)
        // The page in Group 4 is as large as before; a gray JPEG would be many times larger.
        #expect(try size("out.tiff") < size("scan.tif") * 3 / 2)
    }

    @Test("The fax has 1,728 / 204 by 1,100 / 98 inches.")
    func fax() throws {
        try #require(
            try tool(
                "convert", "-size", "1728x1100", "pattern:checkerboard", "-threshold", "50%",
                "-type",
                "bilevel", "-units", "PixelsPerInch", "-density", "204x98", "-compress", "group4",
                path("fax.tif")) != nil)
        let ending = try program.run([
            "import", "fax.tif", "-p", "none", "-o", "out.pdf", "-o", "out.tiff", "--verbose",
        ])
        #expect(ending.status == 0 && !ending.messages.contains("stretched"), "\(ending.messages)")
        #expect(try picture("out.pdf") == ["1728", "1100", "1", "ccitt"])
        let info = try #require(try tool("pdfinfo", path("out.pdf")))
        // 1,728 / 204 by 1,100 / 98 inches.
        #expect(info.contains("609.882 x 808.163 pts"), "\(info)")
        #expect(
            try tool("tiffinfo", path("out.tiff"))?.contains("Resolution: 204, 98 pixels/inch")
                == true)
        #expect(
            try tool("compare", "-metric", "AE", path("fax.tif"), path("out.tiff"), "null:") != nil)
        // Steps that examine pixels get square pixels.
        let read = try program.run([
            "import", "fax.tif", "-p", "document", "-o", "read.pdf", "--verbose",
        ])
        #expect(read.messages.contains("stretched to square pixels"), "\(read.messages)")
    }
}
