/// The source of pages.
public enum ScanSource: Hashable, Sendable, CaseIterable {
    /// The glass.
    case platen
    /// The feeder, fronts only.
    case feeder
    /// The feeder, both sides.
    case feederDuplex
}

/// The kind of samples in a page.
public enum ColorMode: String, Hashable, Sendable, CaseIterable {
    /// Black and white, one bit a pixel.
    case blackAndWhite = "BlackAndWhite1"
    /// Gray, 8 bits a pixel.
    case gray = "Grayscale8"
    /// Color, 24 bits a pixel.
    case color = "RGB24"
}

/// The format in which a client gets pages.
public enum DocumentFormat: String, Hashable, Sendable, CaseIterable {
    /// A JPEG file for each page.
    case jpeg = "image/jpeg"
    /// A PNG file for each page, without loss.
    case png = "image/png"
    /// One PDF for all pages.
    case pdf = "application/pdf"
}

/// A part of the glass, in units of 1/300 inch.
public struct ScanRegion: Hashable, Sendable {
    /// The distance from the left side, at least 0.
    public var x: Int
    /// The distance from the top, at least 0.
    public var y: Int
    /// The width, above 0.
    public var width: Int
    /// The height, above 0.
    public var height: Int

    /// A part of the glass.
    public init(x: Int, y: Int, width: Int, height: Int) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    /// Millimeters of a length in 1/300 inch.
    public static func millimeters(_ length: Int) -> Double { Double(length) * 25.4 / 300 }

    /// A length in millimeters as whole units of 1/300 inch; 0 for an invalid length, and at most
    /// that of 10 m.
    public static func units(_ millimeters: Double) -> Int {
        guard millimeters.isFinite, millimeters > 0 else { return 0 }
        return Int((min(millimeters, 10_000) * 300 / 25.4 + 1e-6).rounded(.down))
    }
}
