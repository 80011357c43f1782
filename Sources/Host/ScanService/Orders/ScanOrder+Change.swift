public import Delivery
public import JobOptions

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
        /// The options: `pages` counts those captured now, and is the rest of the order's own
        /// limit unless given; `waitsForPaper` is not taken from the order.
        public var options: JobSettings
        /// The passwords of the PDF, which a job does not keep.
        public var protection: PDFProtection?

        /// A change.
        ///
        /// By default, every part of the order stays as it is.
        public init(
            sources: [String] = [], outputs: [String] = [], common: CommonSettings = .init(),
            settings: [Setting] = [], options: JobSettings = .init(),
            protection: PDFProtection? = nil
        ) {
            self.sources = sources
            self.outputs = outputs
            self.common = common
            self.settings = settings
            self.options = options
            self.protection = protection
        }
    }

    /// Applies a change to an order of which `pagesBefore` pages were captured already.
    mutating func apply(_ change: Change, pagesBefore: Int) {
        common = common.changed(by: change.common)
        // A new setting replaces the earlier one, including a common setting's option.
        let replaced = Set(change.settings.map(\.option) + change.common.options)
        settings = settings.filter { !replaced.contains($0.option) } + change.settings
        let rest = options[.pages].flatMap { $0 > pagesBefore ? $0 - pagesBefore : nil }
        options[.pages] = change.options[.pages] ?? rest
        options[.waitsForPaper] = change.options[.waitsForPaper]
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
