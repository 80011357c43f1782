import Documents
import Imaging

/// Shapes of the size of letters, and which of them stand in rows.
struct LetterRows {
    /// The heights of letters in a reduced picture, in pixels.
    private static let heights = 4...160
    /// More shapes than this are a photograph or noise.
    private static let most = 4000
    /// The gap between neighbors in a row, as a multiple of the larger one's size.
    private static let widestGap = 1.5

    /// The places of the shapes.
    let boxes: [Box]
    /// For each shape, true if it has a neighbor.
    private(set) var isInRow: [Bool]
    /// For each shape, true if another one is above or below it.
    private(set) var isInColumn: [Bool]

    /// The shapes in a bilevel picture that do not touch its edges; none if there are too many.
    init(_ ink: Raster) {
        let boxes = InkComponents(of: ink).components.compactMap { part -> Box? in
            let box = Box(
                x: part.box.x, y: part.box.y, width: part.box.width, height: part.box.height)
            let isInside =
                box.x > 0 && box.y > 0 && box.right < ink.width && box.bottom < ink.height
            return isInside && Self.isLetter(box) ? box : nil
        }
        self.init(boxes.count > Self.most ? [] : boxes)
    }

    /// The neighbors among shapes at those places.
    init(_ boxes: [Box]) {
        let boxes = boxes.sorted { $0.x < $1.x }
        self.boxes = boxes
        isInRow = boxes.map { _ in false }
        isInColumn = isInRow
        let reach = Int(Self.widestGap * Double(boxes.map(\.size).max() ?? 0))
        for one in boxes.indices {
            for other in boxes.index(after: one)..<boxes.endIndex {
                guard boxes[other].x <= boxes[one].right + reach else { break }
                let (a, b) = (boxes[one], boxes[other])
                guard Self.areAlike(a, b) else { continue }
                let gap = Int(Self.widestGap * Double(max(a.size, b.size)))
                if overlap(a.y..<a.bottom, b.y..<b.bottom), b.x - a.right <= gap {
                    isInRow[one] = true
                    isInRow[other] = true
                }
                if overlap(a.x..<a.right, b.x..<b.right),
                    max(a.y, b.y) - min(a.bottom, b.bottom) <= gap
                {
                    isInColumn[one] = true
                    isInColumn[other] = true
                }
            }
        }
    }

    private static func isLetter(_ box: Box) -> Bool {
        heights.contains(box.size) && box.width <= 8 * box.height && box.height <= 8 * box.width
    }

    /// True if one shape is at most 2.5 times as large as the other.
    private static func areAlike(_ one: Box, _ other: Box) -> Bool {
        2 * max(one.size, other.size) <= 5 * min(one.size, other.size)
    }
}

/// True if two ranges share at least half of the shorter one.
private func overlap(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
    let shared = min(one.upperBound, other.upperBound) - max(one.lowerBound, other.lowerBound)
    return 2 * shared >= min(one.count, other.count)
}

extension Box {
    /// The longer side in pixels.
    var size: Int { max(width, height) }

    /// The box with a margin on each side, within a page of `width` × `height` pixels.
    func grown(by margin: Int, width pageWidth: Int, height pageHeight: Int) -> Box {
        let (left, top) = (max(0, x - margin), max(0, y - margin))
        return Box(
            x: left, y: top, width: min(pageWidth, right + margin) - left,
            height: min(pageHeight, bottom + margin) - top)
    }

    /// True if the middle of another box is in this one.
    func containsMiddle(of other: Box) -> Bool {
        (2 * x...2 * right).contains(2 * other.x + other.width)
            && (2 * y...2 * bottom).contains(2 * other.y + other.height)
    }

    /// The box of a reduced picture on its page.
    func enlarged(by factor: Double) -> Box {
        let (left, top) = (Int(Double(x) * factor), Int(Double(y) * factor))
        return Box(
            x: left, y: top, width: Int((Double(right) * factor).rounded(.up)) - left,
            height: Int((Double(bottom) * factor).rounded(.up)) - top)
    }
}
