import Documents
import Glibc

/// The place of a line of text on its page, in pixels: its direction, its baseline, and the height
/// of its letters.
struct LineGeometry {
    /// The direction of reading; down is positive.
    let cosine: Double
    let sine: Double
    /// The height of tall letters above the baseline.
    let ascent: Double

    /// A point on the baseline.
    private let origin: (x: Double, y: Double)

    init(_ line: PlacedText.Line) {
        var cosine = 1.0
        var sine = 0.0
        if let baseline = line.baseline {
            let dx = Double(baseline.x2 - baseline.x1)
            let dy = Double(baseline.y2 - baseline.y1)
            let length = hypot(dx, dy)
            cosine = dx / length
            sine = dy / length
        }
        self.cosine = cosine
        self.sine = sine

        let spans = line.words.map { Span($0.box, cosine: cosine, sine: sine) }
        // The upper and lower ends of the letters, across the line. A fifth of the words is ignored
        // at either end, because a stray box must not decide; most words have a tall letter.
        let top = ordered(spans.map { $0.across - $0.height / 2 }, at: 0.2)
        let bottom = ordered(spans.map { $0.across + $0.height / 2 }, at: 0.8)
        let assumed = bottom - (bottom - top) * 0.24
        let across: Double
        if let baseline = line.baseline {
            let given = -sine * Double(baseline.x1) + cosine * Double(baseline.y1)
            // A baseline that does not run through its words is a mistake.
            let isPlausible =
                given > top + (bottom - top) * 0.3 && given < bottom + (bottom - top) * 0.5
            across = isPlausible ? given : assumed
        } else {
            across = assumed
        }
        origin = (-sine * across, cosine * across)
        ascent = max(across - top, 1)
    }

    /// The distance of a point along the line.
    func along(_ point: (x: Double, y: Double)) -> Double { cosine * point.x + sine * point.y }

    /// The place on the baseline where a word starts, and the word's length.
    func place(of box: Box) -> (start: (x: Double, y: Double), width: Double) {
        let span = Span(box, cosine: cosine, sine: sine)
        let start = span.along - span.width / 2
        return ((origin.x + cosine * start, origin.y + sine * start), span.width)
    }
}

/// An upright box seen in a line's direction.
private struct Span {
    /// The position of the middle along the line and across it.
    let along: Double
    let across: Double
    /// The size of the word whose upright box this is.
    let width: Double
    let height: Double

    init(_ box: Box, cosine: Double, sine: Double) {
        let x = Double(box.x) + Double(box.width) / 2
        let y = Double(box.y) + Double(box.height) / 2
        along = cosine * x + sine * y
        across = -sine * x + cosine * y
        // A w × h word turned by an angle fills w·|cos| + h·|sin| by w·|sin| + h·|cos|; near 45°
        // that cannot be solved for w and h.
        let c = abs(cosine)
        let s = abs(sine)
        let determinant = c * c - s * s
        let boxWidth = Double(box.width)
        let boxHeight = Double(box.height)
        if abs(determinant) > 0.3 {
            width = max((boxWidth * c - boxHeight * s) / determinant, 1)
            height = max((boxHeight * c - boxWidth * s) / determinant, 1)
        } else {
            width = hypot(boxWidth, boxHeight) * 0.8
            height = width / 4
        }
    }
}

private func ordered(_ values: [Double], at share: Double) -> Double {
    let sorted = values.sorted()
    return sorted[Int((Double(sorted.count - 1) * share).rounded(share < 0.5 ? .down : .up))]
}
