/// Times as a command line has them: `90`, `60s`, `5m`, `1.5h`.
public enum TimeText {
    private static let units: [(letter: Character, seconds: Double)] = [
        ("h", 3600), ("m", 60), ("s", 1),
    ]

    /// The seconds of a text, which has seconds without a unit; nil for any other text, for zero,
    /// and for more than a million of a unit.
    public static func seconds(_ text: String) -> Double? {
        let unit = units.first { $0.letter == text.last }
        guard let number = Double(unit == nil ? text[...] : text.dropLast()),
            number.isFinite, number > 0, number <= 1e6
        else { return nil }
        return number * (unit?.seconds ?? 1)
    }

    /// The text of seconds, in the largest unit of which they are a multiple.
    public static func text(_ seconds: Double) -> String {
        let unit = units.first { (seconds / $0.seconds).rounded() * $0.seconds == seconds }
        let number = seconds / (unit?.seconds ?? 1)
        return (Int(exactly: number).map { "\($0)" } ?? "\(number)") + "\(unit?.letter ?? "s")"
    }

    static func text(_ seconds: Int) -> String { text(Double(seconds)) }
}
