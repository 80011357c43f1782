import Documents
import FoundationEssentials

/// Reads a helper's answer and checks it, as anything that comes from another process.
enum AnswerReader {
    /// - Throws: ``HelperFailure`` with `nonsense`.
    static func read(
        _ bytes: [UInt8], within image: HelperImage?
    ) throws(HelperFailure) -> HelperAnswer {
        guard let answer = try? JSONDecoder().decode(HelperAnswer.self, from: Data(bytes)) else {
            throw .nonsense("\(bytes.count) bytes that are no answer")
        }
        switch answer {
        case .text(let text):
            guard let image, isInside(text, image) else {
                throw .nonsense("text outside the picture")
            }
        case .orientation(let guess):
            if let guess, !(0...3).contains(guess.quarterTurns) || !guess.confidence.isFinite {
                throw .nonsense("an orientation of \(guess.quarterTurns) quarter turns")
            }
        case .ready, .refused: break
        }
        return answer
    }

    private static func isInside(_ text: PageText, _ image: HelperImage) -> Bool {
        func fits(_ box: Box) -> Bool {
            (0...image.width).contains(box.x) && (0...image.height).contains(box.y)
                && (0...image.width - box.x).contains(box.width)
                && (0...image.height - box.y).contains(box.height)
        }
        func fits(_ line: Baseline) -> Bool {
            [line.x1, line.x2].allSatisfy { (0...image.width).contains($0) }
                && [line.y1, line.y2].allSatisfy { (0...image.height).contains($0) }
        }
        return text.blocks.allSatisfy { block in
            fits(block.box)
                && block.paragraphs.allSatisfy { paragraph in
                    fits(paragraph.box)
                        && paragraph.lines.allSatisfy { line in
                            fits(line.box) && line.baseline.map(fits) ?? true
                                && line.words.allSatisfy { fits($0.box) }
                        }
                }
        }
    }
}
