import CPDFWriter

/// A PDF file from which one document may use unchanged pages.
final class PDFSourceFile {
    let path: String
    let source: OpaquePointer
    /// The number of pages.
    let pageCount: Int
    /// True if the file has a signature, which any change breaks.
    let isSigned: Bool

    /// Opens a file; nil when it can't be read, with the reason in `problem`.
    init?(path: String, problem: (String) -> Void) {
        var message = [CChar](repeating: 0, count: 512)
        let opened = message.withUnsafeMutableBufferPointer {
            cpdf_open_source(path, $0.baseAddress)
        }
        guard let opened else {
            let bytes = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            problem(String(decoding: bytes, as: UTF8.self))
            return nil
        }
        self.path = path
        source = opened
        pageCount = Int(cpdf_source_page_count(opened))
        isSigned = cpdf_source_is_signed(opened) != 0
    }

    deinit { cpdf_close_source(source) }

    /// True if a page, by its number from 1, has an annotation such as a link or a form field.
    func hasNotes(onPage number: Int) -> Bool {
        cpdf_source_page_has_notes(source, Int32(number - 1)) != 0
    }

    /// The sides of a page as shown, in its own units, by its number from 1; nil for a missing
    /// page.
    func size(ofPage number: Int) -> (width: Double, height: Double)? {
        var size = (0.0, 0.0)
        guard (1...max(1, pageCount)).contains(number),
            cpdf_source_page_size(source, Int32(number - 1), &size.0, &size.1) == 0
        else { return nil }
        return size
    }
}
