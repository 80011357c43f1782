import CTesseract
import Recognition

/// Gathers the engine's results into lines of words, in its reading order.
///
/// This walks the result iterator word by word instead of reading the engine's hOCR, which costs an
/// eighth of a second a page.
struct ResultReader {
    private let results: OpaquePointer
    private let position: OpaquePointer
    private let page: PreparedPage

    init(_ results: OpaquePointer, _ page: PreparedPage) {
        self.results = results
        position = TessResultIteratorGetPageIterator(results)
        self.page = page
    }

    /// The lines of text with the numbers of their blocks and paragraphs; pictures, rules and noise
    /// are left out, and so are words without letters.
    func lines(of reading: Int) -> [ReaderWire.Line] {
        var lines: [ReaderWire.Line] = []
        var line: Bounds?
        var block = 0
        var paragraph = 0
        repeat {
            // The engine finds the beginnings at a word only by walking from the page's first word,
            // so it is asked at most once per line.
            let bounds = bounds(RIL_TEXTLINE)
            if bounds != line {
                line = bounds
                if starts(RIL_BLOCK) { block += 1 }
                if starts(RIL_PARA) { paragraph += 1 }
                lines.append(
                    ReaderWire.Line(
                        reading: reading, words: [], baseline: baseline(), block: block,
                        paragraph: paragraph))
            }
            if isText, let word = word(), !lines.isEmpty {
                lines[lines.count - 1].words.append(word)
            }
        } while TessResultIteratorNext(results, RIL_WORD) != 0
        return lines.filter { !$0.words.isEmpty }
    }

    /// A rectangle in the engine's pixels.
    private struct Bounds: Equatable {
        var left: Int32 = 0
        var top: Int32 = 0
        var right: Int32 = 0
        var bottom: Int32 = 0
    }

    /// The rectangle around the iterator's position; nil if there is none.
    private func bounds(_ level: TessPageIteratorLevel) -> Bounds? {
        var it = Bounds()
        guard
            TessPageIteratorBoundingBox(
                position, level, &it.left, &it.top, &it.right, &it.bottom) != 0
        else { return nil }
        return it
    }

    private func starts(_ level: TessPageIteratorLevel) -> Bool {
        TessPageIteratorIsAtBeginningOf(position, level) != 0
    }

    private var isText: Bool {
        switch TessPageIteratorBlockType(position) {
        case PT_FLOWING_IMAGE, PT_HEADING_IMAGE, PT_PULLOUT_IMAGE, PT_HORZ_LINE, PT_VERT_LINE,
            PT_NOISE:
            false
        default: true
        }
    }

    private func word() -> ReaderWire.Word? {
        guard let letters = TessResultIteratorGetUTF8Text(results, RIL_WORD) else { return nil }
        defer { TessDeleteText(letters) }
        let text = String(cString: letters)
        guard text.contains(where: { !$0.isWhitespace }) else { return nil }
        guard let box = bounds(RIL_WORD) else { return nil }
        let percent = Double(TessResultIteratorConfidence(results, RIL_WORD))
        return ReaderWire.Word(
            text: text,
            quad: page.quad(left: box.left, top: box.top, right: box.right, bottom: box.bottom),
            confidence: percent.isFinite ? min(max(percent / 100, 0), 1) : 0)
    }

    private func baseline() -> [Double]? {
        var x1: Int32 = 0
        var y1: Int32 = 0
        var x2: Int32 = 0
        var y2: Int32 = 0
        guard TessPageIteratorBaseline(position, RIL_TEXTLINE, &x1, &y1, &x2, &y2) != 0 else {
            return nil
        }
        return page.baseline(x1: x1, y1: y1, x2: x2, y2: y2)
    }
}
