/// A moment in universal time, as the file formats write it.
///
/// Years 1 to 9999; any other time, and NaN, becomes 1970-01-01T00:00:00Z.
struct Timestamp: Equatable {
    let year: Int
    let month: Int
    let day: Int
    let hour: Int
    let minute: Int
    let second: Int

    /// The moment `seconds` after 1970-01-01T00:00:00Z, in the proleptic Gregorian calendar.
    init(seconds: Double) {
        let known = seconds.isFinite && (-62_135_596_800..<253_402_300_800).contains(seconds)
        let whole = known ? Int(seconds.rounded(.down)) : 0
        let days = whole.flooredQuotient(86_400)
        let rest = whole - days * 86_400

        // Counted from 0000-03-01, leap days fall at the end of a year, so every five months have
        // 153 days.
        let sinceMarch = days + 719_468
        let era = sinceMarch.flooredQuotient(146_097)
        let dayOfEra = sinceMarch - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        hour = rest / 3600
        minute = rest / 60 % 60
        second = rest % 60
    }

    /// As ISO 8601, such as `2026-11-05T09:30:00Z`.
    var iso8601: String {
        "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T"
            + "\(padded(hour, 2)):\(padded(minute, 2)):\(padded(second, 2))Z"
    }

    /// As a PDF date (ISO 32000-1, 7.9.4), such as `D:20261105093000Z`.
    var pdf: String {
        "D:"
            + [(year, 4), (month, 2), (day, 2), (hour, 2), (minute, 2), (second, 2)]
            .map { padded($0.0, $0.1) }.joined() + "Z"
    }

    /// As TIFF 6.0's DateTime, such as `2026:11:05 09:30:00`.
    var tiff: String {
        "\(padded(year, 4)):\(padded(month, 2)):\(padded(day, 2)) "
            + "\(padded(hour, 2)):\(padded(minute, 2)):\(padded(second, 2))"
    }
}

/// A number with leading zeros.
func padded(_ value: Int, _ digits: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
}

extension Int {
    fileprivate func flooredQuotient(_ divisor: Int) -> Int {
        let quotient = self / divisor
        return self < quotient * divisor ? quotient - 1 : quotient
    }
}
