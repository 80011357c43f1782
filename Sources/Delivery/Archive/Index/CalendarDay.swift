import Glibc

/// A day, month or year as people write it: `2026-05-17`, `2026-05` or `2026`.
public struct CalendarDay: Hashable, Sendable {
    /// The moment at which the day begins on this machine's clock, as seconds since
    /// 1970-01-01T00:00:00Z.
    public let start: Double

    /// Reads a day; nil for anything else, such as `2026-02-30`.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), parts[0].utf8.count == 4 else { return nil }
        var numbers: [Int32] = []
        for (index, part) in parts.enumerated() {
            guard index == 0 || part.utf8.count == 2,
                part.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                let number = Int32(part)
            else { return nil }
            numbers.append(number)
        }
        var time = tm()
        time.tm_year = numbers[0] - 1900
        time.tm_mon = (numbers.count > 1 ? numbers[1] : 1) - 1
        time.tm_mday = numbers.count > 2 ? numbers[2] : 1
        time.tm_isdst = -1
        let wanted = time
        let start = mktime(&time)
        // mktime(3) turns a 30th of February into the 2nd of March.
        guard time.tm_mon == wanted.tm_mon, time.tm_mday == wanted.tm_mday,
            time.tm_year == wanted.tm_year
        else { return nil }
        self.start = Double(start)
    }

    /// A moment's day on this machine's clock, such as `2026-05-17`.
    public static func text(of seconds: Double) -> String {
        let bounded = seconds.isFinite ? min(max(seconds, -62_000_000_000), 250_000_000_000) : 0
        var moment = time_t(bounded.rounded(.down))
        var time = tm()
        localtime_r(&moment, &time)
        return [(Int(time.tm_year) + 1900, 4), (Int(time.tm_mon) + 1, 2), (Int(time.tm_mday), 2)]
            .map { number, digits in
                let text = String(number)
                return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
            }.joined(separator: "-")
    }
}
