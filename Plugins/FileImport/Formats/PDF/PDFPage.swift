import CPDFReader
import CaptureKit
import ColorProfiles

/// An open PDF file (MuPDF); for one thread.
final class PDFFile {
    let pageCount: Int
    /// True when the file is encrypted, even if only against changes.
    let isEncrypted: Bool
    private let document: OpaquePointer

    /// Opens the file, with the password when it is encrypted.
    init(_ file: OpenFile, password: String) throws(DecodeFault) {
        var status = CPDFR_OK
        var message = MessageBuffer()
        // The descriptor's own name opens the same file, even when its path now names another.
        let opened = message.fill {
            cpdfr_open("/proc/self/fd/\(file.descriptor)", password, &status, $0)
        }
        guard let opened else {
            switch status {
            case CPDFR_LOCKED: throw password.isEmpty ? .passwordMissing : .passwordWrong
            case CPDFR_NO_MEMORY: throw .outOfMemory(0)
            default: throw .damaged(message.text ?? "it can't be opened")
            }
        }
        document = opened
        pageCount = Int(cpdfr_page_count(opened))
        isEncrypted = cpdfr_is_encrypted(opened) != 0
    }

    deinit { cpdfr_close(document) }

    /// Reads a page, counted from 0.
    func page(_ index: Int) throws(DecodeFault) -> PDFPage {
        var status = CPDFR_OK
        var message = MessageBuffer()
        let page = message.fill {
            cpdfr_load_page(document, Int32(clamping: index), &status, $0)
        }
        guard let page else {
            throw status == CPDFR_NO_MEMORY
                ? .outOfMemory(0) : .damaged(message.text ?? "it can't be found in the file")
        }
        return PDFPage(page, keeping: self)
    }
}

/// A page of a PDF, with lengths in points from the top left corner of the page as shown.
final class PDFPage {
    /// Width in points, with UserUnit and rotation applied.
    let width: Double
    /// Height in points.
    let height: Double
    private let page: OpaquePointer
    private let file: PDFFile

    fileprivate init(_ page: OpaquePointer, keeping file: PDFFile) {
        self.page = page
        self.file = file
        var size = (0.0, 0.0)
        cpdfr_page_size(page, &size.0, &size.1)
        (width, height) = size
    }

    deinit { cpdfr_free_page(page) }

    /// True if text, lines, areas or shadings can be seen next to or over its pictures.
    var hasMarks: Bool { cpdfr_page_marks(page) != CPDFR_NOTHING_ELSE }

    /// The share of the page, 0…1, that a box around all such marks takes.
    var markedShare: Double { cpdfr_page_marked(page) / (width * height) }

    /// The pictures that the page draws, in order, including stencils.
    var pictures: [EmbeddedPicture] {
        (0..<cpdfr_picture_count(page)).compactMap { index in
            cpdfr_page_picture(page, index).map { EmbeddedPicture(page: page, picture: $0) }
        }
    }

    /// Draws the page on white into three bytes a pixel.
    func draw(
        width: Int, height: Int, x: Double, y: Double, into buffer: PixelBuffer
    ) throws(DecodeFault) {
        let rows = buffer.mutableBytes.assumingMemoryBound(to: UInt8.self)
        switch cpdfr_draw(page, Int32(width), Int32(height), x, y, rows.baseAddress) {
        case CPDFR_OK: return
        case CPDFR_NO_MEMORY: throw .outOfMemory(buffer.bytes.count)
        default: throw .damaged("it can't be drawn")
        }
    }

    /// Makes the page draw pictures that have a color profile in sRGB.
    ///
    /// - Returns: messages about colors that stay unchanged.
    func recolorPictures(limits: ImportLimits) throws(DecodeFault) -> [String] {
        var problems: [String] = []
        for picture in pictures where !picture.isRecolored {
            for problem in try picture.recolor(limits: limits) where !problems.contains(problem) {
                problems.append(problem)
            }
        }
        return problems
    }

    /// Messages about pictures that end early, which are drawn as if nothing was missing.
    var truncatedPictures: [String] {
        let count = pictures.count { $0.jpeg.map { JPEGMarkers($0).end == nil } ?? false }
        return count == 0
            ? [] : ["A picture on the page is damaged; the page shows what could be read of it."]
    }

    /// The faults that reading and drawing have found so far, as one of the page's problems; nil
    /// for none.
    var problem: String? {
        var message = MessageBuffer()
        let count = message.fill { cpdfr_page_errors(page, $0) }
        guard count > 0 else { return nil }
        let first = message.text.map { ": \($0)" } ?? ""
        return count == 1
            ? "A part of the page could not be drawn\(first)."
            : "\(count) parts of the page could not be drawn; the first\(first)."
    }

    /// The page's own words in points, each with whether a line or block ends with it; empty when
    /// there are none.
    func words() -> [PDFWord] {
        guard let words = cpdfr_page_words(page) else { return [] }
        defer { cpdfr_free_words(words) }
        return (0..<cpdfr_word_count(words)).compactMap { index in
            var box = cpdfr_box()
            var end = CPDFR_WORD
            guard let text = cpdfr_word(words, index, &box, &end) else { return nil }
            return PDFWord(text: String(cString: text), box: box, end: end)
        }
    }
}

/// A word on a PDF's page.
struct PDFWord {
    let text: String
    /// The word's rectangle in points.
    let box: cpdfr_box
    /// The end that coincides with the word's: of a line or a block.
    let end: cpdfr_end
}

/// A picture that a page draws; valid as long as the page.
struct EmbeddedPicture {
    /// Pixels in a row.
    let width: Int
    /// Rows.
    let height: Int
    /// True when the whole picture is drawn unchanged, without a mask, transparency or a clip.
    let isPlain: Bool
    /// The map from the unit square, whose (0, 0) is the picture's top left corner, to the page's
    /// points.
    let place: cpdfr_matrix
    private let page: OpaquePointer
    private let picture: OpaquePointer

    fileprivate init(page: OpaquePointer, picture: OpaquePointer) {
        self.page = page
        self.picture = picture
        var size: (Int32, Int32) = (0, 0)
        cpdfr_picture_size(picture, &size.0, &size.1)
        (width, height) = (Int(size.0), Int(size.1))
        isPlain = cpdfr_picture_is_plain(picture) != 0
        place = cpdfr_picture_place(picture)
    }

    /// The picture's JPEG data, if the page shows exactly its pixels; nil otherwise.
    var jpeg: UnsafeRawBufferPointer? {
        var length = 0
        guard let bytes = cpdfr_picture_jpeg(page, picture, &length), length > 0 else { return nil }
        return UnsafeRawBufferPointer(start: bytes, count: length)
    }

    /// The picture's ICC profile and its number of components; nil for device colors.
    var profile: (bytes: [UInt8], components: Int)? {
        var (length, components): (Int, Int32) = (0, 0)
        guard let bytes = cpdfr_picture_profile(page, picture, &length, &components), length > 0
        else { return nil }
        return (Array(UnsafeBufferPointer(start: bytes, count: length)), Int(components))
    }

    /// The conversion of L*a*b* colors; nil for others.
    private var lab: LabColors? {
        var ranges = [Float](repeating: 0, count: 6)
        return cpdfr_picture_lab(page, picture, &ranges) == 0 ? nil : LabColors(ranges)
    }

    /// True if the page draws the picture with changed pixels; see ``recolor(limits:)``.
    var isRecolored: Bool { cpdfr_picture_is_recolored(page, picture) != 0 }

    /// Makes the page draw the picture in sRGB, if it has another profile.
    ///
    /// - Returns: messages about colors that stay unchanged.
    func recolor(limits: ImportLimits) throws(DecodeFault) -> [String] {
        if lab == nil {
            guard let profile else { return [] }
            let kind: SampleKind =
                switch profile.components {
                case 1: .gray
                case 3: .light
                default: .inks
                }
            let colors = PageColors(.profile(profile.bytes), kind)
            guard colors.conversion != nil else { return colors.problems }
        }
        do throws(DecodeFault) {
            try limits.check(width: width, height: height, bytesPerPixel: 9)
        } catch {
            return ["The colors of a picture of \(width) × \(height) pixels are not converted."]
        }
        guard let converted = try decodeWhole(limits: limits) else { return [] }
        let status = cpdfr_picture_recolor(
            page, picture, converted.pixels.bytes.bindMemory(to: UInt8.self).baseAddress,
            converted.format == .gray8 ? 1 : 3)
        guard status == CPDFR_OK else { throw .outOfMemory(converted.pixels.bytes.count) }
        return converted.problems
    }

    /// The pixels as the page shows them, in sRGB, gray or color; nil if they can't be decoded.
    func decode(limits: ImportLimits) throws(DecodeFault) -> DecodedPage? {
        try decodeWhole(limits: limits)?.reduced(limits: limits)
    }

    /// The same pixels with eight bits per sample, even if fewer are enough.
    private func decodeWhole(limits: ImportLimits) throws(DecodeFault) -> DecodedPage? {
        let profile = profile
        let lab = lab
        let inks = PageColors(
            profile?.components == 4 ? profile.map { .profile($0.bytes) } : nil, .inks)
        let samples = Int(cpdfr_picture_decode(page, picture, inks.conversion == nil ? 0 : 1))
        defer { cpdfr_picture_forget(page, picture) }
        var stride = 0
        guard [1, 3, 4].contains(samples), let rows = cpdfr_picture_samples(picture, &stride)
        else { return nil }
        var result = try DecodedPage(
            format: samples == 1 ? .gray8 : .rgb8, width: width, height: height, limits: limits)
        for y in 0..<height {
            let row = UnsafeRawBufferPointer(start: rows + y * stride, count: width * samples)
            if samples == 4 {
                inks.conversion?.convert(row, to: result.row(y))
            } else if samples == 3, let lab {
                lab.convert(row, to: result.row(y))
            } else {
                result.row(y).copyMemory(from: row)
            }
        }
        result.problems = inks.problems
        if samples != 4, let profile, profile.components == samples {
            result.convertColors(from: .profile(profile.bytes))
        }
        return result
    }
}

/// Room for a message of the library.
private struct MessageBuffer {
    private var bytes = [CChar](repeating: 0, count: 256)

    /// Runs a call that writes a message.
    mutating func fill<Result>(_ call: (UnsafeMutablePointer<CChar>?) -> Result) -> Result {
        bytes.withUnsafeMutableBufferPointer { call($0.baseAddress) }
    }

    /// The message, safe to be shown; nil for none.
    var text: String? {
        let text = bytes.withUnsafeBufferPointer { buffer in
            String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        return text.isEmpty ? nil : printable(text)
    }
}
