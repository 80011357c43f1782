import Documents

extension FileFormat {
    /// ALTO 4: the words with their places, as XML.
    public static let alto = Self(".alto.xml", mediaType: "application/xml") {
        try ALTOFormat($0)
    }
}

/// ALTO 4 (Library of Congress): the words with their places and confidence, in pixels.
///
/// A block is a `ComposedBlock`, a paragraph a `TextBlock`.
final class ALTOFormat: FormatWriter {
    private let file: PartialFile
    private let language: String?
    private var pages = 0

    init(_ context: FormatContext) throws {
        file = try PartialFile(context.name, in: context.folder)
        language = languageTag(context.info.language)
        try file.append(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <alto xmlns="http://www.loc.gov/standards/alto/ns-v4#" \
            xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
            xsi:schemaLocation="http://www.loc.gov/standards/alto/ns-v4# \
            http://www.loc.gov/standards/alto/v4/alto-4-2.xsd">
            <Description>
            <MeasurementUnit>pixel</MeasurementUnit>
            <sourceImageInformation><fileName>\(xmlEscaped(context.info.title))</fileName>\
            </sourceImageInformation>
            <Processing ID="processing_1">
            <processingDateTime>\(Timestamp(seconds: context.info.created).iso8601)</processingDateTime>
            <processingSoftware><softwareName>Copystand</softwareName></processingSoftware>
            </Processing>
            </Description>
            <Layout>

            """)
    }

    func add(_ page: DeliveredPage) throws {
        pages += 1
        let text = PlacedText(page)
        let size = "HEIGHT=\"\(text.height)\" WIDTH=\"\(text.width)\""
        var out = "<Page ID=\"page_\(pages)\" PHYSICAL_IMG_NR=\"\(pages)\" \(size)>\n"
        out += "<PrintSpace HPOS=\"0\" VPOS=\"0\" \(size)>\n"
        let tag = languageTag(page.page.text?.languages.first) ?? language
        let lang = tag.map { " LANG=\"\($0)\"" } ?? ""
        var ids = (block: 0, paragraph: 0, line: 0, word: 0)
        for block in text.blocks {
            ids.block += 1
            out += "<ComposedBlock ID=\"cblock_\(pages)_\(ids.block)\" \(place(block.box))>\n"
            for paragraph in block.paragraphs {
                ids.paragraph += 1
                out +=
                    "<TextBlock ID=\"block_\(pages)_\(ids.paragraph)\" \(place(paragraph.box))\(lang)>\n"
                for line in paragraph.lines {
                    ids.line += 1
                    out += "<TextLine ID=\"line_\(pages)_\(ids.line)\" \(place(line.box))"
                    if let baseline = line.baseline {
                        out +=
                            " BASELINE=\"\(baseline.x1),\(baseline.y1) \(baseline.x2),\(baseline.y2)\""
                    }
                    out += ">\n"
                    for (index, word) in line.words.enumerated() {
                        ids.word += 1
                        if index > 0, line.words[index - 1].text.isSpaced(before: word.text) {
                            out += space(line.words[index - 1].box, word.box)
                        }
                        out += "<String ID=\"string_\(pages)_\(ids.word)\" \(place(word.box))"
                        out += " WC=\"\(decimal(word.confidence, digits: 3))\""
                        out += " CONTENT=\"\(xmlEscaped(word.text))\"/>\n"
                    }
                    out += "</TextLine>\n"
                }
                out += "</TextBlock>\n"
            }
            out += "</ComposedBlock>\n"
        }
        try file.append(out + "</PrintSpace>\n</Page>\n")
    }

    func finish() throws -> [PartialFile] {
        try file.append("</Layout>\n</alto>\n")
        return [file]
    }
}

private func place(_ box: Box) -> String {
    "HPOS=\"\(box.x)\" VPOS=\"\(box.y)\" WIDTH=\"\(box.width)\" HEIGHT=\"\(box.height)\""
}

/// The space between two words in either order.
private func space(_ one: Box, _ other: Box) -> String {
    let (left, right) = one.x <= other.x ? (one, other) : (other, one)
    let start = left.x + left.width
    return "<SP HPOS=\"\(start)\" VPOS=\"\(left.y)\" WIDTH=\"\(max(0, right.x - start))\"/>\n"
}
