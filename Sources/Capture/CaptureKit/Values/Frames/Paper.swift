/// A paper size with a name, so that every backend and the command line use the same names.
public struct Paper: Hashable, Sendable {
    /// The paper's name, such as `a4`.
    public var name: String
    /// The width in millimeters, upright.
    public var width: Double
    /// The height in millimeters, upright.
    public var height: Double

    /// ISO 216, JIS P 0138 and ANSI/ASME Y14.1 sheets, cards (ISO/IEC 7810 ID-1) and prints.
    public static let all = [
        Paper(name: "a3", width: 297, height: 420),
        Paper(name: "a4", width: 210, height: 297),
        Paper(name: "a5", width: 148, height: 210),
        Paper(name: "a6", width: 105, height: 148),
        Paper(name: "b4", width: 250, height: 353),
        Paper(name: "b5", width: 176, height: 250),
        Paper(name: "jis-b4", width: 257, height: 364),
        Paper(name: "jis-b5", width: 182, height: 257),
        Paper(name: "letter", width: 215.9, height: 279.4),
        Paper(name: "legal", width: 215.9, height: 355.6),
        Paper(name: "tabloid", width: 279.4, height: 431.8),
        Paper(name: "executive", width: 184.15, height: 266.7),
        Paper(name: "half-letter", width: 139.7, height: 215.9),
        Paper(name: "card", width: 85.6, height: 53.98),
        Paper(name: "photo-10x15", width: 101.6, height: 152.4),
    ]

    /// The millimeters by which a sheet may be larger than the scanner and still count as fitting,
    /// because many glasses are slightly shorter than A4.
    public static let tolerance = 1.5

    /// The sheets that fit onto a glass.
    ///
    /// - Parameters:
    ///   - width: Millimeters across the glass.
    ///   - height: Millimeters down the glass.
    public static func fitting(width: Double, height: Double) -> [Paper] {
        all.filter { $0.width <= width + tolerance && $0.height <= height + tolerance }
    }
}
