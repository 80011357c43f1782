import CTIFF
import CaptureKit

/// A TIFF file, page by page (libtiff); thumbnails and masks among its directories are not pages.
final class TIFFSource: PageSource {
    private let tiff: OpaquePointer
    private let messages: TIFFMessages
    private let chain: TIFFDirectoryChain
    private let limits: ImportLimits
    private let fileSize: Int

    init(file: OpenFile, limits: ImportLimits) throws(DecodeFault) {
        let chain = try TIFFDirectoryChain(file, maximumPages: limits.maximumPages)
        if chain.offsets.isEmpty { throw chain.fault ?? .damaged("it has no pages") }
        let messages = TIFFMessages()
        guard let options = TIFFOpenOptionsAlloc() else { throw .outOfMemory(0) }
        defer { TIFFOpenOptionsFree(options) }
        TIFFOpenOptionsSetMaxSingleMemAlloc(options, tmsize_t(limits.maximumDecodedBytes))
        let context = Unmanaged.passUnretained(messages).toOpaque()
        TIFFOpenOptionsSetErrorHandlerExtR(options, noteTIFFError, context)
        TIFFOpenOptionsSetWarningHandlerExtR(options, noteTIFFWarning, context)
        // "h" reads no directory yet, so a bad first page does not close the file. "m" does not map
        // the file, which would end in a signal if it were cut short meanwhile.
        let descriptor = try file.duplicate()
        guard let tiff = TIFFFdOpenExt(descriptor, "", "rhm", options) else {
            closeDescriptor(descriptor)
            throw .damaged(messages.firstError ?? "its header can't be read")
        }
        self.tiff = tiff
        self.messages = messages
        self.chain = chain
        self.limits = limits
        fileSize = file.size
    }

    deinit { TIFFClose(tiff) }

    /// The number of directories, and one more for a damaged list of them, so that the fault is
    /// reported at its place.
    var pageCount: Int { chain.offsets.count + (chain.fault == nil ? 0 : 1) }

    func page(_ index: Int, cancel: CancelFlag) throws(DecodeFault) -> DecodedPage? {
        guard index < chain.offsets.count else {
            throw chain.fault ?? .damaged("it has no such page")
        }
        messages.clear()
        guard TIFFSetSubDirectory(tiff, UInt64(chain.offsets[index])) == 1 else {
            throw .damaged(messages.firstError ?? "its directory can't be read")
        }
        let tags = TIFFTags(tiff)
        // A file with a single directory is read even if it claims to be a thumbnail or a mask.
        if tags.isNoPage, chain.offsets.count > 1 { return nil }
        messages.beginPixels()
        let layout = try TIFFLayout(tags)
        try limits.check(width: tags.width, height: tags.height, bytesPerPixel: 1)
        try limits.check(
            width: tags.width, height: tags.height, stored: fileSize,
            least: ImportLimits.leastStored(
                decoded: tags.width * tags.height * tags.samples * tags.bits / 8))
        var page: DecodedPage
        if let format = layout.directFormat {
            page = try readDirectly(tags, as: format, cancel: cancel)
            page.convertColors(from: tags.colors)
        } else if let samples = TIFFSamples(tags) {
            page = try readSamples(tags, samples, cancel: cancel)
            if samples.space == .palette { page = try page.reduced(limits: limits) }
        } else {
            page = try readThroughRGBA(tags, cancel: cancel)
        }
        page.resolution = tags.resolution
        page = try page.turned(tags.turn, limits: limits)
        page.damage =
            messages.damage ?? (tags.isGuessed ? "it does not say what its samples are" : nil)
        return page
    }

    /// Reads samples without libtiff's conversion: bilevel, and gray or RGB with 8 or 16 bits, in
    /// strips or tiles.
    private func readDirectly(
        _ tags: TIFFTags, as format: FrameFormat, cancel: CancelFlag
    ) throws(DecodeFault) -> DecodedPage {
        let page = try DecodedPage(
            format: format, width: tags.width, height: tags.height, limits: limits)
        // Unreadable parts stay white.
        page.whiten(from: 0)
        let isInverted = tags.whiteIsZero != (format == .bilevel)
        let pieces = TIFFPieces(tiff: tiff, limits: limits, cancel: cancel)
        let isAnyRead = try pieces.read(
            width: tags.width, height: tags.height, plane: 0,
            rowBytes: { format.minimumStride(width: $0) }
        ) { source, x, y, width in
            // Tiles are a multiple of 16 pixels wide (TIFF 6.0, section 15), so bits begin on a
            // byte.
            let start = x * format.bitsPerPixel / 8
            let count = format.minimumStride(width: width)
            let row = page.row(y)
            if isInverted {
                for index in 0..<count { row[start + index] = ~source[index] }
            } else {
                UnsafeMutableRawBufferPointer(rebasing: row[start..<start + count])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<count]))
            }
        }
        guard isAnyRead else { throw unreadable }
        page.clearBitsAfterRows()
        return page
    }

    /// Reads samples of 8 and 16 bits, some of which are inks, alpha or unknown.
    private func readSamples(
        _ tags: TIFFTags, _ samples: TIFFSamples, cancel: CancelFlag
    ) throws(DecodeFault) -> DecodedPage {
        let size = samples.isDeep ? 2 : 1
        let (width, height, count) = (tags.width, tags.height, samples.samples)
        let pieces = TIFFPieces(tiff: tiff, limits: limits, cancel: cancel)
        // The samples of separate planes are put side by side first.
        let held = samples.format.bitsPerPixel / 8 + (tags.isContiguous ? 0 : count * size)
        try limits.check(width: width, height: height, bytesPerPixel: held)
        var page = try DecodedPage(
            format: samples.format, width: width, height: height, limits: limits)
        page.whiten(from: 0)
        page.problems = samples.colors.problems
        let pixelBytes = samples.format.bitsPerPixel / 8
        if tags.isContiguous {
            let isAnyRead = try pieces.read(
                width: width, height: height, plane: 0, rowBytes: samples.rowBytes(width:)
            ) { source, x, y, width in
                samples.draw(
                    source, width: width,
                    to: UnsafeMutableRawBufferPointer(rebasing: page.row(y)[(x * pixelBytes)...]))
            }
            guard isAnyRead else { throw unreadable }
            return page
        }
        let planes = try PixelBuffer(byteCount: width * height * count * size)
        for plane in 0..<count {
            let isAnyRead = try pieces.read(
                width: width, height: height, plane: plane, rowBytes: { $0 * size }
            ) { source, x, y, columns in
                for column in 0..<columns {
                    let target = ((y * width + x + column) * count + plane) * size
                    for byte in 0..<size {
                        planes.mutableBytes[target + byte] = source[column * size + byte]
                    }
                }
            }
            guard isAnyRead else { throw unreadable }
        }
        for y in 0..<height {
            try cancel.check()
            let row = planes.row(y, length: samples.rowBytes(width: width))
            samples.draw(UnsafeRawBufferPointer(row), width: width, to: page.row(y))
        }
        return page
    }

    /// The fault of an unreadable page.
    private var unreadable: DecodeFault {
        .damaged(messages.firstError ?? "its picture data can't be decoded")
    }

    /// Reads everything else as libtiff converts it: palettes, Lab, YCbCr, 2 and 4 bits
    /// (`TIFFReadRGBAImageOriented`), transparency blended with white.
    private func readThroughRGBA(
        _ tags: TIFFTags, cancel: CancelFlag
    ) throws(DecodeFault) -> DecodedPage {
        try limits.check(width: tags.width, height: tags.height, bytesPerPixel: 7)
        var reason = [CChar](repeating: 0, count: 1_024)
        guard TIFFRGBAImageOK(tiff, &reason) == 1 else {
            throw .unsupported(string(reason))
        }
        let raster = try PixelBuffer(byteCount: tags.width * tags.height * 4)
        let words = raster.mutableBytes.bindMemory(to: UInt32.self)
        // With the stored orientation, rows stay in their order; the page is turned afterward.
        let result = TIFFReadRGBAImageOriented(
            tiff, UInt32(tags.width), UInt32(tags.height), words.baseAddress,
            Int32(tags.turn.rawValue), 1)
        // Libtiff stops where it can't continue; pixels that it has not reached are transparent.
        guard result == 1 || words.contains(where: { $0 != 0 }) else {
            if let text = messages.firstError, text.hasPrefix("Sorry") { throw .unsupported(text) }
            throw unreadable
        }
        try cancel.check()
        var page = try DecodedPage(
            format: .rgb8, width: tags.width, height: tags.height, limits: limits)
        let output = page.pixels.mutableBytes
        for index in 0..<(tags.width * tags.height) {
            // Red is the lowest byte; colors are already multiplied with alpha.
            let word = words[index]
            let white = 255 - (word >> 24)
            output[index * 3] = UInt8(min(255, (word & 255) + white))
            output[index * 3 + 1] = UInt8(min(255, ((word >> 8) & 255) + white))
            output[index * 3 + 2] = UInt8(min(255, ((word >> 16) & 255) + white))
        }
        page.convertColors(from: tags.colors)
        return tags.isColor ? page : try page.reduced(limits: limits)
    }
}
