import Testing

/// A word as `pdftotext -bbox` finds it, in points from the page's top left corner.
struct FoundWord: CustomStringConvertible {
    var text: String
    var left: Double
    var top: Double
    var right: Double
    var bottom: Double
    var description: String { "\(text) \(left) \(top) \(right) \(bottom)" }
}

func words(in path: String) throws -> [FoundWord] {
    let found = try run("pdftotext", "-bbox", path, "-")
    #expect(found.status == 0)
    return found.output.split(separator: "\n").compactMap { line in
        guard let start = line.range(of: "<word "), let close = line.lastRange(of: "</word>") else {
            return nil
        }
        let numbers = line.split(separator: "\"").compactMap { Double($0) }
        guard numbers.count >= 4, let end = line[start.upperBound...].firstIndex(of: ">") else {
            return nil
        }
        let text = line[line.index(after: end)..<close.lowerBound]
            .replacing("&amp;", with: "&").replacing("&lt;", with: "<").replacing("&gt;", with: ">")
        return FoundWord(
            text: String(text), left: numbers[0], top: numbers[1], right: numbers[2],
            bottom: numbers[3])
    }
}

extension Substring {
    fileprivate func range(of text: String) -> Range<Index>? { firstRange(of: text) }
    fileprivate func lastRange(of text: String) -> Range<Index>? { ranges(of: text).last }
}

/// Fails the test unless every reader opens the PDF without a warning.
func expectSound(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let qpdf = try run("qpdf", "--check", path)
    #expect(qpdf.status == 0, "\(qpdf.output)\(qpdf.errors)", sourceLocation: sourceLocation)
    #expect(
        qpdf.output.contains("No syntax or stream encoding errors found"),
        sourceLocation: sourceLocation)
    let poppler = try run("pdftotext", path, "-")
    #expect(
        poppler.status == 0 && poppler.errors == "", "\(poppler.errors)",
        sourceLocation: sourceLocation)
    let mupdf = try run("mutool", "draw", "-q", "-r", "20", "-o", "/dev/null", "-F", "pgm", path)
    #expect(mupdf.status == 0, "\(mupdf.errors)", sourceLocation: sourceLocation)
    // The warnings that Debian's MuPDF prints about itself for every file.
    let warnings = mupdf.errors.split(separator: "\n").filter {
        $0 != "warning: ICC support is not available"
    }
    #expect(warnings.isEmpty, "\(warnings)", sourceLocation: sourceLocation)
    let ghostscript = try run(
        "gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-sDEVICE=nullpage", "-r20", path)
    #expect(ghostscript.status == 0, sourceLocation: sourceLocation)
    #expect(
        ghostscript.output + ghostscript.errors == "", "\(ghostscript.output)\(ghostscript.errors)",
        sourceLocation: sourceLocation)
}

/// The text after a label such as `Page size:` in a tool's output.
func field(_ label: String, in answer: String) -> String? {
    for line in answer.split(separator: "\n") where line.hasPrefix(label) {
        let value = line.dropFirst(label.count)
        return String(value[(value.firstIndex { $0 != " " } ?? value.endIndex)...])
    }
    return nil
}
