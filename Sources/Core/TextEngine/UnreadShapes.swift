import Recognition

/// The letters of a page that belong to no word: shapes that a reading left out, such as the cells
/// of a table that were mistaken for a picture.
struct UnreadShapes {
    /// The side of a cell in pixels; places of words are recorded by cell.
    private static let cell = 4
    /// The heights of shapes that count as letters, as multiples of the median.
    private static let heights = 0.6...2.5

    private let columns: Int
    private var covered: [Bool]
    private let letters: [LetterShapes.Shape]
    private let width: Int
    private let height: Int

    /// The shapes of a picture of that size, before anything is read.
    init(_ shapes: LetterShapes, width: Int, height: Int) {
        self.width = width
        self.height = height
        columns = width / Self.cell + 1
        covered = [Bool](repeating: false, count: columns * (height / Self.cell + 1))
        let median = Double(shapes.medianHeight ?? 0)
        letters = shapes.shapes.filter { Self.heights.contains(Double($0.height) / median) }
    }

    /// Records the place of a word.
    mutating func cover(_ word: ReaderWire.Word) {
        let left = Int(word.quad[0]) / Self.cell
        let right = min(Int(word.quad[4]), width) / Self.cell
        let top = Int(word.quad[1]) / Self.cell
        let bottom = min(Int(word.quad[5]), height) / Self.cell
        guard left <= right, top <= bottom else { return }
        for y in top...bottom { for x in left...right { covered[y * columns + x] = true } }
    }

    /// True if the middle of a word is where another was recorded.
    func covers(_ word: ReaderWire.Word) -> Bool {
        isCovered(Int(word.quad[0] + word.quad[4]) / 2, Int(word.quad[1] + word.quad[5]) / 2)
    }

    /// The number of shapes that look like letters.
    var count: Int { letters.count }

    /// The number of those letters that no word covers.
    var unread: Int {
        letters.count { !isCovered($0.x + $0.width / 2, $0.y + $0.height / 2) }
    }

    private func isCovered(_ x: Int, _ y: Int) -> Bool {
        covered[min(y, height) / Self.cell * columns + min(x, width) / Self.cell]
    }
}
