import CPDFWriter
import ColorProfiles
import Documents
import Imaging

/// Puts pages that wait in a spool together as a PDF, with libqpdf.
final class PDFAssembly {
    private let document: OpaquePointer
    private let spool: NamelessFile
    private let name: String
    /// The files of kept pages, which must outlive the document.
    private var sources: [PDFSourceFile] = []
    /// The profiles that its pictures have, each once.
    private var profiles: [[UInt8]] = []

    /// Begins a document.
    ///
    /// - Parameter name: Its name in messages.
    init(spool: NamelessFile, name: String) throws(DeliveryError) {
        guard let document = cpdf_create(spool.descriptor) else {
            throw DeliveryError(
                .inputOutput, "'\(name)' could not be begun: there is no memory left.")
        }
        self.document = document
        self.spool = spool
        self.name = name
    }

    deinit { cpdf_destroy(document) }

    /// Adds a page with its pictures and their places in the spool.
    ///
    /// - Parameter place: the page of a file that it replaces; nil for none.
    func add(
        _ layers: [(PDFAppearance.Layer, NamelessFile.Range)], content: NamelessFile.Range,
        size: PDFPageSize, insteadOf place: KeptPages.Place? = nil
    ) throws(DeliveryError) {
        var images: [cpdf_image] = []
        for (layer, data) in layers {
            let profile =
                if let profile = layer.picture.profile { try number(of: profile) } else { Int32(0) }
            images.append(
                cpdf_image(
                    kind: layer.picture.coding.kind, columns: Int64(layer.picture.width),
                    rows: Int64(layer.picture.height), components: Int32(layer.picture.components),
                    bits: Int32(layer.picture.bits), is_stencil: layer.color == nil ? 0 : 1,
                    data: cpdf_range(data), profile: profile))
        }
        if let place { sources.append(place.file) }
        let status = images.withUnsafeBufferPointer { images in
            var page = cpdf_page(
                width: size.width, height: size.height, images: images.baseAddress,
                image_count: images.count, content: cpdf_range(content))
            guard let place else { return cpdf_add_page(document, &page) }
            return cpdf_replace_source_page(
                document, place.file.source, Int32(place.page - 1), &page)
        }
        try check(status)
    }

    /// Adds a page of a file unchanged, with an optional layer of text over it, and then turned.
    func add(
        _ place: KeptPages.Place, turnedBy turn: QuarterTurn?, layer: NamelessFile.Range?
    ) throws(DeliveryError) {
        sources.append(place.file)
        let (source, page) = (place.file.source, Int32(place.page - 1))
        let quarters = Int32((turn?.degrees ?? 0) / 90)
        guard let layer else {
            return try check(cpdf_add_source_page(document, source, page, quarters, nil))
        }
        var range = cpdf_range(layer)
        try check(cpdf_add_source_page(document, source, page, quarters, &range))
    }

    /// The number of a profile in pictures, from 1; the same profile is stored once.
    private func number(of profile: [UInt8]) throws(DeliveryError) -> Int32 {
        if let known = profiles.firstIndex(of: profile) { return Int32(known + 1) }
        // ICC.1:2022, 7.2.6: the kind of colors decides how many components they have.
        let isGray = profile.count >= 20 && profile[16..<20].elementsEqual("GRAY".utf8)
        let status = profile.withUnsafeBufferPointer {
            cpdf_add_profile(document, $0.baseAddress, $0.count, isGray ? 1 : 3)
        }
        try check(status)
        profiles.append(profile)
        return Int32(profiles.count)
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
    func write(
        _ info: DocumentInfo, _ options: PDFOptions, to file: PartialFile
    ) throws(DeliveryError) {
        let producer = "Copystand"
        let xmp = xmpPacket(info, producer: producer, archival: options.archival)
        let profile = options.archival == nil ? [] : MadeProfile.sRGB.bytes
        let receiver = Receiver(file)
        let status = withExtendedLifetime(receiver) {
            cleaned(info.title).withCString { title in
                Timestamp(seconds: info.created).pdf.withCString { date in
                    producer.withCString { producer in
                        (languageTag(info.language) ?? "").withCString { language in
                            MadeProfile.sRGB.name.withCString { name in
                                xmp.withUnsafeBufferPointer { xmp in
                                    profile.withUnsafeBufferPointer { profile in
                                        var head = cpdf_info(
                                            title: title,
                                            is_title_given: info.isTitleGiven == true ? 1 : 0,
                                            date: date, producer: producer,
                                            language: language, xmp: xmp.baseAddress,
                                            xmp_count: xmp.count, profile: profile.baseAddress,
                                            profile_count: profile.count, profile_name: name)
                                        return write(&head, options.protection, receiver)
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
        if let failure = receiver.failure { throw failure }
        try check(status)
    }

    private func write(
        _ head: inout cpdf_info, _ protection: PDFProtection?, _ receiver: Receiver
    ) -> Int32 {
        let receiver = Unmanaged.passUnretained(receiver).toOpaque()
        guard let protection else {
            return cpdf_write(document, &head, nil, receive, receiver)
        }
        // Without an owner's password, anyone would have the owner's rights.
        let owner = protection.ownerPassword ?? protection.password ?? ""
        return (protection.password ?? "").withCString { open in
            owner.withCString { owner in
                var lock = cpdf_protection(
                    open: open, owner: owner, may_change: protection.ownerPassword == nil ? 1 : 0)
                return cpdf_write(document, &head, &lock, receive, receiver)
            }
        }
    }

    /// The number of files with damaged bookmarks, form fields or attachments, which were left out;
    /// known once the document is written.
    var damagedFiles: Int { Int(cpdf_damaged_count(document)) }

    /// The numbers of bookmarks and links that were left out because they lead to missing pages;
    /// known once the document is written.
    var pruned: (bookmarks: Int, links: Int) {
        var counts: (Int32, Int32) = (0, 0)
        cpdf_pruned_counts(document, &counts.0, &counts.1)
        return (Int(counts.0), Int(counts.1))
    }

    private func check(_ status: Int32) throws(DeliveryError) {
        guard status != 0 else { return }
        throw DeliveryError(
            .inputOutput,
            "'\(name)' could not be put together: \(String(cString: cpdf_error(document))). "
                + "Check the disk, and try again.")
    }
}

extension PDFPicture.Coding {
    fileprivate var kind: cpdf_image_kind {
        switch self {
        case .jpeg: CPDF_JPEG
        case .g4: CPDF_G4
        case .flate: CPDF_FLATE
        }
    }
}

extension cpdf_range {
    fileprivate init(_ range: NamelessFile.Range) {
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
