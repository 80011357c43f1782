/// The header `Retry-After` (RFC 9110, 10.2.3).
package enum RetryAfter {
    /// The maximum wait that a service may ask for, in seconds: a day.
    package static let longest = 86_400.0

    /// Seconds to wait, 0…86,400, counted from `now` (seconds since 1970); nil for a header that is
    /// neither a number nor a date.
    package static func seconds(_ header: String, now: Double) -> Double? {
        let text = header.split(separator: " ").joined(separator: " ")
        if !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) {
            return min(Double(text) ?? longest, longest)
        }
        return date(text).map { min(max($0 - now, 0), longest) }
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Seconds since 1970 of an IMF-fixdate such as "Sun, 06 Nov 1994 08:49:37 GMT".
    package static func date(_ text: String) -> Double? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let day = Int(words[1]),
            let month = months.firstIndex(of: String(words[2])), let year = Int(words[3]),
            (1970...9999).contains(year), (1...31).contains(day)
        else { return nil }
        let clock = words[4].split(separator: ":").compactMap { Int($0) }
        guard clock.count == 3, (0...23).contains(clock[0]), (0...59).contains(clock[1]),
            (0...60).contains(clock[2])
        else { return nil }
        let days = daysSince1970(year: year, month: month + 1, day: day)
        return Double(days * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2])
    }

    /// Days from 1970-01-01 in the Gregorian calendar (Hinnant, "chrono-compatible low-level date
    /// algorithms").
    package static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
