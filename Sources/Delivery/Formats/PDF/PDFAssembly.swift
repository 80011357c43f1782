import CPDFWriter
import Documents

/// Puts pages that wait in a spool together as a PDF, with libqpdf.
final class PDFAssembly {
    private let document: OpaquePointer
    private let spool: SpoolFile
    private let name: String

    /// Begins a document.
    ///
    /// - Parameter name: What it is called in messages.
    init(spool: SpoolFile, name: String) throws(DeliveryError) {
        guard let document = cpdf_create(spool.descriptor) else {
            throw DeliveryError(.inputOutput, "'\(name)' could not be begun: memory is out.")
        }
        self.document = document
        self.spool = spool
        self.name = name
    }

    deinit { cpdf_destroy(document) }

    /// Adds a page of `width` × `height` points.
    func add(
        _ picture: PDFPicture, image: SpoolFile.Range, content: SpoolFile.Range, width: Double,
        height: Double
    ) throws(DeliveryError) {
        var page = cpdf_page(
            width: width, height: height, kind: picture.isBilevel ? CPDF_G4 : CPDF_JPEG,
            columns: Int64(picture.width), rows: Int64(picture.height),
            components: Int32(picture.components), image: cpdf_range(image),
            content: cpdf_range(content))
        try check(cpdf_add_page(document, &page))
    }

    /// Adds the next font.
    func add(font characters: [String]) throws(DeliveryError) {
        let file = GlyphlessFont.file
        let map = GlyphTable.toUnicode(characters)
        let status = file.withUnsafeBufferPointer { file in
            map.withUnsafeBufferPointer { map in
                var font = cpdf_font(
                    file: file.baseAddress, file_count: file.count, to_unicode: map.baseAddress,
                    to_unicode_count: map.count, codes: Int32(characters.count + 1),
                    glyph: UInt16(GlyphlessFont.glyph), advance: Int32(GlyphlessFont.advance),
                    ascent: Int32(GlyphlessFont.ascent), descent: Int32(GlyphlessFont.descent))
                return cpdf_add_font(document, &font)
            }
        }
        try check(status)
    }

    /// Writes the document.
    func write(_ info: DocumentInfo, to file: PartialFile) throws(DeliveryError) {
        let producer = "Copystand"
        let xmp = xmpPacket(info, producer: producer)
        let receiver = Receiver(file)
        let status = withExtendedLifetime(receiver) {
            cleaned(info.title).withCString { title in
                Timestamp(seconds: info.created).pdf.withCString { date in
                    producer.withCString { producer in
                        (languageTag(info.language) ?? "").withCString { language in
                            xmp.withUnsafeBufferPointer { xmp in
                                var head = cpdf_info(
                                    title: title, date: date, producer: producer,
                                    language: language,
                                    xmp: xmp.baseAddress, xmp_count: xmp.count)
                                return cpdf_write(
                                    document, &head, receive,
                                    Unmanaged.passUnretained(receiver).toOpaque())
                            }
                        }
                    }
                }
            }
        }
        if let failure = receiver.failure { throw failure }
        try check(status)
    }

    private func check(_ status: Int32) throws(DeliveryError) {
        guard status != 0 else { return }
        throw DeliveryError(
            .inputOutput,
            "'\(name)' could not be put together: \(String(cString: cpdf_error(document))). "
                + "Check the disk, and try once more.")
    }
}

extension cpdf_range {
    fileprivate init(_ range: SpoolFile.Range) {
        self.init(offset: Int64(range.offset), count: Int64(range.count))
    }
}

private final class Receiver {
    let file: PartialFile
    var failure: DeliveryError?

    init(_ file: PartialFile) {
        self.file = file
    }
}

private func receive(
    _ context: UnsafeMutableRawPointer?, _ bytes: UnsafeRawPointer?, _ count: Int
) -> Int32 {
    guard let context else { return -1 }
    let receiver = Unmanaged<Receiver>.fromOpaque(context).takeUnretainedValue()
    do throws(DeliveryError) {
        try receiver.file.append(UnsafeRawBufferPointer(start: bytes, count: count))
        return 0
    } catch {
        receiver.failure = error
        return -1
    }
}
