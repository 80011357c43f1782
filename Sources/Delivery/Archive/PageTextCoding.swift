import Documents
import ExpectedFailures

/// The coding of a page's text in the column `page.text`, which takes a fifth of the JSON's size
/// and is quick to read.
///
/// A version byte (1), then numbers as zigzag varints (LEB128) and strings as their length and
/// UTF-8: languages, then blocks, each with its box and paragraphs, each with its box and lines,
/// each with its box, 0 or 1 and a baseline, and words, each with its text, box and confidence in
/// ten-thousandths. Counts come before the counted items.
enum PageTextCoding {
    private static let version: UInt8 = 1

    static func encode(_ text: PageText) -> [UInt8] {
        var out = Writer()
        out.list(text.languages) { out, language in out.string(language) }
        out.list(text.blocks) { out, block in
            out.box(block.box)
            out.list(block.paragraphs) { out, paragraph in
                out.box(paragraph.box)
                out.list(paragraph.lines) { out, line in
                    out.box(line.box)
                    out.list(line.baseline.map { [$0] } ?? []) { out, base in
                        for value in [base.x1, base.y1, base.x2, base.y2] { out.integer(value) }
                    }
                    out.list(line.words) { out, word in
                        out.string(word.text)
                        out.box(word.box)
                        let confidence = word.confidence.isFinite ? word.confidence : 0
                        out.integer(Int((min(max(confidence, 0), 1) * 10_000).rounded()))
                    }
                }
            }
        }
        return [version] + out.bytes
    }

    /// The text; nil for bytes that are not in this coding.
    static func decode(_ bytes: [UInt8]) -> PageText? {
        guard bytes.first == version else { return nil }
        var input = Reader(bytes: bytes, at: 1)
        let text = ofKnownForm { try PageText.read(&input) }
        return input.at == bytes.count ? text : nil
    }

    private struct Writer {
        var bytes: [UInt8] = []

        mutating func integer(_ value: Int) {
            var rest = UInt64(bitPattern: Int64(value << 1) ^ Int64(value >> 63))
            while rest >= 0x80 {
                bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            bytes.append(UInt8(rest))
        }

        mutating func string(_ value: String) {
            integer(value.utf8.count)
            bytes.append(contentsOf: value.utf8)
        }

        mutating func box(_ box: Box) {
            for value in [box.x, box.y, box.width, box.height] { integer(value) }
        }

        mutating func list<Item>(_ items: [Item], _ write: (inout Writer, Item) -> Void) {
            integer(items.count)
            for item in items { write(&self, item) }
        }
    }

    fileprivate struct Reader {
        struct Damage: Error {}
        let bytes: [UInt8]
        var at: Int

        mutating func integer() throws(Damage) -> Int {
            var value: UInt64 = 0
            var shift: UInt64 = 0
            while true {
                guard at < bytes.count, shift < 64 else { throw Damage() }
                let byte = bytes[at]
                at += 1
                value |= UInt64(byte & 0x7F) << shift
                if byte < 0x80 { break }
                shift += 7
            }
            return Int(bitPattern: UInt(value >> 1)) ^ -Int(value & 1)
        }

        mutating func count() throws(Damage) -> Int {
            let count = try integer()
            // Everything counted takes at least a byte.
            guard count >= 0, count <= bytes.count - at else { throw Damage() }
            return count
        }

        mutating func string() throws(Damage) -> String {
            let count = try count()
            defer { at += count }
            return String(decoding: bytes[at..<at + count], as: UTF8.self)
        }

        mutating func box() throws(Damage) -> Box {
            Box(x: try integer(), y: try integer(), width: try integer(), height: try integer())
        }

        mutating func list<Item>(
            _ read: (inout Reader) throws(Damage) -> Item
        ) throws(Damage) -> [Item] {
            let count = try count()
            var items: [Item] = []
            for _ in 0..<count { items.append(try read(&self)) }
            return items
        }
    }
}

extension PageText {
    fileprivate static func read(
        _ input: inout PageTextCoding.Reader
    ) throws(PageTextCoding.Reader.Damage) -> PageText {
        typealias Reader = PageTextCoding.Reader
        let languages = try input.list { (input: inout Reader) throws(Reader.Damage) in
            try input.string()
        }
        let blocks = try input.list { (input: inout Reader) throws(Reader.Damage) in
            let box = try input.box()
            return TextBlock(
                paragraphs: try input.list { (input: inout Reader) throws(Reader.Damage) in
                    let box = try input.box()
                    return Paragraph(
                        lines: try input.list { (input: inout Reader) throws(Reader.Damage) in
                            try TextLine.read(&input)
                        }, box: box)
                }, box: box)
        }
        return PageText(blocks: blocks, languages: languages)
    }
}

extension TextLine {
    fileprivate static func read(
        _ input: inout PageTextCoding.Reader
    ) throws(PageTextCoding.Reader.Damage) -> TextLine {
        typealias Reader = PageTextCoding.Reader
        let box = try input.box()
        let baselines = try input.list { (input: inout Reader) throws(Reader.Damage) in
            Baseline(
                x1: try input.integer(), y1: try input.integer(), x2: try input.integer(),
                y2: try input.integer())
        }
        guard baselines.count <= 1 else { throw Reader.Damage() }
        let words = try input.list { (input: inout Reader) throws(Reader.Damage) in
            Word(
                text: try input.string(), box: try input.box(),
                confidence: Double(try input.integer()) / 10_000)
        }
        return TextLine(words: words, box: box, baseline: baselines.first)
    }
}
