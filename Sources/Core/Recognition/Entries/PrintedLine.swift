import Documents

/// A line as it was printed, in its column, with what the boxes of its letters say about its type.
struct PrintedLine {
    /// The words from left to right.
    var words: [Word]
    var box: Box
    /// The page's number in the document.
    let page: Int
    /// Its place among the lines of the same column and page, from 0; a line across all columns
    /// begins a new column.
    var column = 0
    /// The left and right edge of its column, in pixels.
    var edges = 0...1
    /// The size of its type, in pixels: about the distance between two lines set without extra
    /// space.
    let em: Double
    /// The line that the letters are on, in pixels from the top.
    let baseline: Double

    init?(_ words: [Word], page: Int) {
        let words = words.filter { $0.box.width > 0 && $0.box.height > 0 }
            .sorted { $0.box.x < $1.box.x }
        guard let box = Box(around: words.map(\.box)) else { return nil }
        self.words = words
        self.box = box
        self.page = page
        // A single punctuation mark may be a speck, and says little about the type.
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

    /// The words as they are read.
    var text: String { words.map(\.text).joined(separator: " ") }

    /// How sure the reader is of its words, 0…1.
    var confidence: Double { words.meanConfidence ?? 0 }

    /// How far from its column's left edge it begins, as a multiple of `em`.
    func indent(_ em: Double) -> Double { Double(box.x - edges.lowerBound) / max(1, em) }

    /// How far before its column's right edge it ends, as a fraction of the column's width.
    var room: Double {
        Double(edges.upperBound - box.right) / Double(max(1, edges.upperBound - edges.lowerBound))
    }

    /// The middle one of `values`; nil for none.
    static func median(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : values.sorted()[values.count / 2]
    }
}

/// How far a word's letters reach, as fractions of the type's size, in most typefaces.
struct LetterShape {
    /// How far letters such as `g` reach below the line.
    static let descent = 0.21
    /// From the line to the top of `x`.
    private static let low = 0.52
    /// From the line to the top of `H`.
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
    /// The part of the lower one's height that both share, 0…1.
    func rowsShared(with other: Box) -> Double {
        let shared = min(bottom, other.bottom) - max(y, other.y)
        return Double(max(0, shared)) / Double(max(1, min(height, other.height)))
    }
}
