import Documents
import Imaging

/// Finds the parts of a page whose letters were not read well.
struct RegionFinder {
    /// The page is reduced to about this many pixels: an A4 page at 150 dots per inch.
    private static let pixels = 2_200_000.0
    /// A region of light letters is read again if words cover less of its letters than this.
    private static let wholly = 0.95
    /// It is also read again if its words are less certain than this.
    private static let sure = 0.88
    /// The maximum number of regions of a page, and the maximum part of its area that they may
    /// cover.
    private static let (most, mostArea) = (12, 0.5)

    let page: Raster
    let text: PageText

    /// The regions, those with the most letters first.
    func regions() -> [Region] {
        let reduction = min(
            1, (Self.pixels / (Double(page.width) * Double(page.height))).squareRoot())
        let gray = (page.format == .gray8 ? page : page.converted(to: .gray8)).resized(
            to: max(1, Int(Double(page.width) * reduction)),
            max(1, Int(Double(page.height) * reduction)))
        let factor = Double(page.width) / Double(gray.width)
        let tiles = ShadeTiles(gray)
        let areas = tiles.darkAreas()
        let light = DarkAreas(gray: gray, factor: factor).regions(in: areas, columns: tiles.columns)
        let loose = LooseLetters(gray: gray, factor: factor, text: text).regions(
            outside: areas, columns: tiles.columns)
        return bounded(light.filter(isDoubtful) + loose)
    }

    private func isDoubtful(_ region: Region) -> Bool {
        let words = text.words(in: region.box)
        return region.covered(by: words) < Self.wholly || words.sureness < Self.sure
    }

    private func bounded(_ regions: [Region]) -> [Region] {
        var room = Self.mostArea * Double(page.width) * Double(page.height)
        return regions.sorted { $0.letters.count > $1.letters.count }.prefix(Self.most).filter {
            let area = Double($0.box.width) * Double($0.box.height)
            guard area <= room else { return false }
            room -= area
            return true
        }
    }
}

extension Region {
    /// The part of the letters that words cover.
    func covered(by words: [Word]) -> Double {
        let read = letters.count { letter in words.contains { $0.box.containsMiddle(of: letter) } }
        return Double(read) / Double(max(letters.count, 1))
    }
}

extension PageText {
    /// The words whose middles are in a part of the page.
    func words(in box: Box) -> [Word] { words.filter { box.containsMiddle(of: $0.box) } }
}
