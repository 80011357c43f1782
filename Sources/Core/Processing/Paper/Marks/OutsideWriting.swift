import Imaging

/// Looks for writing outside a picture's sheets that is not a row of print: a label along the page,
/// a number, a short note, a signature.
///
/// Such marks count only on an even ground, because wood grain has too many of them.
struct OutsideWriting {
    /// A ground whose levels vary more than this has a pattern.
    private static let mostNoise = 5
    /// The width in millimeters around a sheet where its shadow and its torn edge may be.
    private static let shadow = 1.0

    private let gray: Raster
    private let sheets: [Quad]
    private let millimeter: Double

    /// - Parameters:
    ///   - gray: an 8-bit gray picture of about 150 dots per inch, with its resolution.
    ///   - sheets: convex quads in it.
    init(_ gray: Raster, outside sheets: [Quad]) {
        self.gray = gray
        self.sheets = sheets
        millimeter = (gray.plausibleResolution ?? 150) / 25.4
    }

    /// True when there is writing, either darker or lighter than the ground.
    func exists() -> Bool {
        let near = sheets.map { $0.widened(by: Self.shadow * millimeter) }
        let ground = BlockGround(of: gray, without: near)
        guard ground.noise <= Self.mostNoise, !ground.deviations.isEmpty,
            let contrast = GroundInk.contrast(noise: ground.noise)
        else { return false }
        let levels = ground.smoothed
        return [1, -1].contains { sign in
            let depths = depths(from: levels, columns: ground.columns, sign: sign)
            let marks = marks(in: depths, deeperThan: contrast, awayFrom: near)
            if marks.contains(where: \.isWriting) { return true }
            return Self.hasWord(marks.filter(\.isLetter), millimeter: millimeter)
        }
    }

    /// True when some letters are as close together as in a word.
    private static func hasWord(_ all: [StrokeMark], millimeter: Double) -> Bool {
        let letters = all.sorted { $0.box.y < $1.box.y }
        // A letter has at most this size, and is no farther from the next one.
        let reach = Int((2 * StrokeMark.letterSizes.upperBound * millimeter).rounded(.up))
        var first = 0
        return letters.contains { letter in
            while letters[first].box.y < letter.box.y - reach { first += 1 }
            let word = letters[first...].prefix { $0.box.y <= letter.box.y + reach }
                .filter { $0.isNext(to: letter, millimeter: millimeter) }
            // Each letter counts as next to itself. Straight lines next to each other are not
            // letters.
            return (word.count >= 3 || word.count { $0.isClearLetter } >= 2)
                && word.reduce(0) { $0 + max(0, $1.bend - 1) } >= 0.8
        }
    }

    /// The levels by which each pixel outside the sheets is darker (or lighter, for a `sign` of −1)
    /// than its ground; 0 inside; row by row.
    private func depths(from levels: [Int?], columns: Int, sign: Int) -> [UInt8] {
        var depths = [UInt8](repeating: 0, count: gray.width * gray.height)
        gray.withBytes { pixels in
            for y in 0..<gray.height {
                let covered = sheets.compactMap { $0.columns(inRow: y) }
                for x in 0..<gray.width {
                    let block = y / BlockGround.side * columns + x / BlockGround.side
                    guard let level = levels[block], !covered.contains(where: { $0.contains(x) })
                    else { continue }
                    let difference = level - Int(pixels[y * gray.stride + x])
                    depths[y * gray.width + x] = UInt8(clamping: sign * difference)
                }
            }
        }
        return depths
    }

    /// The marks with the size of writing that touch neither the picture's edges nor the area
    /// around a sheet.
    private func marks(
        in depths: [UInt8], deeperThan contrast: Int, awayFrom near: [Quad]
    ) -> [StrokeMark] {
        var mask = Raster(width: gray.width, height: gray.height, format: .bilevel)
        let stride = mask.stride
        mask.withMutableBytes { bytes in
            for y in 0..<gray.height {
                for x in 0..<gray.width where Int(depths[y * gray.width + x]) > contrast {
                    bytes[y * stride + x / 8] |= 0x80 >> UInt8(x % 8)
                }
            }
        }
        let all = InkComponents(of: mask)
        let sizes = (1.2 * millimeter)...(80 * millimeter)
        return all.components.compactMap { component in
            let box = component.box
            let touchesEdge =
                box.x <= 1 || box.y <= 1 || box.x + box.width >= gray.width - 1
                || box.y + box.height >= gray.height - 1
            guard sizes.contains(Double(max(box.width, box.height))), !touchesEdge else {
                return nil
            }
            let isNear = all.runs[component.runs].contains { run in
                near.contains { $0.columns(inRow: run.y)?.overlaps(run.start..<run.end) == true }
            }
            return isNear
                ? nil
                : StrokeMark(
                    component, in: all, mask: mask, depths: depths, millimeter: millimeter)
        }
    }
}
