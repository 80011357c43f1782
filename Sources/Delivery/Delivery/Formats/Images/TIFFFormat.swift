import CTIFF
import Documents
import Imaging

extension FileFormat {
    /// A TIFF with all pages.
    public static let tiff = Self(
        [".tiff", ".tif"], mediaType: "image/tiff", showsPages: true
    ) { try TIFFFormat($0) }
}

/// Writes all pages into one TIFF 6.0, page by page directly to the disk, with libtiff.
///
/// Bilevel pages are CCITT Group 4. Gray and color are deflated with a horizontal predictor, and
/// keep 16 bits. Without compression, the pixels have the same form as in memory. A document with
/// one such page then uses the page's spooled file instead of writing another, if its pixels have
/// that form.
final class TIFFFormat: FormatWriter {
    private let output: TIFFOutput
    private let info: DocumentInfo
    private let name: String
    private let isCompressed: Bool
    /// The first page, while it is the only one and its file may be used.
    private var held: DeliveredPage?
    private var tiff: OpaquePointer?
    private let message = UnsafeMutablePointer<copystand_tiff_message>.allocate(capacity: 1)
    private var pages = 0

    init(_ context: FormatContext) throws {
        output = TIFFOutput(try PartialFile(context.name, in: context.folder))
        info = context.info
        name = context.name
        isCompressed = context.options.compressesTIFF
        message.initialize(to: copystand_tiff_message())
    }

    private func begin() throws {
        guard tiff == nil else { return }
        tiff = copystand_tiff_create(
            name, Unmanaged.passUnretained(output).toOpaque(), tiffRead, tiffWrite,
            tiffSeek,
            tiffClose, tiffSize, message)
        guard tiff != nil else { throw failure() }
    }

    deinit {
        if let tiff { TIFFClose(tiff) }
        message.deallocate()
    }

    func add(_ page: DeliveredPage) throws {
        if !isCompressed, pages == 0, held == nil, page.spooled != nil {
            held = page
            return
        }
        try writeHeld()
        try write(page)
    }

    private func writeHeld() throws {
        guard let page = held else { return }
        held = nil
        try write(page)
    }

    private func write(_ page: DeliveredPage) throws {
        try begin()
        // A classic TIFF counts its bytes in 32 bits. Deflate can make noise slightly larger than
        // it was.
        let raw = page.image.format.minimumStride(width: page.image.width) * page.image.height
        guard output.file.count + raw + raw / 100 + (1 << 20) < Int(UInt32.max) else {
            throw DeliveryError(
                .unsupported,
                "Page \(pages + 1) does not fit into '\(name)': a TIFF holds 4 GB. "
                    + "Write a PDF or one file a page (.png), or split the document.")
        }
        try describe(page)
        try writeStrips(page.image)
        try check(TIFFWriteDirectory(tiff) == 1)
        pages += 1
    }

    func finish() throws -> [PartialFile] {
        if let page = held, let spooled = page.spooled,
            let header = TIFFHeader.bytes(of: page, info, room: spooled.room),
            output.file.adopt(
                spooled, header: header, pixels: page.image.stride * page.image.height)
        {
            return [output.file]
        }
        try writeHeld()
        if let tiff { TIFFClose(tiff) }
        tiff = nil
        if let failure = output.failure { throw failure }
        return [output.file]
    }

    private func describe(_ page: DeliveredPage) throws {
        let image = page.image
        let isBilevel = image.format == .bilevel
        let photometric =
            isBilevel
            ? PHOTOMETRIC_MINISWHITE
            : image.format.channels == 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK
        try set(TIFFTAG_IMAGEWIDTH, image.width)
        try set(TIFFTAG_IMAGELENGTH, image.height)
        try set(TIFFTAG_BITSPERSAMPLE, image.format.bitsPerPixel / image.format.channels)
        try set(TIFFTAG_SAMPLESPERPIXEL, image.format.channels)
        try set(TIFFTAG_PHOTOMETRIC, Int(photometric))
        try set(TIFFTAG_PLANARCONFIG, Int(PLANARCONFIG_CONTIG))
        try set(TIFFTAG_ORIENTATION, Int(ORIENTATION_TOPLEFT))
        let scheme = isBilevel ? COMPRESSION_CCITTFAX4 : COMPRESSION_ADOBE_DEFLATE
        try set(TIFFTAG_COMPRESSION, Int(isCompressed ? scheme : COMPRESSION_NONE))
        if isCompressed && !isBilevel { try set(TIFFTAG_PREDICTOR, Int(PREDICTOR_HORIZONTAL)) }
        try set(TIFFTAG_ROWSPERSTRIP, rowsPerStrip(image))
        try set(TIFFTAG_RESOLUTIONUNIT, Int(RESUNIT_INCH))
        let dpi = resolution(of: page)
        try check(copystand_tiff_set_real(tiff, UInt32(TIFFTAG_XRESOLUTION), dpi) == 1)
        try check(
            copystand_tiff_set_real(tiff, UInt32(TIFFTAG_YRESOLUTION), resolutionDown(of: page))
                == 1)
        try set(TIFFTAG_SUBFILETYPE, Int(FILETYPE_PAGE))
        // The number of pages is not known yet, which the standard writes as 0.
        let number = UInt16(clamping: pages)
        try check(copystand_tiff_set_pair(tiff, UInt32(TIFFTAG_PAGENUMBER), number, 0) == 1)
        try set(TIFFTAG_PAGENAME, page.page.provenance.label ?? "\(pages + 1)")
        try set(TIFFTAG_DOCUMENTNAME, info.title)
        try set(TIFFTAG_SOFTWARE, "Copystand")
        try set(TIFFTAG_DATETIME, Timestamp(seconds: info.created).tiff)
    }

    /// Readers with little memory need strips of 8 KiB; without compression, larger ones are as
    /// easy to read.
    private func rowsPerStrip(_ image: Raster) -> Int {
        if isCompressed { return Int(TIFFDefaultStripSize(tiff, 0)) }
        return TIFFHeader.rowsPerStrip(image)
    }

    private func writeStrips(_ image: Raster) throws {
        let rowsPerStrip = rowsPerStrip(image)
        let rowBytes = image.format.minimumStride(width: image.width)
        if !isCompressed && image.stride == rowBytes {
            return try writeAsTheyAre(image, rowsPerStrip)
        }
        // libtiff may change the given bytes, and needs rows without gaps.
        var strip = [UInt8](repeating: 0, count: rowBytes * min(rowsPerStrip, image.height))
        for (index, start) in stride(from: 0, to: image.height, by: rowsPerStrip).enumerated() {
            let rows = min(rowsPerStrip, image.height - start)
            let written = strip.withUnsafeMutableBytes { strip in
                image.withBytes { pixels in
                    for row in 0..<rows {
                        let offset = (start + row) * image.stride
                        let source = UnsafeRawBufferPointer(
                            rebasing: pixels[offset..<offset + rowBytes])
                        UnsafeMutableRawBufferPointer(rebasing: strip[(row * rowBytes)...])
                            .copyMemory(from: source)
                    }
                }
                return TIFFWriteEncodedStrip(
                    tiff, UInt32(index), strip.baseAddress, tmsize_t(rows * rowBytes))
            }
            try check(written >= 0)
        }
    }

    /// Writes the strips directly from memory, if the rows have no gaps.
    private func writeAsTheyAre(_ image: Raster, _ rowsPerStrip: Int) throws {
        for (index, start) in stride(from: 0, to: image.height, by: rowsPerStrip).enumerated() {
            let rows = min(rowsPerStrip, image.height - start)
            let written = image.withBytes { pixels in
                // libtiff does not change the bytes of a raw strip, although it does not document
                // that.
                TIFFWriteRawStrip(
                    tiff, UInt32(index),
                    UnsafeMutableRawPointer(mutating: pixels.baseAddress)?
                        .advanced(by: start * image.stride),
                    tmsize_t(rows * image.stride))
            }
            try check(written >= 0)
        }
    }

    private func set(_ tag: Int32, _ value: Int) throws {
        try check(copystand_tiff_set_number(tiff, UInt32(tag), UInt32(clamping: value)) == 1)
    }

    private func set(_ tag: Int32, _ text: String) throws {
        let clean = cleaned(text)
        guard !clean.isEmpty else { return }
        try check(copystand_tiff_set_text(tiff, UInt32(tag), clean) == 1)
    }

    private func check(_ succeeded: Bool) throws {
        if !succeeded || output.failure != nil { throw failure() }
    }

    private func failure() -> DeliveryError {
        if let failure = output.failure { return failure }
        let reason = withUnsafeBytes(of: message.pointee.text) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        return DeliveryError(
            .unsupported,
            "Page \(pages + 1) could not be written to '\(name)': "
                + "\(reason.isEmpty ? "libtiff did not say why" : reason). Try another format.")
    }
}
