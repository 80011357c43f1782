/// One capture of a job: where in the spool its pages begin, and which sides of the sheets they
/// are.
struct CaptureRun: Codable, Hashable, Sendable {
    /// Which sides a capture gives.
    enum Side: String, Codable, Sendable {
        /// Pages as they come.
        case asTheyCome
        /// The fronts of a stack that is turned over afterwards.
        case fronts
        /// The backs of the turned stack, the last sheet's first.
        case backs
    }

    /// The number of its first page in the spool.
    var first: Int
    /// Which sides it gives.
    var side: Side
}

/// What a sheet's label says: backends call the pages of a feeder `sheet 3` or `sheet 3, back`.
struct SheetLabel: Hashable, Sendable {
    /// The sheet, from 1.
    var sheet: Int
    /// `front` or `back` where both are scanned.
    var side: String?

    /// Reads a label; nil for one of another form.
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

    /// The label as backends write it.
    var text: String { "sheet \(sheet)" + (side.map { ", \($0)" } ?? "") }
}

/// Continues the count of sheets from earlier captures.
///
/// For a device that begins each capture with sheet 1, the count continues; one that continues its
/// own count, and so begins with a higher number, is believed.
struct SheetCount {
    private let before: Int
    private var offset: Int?

    /// A count after this many sheets.
    init(after before: Int) { self.before = before }

    /// The label in the document for the device's `label`; one of another form stays as it is.
    mutating func label(_ label: String?) -> String? {
        guard let label, var sheet = SheetLabel(label) else { return label }
        let offset = offset ?? (sheet.sheet > before ? 0 : before)
        self.offset = offset
        sheet.sheet += offset
        return sheet.text
    }
}
