public import FoundationEssentials

extension Int {
    /// A number from outside, rounded to the nearest whole number in a range; the lower end if it
    /// is not a number.
    public init(rounding number: Double, in range: ClosedRange<Int>) {
        guard !number.isNaN else {
            self = range.lowerBound
            return
        }
        let rounded = number.rounded()
        // Compared as doubles first: beyond them the conversion would trap.
        if rounded <= Double(range.lowerBound) {
            self = range.lowerBound
        } else if rounded >= Double(range.upperBound) {
            self = range.upperBound
        } else {
            self = Int(rounded)
        }
    }
}

extension KeyedDecodingContainer {
    /// A whole number within a range.
    ///
    /// - Throws: `DecodingError.dataCorrupted` with the number and the range for any other.
    public func decode(_ key: Key, in range: ClosedRange<Int>) throws -> Int {
        let number = try decode(Int.self, forKey: key)
        guard range.contains(number) else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self,
                debugDescription:
                    "\(key.stringValue) \(number) is not within \(range.lowerBound)…\(range.upperBound)"
            )
        }
        return number
    }
}

extension Date {
    /// The moments that can be written as a date of four-digit years: from the year 1 to 9999, in
    /// seconds since 1970.
    private static let written = -62_135_596_800.0...253_402_300_799.0

    /// The nearest moment that can be written as a date; 1970 for what is not a moment.
    ///
    /// A wrong clock or a damaged file may give other moments.
    public var writable: Date {
        let seconds = timeIntervalSince1970
        guard !seconds.isNaN else { return Date(timeIntervalSince1970: 0) }
        return Date(
            timeIntervalSince1970: Swift.min(
                Swift.max(seconds, Self.written.lowerBound), Self.written.upperBound))
    }
}
