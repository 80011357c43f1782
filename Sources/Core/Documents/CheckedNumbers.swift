public import FoundationEssentials

extension Int {
    /// The nearest whole number to `number` in a range; the lower end for NaN.
    public init(rounding number: Double, in range: ClosedRange<Int>) {
        guard !number.isNaN else {
            self = range.lowerBound
            return
        }
        let rounded = number.rounded()
        // The comparison uses doubles, because converting a number outside of the range would trap.
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
    /// - Throws: `DecodingError.dataCorrupted` with the number and the range, for a number outside
    ///   of it.
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
    /// The times that have a year with four digits: from the year 1 to 9999, in seconds since 1970.
    private static let written = -62_135_596_800.0...253_402_300_799.0

    /// The nearest time with a year of four digits; 1970 for NaN.
    ///
    /// A wrong clock or a damaged file may give a time outside of these years.
    public var writable: Date {
        let seconds = timeIntervalSince1970
        guard !seconds.isNaN else { return Date(timeIntervalSince1970: 0) }
        return Date(
            timeIntervalSince1970: Swift.min(
                Swift.max(seconds, Self.written.lowerBound), Self.written.upperBound))
    }
}
