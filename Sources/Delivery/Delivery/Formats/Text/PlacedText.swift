import Documents
import Imaging

/// A page's text made fit to be written: words cleaned, the empty ones left out, every box on the
/// page, nothing without words.
struct PlacedText {
    struct Line {
        var words: [Word]
        var box: Box
        var baseline: Baseline?
    }

    struct Paragraph {
        var lines: [Line]
        var box: Box
    }

    struct Block {
        var paragraphs: [Paragraph]
        var box: Box
    }

    /// The page's size in pixels, at least 1 × 1, in which the boxes are.
    let width: Int
    let height: Int
    let blocks: [Block]

    init(_ page: DeliveredPage) {
        // An impossible size is replaced by the picture's own.
        let sides = 1...1_000_000
        let isKnown = sides.contains(page.page.width) && sides.contains(page.page.height)
        let width = isKnown ? page.page.width : page.image.width
        let height = isKnown ? page.page.height : page.image.height
        self.width = width
        self.height = height
        blocks = (page.page.text?.blocks ?? []).compactMap { block in
            let paragraphs = block.paragraphs.compactMap { paragraph -> Paragraph? in
                let lines = paragraph.lines.compactMap { Line($0, width, height) }
                guard !lines.isEmpty else { return nil }
                return Paragraph(lines: lines, box: paragraph.box.clamped(width, height))
            }
            guard !paragraphs.isEmpty else { return nil }
            return Block(paragraphs: paragraphs, box: block.box.clamped(width, height))
        }
    }

    var lines: [Line] { blocks.flatMap { $0.paragraphs.flatMap(\.lines) } }
}

extension PlacedText.Line {
    fileprivate init?(_ line: TextLine, _ width: Int, _ height: Int) {
        words = line.words.compactMap { word in
            let text = cleaned(word.text)
            guard !text.isEmpty else { return nil }
            let confidence = word.confidence.isFinite ? min(max(word.confidence, 0), 1) : 0
            return Word(
                text: text, box: word.box.clamped(width, height), confidence: confidence)
        }
        guard !words.isEmpty else { return nil }
        box = line.box.clamped(width, height)
        baseline = line.baseline.flatMap { baseline in
            let x = -width...(2 * width)
            let y = -height...(2 * height)
            let isNear =
                x.contains(baseline.x1) && x.contains(baseline.x2)
                && y.contains(baseline.y1) && y.contains(baseline.y2)
            let isPoint = baseline.x1 == baseline.x2 && baseline.y1 == baseline.y2
            return isNear && !isPoint ? baseline : nil
        }
    }
}

extension Box {
    /// The part of the box on a page of `width` × `height` pixels, with at least one pixel.
    fileprivate func clamped(_ pageWidth: Int, _ pageHeight: Int) -> Box {
        let left = min(max(x, 0), pageWidth - 1)
        let top = min(max(y, 0), pageHeight - 1)
        let right = x.addingReportingOverflow(max(width, 0))
        let bottom = y.addingReportingOverflow(max(height, 0))
        let rightEdge =
            right.overflow ? pageWidth : min(max(right.partialValue, left + 1), pageWidth)
        let bottomEdge =
            bottom.overflow ? pageHeight : min(max(bottom.partialValue, top + 1), pageHeight)
        return Box(x: left, y: top, width: rightEdge - left, height: bottomEdge - top)
    }
}
