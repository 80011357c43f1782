import Glibc

/// ICC profiles that are made here from published numbers, so that no profile with a license of its
/// own gets into users' documents, and every machine writes the same: version 2 (ICC.1:2001-04),
/// three primaries adapted to D50, and one curve.
public struct MadeProfile: Sendable {
    /// The name of the profile's colors, in ASCII.
    public let name: String
    /// The bytes of the profile.
    public let bytes: [UInt8]

    /// The colors of sRGB: the curve of IEC 61966-2-1 in 1,024 steps.
    public static let sRGB = MadeProfile(
        "sRGB IEC61966-2.1",
        primaries: [
            [0.43607, 0.22249, 0.01392], [0.38515, 0.71687, 0.09708], [0.14307, 0.06061, 0.71410],
        ], curve: curve(sRGBSteps()))

    /// The colors of Adobe RGB (1998), section 4.3: a gamma of 2 51/256.
    public static let adobeRGB = MadeProfile(
        "Compatible with Adobe RGB (1998)",
        primaries: [
            [0.60974, 0.31111, 0.01947], [0.20528, 0.62567, 0.06087], [0.14919, 0.06322, 0.74457],
        ], curve: curve([0x0233]))

    private init(_ name: String, primaries: [[Double]], curve: [UInt8]) {
        self.name = name
        let tags: [(name: String, bytes: [UInt8])] =
            [
                ("desc", Self.description(name)), ("cprt", Self.text("Public domain")),
                ("wtpt", Self.xyz(Self.whitePoint)),
            ]
            + zip(["rXYZ", "gXYZ", "bXYZ"], primaries).map { ($0, Self.xyz($1)) }
            + ["rTRC", "gTRC", "bTRC"].map { ($0, curve) }
        var body: [UInt8] = []
        var table = Self.number(tags.count)
        let start = 128 + 4 + 12 * tags.count
        var curveStart: Int?
        for (name, bytes) in tags {
            // The three channels share one curve.
            let shared = bytes == curve ? curveStart : nil
            let place = shared ?? start + body.count
            table += Array(name.utf8) + Self.number(place) + Self.number(bytes.count)
            guard shared == nil else { continue }
            if bytes == curve { curveStart = place }
            body += bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
        }
        bytes = Self.head(size: start + body.count) + table + body
    }

    /// D50, as in the header of every profile.
    private static let whitePoint = [0.9642, 1.0, 0.82491]

    private static func head(size: Int) -> [UInt8] {
        var head = number(size) + number(0) + [2, 0x10, 0, 0]
        head += Array("mntrRGB XYZ ".utf8)
        // 1 January 2000: a fixed date, so that the same numbers give the same profile.
        head += [2000, 1, 1, 0, 0, 0].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        head += Array("acsp".utf8) + [UInt8](repeating: 0, count: 28)
        head += whitePoint.flatMap(fixed)
        return head + [UInt8](repeating: 0, count: 128 - head.count)
    }

    /// `textDescriptionType`: the name in ASCII, without names in Unicode and for the Macintosh.
    private static func description(_ name: String) -> [UInt8] {
        Array("desc".utf8) + number(0) + number(name.utf8.count + 1) + Array(name.utf8) + [0]
            + [UInt8](repeating: 0, count: 8 + 3 + 67)
    }

    private static func text(_ text: String) -> [UInt8] {
        Array("text".utf8) + number(0) + Array(text.utf8) + [0]
    }

    private static func xyz(_ values: [Double]) -> [UInt8] {
        Array("XYZ ".utf8) + number(0) + values.flatMap(fixed)
    }

    /// `curveType`: the light of each level in 1/65,535, or one gamma in 1/256.
    private static func curve(_ values: [UInt16]) -> [UInt8] {
        Array("curv".utf8) + number(0) + number(values.count)
            + values.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    }

    private static func sRGBSteps() -> [UInt16] {
        let steps = 1024
        return (0..<steps).map { step in
            let level = Double(step) / Double(steps - 1)
            let light = level <= 0.04045 ? level / 12.92 : pow((level + 0.055) / 1.055, 2.4)
            return UInt16((light * 65_535).rounded())
        }
    }

    /// `s15Fixed16Number`.
    private static func fixed(_ value: Double) -> [UInt8] {
        number(Int((value * 65_536).rounded()))
    }

    /// 32 bits, the high byte first.
    private static func number(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) }
    }
}
