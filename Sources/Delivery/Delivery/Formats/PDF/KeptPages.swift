/// The pages of PDF files that a document uses unchanged, and their files.
final class KeptPages {
    /// A page of a file, by its number from 1.
    struct Place {
        let file: PDFSourceFile
        let page: Int
    }

    private let options: PDFOptions
    /// The files by their paths; nil for an unusable file.
    private var files: [String: PDFSourceFile?] = [:]
    /// The pages of the document so far; nil for a page that comes from no file.
    private var pages: [Place?] = []
    /// The numbers of the pages that came from a file and are pictures now.
    private var redrawn: [Int] = []
    /// The paths of the files whose signatures may break, because the files are stored elsewhere.
    private var breakable: Set<String> = []
    /// True if pages of a file were not kept, because the user asked for pictures.
    private var becomesPictures = false
    /// True if every page so far is exactly that of its file.
    private var isUnchanged = true
    /// Notes for people.
    private(set) var notes: [String] = []

    init(_ options: PDFOptions) { self.options = options }

    /// The place of a page in its file; nil when the file can't be used, or pictures are wanted.
    func place(of page: DocumentPage?) -> Place? {
        guard let page, let file = file(page.path), page.number > 0,
            page.number <= file.pageCount
        else {
            return nil
        }
        if page.isKeptElsewhere { breakable.insert(page.path) }
        guard options.keepsPages || mayNotChange(file) else {
            becomesPictures = true
            return nil
        }
        return Place(file: file, page: page.number)
    }

    /// Notes a page that was added.
    ///
    /// - Parameter isRedrawn: Whether a picture replaces the file's page.
    func note(_ place: Place?, isChanged: Bool, isRedrawn: Bool = false) {
        pages.append(place)
        if isRedrawn, place != nil { redrawn.append(pages.count) }
        isUnchanged = isUnchanged && !isChanged
    }

    /// The file that is the whole document, to be copied byte for byte; nil when the document must
    /// be put together.
    ///
    /// - Parameter isTitleGiven: Whether the document's title differs from the file's.
    /// - Throws: ``DeliveryError`` `unsupported` when a signature would break and nobody has
    ///   allowed that.
    func wholeFile(named name: String, isTitleGiven: Bool) throws(DeliveryError) -> String? {
        if becomesPictures { notes.append(Self.pictures) }
        let files = pages.compactMap { $0?.file }
        guard let first = files.first else { return nil }
        let isWhole =
            pages.count == first.pageCount
            && zip(1..., pages).allSatisfy { $1?.file === first && $1?.page == $0 }
        if files.contains(where: mayNotChange) {
            guard isWhole, options.protection == nil else {
                throw DeliveryError(
                    .unsupported,
                    "'\(name)' was not written: its pages come from a signed PDF, whose signature would break. "
                        + "Import the whole file alone, or add --break-signature.")
            }
            notes.append(Self.copiedSigned)
            return first.path
        }
        if files.contains(where: { $0 !== first }) {
            notes.append("Title, author, language and tags are those of the first PDF.")
        }
        noteRedrawn()
        let isCopy = isWhole && !isTitleGiven && options.protection == nil
        if isCopy, !isUnchanged, redrawn.isEmpty, first.isSigned, !options.breaksSignatures {
            notes.append(Self.copiedSigned)
            return first.path
        }
        guard isCopy, isUnchanged else {
            if files.contains(where: { $0.isSigned && breakable.contains($0.path) }) {
                notes.append(
                    "The PDF was signed, and this file differs from it, so its signature is no longer valid. 'copystand export ID --original' writes the signed PDF."
                )
            }
            return nil
        }
        return first.path
    }

    /// Notes that parts of some files were left out.
    func noteDamaged(_ count: Int) {
        guard count > 0 else { return }
        notes.append(
            "Bookmarks, form fields or attachments of \(count == 1 ? "one PDF" : "\(count) PDFs") are damaged, and were left out."
        )
    }

    /// Notes bookmarks and links that were left out, because their pages are not in the document.
    func notePruned(_ counts: (bookmarks: Int, links: Int)) {
        let parts = [(counts.bookmarks, "bookmark"), (counts.links, "link")]
            .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
        guard !parts.isEmpty else { return }
        notes.append(
            "Left out: \(parts.joined(separator: " and ")) to pages that are not in this file.")
    }

    private static let pictures =
        "The PDF's pages are pictures now, since --pdf-a, --pdf-quality or --pdf-compression was given. Its title, author, links, bookmarks, form fields, attachments and tags are not in this file."
    private static let copiedSigned =
        "The PDF is signed, so it was copied as it is: any change would break the signature. --break-signature changes it anyway."

    /// The note with the pages that became pictures, while the others were kept.
    private func noteRedrawn() {
        guard !redrawn.isEmpty else { return }
        let numbers = redrawn.map(String.init).joined(separator: ", ")
        let others = pages.count { $0 != nil } - redrawn.count
        let hasLoss = redrawn.contains { number in
            pages[number - 1].map { $0.file.hasNotes(onPage: $0.page) } ?? false
        }
        notes.append(
            (redrawn.count == 1
                ? "Page \(numbers) is a picture now, since it was changed."
                : "Pages \(numbers) are pictures now, since they were changed.")
                + (hasLoss
                    ? " Links, form fields and comments on \(redrawn.count == 1 ? "it" : "them") are not in this file."
                    : "")
                + (others > 0 ? " The other pages were kept as they are in the PDF." : ""))
    }

    private func mayNotChange(_ file: PDFSourceFile) -> Bool {
        file.isSigned && !options.breaksSignatures && !breakable.contains(file.path)
    }

    private func file(_ path: String) -> PDFSourceFile? {
        if let known = files[path] { return known }
        let opened = PDFSourceFile(path: path) { reason in
            notes.append("A PDF could not be kept as it is, so its pages are pictures: \(reason).")
        }
        files[path] = opened
        return opened
    }
}
