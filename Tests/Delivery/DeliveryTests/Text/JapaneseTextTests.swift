import Documents
import Imaging
import Testing

@testable import Delivery

private let blank = Raster(width: 620, height: 877, format: .bilevel)

/// Two lines as a reader returns them, with each character as a word, and the same lines in normal
/// writing.
private let lines = [
    sampleLine(["東", "京", "都", "は", "ABC", "と", "書", "く", "。"], y: 60),
    sampleLine(["カ", "タ", "ロ", "グ", "three", "words", "here"], y: 100),
]
private let written = ["東京都は ABC と書く。", "カタログ three words here"]

@Suite struct JapaneseTextTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func delivered(_ name: String) throws -> String {
        let path = folder.path + "/" + name
        try deliver([samplePage(blank, text: sampleText(lines))], to: path)
        return path
    }

    @Test("Plain text has no spaces between characters")
    func plain() throws {
        #expect(try text(delivered("a.txt")) == written.joined(separator: "\n") + "\n")
        #expect(sampleText(lines).plainText == written.joined(separator: "\n"))
    }

    @Test(
        "A PDF reader finds no spaces between characters",
        arguments: ["-raw", "-layout", "-nopgbrk"])
    func pdf(mode: String) throws {
        let read = try run("pdftotext", mode, delivered("a.pdf"), "-").output
        let found = read.split(separator: "\n").map { $0.trimmed }.filter { !$0.isEmpty }
        #expect(found == written)
    }

    @Test("hOCR and ALTO have spaces only where people write spaces")
    func markup() throws {
        let hocr = try run(
            "xmllint", "--nonet", "--xpath", "string(//*[@id='line_1_1'])", delivered("a.hocr"))
        #expect(hocr.output.split(whereSeparator: \.isWhitespace) == ["東京都は", "ABC", "と書く。"])
        let alto = try run(
            "xmllint", "--nonet", "--xpath", "count(//*[local-name()='SP'])",
            delivered("a.alto.xml"))
        #expect(alto.output.trimmed == "5")
    }
}

extension StringProtocol {
    fileprivate var trimmed: String {
        String(
            drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
