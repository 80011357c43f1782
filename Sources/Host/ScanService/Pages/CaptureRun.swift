/// One capture of a job: the number of its first page, and the sides of the sheets that it has.
struct CaptureRun: Codable, Hashable, Sendable {
    /// The sides of sheets in a capture.
    enum Side: String, Codable, Sendable {
        /// Pages in the order of their arrival.
        case asTheyCome
        /// The fronts of a stack that is turned over afterward.
        case fronts
        /// The backs of the turned stack, beginning with the last sheet's.
        case backs
    }

    /// The number of the capture's first page in the spool.
    var first: Int
    /// The sides of sheets in the capture.
    var side: Side
}

/// The sheet and side in a label: backends name the pages of a feeder `sheet 3` or `sheet 3, back`.
struct SheetLabel: Hashable, Sendable {
    /// The sheet, from 1.
    var sheet: Int
    /// `front` or `back` if both sides are scanned; otherwise nil.
    var side: String?

    /// Reads a label; nil for a label of another form.
    init?(_ label: String) {
        let parts = label.split(separator: ", ", maxSplits: 1).map(String.init)
        guard let first = parts.first, first.hasPrefix("sheet "),
            let number = Int(first.dropFirst(6)), (1...1_000_000).contains(number),
            parts.count == 1 || parts[1] == "front" || parts[1] == "back"
        else { return nil }
        sheet = number
        side = parts.count == 2 ? parts[1] : nil
    }

    init(sheet: Int, side: String? = nil) {
        self.sheet = sheet
        self.side = side
    }

    /// The label in the form of backends.
    var text: String { "sheet \(sheet)" + (side.map { ", \($0)" } ?? "") }
}

/// Continues the count of sheets of earlier captures.
///
/// If a device begins each capture with sheet 1, the count continues; a higher first number is the
/// device's own continued count.
struct SheetCount {
    private let before: Int
    private var offset: Int?

    /// A count after this many sheets.
    init(after before: Int) { self.before = before }

    /// The label in the document for the device's `label`; a label of another form stays.
    mutating func label(_ label: String?) -> String? {
        guard let label, var sheet = SheetLabel(label) else { return label }
        let offset = offset ?? (sheet.sheet > before ? 0 : before)
        self.offset = offset
        sheet.sheet += offset
        return sheet.text
    }
}
