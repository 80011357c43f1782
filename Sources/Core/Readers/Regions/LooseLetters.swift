import Documents
import ExpectedFailures
import Imaging

/// Finds dark letters that no certain word covers.
struct LooseLetters {
    /// A word with less confidence does not cover its letters, unless the rest of its line is sure.
    private static let sure = 0.5
    /// The confidence of a sure line; small print, and lines that look turned, need it.
    private static let clearlySure = 0.9
    /// Print is small below this multiple of the page's median height of words.
    private static let small = 0.7
    /// The minimum number of letters of a region.
    private static let fewest = 4
    /// The gap between letters of a region, as a multiple of the larger one's size.
    private static let widestGap = 0.9
    /// A region taller than this multiple of its width has turned lines.
    private static let tall = 2.0
    /// The minimum median height of letters in pixels; dashes and parts of rules are lower.
    private static let lowest = 4.0
    /// More words than this that were surely read among shapes show that these are not turned text.
    private static let mostUpright = 2
    /// The part of its shapes that stand in rows at least.
    private static let leastInRows = 0.7

    let gray: Raster
    /// The number of the page's pixels for one pixel of `gray`.
    let factor: Double
    let text: PageText

    /// The regions with letters outside of the dark areas.
    func regions(outside areas: [ShadeTiles.Area], columns: Int) -> [Region] {
        guard var ink = ifSupported({ try gray.binarized(.otsu) }) else { return [] }
        let side = ShadeTiles.side
        for area in areas {
            for tile in area.tiles {
                // The edge of a dark area may be in the squares beside it.
                ink.clear(
                    Box(
                        x: (tile % columns - 1) * side, y: (tile / columns - 1) * side,
                        width: 3 * side, height: 3 * side))
            }
        }
        for box in coveredBoxes() { ink.clear(box.reduced(by: factor)) }
        let found = LetterRows(ink)
        return clusters(of: found).compactMap { region(of: $0, found) }
    }

    /// The places of the words that need no other reading.
    private func coveredBoxes() -> [Box] {
        let heights = text.words.map(\.box.height).sorted()
        let usual = heights.isEmpty ? 0 : heights[heights.count / 2]
        return text.lines.flatMap { line -> [Box] in
            let isSmall = Double(line.box.height) < Self.small * Double(usual)
            let isTall = line.words.contains {
                $0.text.count > 1 && $0.box.height > 2 * $0.box.width
            }
            guard !(isSmall || isTall) || line.words.sureness >= Self.clearlySure else { return [] }
            let sure = line.words.filter { $0.confidence >= Self.sure }
            // A doubtful word beside sure ones was read with its line, and cannot be read better
            // without it.
            return (sure.sureness >= Self.clearlySure ? line.words : sure).map(\.box)
        }
    }

    /// The shapes that are near each other, as indices.
    private func clusters(of found: LetterRows) -> [[Int]] {
        let boxes = found.boxes
        var roots = Array(boxes.indices)
        func root(_ index: Int) -> Int {
            var index = index
            while roots[index] != index { index = roots[index] }
            return index
        }
        let reach = Int(Self.widestGap * Double(boxes.map(\.size).max() ?? 0))
        for one in boxes.indices {
            for other in boxes.index(after: one)..<boxes.endIndex {
                guard boxes[other].x <= boxes[one].right + reach else { break }
                let gap = Int(Self.widestGap * Double(max(boxes[one].size, boxes[other].size)))
                guard boxes[one].distance(to: boxes[other]) <= gap else { continue }
                let (a, b) = (root(one), root(other))
                roots[max(a, b)] = min(a, b)
            }
        }
        return Dictionary(grouping: boxes.indices, by: root).values.map { $0 }
    }

    private func region(of cluster: [Int], _ found: LetterRows) -> Region? {
        guard cluster.count >= Self.fewest, let box = Box(around: cluster.map { found.boxes[$0] })
        else { return nil }
        let isTurned = Double(box.height) > Self.tall * Double(box.width)
        let rows = cluster.filter { isTurned ? found.isInColumn[$0] : found.isInRow[$0] }
        guard Double(rows.count) >= Self.leastInRows * Double(cluster.count) else { return nil }
        let sizes = rows.map { found.boxes[$0].size }.sorted()
        let grown = box.grown(by: sizes[rows.count / 2] / 2, width: gray.width, height: gray.height)
        // Shapes this near the page's edge are the shadow of the paper.
        guard grown.x > 0, grown.y > 0, grown.right < gray.width, grown.bottom < gray.height
        else { return nil }
        let region = Region(
            box: grown.enlarged(by: factor),
            letters: rows.map { found.boxes[$0].enlarged(by: factor) }, isTurned: isTurned)
        let read = text.words(in: region.box).count { $0.confidence >= Self.sure }
        guard Double(region.letterHeight) >= Self.lowest * factor,
            !isTurned || read <= Self.mostUpright
        else { return nil }
        return region
    }
}

extension Box {
    /// The box of a page in its reduced picture, with a small margin for the ink that a word's box
    /// cuts off.
    fileprivate func reduced(by factor: Double) -> Box {
        let margin = min(max(2, Int(Double(height) / factor / 6)), 10)
        let (left, top) = (Int(Double(x) / factor) - margin, Int(Double(y) / factor) - margin)
        return Box(
            x: left, y: top, width: Int(Double(right) / factor) + margin + 1 - left,
            height: Int(Double(bottom) / factor) + margin + 1 - top)
    }

    /// The larger of the gaps across and down.
    fileprivate func distance(to other: Box) -> Int {
        max(
            max(x, other.x) - min(right, other.right),
            max(y, other.y) - min(bottom, other.bottom))
    }
}

extension Raster {
    /// Makes a part of a bilevel picture white, up to the next multiples of 8 columns within it.
    fileprivate mutating func clear(_ box: Box) {
        let (width, height, stride) = (width, height, stride)
        let columns = max(box.x, 0)..<max(min(box.right, width), max(box.x, 0))
        let rows = max(box.y, 0)..<max(min(box.bottom, height), max(box.y, 0))
        withMutableBytes { bytes in
            for y in rows {
                var x = columns.lowerBound
                while x < columns.upperBound {
                    if x % 8 == 0, x + 8 <= columns.upperBound {
                        bytes[y * stride + x / 8] = 0
                        x += 8
                    } else {
                        bytes[y * stride + x / 8] &= ~(0x80 >> UInt8(x % 8))
                        x += 1
                    }
                }
            }
        }
    }
}
