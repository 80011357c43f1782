/// Words of a page side by side, in pieces that wide gaps separate.
struct TableRow {
    /// Words whose gaps are no wider than a space.
    struct Piece {
        var words: [Word]
        var left: Int
        var right: Int

        var text: String { words.map(\.text).joinedAsLine() }
    }

    /// The pieces from left to right.
    let pieces: [Piece]
    let top: Int
    let bottom: Int

    var middle: Double { Double(top + bottom) / 2 }

    /// The rows of a page from top to bottom, by the places of words: readers put a row's cells
    /// into different lines and blocks.
    ///
    /// - Parameter letter: the width of a letter in pixels.
    static func rows(of words: [Word], letter: Double) -> [TableRow] {
        var rows: [(words: [Word], sum: Double)] = []
        let heights = words.map(\.box.height).sorted()
        guard !heights.isEmpty else { return [] }
        let height = Double(heights[heights.count / 2])
        for word in words.sorted(by: { $0.box.middle < $1.box.middle }) {
            if let last = rows.last,
                word.box.middle - last.sum / Double(last.words.count) < Self.sameRow * height
            {
                rows[rows.count - 1].words.append(word)
                rows[rows.count - 1].sum += word.box.middle
            } else {
                rows.append(([word], word.box.middle))
            }
        }
        return rows.map { TableRow($0.words, letter: letter) }
    }

    /// The maximum distance between a word's middle and the row's middle, as a fraction of a word's
    /// height.
    private static let sameRow = 0.55
    /// The widest gap between words of one cell, in letters.
    private static let wordGap = 1.25

    private init(_ words: [Word], letter: Double) {
        var pieces: [Piece] = []
        for word in words.sorted(by: { $0.box.x < $1.box.x }) {
            let (left, right) = (word.box.x, word.box.right)
            if let last = pieces.last, Double(left - last.right) < Self.wordGap * letter {
                pieces[pieces.count - 1].words.append(word)
                pieces[pieces.count - 1].right = max(last.right, right)
            } else {
                pieces.append(Piece(words: [word], left: left, right: right))
            }
        }
        self.pieces = pieces
        top = words.map(\.box.y).min() ?? 0
        bottom = words.map { $0.box.bottom }.max() ?? 0
    }
}
