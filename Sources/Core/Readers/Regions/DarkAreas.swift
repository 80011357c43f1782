import Documents
import Imaging

/// Finds light letters on dark ground, such as titles in banners and heads of tables.
struct DarkAreas {
    /// Letters are lighter than their ground by at least this many levels.
    private static let leastContrast = 60
    /// Nearly all pixels are at most as light as the letters; a little noise may be lighter.
    private static let lightest = 0.997
    /// The part of the contrast by which the pixels of an even ground differ at most.
    private static let evenness = 1.0 / 3
    /// The part of an area that is even ground or letters; photographs have less.
    private static let leastEven = 0.7
    /// The minimum number of letters in rows, and their minimum fraction of all shapes.
    private static let (fewest, leastInRows) = (3, 0.5)

    let gray: Raster
    /// The number of the page's pixels for one pixel of `gray`.
    let factor: Double

    /// The regions with light letters; their boxes are within their dark areas.
    func regions(in areas: [ShadeTiles.Area], columns: Int) -> [Region] {
        areas.compactMap { region(in: $0, columns: columns) }
    }

    private func region(in area: ShadeTiles.Area, columns: Int) -> Region? {
        let side = ShadeTiles.side
        let place = Box(
            x: area.across.lowerBound * side, y: area.down.lowerBound * side,
            width: area.across.count * side, height: area.down.count * side)
        guard let (ink, shades) = lightInk(of: area, at: place, columns: columns) else {
            return nil
        }
        let found = LetterRows(ink)
        let rows = found.boxes.indices.filter { found.isInRow[$0] }
        let turned = found.boxes.indices.filter { found.isInColumn[$0] && !found.isInRow[$0] }
        // Lines of one letter's width run up or down the page.
        let isTurned = turned.count > rows.count && place.height > 2 * place.width
        let letters = (isTurned ? turned : rows).map { found.boxes[$0] }
        guard letters.count >= Self.fewest,
            Double(letters.count) >= Self.leastInRows * Double(found.boxes.count),
            let box = Box(around: letters)
        else { return nil }
        let margin = letters.map(\.size).sorted()[letters.count / 2]
        let grown = box.grown(by: margin, width: place.width, height: place.height)
        return Region(
            box: grown.moved(to: place).enlarged(by: factor),
            letters: letters.map { $0.moved(to: place).enlarged(by: factor) }, isTurned: isTurned,
            shades: shades)
    }

    /// The light pixels of an area as ink, and the levels of letters and ground; nil if the area
    /// has no letters that differ enough, or is a photograph.
    private func lightInk(
        of area: ShadeTiles.Area, at place: Box, columns: Int
    ) -> (Raster, Region.Shades)? {
        let side = ShadeTiles.side
        var part = Raster(width: place.width, height: place.height, format: .gray8)
        let stride = part.stride
        var counts = [Int](repeating: 0, count: 256)
        gray.withBytes { source in
            for tile in area.tiles {
                for y in tile / columns * side..<(tile / columns + 1) * side {
                    for x in tile % columns * side..<(tile % columns + 1) * side {
                        counts[Int(source[y * gray.stride + x])] += 1
                    }
                }
            }
        }
        let (ground, lightest) = (counts.level(at: 0.5), counts.level(at: Self.lightest))
        let shades = Region.Shades(ground: ground, letters: max(lightest, ground))
        guard Int(lightest) - Int(ground) >= Self.leastContrast else { return nil }
        let near = Int(Self.evenness * Double(Int(lightest) - Int(ground)))
        let even = counts.indices.reduce(0) { sum, level in
            let isEven = abs(level - Int(ground)) <= near || level + near >= Int(lightest)
            return isEven ? sum + counts[level] : sum
        }
        guard Double(even) >= Self.leastEven * Double(counts.reduce(0, +)) else { return nil }
        part.withMutableBytes { target in
            target.initializeMemory(as: UInt8.self, repeating: 255)
            gray.withBytes { source in
                for tile in area.tiles {
                    for y in tile / columns * side..<(tile / columns + 1) * side {
                        for x in tile % columns * side..<(tile % columns + 1) * side {
                            target[(y - place.y) * stride + x - place.x] =
                                source[y * gray.stride + x] > shades.middle ? 0 : 255
                        }
                    }
                }
            }
        }
        return (part, shades)
    }
}

extension Box {
    fileprivate func moved(to place: Box) -> Box {
        Box(x: x + place.x, y: y + place.y, width: width, height: height)
    }
}
