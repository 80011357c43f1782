/// The layout of a camera frame's samples in memory.
public enum CameraFormat: String, Hashable, Sendable, CaseIterable {
    /// One byte a pixel, 0 is black.
    case gray8
    /// Three bytes a pixel: red, green, blue.
    case rgb8
    /// Two pixels in four bytes: luma, blue difference, luma, red difference.
    case yuyv
    /// Two pixels in four bytes: blue difference, luma, red difference, luma.
    case uyvy
    /// A plane of luma, then one of blue and red differences in turn, half as wide and half as
    /// high, rows of the same stride.
    case nv12
    /// One JPEG picture.
    case jpeg

    /// The bytes in a row of luma, or of the only plane; 0 for `jpeg`.
    func minimumStride(width: Int) -> Int {
        switch self {
        case .gray8: width
        case .rgb8: 3 * width
        case .yuyv, .uyvy: 4 * ((width + 1) / 2)
        case .nv12: 2 * ((width + 1) / 2)
        case .jpeg: 0
        }
    }
}

/// A camera's frame in memory that other code owns, valid while a closure runs.
///
/// The memory always holds the whole frame, so that reading it needs no further checks.
public struct CameraFrame {
    /// The layout of the samples.
    public let format: CameraFormat
    /// Pixels in a row.
    public let width: Int
    /// Rows.
    public let height: Int
    /// Bytes from one row to the next; 0 for `jpeg`.
    public let stride: Int
    /// The frame's bytes.
    public let bytes: UnsafeRawBufferPointer

    /// A frame over `bytes`.
    ///
    /// - Throws: ``ImagingError`` `damagedData` when there are fewer bytes than the frame needs, or
    ///   its size is impossible.
    public init(
        format: CameraFormat, width: Int, height: Int, stride: Int, bytes: UnsafeRawBufferPointer
    ) throws(ImagingError) {
        let sides = 1...65_535
        guard sides.contains(width), sides.contains(height), bytes.baseAddress != nil,
            format == .jpeg || (format.minimumStride(width: width)...(1 << 24)).contains(stride)
        else {
            throw ImagingError(
                .damagedData,
                "A frame of \(width) × \(height) pixels, \(stride) bytes a row, is impossible.")
        }
        let rows = format == .nv12 ? height + (height + 1) / 2 : height
        let needed =
            format == .jpeg
            ? 1 : stride * (rows - 1) + format.minimumStride(width: width)
        guard bytes.count >= needed else {
            throw ImagingError(
                .damagedData,
                "A frame of \(width) × \(height) pixels (\(format)) has \(bytes.count) of \(needed) bytes."
            )
        }
        self.format = format
        self.width = width
        self.height = height
        self.stride = stride
        self.bytes = bytes
    }

    /// The first byte of row `y`.
    func row(_ y: Int) -> UnsafePointer<UInt8> {
        // `init` has ensured that there is an address.
        (bytes.baseAddress! + y &* stride).assumingMemoryBound(to: UInt8.self)
    }
}
