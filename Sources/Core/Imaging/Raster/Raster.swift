/// A picture in memory: width, height, format, stride, and shared bytes that are copied when
/// written to.
///
/// A raster is a value: passing it on is cheap, and a copy that is written to never changes
/// another. Its pixels are square; `resolution` is their number per inch of paper.
public struct Raster: Sendable {
    /// Pixels in a row, at least 1.
    public let width: Int
    /// Rows, at least 1.
    public let height: Int
    /// The layout of the samples.
    public let format: PixelFormat
    /// Bytes from one row to the next, at least `format.minimumStride(width:)`.
    public let stride: Int
    /// Dots per inch; nil when unknown.
    public var resolution: Double?

    private var storage: RasterStorage

    /// A raster with every byte zero: black, or white for `bilevel`.
    ///
    /// - Precondition: `width` and `height` are at least 1.
    public init(width: Int, height: Int, format: PixelFormat, resolution: Double? = nil) {
        precondition(width > 0 && height > 0, "a raster has at least one pixel")
        let stride = format.minimumStride(width: width)
        self.init(
            width: width, height: height, format: format, stride: stride, resolution: resolution,
            storage: RasterStorage(zeroed: stride * height))
    }

    /// A raster with undefined bytes; the caller must write every byte before reading it.
    init(
        uninitialized width: Int, _ height: Int, _ format: PixelFormat, resolution: Double?
    ) {
        precondition(width > 0 && height > 0, "a raster has at least one pixel")
        let stride = format.minimumStride(width: width)
        self.init(
            width: width, height: height, format: format, stride: stride, resolution: resolution,
            storage: RasterStorage(uninitialized: stride * height))
    }

    /// A raster over existing bytes, such as a mapped file; `release` runs once, when the last copy
    /// is gone.
    ///
    /// - Parameter forget: releases the memory of this many bytes from the start, which stay
    ///   readable; nil if they can't be read again.
    /// - Precondition: `bytes` holds at least `stride × (height − 1) +
    ///   format.minimumStride(width:)` bytes, and no other code writes to them while the raster
    ///   exists.
    public init(
        width: Int, height: Int, format: PixelFormat, stride: Int, resolution: Double? = nil,
        adopting bytes: UnsafeMutableRawBufferPointer,
        forget: (@Sendable (Int) -> Void)? = nil, release: @escaping @Sendable () -> Void
    ) {
        precondition(width > 0 && height > 0 && stride >= format.minimumStride(width: width))
        precondition(bytes.count >= stride * (height - 1) + format.minimumStride(width: width))
        self.init(
            width: width, height: height, format: format, stride: stride, resolution: resolution,
            storage: RasterStorage(adopting: bytes, forget: forget, release: release))
    }

    private init(
        width: Int, height: Int, format: PixelFormat, stride: Int, resolution: Double?,
        storage: RasterStorage
    ) {
        self.width = width
        self.height = height
        self.format = format
        self.stride = stride
        self.resolution = resolution
        self.storage = storage
    }

    /// Reads the raster's bytes, with rows `stride` bytes apart.
    public func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(storage.bytes))
    }

    /// Releases the memory of the rows before `row`, if they can be read again.
    ///
    /// Use it in kernels that go through a large picture once and make an equally large result.
    package func forget(before row: Int) { storage.forget?(row * stride) }

    /// Writes the raster's bytes in place; a raster that shares them is copied first.
    public mutating func withMutableBytes<Result, Failure: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if !isKnownUniquelyReferenced(&storage) || !storage.isWritable {
            storage = RasterStorage(copying: storage.bytes)
        }
        return try body(storage.bytes)
    }
}

/// The bytes behind rasters.
///
/// `@unchecked Sendable`: the bytes are written only through `Raster.withMutableBytes`, which makes
/// sure that only one raster holds them.
private final class RasterStorage: @unchecked Sendable {
    let bytes: UnsafeMutableRawBufferPointer
    /// False for adopted bytes, which may be a read-only mapping.
    let isWritable: Bool
    /// Releases the memory of this many bytes from the start; nil if they can't be read again.
    let forget: (@Sendable (Int) -> Void)?
    private let release: @Sendable () -> Void

    init(zeroed count: Int) {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 64)
        bytes.initializeMemory(as: UInt8.self, repeating: 0)
        self.bytes = bytes
        isWritable = true
        forget = nil
        nonisolated(unsafe) let owned = bytes
        release = { owned.deallocate() }
    }

    init(uninitialized count: Int) {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 64)
        self.bytes = bytes
        isWritable = true
        forget = nil
        nonisolated(unsafe) let owned = bytes
        release = { owned.deallocate() }
    }

    init(copying source: UnsafeMutableRawBufferPointer) {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count, alignment: 64)
        bytes.copyMemory(from: UnsafeRawBufferPointer(source))
        self.bytes = bytes
        isWritable = true
        forget = nil
        nonisolated(unsafe) let owned = bytes
        release = { owned.deallocate() }
    }

    init(
        adopting bytes: UnsafeMutableRawBufferPointer, forget: (@Sendable (Int) -> Void)?,
        release: @escaping @Sendable () -> Void
    ) {
        self.bytes = bytes
        isWritable = false
        self.forget = forget
        self.release = release
    }

    deinit { release() }
}
