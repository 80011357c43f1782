/// The progress of a job.
public struct Progress: Hashable, Sendable {
    /// Pages that are finished.
    public var done: Int
    /// The expected number of pages; nil if it can't be known, as with a feeder.
    public var total: Int?
    /// The present activity, such as a file's name.
    public var detail: String

    /// A state of progress.
    public init(done: Int, total: Int? = nil, detail: String = "") {
        self.done = done
        self.total = total
        self.detail = detail
    }

    /// The number of finished pages in words: `3 of 10 pages`, `1 page`.
    var pages: String {
        if let total { return "\(done) of \(total) page\(total == 1 ? "" : "s")" }
        return "\(done) page\(done == 1 ? "" : "s")"
    }

    /// The finished part, 0…1; nil if the total is unknown.
    var fraction: Double? {
        guard let total, total > 0 else { return nil }
        return min(1, max(0, Double(done) / Double(total)))
    }

    /// Pages per minute and the time left, once they can be estimated.
    func pace(after elapsed: Duration) -> String? {
        let seconds = elapsed / .seconds(1)
        guard done > 0, seconds > 0.5 else { return nil }
        let rate = Double(done) * 60 / seconds
        let pace =
            "\(rate < 10 ? rate.oneDecimal : String(Int(min(rate, 1e6).rounded()))) pages/min"
        guard let total, total > done else { return pace }
        return "\(pace), \(Self.clock(seconds / Double(done) * Double(total - done))) left"
    }

    /// Seconds as people read them: `8 s`, `2:05 min`, `1:02 h`.
    static func clock(_ seconds: Double) -> String {
        let whole = Int(min(seconds, 1e9).rounded(.up))
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        if whole < 60 { return "\(whole) s" }
        if whole < 3_600 { return "\(whole / 60):\(two(whole % 60)) min" }
        return "\(whole / 3_600):\(two(whole / 60 % 60)) h"
    }
}

extension Double {
    /// The number with one decimal, such as `9.5`.
    fileprivate var oneDecimal: String {
        let tenths = Int((self * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
