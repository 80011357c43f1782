import CLeptonica

/// One leptonica picture, freed with its owner.
///
/// A row in leptonica consists of 32-bit words with the first pixel in the highest bits, so a
/// little-endian machine swaps the bytes of each word in both directions. With 1 bit per pixel, 1
/// is black, as in a bilevel raster.
struct PixHandle: ~Copyable {
    let pointer: UnsafeMutablePointer<PIX>

    /// Owns a picture that a leptonica function returned; nil when the function failed.
    init?(_ pointer: UnsafeMutablePointer<PIX>?) {
        guard let pointer else { return nil }
        self.pointer = pointer
    }

    deinit {
        var doomed: UnsafeMutablePointer<PIX>? = pointer
        pixDestroy(&doomed)
    }

    /// A copy of a raster: bilevel with 1 bit, gray with 8, color with 32; 16 bits per sample
    /// become 8.
    ///
    /// - Parameter keepingDeepGray: true to keep 16 bits for gray16.
    init(_ raster: Raster, keepingDeepGray: Bool = false) throws(ImagingError) {
        Self.prepare()
        let raster: Raster =
            switch raster.format {
            case .gray16 where !keepingDeepGray: raster.converted(to: .gray8)
            case .rgb16: raster.converted(to: .rgb8)
            default: raster
            }
        let depth: Int32 =
            switch raster.format {
            case .bilevel: 1
            case .gray8: 8
            case .gray16: 16
            default: 32
            }
        guard let width = Int32(exactly: raster.width), let height = Int32(exactly: raster.height),
            let made = pixCreateNoInit(width, height, depth), let words = pixGetData(made)
        else {
            throw ImagingError(
                .libraryFailed,
                "There is no memory for a picture of \(raster.width) × \(raster.height) pixels.")
        }
        pointer = made
        if let resolution = raster.wholeResolution {
            pixSetResolution(made, Int32(resolution), Int32(resolution))
        }
        let wordsPerRow = Int(pixGetWpl(made))
        raster.withRows { rows in
            var y = 0
            while y < raster.height {
                let to = words + y &* wordsPerRow
                if depth == 32 {
                    Self.packColor(rows.row(y), into: to, count: raster.width)
                } else if depth == 16 {
                    Self.packDeep(rows.row(y), into: to, count: raster.width)
                } else {
                    Self.packBytes(
                        rows.row(y), into: to,
                        count: raster.format.minimumStride(width: raster.width), words: wordsPerRow)
                }
                y &+= 1
            }
        }
    }

    /// Sets leptonica up once: it writes nothing to standard error, because callers turn failures
    /// into errors of their own, and 16-bit PNG keeps its bits.
    static func prepare() { _ = prepared }

    private static let prepared: Void = {
        setMsgSeverity(Int32(L_SEVERITY_NONE))
        leptSetStderrHandler { _ in }
        l_pngSetReadStrip16To8(0)
    }()

    private static func packColor(
        _ from: UnsafePointer<UInt8>, into to: UnsafeMutablePointer<UInt32>, count: Int
    ) {
        var x = 0
        while x < count {
            let red = UInt32(from[3 &* x])
            let green = UInt32(from[3 &* x &+ 1])
            let blue = UInt32(from[3 &* x &+ 2])
            to[x] = red << 24 | green << 16 | blue << 8
            x &+= 1
        }
    }

    private static func packDeep(
        _ from: UnsafePointer<UInt8>, into to: UnsafeMutablePointer<UInt32>, count: Int
    ) {
        let samples = UnsafeRawPointer(from)
        var x = 0
        while x < count {
            let first = samples.loadUnaligned(fromByteOffset: 2 &* x, as: UInt16.self)
            let second =
                x &+ 1 < count
                ? samples.loadUnaligned(fromByteOffset: 2 &* x &+ 2, as: UInt16.self) : 0
            to[x / 2] = UInt32(first) << 16 | UInt32(second)
            x &+= 2
        }
    }

    private static func packBytes(
        _ from: UnsafePointer<UInt8>, into to: UnsafeMutablePointer<UInt32>, count: Int, words: Int
    ) {
        let bytes = UnsafeRawPointer(from)
        let whole = count / 4
        var i = 0
        while i < whole {
            to[i] = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 4 &* i, as: UInt32.self))
            i &+= 1
        }
        guard whole < words else { return }
        var last: UInt32 = 0
        for k in 0..<(count % 4) { last |= UInt32(from[4 * whole + k]) << UInt32(24 - 8 * k) }
        to[whole] = last
    }
}
