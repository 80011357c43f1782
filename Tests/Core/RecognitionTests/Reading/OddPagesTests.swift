import Documents
import Imaging
import Readers
import Recognition
import Testing

/// Tests pages that are difficult for an engine.
@Suite struct OddPagesTests {
    private let pool = RecognizerPool(workers: 1, command: .real)

    @Test("An A3 page at 1200 dpi is read, and the boxes of its words are on their ink")
    func largestPage() async throws {
        let lines = PrintedPage(width: 1200, height: 400)
            .print(["Number 4711 was delivered", "to the harbour on Monday"], x: 100, y: 120)
            .raster()
        let page = enlarged(lines, width: 14_031, height: 19_843, at: (1000, 2000))
        let text = try await pool.recognize(page, languages: ["eng"])
        #expect(
            text.words.map(\.text).joined(separator: " ")
                == "Number 4711 was delivered to the harbour on Monday")
        for word in text.words {
            let box = word.box
            #expect((1400...5800).contains(box.x) && (2300...3100).contains(box.y), "\(word)")
        }
    }

    /// A black-and-white page at 1200 dpi: white except for `gray`, four times as large, at a place
    /// whose x is a multiple of 8.
    private func enlarged(
        _ gray: Raster, width: Int, height: Int, at place: (x: Int, y: Int)
    ) -> Raster {
        var page = Raster(width: width, height: height, format: .bilevel, resolution: 1200)
        let stride = page.stride
        gray.withBytes { source in
            page.withMutableBytes { target in
                for y in 0..<gray.height {
                    for x in 0..<gray.width where source[y * gray.stride + x] < 128 {
                        for row in place.y + 4 * y..<place.y + 4 * y + 4 {
                            target[row * stride + place.x / 8 + x / 2] |= x % 2 == 0 ? 0xF0 : 0x0F
                        }
                    }
                }
            }
        }
        return page
    }

    @Test(
        "A page in two languages is read in both, including umlauts",
        .enabled("needs the package tesseract-ocr-deu") { installedLanguages().contains("deu") })
    func twoLanguages() async throws {
        var page = try Raster.decoded(from: PackageResources.two_languages_png)
        page.resolution = 300
        let text = try await pool.recognize(page, languages: ["eng", "deu"])
        #expect(
            text.lines.map { $0.words.map(\.text).joined(separator: " ") } == [
                "The weather clears toward the evening.", "Die Bücher gehören zurück ins Regal.",
                "Nobody may take the ledger home.", "Straßen und Brücken müssen geprüft werden.",
                "Both halves are kept in one folder.",
            ])
        #expect(text.languages == ["eng", "deu"])
    }
}
