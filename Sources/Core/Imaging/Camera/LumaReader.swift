internal import CTurboJPEG

/// Reads the brightness of camera frames at a reduced size, for detection.
///
/// All buffers and the JPEG decoder are reused for the next frame, so nothing is allocated while
/// frames keep their size. The next ``read(_:)`` overwrites the picture in ``luma``; a copy keeps
/// its pixels, at the cost of a new buffer.
///
/// JPEG is reduced within the inverse cosine transform (libjpeg-turbo's `tjDecompress2`); its
/// colors are unpacked but not transformed. Other formats are reduced to the mean of 2 × 2 samples
/// in each block.
public struct LumaReader: ~Copyable {
    /// The last frame; a single black pixel before the first.
    public private(set) var luma = Raster(width: 1, height: 1, format: .gray8)
    /// The width in pixels of the whole last frame; for a JPEG picture, according to its header.
    public private(set) var frameWidth = 1
    /// The height in pixels of the whole last frame.
    public private(set) var frameHeight = 1
    /// True if the last frame is a JPEG picture whose data ended early, so that its lower part is
    /// missing.
    public private(set) var isCut = false
    private let least: Int
    private var decoder: tjhandle?

    /// A reader.
    ///
    /// - Parameter longSide: the minimum number of pixels of the result's long side, at least 16,
    ///   if the frame has that many; 640 unless given. The result is reduced by 1, 2, 4 or 8, as
    ///   JPEG can be, so that the same page looks the same in every format.
    public init(longSide: Int = 640) { least = max(16, longSide) }

    deinit { if let decoder { tjDestroy(decoder) } }

    /// Reads a frame into ``luma``.
    ///
    /// Of a damaged JPEG picture, it reads as much as possible, which suits a camera's stream; see
    /// ``isCut``.
    ///
    /// - Throws: ``ImagingError`` `damagedData` when nothing could be read, `libraryFailed` without
    ///   memory for a decoder.
    public mutating func read(_ frame: CameraFrame) throws(ImagingError) {
        isCut = false
        if frame.format == .jpeg { return try decode(frame) }
        let factor = factor(frame.width, frame.height)
        prepare(max(1, frame.width / factor), max(1, frame.height / factor))
        (frameWidth, frameHeight) = (frame.width, frame.height)
        let (width, height) = (luma.width, luma.height)
        luma.withMutableBytes { bytes in
            guard let result = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
                return
            }
            switch frame.format {
            case .gray8, .nv12:
                frame.reduce(
                    to: result, width, height: height, factor: factor,
                    samples: Samples(step: 1, first: 0))
            case .yuyv:
                frame.reduce(
                    to: result, width, height: height, factor: factor,
                    samples: Samples(step: 2, first: 0))
            case .uyvy:
                frame.reduce(
                    to: result, width, height: height, factor: factor,
                    samples: Samples(step: 2, first: 1))
            case .rgb8: frame.reduceColor(to: result, width, height, factor)
            case .jpeg: break
            }
        }
    }

    /// The factor by which a frame is reduced.
    private func factor(_ width: Int, _ height: Int) -> Int {
        // Halving is the reduction that libjpeg-turbo has fast code for.
        var factor = 8
        while factor > 1, max(width, height) / factor < least { factor /= 2 }
        return factor
    }

    private mutating func prepare(_ width: Int, _ height: Int) {
        guard width != luma.width || height != luma.height else { return }
        luma = Raster(uninitialized: width, height, .gray8, resolution: nil)
    }

    private mutating func decode(_ frame: CameraFrame) throws(ImagingError) {
        guard let handle = decoder ?? tjInitDecompress() else {
            throw ImagingError(.libraryFailed, "There is no memory for a JPEG decoder.")
        }
        decoder = handle
        let source = frame.row(0)
        let size = UInt(frame.bytes.count)
        var (width, height, sampling, colors): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        let failed = tjDecompressHeader3(
            handle, source, size, &width, &height, &sampling, &colors)
        guard failed == 0 || isWarning(handle), width > 0, height > 0 else {
            throw unreadable(handle)
        }
        let (fullWidth, fullHeight) = (Int(width), Int(height))
        try DecodingLimits().check(width: fullWidth, height: fullHeight)
        let factor = factor(fullWidth, fullHeight)
        prepare((fullWidth + factor - 1) / factor, (fullHeight + factor - 1) / factor)
        let (reducedWidth, reducedHeight) = (luma.width, luma.height)
        let result = luma.withMutableBytes { bytes in
            tjDecompress2(
                handle, source, size, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
                Int32(reducedWidth), Int32(reducedWidth), Int32(reducedHeight),
                Int32(TJPF_GRAY.rawValue), TJFLAG_LIMITSCANS | TJFLAG_FASTDCT)
        }
        guard result == 0 || isWarning(handle) else { throw unreadable(handle) }
        (frameWidth, frameHeight) = (fullWidth, fullHeight)
        isCut = result != 0 && lacksItsEnd
    }

    /// True if the last row has the gray with which the library fills in missing data.
    ///
    /// The library's warning (`jdhuff.c`) alone may mean a camera that omits the end marker (EOI).
    private var lacksItsEnd: Bool {
        let (width, row) = (luma.width, (luma.height - 1) * luma.stride)
        return luma.withBytes { bytes in (0..<width).allSatisfy { bytes[row + $0] == 128 } }
    }

    private func isWarning(_ handle: tjhandle) -> Bool {
        tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue)
    }

    private func unreadable(_ handle: tjhandle) -> ImagingError {
        ImagingError(
            .damagedData,
            "The frame is not a readable JPEG picture: \(String(cString: tjGetErrorStr2(handle)))."
        )
    }
}

/// The places of luma's samples in a row.
private struct Samples {
    /// The number of bytes from one sample to the next.
    let step: Int
    /// The first sample's byte.
    let first: Int
}

extension CameraFrame {
    /// Reduces to the mean of 2 × 2 samples in each block of `factor` × `factor` pixels.
    fileprivate func reduce(
        to result: UnsafeMutablePointer<UInt8>, _ width: Int, height: Int, factor: Int,
        samples: Samples
    ) {
        let (step, first) = (samples.step, samples.first)
        if factor == 1 {
            for y in 0..<height {
                let source = row(y) + first
                let target = result + y &* width
                var x = 0
                while x < width {
                    target[x] = source[x &* step]
                    x &+= 1
                }
            }
            return
        }
        let half = factor / 2
        for y in 0..<height {
            let upper = row(y &* factor) + first
            let lower = row(y &* factor &+ half) + first
            let target = result + y &* width
            let (apart, jump) = (half &* step, factor &* step)
            var (x, place) = (0, 0)
            while x < width {
                let sum =
                    UInt16(upper[place]) &+ UInt16(upper[place &+ apart])
                    &+ UInt16(lower[place]) &+ UInt16(lower[place &+ apart])
                target[x] = UInt8(truncatingIfNeeded: (sum &+ 2) >> 2)
                x &+= 1
                place &+= jump
            }
        }
    }

    /// The same for red, green and blue, with the weights of ITU-R BT.601 in units of 1/256.
    fileprivate func reduceColor(
        to result: UnsafeMutablePointer<UInt8>, _ width: Int, _ height: Int, _ factor: Int
    ) {
        let half = factor / 2
        @inline(__always)
        func level(_ p: UnsafePointer<UInt8>) -> UInt32 {
            77 &* UInt32(p[0]) &+ 150 &* UInt32(p[1]) &+ 29 &* UInt32(p[2])
        }
        for y in 0..<height {
            let upper = row(y &* factor)
            let lower = row(y &* factor &+ half)
            let target = result + y &* width
            for x in 0..<width {
                let place = 3 &* x &* factor
                // Two samples on the diagonal of the block are as good for gray, and half the work.
                let sum = level(upper + place) &+ level(lower + (place &+ 3 &* half))
                target[x] = UInt8(truncatingIfNeeded: (sum &+ 256) >> 9)
            }
        }
    }
}
