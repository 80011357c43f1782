import Documents

extension FileFormat {
    /// hOCR 1.2: the words with their places, as XHTML.
    public static let hocr = Self(".hocr", mediaType: "application/xhtml+xml") {
        try HOCRFormat($0)
    }
}

/// hOCR 1.2 as XHTML: `ocr_page`, `ocr_carea`, `ocr_par`, `ocr_line`, `ocrx_word` with boxes,
/// baselines and confidence.
///
/// Follows "hOCR - OCR Workflow and Output embedded in HTML", version 1.2.
final class HOCRFormat: FormatWriter {
    private let file: PartialFile
    private let language: String?
    private var pages = 0

    init(_ context: FormatContext) throws {
        file = try PartialFile(context.name, in: context.folder)
        language = languageTag(context.info.language)
        let lang = language.map { " xml:lang=\"\($0)\" lang=\"\($0)\"" } ?? ""
        try file.append(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" \
            "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
            <html xmlns="http://www.w3.org/1999/xhtml"\(lang)>
            <head>
            <title>\(xmlEscaped(context.info.title))</title>
            <meta http-equiv="Content-Type" content="text/html; charset=utf-8"/>
            <meta name="ocr-system" content="Copystand"/>
            <meta name="ocr-capabilities" content="ocr_page ocr_carea ocr_par ocr_line ocrx_word"/>
            </head>
            <body>

            """)
    }

    func add(_ page: DeliveredPage) throws {
        pages += 1
        let text = PlacedText(page)
        let across = decimal(resolution(of: page).rounded(), digits: 0)
        let down = decimal(resolutionDown(of: page).rounded(), digits: 0)
        let image = page.page.provenance.label.map { "image \(quoted($0)); " } ?? ""
        let title =
            "\(image)bbox 0 0 \(text.width) \(text.height); ppageno \(pages - 1); scan_res \(across) \(down)"
        var out = "<div class=\"ocr_page\" id=\"page_\(pages)\" title=\"\(title)\">\n"
        let tag = languageTag(page.page.text?.languages.first) ?? language
        let lang = tag.map { " xml:lang=\"\($0)\" lang=\"\($0)\"" } ?? ""
        var ids = (block: 0, paragraph: 0, line: 0, word: 0)
        for block in text.blocks {
            ids.block += 1
            out += "<div class=\"ocr_carea\" id=\"block_\(pages)_\(ids.block)\""
            out += " title=\"\(bbox(block.box))\">\n"
            for paragraph in block.paragraphs {
                ids.paragraph += 1
                out += "<p class=\"ocr_par\" id=\"par_\(pages)_\(ids.paragraph)\"\(lang)"
                out += " title=\"\(bbox(paragraph.box))\">\n"
                for line in paragraph.lines {
                    ids.line += 1
                    out += "<span class=\"ocr_line\" id=\"line_\(pages)_\(ids.line)\""
                    out += " title=\"\(bbox(line.box))\(baseline(of: line))\">"
                    for (index, word) in line.words.enumerated() {
                        ids.word += 1
                        out += index == 0 ? "\n" : isSpaced(line.words, before: index) ? " \n" : ""
                        out += "<span class=\"ocrx_word\" id=\"word_\(pages)_\(ids.word)\""
                        let sureness = Int((word.confidence * 100).rounded())
                        out += " title=\"\(bbox(word.box)); x_wconf \(sureness)\">"
                        out += xmlEscaped(word.text) + "</span>"
                    }
                    out += "\n</span>\n"
                }
                out += "</p>\n"
            }
            out += "</div>\n"
        }
        try file.append(out + "</div>\n")
    }

    func finish() throws -> [PartialFile] {
        try file.append("</body>\n</html>\n")
        return [file]
    }
}

private func isSpaced(_ words: [Word], before index: Int) -> Bool {
    words[index - 1].text.isSpaced(before: words[index].text)
}

private func bbox(_ box: Box) -> String {
    "bbox \(box.x) \(box.y) \(box.x + box.width) \(box.y + box.height)"
}

/// The baseline in hOCR's form: its slope, and its distance below the box's bottom left corner.
///
/// An upright one has no slope, and is left out.
private func baseline(of line: PlacedText.Line) -> String {
    guard let baseline = line.baseline, baseline.x1 != baseline.x2 else { return "" }
    let slope = Double(baseline.y2 - baseline.y1) / Double(baseline.x2 - baseline.x1)
    let atLeft = Double(baseline.y1) + slope * Double(line.box.x - baseline.x1)
    let offset = atLeft - Double(line.box.y + line.box.height)
    return "; baseline \(decimal(slope, digits: 4)) \(decimal(offset, digits: 1))"
}

/// A string of an hOCR property within an attribute, without quotation marks and semicolons, which
/// would end it.
private func quoted(_ text: String) -> String {
    let safe = text.map { $0 == "\"" || $0 == ";" || $0 == "\\" ? "_" : $0 }
    return "&quot;\(xmlEscaped(String(safe)))&quot;"
}
