import CaptureKit

/// The source of a device's next page.
enum PageSupply: Sendable {
    /// A generated page of this number, with its label.
    case drawn(number: Int, label: String)
    /// A picture of a folder.
    case picture(PictureReference)
}

/// The paper in a scanner: the stack in the feeder and the sheet on the glass.
///
/// A value type; the device keeps it behind its lock.
struct PaperTray: Sendable {
    /// The folder's pictures; empty for made-up pages.
    private(set) var pictures: [PictureReference] = []
    /// The remaining sheets in the feeder, or pictures in the folder.
    private(set) var left = 0
    /// Sheets the feeder has drawn in since it was filled.
    private var drawnIn = 0
    /// True after the front of a sheet in duplex, whose back comes next.
    private var isBackDue = false
    /// The number of sheets that have been on the glass.
    private var sheetsOnGlass = 0

    /// Puts `sheets` made-up sheets into the feeder.
    mutating func fill(sheets: Int) { refill([], sheets) }

    /// Puts a folder's pictures into the feeder; they are also on the glass one after another.
    mutating func fill(_ pictures: [PictureReference]) { refill(pictures, pictures.count) }

    private mutating func refill(_ pictures: [PictureReference], _ count: Int) {
        self.pictures = pictures
        left = count
        drawnIn = 0
        isBackDue = false
        sheetsOnGlass = 0
    }

    /// Drops a back that was not captured: a new capture begins with a new sheet.
    mutating func begin() { isBackDue = false }

    /// The sheet on the glass, which is a different one each time.
    mutating func nextOnGlass() -> PageSupply {
        sheetsOnGlass += 1
        guard !pictures.isEmpty else {
            return .drawn(number: sheetsOnGlass, label: "sheet \(sheetsOnGlass)")
        }
        return .picture(pictures[(sheetsOnGlass - 1) % pictures.count])
    }

    /// The next side from the feeder, or a folder's next picture; nil when it is empty.
    mutating func feedNext(duplex: Bool) -> PageSupply? {
        if isBackDue {
            isBackDue = false
            return .drawn(number: 2 * drawnIn, label: "sheet \(drawnIn), back")
        }
        guard left > 0 else { return nil }
        left -= 1
        drawnIn += 1
        guard pictures.isEmpty else { return .picture(pictures[drawnIn - 1]) }
        isBackDue = duplex
        return duplex
            ? .drawn(number: 2 * drawnIn - 1, label: "sheet \(drawnIn), front")
            : .drawn(number: drawnIn, label: "sheet \(drawnIn)")
    }
}
