public import Delivery

extension ScanOrder {
    /// Changes to an interrupted job that is continued; empty values leave the order as it is.
    public struct Change: Sendable {
        /// The devices to capture from.
        public var sources: [String]
        /// The files to write, instead of those the job has written so far.
        public var outputs: [String]
        /// Settings by their common names.
        public var common: CommonSettings
        /// Options to set after those of the order.
        public var settings: [Setting]
        /// The most pages to capture now; nil for the rest of the order's own limit.
        public var limit: Int?
        /// True to begin when the feeder has paper.
        public var waitsForPaper: Bool
        /// The passwords of the PDF, which a job does not keep.
        public var protection: PDFProtection?

        /// A change.
        ///
        /// By default, every part of the order stays as it is.
        public init(
            sources: [String] = [], outputs: [String] = [], common: CommonSettings = .init(),
            settings: [Setting] = [], limit: Int? = nil, waitsForPaper: Bool = false,
            protection: PDFProtection? = nil
        ) {
            self.sources = sources
            self.outputs = outputs
            self.common = common
            self.settings = settings
            self.limit = limit
            self.waitsForPaper = waitsForPaper
            self.protection = protection
        }
    }

    /// Applies a change to an order of which `pagesBefore` pages were captured already.
    mutating func apply(_ change: Change, pagesBefore: Int) {
        common = common.changed(by: change.common)
        // A new setting replaces the earlier one, including a common setting's option.
        let replaced = Set(change.settings.map(\.option) + change.common.options)
        settings = settings.filter { !replaced.contains($0.option) } + change.settings
        limit = change.limit ?? limit.flatMap { $0 > pagesBefore ? $0 - pagesBefore : nil }
        waitsForPaper = change.waitsForPaper
    }
}

extension CommonSettings {
    /// The options that these settings set.
    var options: [String] {
        let named: [(String, Bool)] = [
            ("source", source != nil), ("mode", mode != nil), ("resolution", resolution != nil),
            ("paper", paper != nil), ("brightness", brightness != nil),
            ("contrast", contrast != nil),
        ]
        let sides = ["area-left", "area-top", "area-width", "area-height"]
        return named.filter(\.1).map(\.0) + (area == nil ? [] : sides)
    }
}
