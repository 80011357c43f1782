public import Imaging

/// Pixels in memory that someone else owns: a camera's buffer, a mapped frame, a raster.
///
/// They are read in place.
///
/// The view does not keep the memory: use it only while the memory stays in place and unchanged.
public struct FrameView {
    /// The first byte of the top left pixel's luma, or its red.
    public let base: UnsafeRawPointer
    /// Pixels in a row.
    public let width: Int
    /// Rows.
    public let height: Int
    /// Bytes from one row to the next.
    public let rowBytes: Int
    /// Bytes from one pixel's luma, or red, to the next.
    public let pixelBytes: Int
    /// True for red, green and blue; false for luma only.
    public let isColor: Bool

    /// One byte of luma a pixel: gray frames, and the first plane of NV12, NV21 and I420.
    ///
    /// - Parameters:
    ///   - bytes: the plane, at least `rowBytes × (height − 1) + width` bytes.
    ///   - rowBytes: bytes from one row to the next, `width` unless given.
    /// - Returns: nil when the sizes are not positive or the bytes are too few.
    public static func luma(
        _ bytes: UnsafeRawBufferPointer, width: Int, height: Int, rowBytes: Int? = nil
    ) -> FrameView? {
        FrameView(
            bytes, width: width, height: height, rowBytes: rowBytes ?? width, pixelBytes: 1,
            isColor: false)
    }

    /// Two bytes a pixel, luma first: YUYV, also named YUY2; its luma is read.
    ///
    /// - Parameters:
    ///   - bytes: the frame, at least `rowBytes × (height − 1) + 2 × width` bytes.
    ///   - rowBytes: bytes from one row to the next, `2 × width` unless given.
    /// - Returns: nil when the sizes are not positive or the bytes are too few.
    public static func yuyv(
        _ bytes: UnsafeRawBufferPointer, width: Int, height: Int, rowBytes: Int? = nil
    ) -> FrameView? {
        FrameView(
            bytes, width: width, height: height, rowBytes: rowBytes ?? checked(width, 2),
            pixelBytes: 2, isColor: false)
    }

    /// Three bytes a pixel: red, green, blue.
    ///
    /// - Parameters:
    ///   - bytes: the frame, at least `rowBytes × (height − 1) + 3 × width` bytes.
    ///   - rowBytes: bytes from one row to the next, `3 × width` unless given.
    /// - Returns: nil when the sizes are not positive or the bytes are too few.
    public static func rgb(
        _ bytes: UnsafeRawBufferPointer, width: Int, height: Int, rowBytes: Int? = nil
    ) -> FrameView? {
        FrameView(
            bytes, width: width, height: height, rowBytes: rowBytes ?? checked(width, 3),
            pixelBytes: 3, isColor: true)
    }

    private init?(
        _ bytes: UnsafeRawBufferPointer, width: Int, height: Int, rowBytes: Int, pixelBytes: Int,
        isColor: Bool
    ) {
        let bound = 1 << 40
        guard let base = bytes.baseAddress, (1...bound).contains(width), height >= 1,
            rowBytes >= width * pixelBytes
        else { return nil }
        let (before, overflow) = rowBytes.multipliedReportingOverflow(by: height - 1)
        guard !overflow, bytes.count - width * pixelBytes >= before else { return nil }
        self.init(
            base: base, width: width, height: height, rowBytes: rowBytes, pixelBytes: pixelBytes,
            isColor: isColor)
    }

    /// A part of the frame, which must be inside it.
    func part(_ area: PixelRect) -> FrameView {
        FrameView(
            base: base + (area.y * rowBytes + area.x * pixelBytes), width: area.width,
            height: area.height, rowBytes: rowBytes, pixelBytes: pixelBytes, isColor: isColor)
    }

    /// A copy of the pixels: rgb8 for color, gray8 for luma.
    func copy() -> Raster {
        var copy = Raster(width: width, height: height, format: isColor ? .rgb8 : .gray8)
        let (stride, channels) = (copy.stride, isColor ? 3 : 1)
        copy.withMutableBytes { bytes in
            for y in 0..<height {
                let from = base + y * rowBytes
                let to = bytes.baseAddress! + y * stride
                if channels == pixelBytes {
                    to.copyMemory(from: from, byteCount: width * pixelBytes)
                } else {
                    for x in 0..<width {
                        to.storeBytes(
                            of: from.load(fromByteOffset: x * pixelBytes, as: UInt8.self),
                            toByteOffset: x, as: UInt8.self)
                    }
                }
            }
        }
        return copy
    }

    private init(
        base: UnsafeRawPointer, width: Int, height: Int, rowBytes: Int, pixelBytes: Int,
        isColor: Bool
    ) {
        self.base = base
        self.width = width
        self.height = height
        self.rowBytes = rowBytes
        self.pixelBytes = pixelBytes
        self.isColor = isColor
    }

    private static func checked(_ width: Int, _ bytes: Int) -> Int {
        let (product, overflow) = width.multipliedReportingOverflow(by: bytes)
        return overflow ? 0 : product
    }

    /// Luma at a pixel inside the frame, 0…255: by the weights of ITU-R BT.601 for color.
    @inline(__always)
    func luma(_ x: Int, _ y: Int) -> Float { luma(base + (y &* rowBytes &+ x &* pixelBytes)) }

    /// The same brightness for the pixel whose bytes begin here.
    @inline(__always)
    func luma(_ bytes: UnsafeRawPointer) -> Float {
        let pixel = bytes.assumingMemoryBound(to: UInt8.self)
        guard isColor else { return Float(pixel[0]) }
        return 0.299 * Float(pixel[0]) + 0.587 * Float(pixel[1]) + 0.114 * Float(pixel[2])
    }
}

extension Raster {
    /// Uses the raster's pixels in place; a raster that is neither gray8 nor rgb8 is converted
    /// to one of them first.
    public func withFrameView<Result, Failure: Error>(
        _ body: (FrameView) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let plain = converted(to: format.channels == 3 ? .rgb8 : .gray8)
        return try plain.withBytes { bytes throws(Failure) in
            let view =
                plain.format == .rgb8
                ? FrameView.rgb(
                    bytes, width: plain.width, height: plain.height, rowBytes: plain.stride)
                : FrameView.luma(
                    bytes, width: plain.width, height: plain.height, rowBytes: plain.stride)
            // A raster has at least one pixel and all the bytes its stride promises.
            return try body(view!)
        }
    }
}
