import Documents

/// A printed line in its column, with the measures of its type from the boxes of its letters.
struct PrintedLine {
    /// The words from left to right.
    var words: [Word]
    var box: Box
    /// The page's number in the document.
    let page: Int
    /// The line's index in its column on the page, from 0; a line across all columns begins a new
    /// column.
    var column = 0
    /// The left and right edge of the line's column, in pixels.
    var edges = 0...1
    /// The size of type in pixels: about the distance of two lines without extra space.
    let em: Double
    /// The y coordinate of the letters' baseline, in pixels from the top.
    let baseline: Double

    init?(_ words: [Word], page: Int) {
        let words = words.filter { $0.box.width > 0 && $0.box.height > 0 }
            .sorted { $0.box.x < $1.box.x }
        guard let box = Box(around: words.map(\.box)) else { return nil }
        self.words = words
        self.box = box
        self.page = page
        // A single punctuation mark may be a speck, and reveals little about the type.
        let letters = words.filter { $0.text.contains { $0.isLetter || $0.isNumber } }
        let em =
            Self.median(
                (letters.isEmpty ? words : letters).map {
                    Double($0.box.height) / LetterShape($0.text).height
                }) ?? 1
        self.em = em
        let feet = words.map { word in
            Double(word.box.y + word.box.height)
                - (LetterShape(word.text).descends ? LetterShape.descent * em : 0)
        }
        baseline = Self.median(feet) ?? Double(box.y + box.height)
    }

    /// The words in reading order.
    var text: String { words.map(\.text).joined(separator: " ") }

    /// The reader's confidence in the line's words, 0…1.
    var confidence: Double { words.meanConfidence ?? 0 }

    /// The distance of the line's beginning from its column's left edge, as a multiple of `em`.
    func indent(_ em: Double) -> Double { Double(box.x - edges.lowerBound) / max(1, em) }

    /// The distance of the line's end from its column's right edge, as a fraction of the column's
    /// width.
    var room: Double {
        Double(edges.upperBound - box.right) / Double(max(1, edges.upperBound - edges.lowerBound))
    }

    /// The median of `values`; nil for none.
    static func median(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : values.sorted()[values.count / 2]
    }
}

/// The heights of letters, as fractions of the type's size, in most typefaces.
struct LetterShape {
    /// The depth of letters such as `g` below the baseline.
    static let descent = 0.21
    /// The height of `x` above the baseline.
    private static let low = 0.52
    /// The height of `H` above the baseline.
    private static let tall = 0.73
    private static let below: Set<Character> = Set("gjpqy,;()[]{}§/QJ|")
    private static let flat: Set<Character> = Set("acemnorsuvwxzgpqy.,-–—:;~+=")

    let descends: Bool
    let height: Double

    init(_ text: String) {
        descends = text.contains(where: Self.below.contains)
        let isTall = text.contains { !Self.flat.contains($0) }
        height = (isTall ? Self.tall : Self.low) + (descends ? Self.descent : 0)
    }
}

extension Box {
    /// The common part of two boxes' heights, as a fraction of the smaller height.
    func rowsShared(with other: Box) -> Double {
        let shared = min(bottom, other.bottom) - max(y, other.y)
        return Double(max(0, shared)) / Double(max(1, min(height, other.height)))
    }
}
