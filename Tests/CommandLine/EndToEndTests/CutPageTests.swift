import Foundation
import Testing

/// Tests a page that was cut out of its picture, and the picture in the archive.
@Suite struct CutPageTests {
    let program: Program

    init() throws { program = try Program() }

    /// A gray sheet with ruled lines on a dark, grainy table, as PGM; turned sideways.
    private func photo() -> [UInt8] {
        let (width, height) = (1600, 1200)
        var state: UInt32 = 7
        var pixels: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                state = state &* 1_664_525 &+ 1_013_904_223
                let grain = Int(state >> 28)
                let isSheet = (200..<1400).contains(x) && (180..<1020).contains(y)
                let isRule = isSheet && (300..<1300).contains(x) && y % 40 < 4 && x % 90 < 70
                pixels.append(UInt8((isRule ? 30 : isSheet ? 225 : 60) + grain))
            }
        }
        return Array("P5\n\(width) \(height)\n255\n".utf8) + pixels
    }

    private func sizes(_ words: String...) throws -> [[Int]] {
        struct Document: Decodable {
            struct Page: Decodable { var width: Int, height: Int, isCut: Bool? }
            var pages: [Page]
        }
        let ending = try program.run(["pages", "1"] + words + ["--json"])
        #expect(ending.status == 0, "\(ending.messages)")
        return try JSONDecoder().decode(Document.self, from: Data(ending.output.utf8)).pages
            .map { [$0.width, $0.height, $0.isCut == true ? 1 : 0] }
    }

    @Test("Cropping is undone like any other change, and the original picture comes out")
    func undone() throws {
        let path = program.home.path + "/photo.pgm"
        try Data(photo()).write(to: URL(filePath: path))
        let ending = try program.run(
            ["import", path, "-p", "none", "--step", "crop=on", "--sink", "archive"])
        try #require(ending.status == 0, "\(ending.messages)")
        let cut = try sizes()
        try #require(cut.count == 1 && cut[0][2] == 1)
        #expect((1180...1220).contains(cut[0][0]) && (820...860).contains(cut[0][1]))
        #expect(try sizes("--undo") == [[1600, 1200, 0]])
        #expect(try sizes("--redo") == cut)
        #expect(try sizes("--uncut", "1") == [[1600, 1200, 0]])
        let again = try program.run(["pages", "1", "--uncut", "1"])
        #expect(again.status != 0 && again.messages.contains("Page 1 was not cut"))
        #expect(try sizes("--undo") == cut)
    }
}
