/// The rows of a raster, for reading by a kernel.
struct PixelRows {
    let base: UnsafeRawPointer
    let stride: Int

    /// The first byte of row `y`.
    func row(_ y: Int) -> UnsafePointer<UInt8> {
        (base + y &* stride).assumingMemoryBound(to: UInt8.self)
    }
}

/// The rows of a raster, for writing by a kernel.
struct MutablePixelRows {
    let base: UnsafeMutableRawPointer
    let stride: Int

    /// The first byte of row `y`.
    func row(_ y: Int) -> UnsafeMutablePointer<UInt8> {
        (base + y &* stride).assumingMemoryBound(to: UInt8.self)
    }
}

extension Raster {
    /// Reads the rows without bounds checks; kernels stay within `width` and `height`.
    func withRows<Result, Failure: Error>(
        _ body: (PixelRows) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withBytes { bytes throws(Failure) in
            // A raster has at least one byte, so its buffer has an address.
            try body(PixelRows(base: bytes.baseAddress!, stride: stride))
        }
    }

    /// A new raster with this one's resolution; `body` must write every byte of it.
    func building(
        _ width: Int? = nil, _ height: Int? = nil, format: PixelFormat? = nil,
        body: (_ source: PixelRows, _ result: MutablePixelRows) -> Void
    ) -> Raster {
        var result = Raster(
            uninitialized: width ?? self.width, height ?? self.height, format ?? self.format,
            resolution: resolution)
        let stride = result.stride
        withRows { source in
            result.withMutableBytes { bytes in
                body(source, MutablePixelRows(base: bytes.baseAddress!, stride: stride))
            }
        }
        return result
    }
}
