import Documents
import Recognition
@_spi(_Unicode) import Swift

/// Checks a reader's answer, which comes from another process, and turns it into a page's text.
struct AnswerReader {
    /// The maximum number of letters in a word.
    private static let longestWord = 1000

    let picture: ReaderPicture

    /// The text of an answer's lines.
    ///
    /// Lines without a block number are ordered by their places.
    ///
    /// - Throws: ``HelperFailure`` with `nonsense`.
    func text(
        of lines: [ReaderWire.Line], languages: [String]
    ) throws(HelperFailure) -> PageText {
        var builder = PageBuilder()
        var loose: [TextLine] = []
        var before: ReaderWire.Line?
        for line in lines {
            let words = try words(of: line)
            let baseline = try line.baseline.map(baseline)
            guard let box = Box(around: words.map(\.box)) else { continue }
            guard line.block != nil else {
                loose.append(TextLine(words: words, box: box, baseline: baseline))
                continue
            }
            if let before {
                if before.block != line.block {
                    builder.endBlock()
                } else if before.paragraph != line.paragraph {
                    builder.endParagraph()
                }
            }
            before = line
            builder.add(TextLine(words: words, box: box, baseline: baseline))
        }
        return PageText(
            blocks: builder.finish() + ReadingOrder.blocks(of: loose), languages: languages)
    }

    /// The picture's orientation, if the answer states it.
    ///
    /// - Throws: ``HelperFailure`` with `nonsense`.
    func orientation(
        _ answer: ReaderWire.OrientationAnswer
    ) throws(HelperFailure) -> OrientationGuess? {
        guard let turns = answer.quarterTurns else { return nil }
        let confidence = answer.confidence ?? 0
        guard (0...3).contains(turns), confidence.isFinite else {
            throw .nonsense("an orientation of \(turns) quarter turns")
        }
        return OrientationGuess(quarterTurns: turns, confidence: max(confidence, 0))
    }

    private func words(of line: ReaderWire.Line) throws(HelperFailure) -> [Word] {
        var words: [Word] = []
        for word in line.words {
            guard (0...1).contains(word.confidence) else {
                throw .nonsense("a confidence of \(word.confidence), which is not within 0…1")
            }
            let box = try box(word.quad)
            guard word.text.utf8.count <= 4 * Self.longestWord else {
                throw .nonsense("a word of \(word.text.utf8.count) bytes")
            }
            guard let text = Self.clean(word.text) else { continue }
            words.append(Word(text: text, box: box, confidence: word.confidence))
        }
        return words
    }

    /// The text in Unicode's composed form, without control characters and outer spaces; nil for an
    /// empty one.
    private static func clean(_ text: String) -> String? {
        var scalars = String.UnicodeScalarView()
        for scalar in text._nfc where scalar.value >= 32 && !(127..<160).contains(scalar.value) {
            scalars.append(scalar)
        }
        let clean = String(String(scalars).trimmed)
        return clean.isEmpty ? nil : clean
    }

    /// The smallest box of whole pixels around a quad.
    private func box(_ quad: [Double]) throws(HelperFailure) -> Box {
        guard quad.count == 8 else {
            throw .nonsense("a quad of \(quad.count) numbers instead of 8")
        }
        let x = stride(from: 0, to: 8, by: 2).map { quad[$0] }
        let y = stride(from: 1, to: 8, by: 2).map { quad[$0] }
        guard isInside(x, y), let left = x.min(), let right = x.max(), let top = y.min(),
            let bottom = y.max()
        else { throw outside(quad) }
        let corner = (x: Int(left), y: Int(top))
        return Box(
            x: corner.x, y: corner.y, width: Int(right.rounded(.up)) - corner.x,
            height: Int(bottom.rounded(.up)) - corner.y)
    }

    private func baseline(_ line: [Double]) throws(HelperFailure) -> Baseline {
        guard line.count == 4 else {
            throw .nonsense("a baseline of \(line.count) numbers instead of 4")
        }
        guard isInside([line[0], line[2]], [line[1], line[3]]) else { throw outside(line) }
        return Baseline(
            x1: Int(line[0]), y1: Int(line[1]), x2: Int(line[2]), y2: Int(line[3]))
    }

    private func isInside(_ x: [Double], _ y: [Double]) -> Bool {
        x.allSatisfy { (0...Double(picture.width)).contains($0) }
            && y.allSatisfy { (0...Double(picture.height)).contains($0) }
    }

    private func outside(_ numbers: [Double]) -> HelperFailure {
        let text = numbers.map { "\($0)" }.joined(separator: ", ")
        return .nonsense(
            "text at \(text), outside the picture of \(picture.width) × \(picture.height) pixels")
    }
}

extension String {
    fileprivate var trimmed: Substring {
        guard let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return self[first...last]
    }
}
