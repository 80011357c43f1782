import ColorProfiles
import ExpectedFailures
import Imaging

/// A picture as it goes into a PDF.
struct PDFPicture {
    /// The coding of the picture's bytes.
    enum Coding {
        case jpeg
        /// CCITT Group 4.
        case g4
        /// Deflated rows, each after its PNG filter.
        case flate
    }

    let width: Int
    let height: Int
    /// Color components: 1 or 3.
    let components: Int
    /// Bits of a component.
    let bits: Int
    let coding: Coding
    let bytes: [UInt8]
    /// The ICC profile of its colors; nil for device colors, which are sRGB.
    private(set) var profile: [UInt8]?

    /// The page as its captured JPEG, byte for byte, if there is one and it fits; otherwise in
    /// Group 4 for bilevel pages, and as a new JPEG for others.
    ///
    /// - Parameter quality: As in ``FileSinkOptions/pdfQuality``.
    init(_ page: DeliveredPage, quality: Int) throws {
        if let original = Self(originalOf: page) {
            self = original
        } else {
            try self.init(page.image, quality: quality)
        }
    }

    /// The page without loss, or as its captured JPEG.
    init(lossless page: DeliveredPage) throws {
        if let original = Self(originalOf: page) {
            self = original
        } else if page.image.format == .bilevel {
            try self.init(stencil: page.image)
        } else {
            let data = try page.image.encodedFlate()
            self.init(
                width: data.width, height: data.height, components: data.channels, bits: data.bits,
                coding: .flate, bytes: data.bytes)
        }
    }

    /// A picture as Group 4 where it is bilevel, else as a JPEG.
    init(_ image: Raster, quality: Int) throws {
        guard image.format != .bilevel else {
            try self.init(stencil: image)
            return
        }
        let components = image.format.channels
        let quality = quality > 0 ? quality : components == 1 ? 50 : 70
        self.init(
            width: image.width, height: image.height, components: components, bits: 8,
            coding: .jpeg, bytes: try image.encodedJPEG(quality: quality))
    }

    /// A bilevel picture as Group 4.
    init(stencil image: Raster) throws {
        self.init(
            width: image.width, height: image.height, components: 1, bits: 1, coding: .g4,
            bytes: try image.encodedG4().bytes)
    }

    /// The JPEG that a page was captured as; nil when there is none that fits.
    private init?(originalOf page: DeliveredPage) {
        let (width, height) = (page.image.width, page.image.height)
        guard let original = page.originalJPEG, let head = JPEGHeader(original),
            head.canStandFor(width: width, height: height)
        else { return nil }
        self.init(
            width: width, height: height, components: head.components, bits: 8, coding: .jpeg,
            bytes: original)
        profile = Self.profile(of: original, components: head.components)
    }

    /// The profile in a JPEG, or that of the colors in its EXIF data; nil for none that fits.
    private static func profile(of jpeg: [UInt8], components: Int) -> [UInt8]? {
        switch jpeg.withUnsafeBytes({ JPEGColors.source(of: $0) }) {
        case .profile(let bytes):
            return ofKnownForm {
                try ProfileHeader.check(bytes, components == 1 ? .gray : .light)
                return bytes
            }
        case .adobeRGB where components == 3: return MadeProfile.adobeRGB.bytes
        default: return nil
        }
    }

    private init(
        width: Int, height: Int, components: Int, bits: Int, coding: Coding, bytes: [UInt8]
    ) {
        self.width = width
        self.height = height
        self.components = components
        self.bits = bits
        self.coding = coding
        self.bytes = bytes
    }
}
