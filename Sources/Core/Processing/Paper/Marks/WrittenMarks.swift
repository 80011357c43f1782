import Imaging

/// The marks on a page that may be writing.
///
/// Dust, shadows at an edge, punch holes, and print on the back that shows through do not count.
struct WrittenMarks {
    /// The boxes of the marks that count individually, in pixels of the map.
    let clear: [PixelRect]
    /// The number of fainter marks that are sharp, like a pencil's and unlike print that shows
    /// through from the back.
    let faint: Int
    /// The fraction of the page, without its edges, that ink covers, 0…1.
    let coverage: Double
    private let ink: InkMap

    /// - Parameter contrast: how many levels darker than paper a mark must be to count
    ///   individually.
    init(_ ink: InkMap, contrast: Int) {
        self.ink = ink
        // A letter of six points is 1.1 mm high; a speck of dust, a period's size, is half of
        // that.
        let letter = ink.pixels(1.1)
        let sides = EdgeMargin(ink)
        let strong = ink.components(deeperThan: max(contrast / 2, Int(5 * ink.noise)))
        var clear: [PixelRect] = []
        var covered = 0
        for component in strong.components {
            guard let core = InkCore(of: component, in: strong, on: ink, deeperThan: contrast),
                !sides.contains(core.box)
            else { continue }
            covered += core.area
            let size = max(core.box.width, core.box.height)
            guard Double(size) >= letter, !sides.isHole(core.box, area: core.area) else { continue }
            clear.append(core.box)
        }
        self.clear = clear
        coverage = Double(covered) / Double(ink.width * ink.height)
        guard clear.isEmpty else {
            faint = 0
            return
        }
        let level = max(20, Int(5 * ink.noise))
        let pale = ink.components(deeperThan: level)
        faint = pale.components.count { component in
            let size = max(component.box.width, component.box.height)
            guard Double(size) >= letter, !sides.contains(component.box) else { return false }
            // Letters that are only partly as dark as ink are measured as a whole.
            let mark = FaintMark(of: component, in: pale, on: ink, ceiling: contrast * 3 / 2)
            return mark.depth > level * 3 / 2 && mark.isSharp(noise: ink.noise)
        }
    }

    /// The reason why the page counts as written; nil for a blank one.
    func reason(ignoringPageNumber: Bool) -> String? {
        // So many specks are not dust.
        if coverage > 0.004 { return "ink on \(rounded(coverage * 100, places: 1)) % of the page" }
        if faint >= 4 { return "\(counted(faint, "faint but sharp mark"))" }
        guard !clear.isEmpty, !(ignoringPageNumber && isPageNumber) else { return nil }
        return counted(clear.count, "mark") + " of the size of a letter or larger"
    }

    /// True when the marks look like a page number: up to seven, on one line at the top or bottom,
    /// at most 25 mm wide.
    private var isPageNumber: Bool {
        guard let first = clear.first, clear.count <= 7 else { return false }
        let left = clear.map(\.x).min() ?? first.x
        let right = clear.map { $0.x + $0.width }.max() ?? first.x
        let top = clear.map(\.y).min() ?? first.y
        let bottom = clear.map { $0.y + $0.height }.max() ?? first.y
        let edge = Int(0.12 * Double(ink.height))
        return Double(right - left) <= ink.pixels(25) && Double(bottom - top) <= ink.pixels(6)
            && (bottom <= edge || top >= ink.height - edge)
    }
}
