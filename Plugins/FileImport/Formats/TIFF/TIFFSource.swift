import CTIFF
import CaptureKit

/// A TIFF file, page by page (libtiff); thumbnails and masks among its directories are no pages.
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
        // "h" reads no directory yet, so that a bad first page doesn't close the file; "m" does without mapping it, which
        // would end in a signal if the file were cut short meanwhile.
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

    /// The directories, and one more where the list of them is damaged, so that its fault is reported at its place.
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
        // A file of a single directory is read whatever it says it is.
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
        } else {
            page = try readThroughRGBA(tags, cancel: cancel)
        }
        if let complaint = messages.damage { throw .damaged(complaint) }
        page.resolution = tags.resolution
        return try page.turned(tags.turn, limits: limits)
    }

    /// Reads samples as they are stored: bilevel, and 8 or 16 bits of gray or RGB, in strips or tiles.
    private func readDirectly(
        _ tags: TIFFTags, as format: FrameFormat, cancel: CancelFlag
    ) throws(DecodeFault) -> DecodedPage {
        let page = try DecodedPage(
            format: format, width: tags.width, height: tags.height, limits: limits)
        if TIFFIsTiled(tiff) != 0 {
            try readTiles(of: page, cancel: cancel)
        } else {
            guard TIFFScanlineSize64(tiff) == UInt64(page.stride) else {
                throw .damaged("its rows are not as long as its width asks for")
            }
            for y in 0..<page.height {
                try cancel.check()
                guard TIFFReadScanline(tiff, page.row(y).baseAddress, UInt32(y), 0) == 1 else {
                    throw .damaged(messages.firstError ?? "row \(y + 1) can't be read")
                }
            }
        }
        if format == .bilevel {
            normaliseBits(of: page, invert: !tags.whiteIsZero)
        } else if tags.whiteIsZero {
            let bytes = page.pixels.mutableBytes
            for index in bytes.indices { bytes[index] = ~bytes[index] }
        }
        return page
    }

    private func readTiles(of page: DecodedPage, cancel: CancelFlag) throws(DecodeFault) {
        guard let tileWidth = tiff.number(TIFFTAG_TILEWIDTH), tileWidth > 0,
            let tileHeight = tiff.number(TIFFTAG_TILELENGTH), tileHeight > 0
        else { throw .damaged("its tiles have no size") }
        try limits.check(
            width: tileWidth, height: tileHeight, bytesPerPixel: (page.format.bitsPerPixel + 7) / 8)
        let tileStride = page.format.minimumStride(width: tileWidth)
        let size = TIFFTileSize64(tiff)
        guard size == UInt64(tileStride) * UInt64(tileHeight) else {
            throw .damaged("its tiles are not as large as their sides ask for")
        }
        let tile = try PixelBuffer(byteCount: Int(size))
        for top in Swift.stride(from: 0, to: page.height, by: tileHeight) {
            for left in Swift.stride(from: 0, to: page.width, by: tileWidth) {
                try cancel.check()
                guard
                    TIFFReadTile(
                        tiff, tile.mutableBytes.baseAddress, UInt32(left), UInt32(top), 0, 0) >= 0
                else {
                    throw .damaged(messages.firstError ?? "a tile at row \(top + 1) can't be read")
                }
                // Tiles are a multiple of 16 pixels wide (TIFF 6.0, section 15), so bits begin on a byte.
                let start = left * page.format.bitsPerPixel / 8
                let count = min(tileStride, page.stride - start)
                for y in 0..<min(tileHeight, page.height - top) {
                    UnsafeMutableRawBufferPointer(
                        rebasing: page.row(top + y)[start..<start + count]
                    )
                    .copyMemory(
                        from: UnsafeRawBufferPointer(
                            rebasing: tile.bytes[(y * tileStride)..<(y * tileStride + count)]))
                }
            }
        }
    }

    /// Reads everything else as libtiff converts it: palettes, inks, Lab, YCbCr, 2 and 4 bits, separate planes
    /// (`TIFFReadRGBAImageOriented`), transparency laid over white.
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
        // Asking for the stored orientation leaves the rows as they are; the page is turned afterwards.
        guard
            TIFFReadRGBAImageOriented(
                tiff, UInt32(tags.width), UInt32(tags.height), words.baseAddress,
                Int32(tags.turn.rawValue), 1) == 1
        else { throw .damaged(messages.firstError ?? "its picture data can't be decoded") }
        try cancel.check()
        let page = try DecodedPage(
            format: .rgb8, width: tags.width, height: tags.height, limits: limits)
        let output = page.pixels.mutableBytes
        for index in 0..<(tags.width * tags.height) {
            // Red is the lowest byte; colours are already multiplied with alpha.
            let word = words[index]
            let white = 255 - (word >> 24)
            output[index * 3] = UInt8(min(255, (word & 255) + white))
            output[index * 3 + 1] = UInt8(min(255, ((word >> 8) & 255) + white))
            output[index * 3 + 2] = UInt8(min(255, ((word >> 16) & 255) + white))
        }
        return tags.isColour ? page : try page.reduced(limits: limits)
    }

    private func normaliseBits(of page: DecodedPage, invert: Bool) {
        if invert {
            let bytes = page.pixels.mutableBytes
            for index in bytes.indices { bytes[index] = ~bytes[index] }
        }
        guard page.width & 7 != 0 else { return }
        for y in 0..<page.height {
            page.row(y)[page.stride - 1] &= UInt8(truncatingIfNeeded: 0xFF00 >> (page.width & 7))
        }
    }
}
