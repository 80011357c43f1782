import Foundation
import Glibc
import Testing

/// Tests pages of files that were replaced while their job waited.
@Suite struct ReplacedFileTests {
    let program: Program
    init() throws { program = try Program() }

    /// A gray picture as a PNM file.
    private func picture(_ tone: UInt8) -> Data {
        Data("P5\n30 40\n255\n".utf8) + Data(repeating: tone, count: 30 * 40)
    }

    private func put(_ tone: UInt8, _ name: String) throws {
        let path = URL(filePath: program.home.path + "/" + name)
        try FileManager.default.createDirectory(
            at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
        try picture(tone).write(to: path)
    }

    /// Kills an import of a folder whose last file no decoder finishes, when the other pages are in
    /// the spool.
    private func kill(pages: Int, of sources: [String]) throws {
        let pipe = program.home.path + "/pipe"
        mkfifo(pipe, 0o600)
        let held = open(pipe, O_RDWR)
        defer { close(held) }
        let order = ["import"] + sources + ["-p", "none", "-o", "out.tiff"]
        let ending = try program.run(order) { process, messages in
            if messages.wait(for: "Page \(pages):") {
                Glibc.kill(process.processIdentifier, SIGKILL)
            }
        }
        #expect(ending.status == SIGKILL)
    }

    /// The tones of the delivered pages, in order.
    private func tones() throws -> [Int] {
        let text = try tool(
            "/usr/bin/python3", "-c",
            """
            import sys
            from PIL import Image, ImageSequence
            for page in ImageSequence.Iterator(Image.open(sys.argv[1])):
                print(page.convert("L").getpixel((5, 5)))
            """, program.home.path + "/out.tiff")
        return try #require(text).split(separator: "\n").compactMap { Int($0) }
    }

    @Test("The page of a file that was replaced is delivered along with that of the new one")
    func replaced() throws {
        for number in 0..<200 { try put(UInt8(number + 10), "in/\(1000 + number).pgm") }
        try kill(pages: 3, of: ["in"])
        let held = try #require(try program.jobs().first).pages
        #expect(held >= 3 && held < 200)
        try put(255, "in/1000.pgm")
        let resumed = try program.followAdvice()
        #expect(resumed.status == 0, "\(resumed.messages)")
        let found = try tones()
        #expect(found.count == 201)
        #expect(Set(found) == Set([255] + (10..<210)))
    }

    @Test("A file with the same name in another folder does not replace a page")
    func namesake() throws {
        try put(1, "a/scan.pgm")
        try put(2, "b/scan.pgm")
        for number in 0..<200 { try put(UInt8(number + 10), "b/z\(1000 + number).pgm") }
        try kill(pages: 3, of: ["a", "b"])
        try FileManager.default.removeItem(atPath: program.home.path + "/a/scan.pgm")
        let resumed = try program.followAdvice()
        #expect([0, 4].contains(resumed.status), "\(resumed.messages)")
        #expect(Set(try tones()) == Set([1, 2] + (10..<210)))
    }
}
