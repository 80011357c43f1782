import CaptureKit

/// The maximum memory that a file may need, so that a malicious one can't exhaust the machine's.
public struct ImportLimits: Hashable, Sendable {
    /// The maximum number of pixels a page of gray may have; 600 million by default (A0 at 600 dpi
    /// is 558 million).
    public var maximumPixels: Int
    /// The maximum number of pixels a page of more than 8 bits a pixel may have; 400 million by
    /// default (A1 at 600 dpi is 279 million).
    public var maximumDeepPixels: Int
    /// The maximum number of pixels a side may have; 65,535 by default, the protocol's limit.
    public var maximumSide: Int
    /// The maximum number of bytes a decoded page may take, the decoder's own copy included; 2 GiB
    /// by default.
    public var maximumDecodedBytes: Int
    /// The maximum number of pages a file may have; 10,000 by default.
    public var maximumPages: Int
    /// The maximum number of files a folder may hold; 100,000 by default.
    public var maximumFiles: Int
    /// The maximum size of a file that is read whole into memory (all formats but TIFF and PDF); 2
    /// GiB by default.
    public var maximumFileBytes: Int

    /// Limits; each has the default named at its property.
    public init(
        maximumPixels: Int = 600_000_000, maximumDeepPixels: Int = 400_000_000,
        maximumSide: Int = 65_535,
        maximumDecodedBytes: Int = 2 << 30, maximumPages: Int = 10_000,
        maximumFiles: Int = 100_000, maximumFileBytes: Int = 2 << 30
    ) {
        self.maximumPixels = maximumPixels
        self.maximumDeepPixels = min(maximumDeepPixels, maximumPixels)
        self.maximumSide = min(maximumSide, 65_535)
        self.maximumDecodedBytes = maximumDecodedBytes
        self.maximumPages = maximumPages
        self.maximumFiles = maximumFiles
        self.maximumFileBytes = maximumFileBytes
    }

    /// Refuses a page before anything is allocated for it.
    ///
    /// - Parameters:
    ///   - bytesPerPixel: the decoder's peak memory for each pixel.
    ///   - format: the format of the page; nil where that is not known yet.
    func check(
        width: Int, height: Int, bytesPerPixel: Int, _ format: FrameFormat? = nil
    ) throws(DecodeFault) {
        guard width > 0, height > 0 else {
            throw .damaged("it claims to be \(width) × \(height) pixels")
        }
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        let isDeep = format.map { $0.bitsPerPixel > 8 } ?? false
        let most = isDeep ? maximumDeepPixels : maximumPixels
        guard !overflow, width <= maximumSide, height <= maximumSide, pixels <= most else {
            let megapixels = overflow ? "" : " (\(pixels / 1_000_000) megapixels)"
            throw .tooLarge(
                "\(width) × \(height) pixels\(megapixels)",
                limit: "\(most / 1_000_000) megapixels and \(maximumSide) pixels a side")
        }
        let (bytes, tooMany) = pixels.multipliedReportingOverflow(by: bytesPerPixel)
        guard !tooMany, bytes <= maximumDecodedBytes else {
            throw .tooLarge(
                "\(width) × \(height) pixels of \(bytesPerPixel) bytes",
                limit: "\(maximumDecodedBytes >> 20) MiB decoded")
        }
    }

    /// Refuses a picture for which its file has too few bytes, before any memory is allocated.
    ///
    /// - Parameters:
    ///   - stored: the bytes of the file.
    ///   - least: the minimum number of bytes that a picture of this size takes in its format.
    func check(
        width: Int, height: Int, stored: Int, least: Int
    ) throws(DecodeFault) {
        guard stored >= least else {
            throw .damaged(
                "it claims to be \(width) × \(height) pixels, which do not fit in its \(stored) bytes"
            )
        }
    }

    /// The minimum number of bytes that a compressed picture of this many bytes takes, in a format
    /// that has no exact bound.
    ///
    /// A uniform area of any size takes next to nothing, so that much is allowed.
    static func leastStored(decoded: Int) -> Int { max(0, decoded - (64 << 20)) / 4_096 }
}
