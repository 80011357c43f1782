/// Puts the pages of a job's captures in the order of the document, and continues the count of
/// sheets from capture to capture.
struct PageOrder: Sendable {
    /// A page in the spool.
    struct Captured: Hashable, Sendable {
        /// The page's number in the spool.
        var number: Int
        /// The device's label for the page.
        var label: String?
    }

    /// The pages in the document's order, with their labels in the document.
    let pages: [Captured]
    /// The number of fronts that were scanned in a separate capture.
    let fronts: Int
    /// The number of backs that were scanned in a separate capture.
    let backs: Int
    private let lastSide: CaptureRun.Side

    /// The order of `captured`, which is sorted by number, from `runs`.
    ///
    /// Fronts and backs are interleaved: the first back belongs to the last front. With fewer backs
    /// than fronts, the first fronts have no back; with more, the remaining ones come last.
    init(_ captured: [Captured], runs: [CaptureRun]) {
        var plain: [Captured] = []
        var sides: [CaptureRun.Side: [Captured]] = [:]
        var sheets = 0
        for (index, run) in runs.enumerated() {
            let end = index + 1 < runs.count ? runs[index + 1].first : .max
            let part = captured.filter { $0.number >= run.first && $0.number < end }
            guard run.side == .asTheyCome else {
                sides[run.side, default: []] += part
                continue
            }
            // A sheet without its back is scanned again on both sides.
            let isHalf = plain.last?.label.flatMap(SheetLabel.init)?.side == "front"
            var count = SheetCount(after: isHalf ? sheets - 1 : sheets)
            for page in part {
                let label = count.label(page.label)
                sheets = max(sheets, label.flatMap(SheetLabel.init)?.sheet ?? 0)
                plain.append(Captured(number: page.number, label: label))
            }
        }
        let (fronts, backs) = (sides[.fronts] ?? [], sides[.backs] ?? [])
        for (index, front) in fronts.enumerated() {
            let sheet = sheets + index + 1
            plain.append(
                Captured(number: front.number, label: SheetLabel(sheet: sheet, side: "front").text))
            let back = fronts.count - 1 - index
            guard back < backs.count else { continue }
            plain.append(
                Captured(
                    number: backs[back].number, label: SheetLabel(sheet: sheet, side: "back").text))
        }
        for extra in backs.dropFirst(fronts.count) {
            plain.append(Captured(number: extra.number, label: "a back without a front"))
        }
        pages = plain
        self.fronts = fronts.count
        self.backs = backs.count
        lastSide = runs.last?.side ?? .asTheyCome
    }

    /// The number of sheets before the next capture of ``CaptureRun/Side/asTheyCome``.
    var sheetsBefore: Int { next.map { $0.sheet - 1 } ?? 0 }

    /// True if every front has its back, or there are no backs yet.
    var isEven: Bool { backs == 0 || backs == fronts }

    /// The sheet with which an interrupted capture continues.
    var next: NextSheet? {
        switch lastSide {
        case .fronts: return NextSheet(sheet: fronts + 1)
        case .backs: return fronts > backs ? NextSheet(sheet: fronts - backs, isTurned: true) : nil
        case .asTheyCome:
            guard let last = pages.last?.label.flatMap(SheetLabel.init) else { return nil }
            // If the back of a sheet is missing, the whole sheet is scanned again.
            return last.side == "front"
                ? NextSheet(sheet: last.sheet, hasFront: true) : NextSheet(sheet: last.sheet + 1)
        }
    }
}

/// The sheet with which an interrupted job continues.
public struct NextSheet: Codable, Hashable, Sendable {
    /// The sheet's number in the stack, from 1.
    public var sheet: Int
    /// True when the stack was turned over, so that sheets come from the last to the first.
    public var isTurned: Bool = false
    /// True when only the front was scanned, so that the front is in the document twice after the
    /// continued capture.
    public var hasFront: Bool = false
}
