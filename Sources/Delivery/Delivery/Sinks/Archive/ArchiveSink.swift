package import Archive
public import Documents
import FileNames
import FoundationEssentials
import GuardedFiles
import Imaging
import Synchronization

/// Puts documents into the archive.
///
/// A captured and unchanged JPEG is stored byte for byte; black and white is stored in Group 4, and
/// other pages as JPEG, or as PNG without loss. With the receipt, the document is complete and
/// durable; the receipt's location is its number. After a crash, a job's document that the archive
/// has already is not added again.
///
///     let receipt = try writer.finish()
///     print(receipt.locations)  // ["12"]
public struct ArchiveSink: Sink {
    /// `archive:` and the place of the archive.
    public let name: String
    /// The archive's place: its folder, or the address of its database.
    public let folder: String
    private let quality: Int
    /// True if a document begins even if the archive's server does not answer.
    private var beginsAway = false
    /// The claim of the left job whose document is added; nil for any other document.
    private var claim: LeftJobClaim?

    /// The beginning of an output on the command line that names an archive.
    static let mark = "archive:"

    /// True if an output of a command line means an archive, and not a file.
    public static func isMeant(by output: String) -> Bool { output.hasPrefix(mark) }

    /// The place of the archive that an output of a command line means; nil for a file.
    public static func place(of output: String) -> String? {
        isMeant(by: output) ? String(output.dropFirst(mark.count)) : nil
    }

    /// A sink for the archive at a place; one in a folder is created if it does not exist.
    ///
    /// - Parameter quality: The quality of JPEGs, 1…100; 0 keeps every pixel.
    public init(folder: String, quality: Int = 90) {
        self.folder = folder
        self.quality = min(max(quality, 0), 100)
        name = Self.mark + folder
    }

    /// The same sink for pages that are safe elsewhere.
    ///
    /// While the archive's server does not answer, a document still begins, and fails with
    /// `unreachable` when it is finished.
    public func startingAway() -> ArchiveSink {
        var sink = self
        sink.beginsAway = true
        return sink
    }

    /// The same sink for the result of a job that a station left to workers.
    package func claimed(_ claim: LeftJobClaim) -> ArchiveSink {
        var sink = self
        sink.claim = claim
        return sink
    }

    /// True if the archive answers now.
    ///
    /// This asks its server, which may take ten seconds.
    public var answers: Bool {
        do { _ = try Archive.open(folder, .readWrite) } catch { return error.code != .unreachable }
        return true
    }

    /// Keeps the receipts of files, with their hashes, in the archive's document of a job.
    ///
    /// - Parameters:
    ///   - made: the time of delivery, in seconds since 1970.
    ///   - user: the user who ordered the job; nil for the program's user.
    /// - Throws: ``DeliveryError``.
    public func keep(
        _ receipts: [Receipt], of job: String, made: Double, by user: ArchiveUser?
    ) throws(DeliveryError) {
        guard !receipts.isEmpty else { return }
        let here = FileNames.currentFolder
        var kept: [KeptReceipt] = []
        for receipt in receipts {
            var receipt = receipt
            var hashes: [String] = []
            for path in receipt.locations { hashes.append(try fileHash(path)) }
            receipt.hashes = hashes
            let paths = [receipt.sink] + receipt.locations
            let whole = paths.map { $0.hasPrefix("/") ? $0 : here + "/" + $0 }
            (receipt.sink, receipt.locations) = (whole[0], Array(whole.dropFirst()))
            kept += receipt.kept(made: made)
        }
        do {
            let archive = try Archive.open(folder, .readWrite)
            try archive.used(by: user?.seeingAll ?? archive.user).keep(kept, of: job)
        } catch { throw DeliveryError(error) }
    }

    /// Opens the archive and begins a document in it.
    ///
    /// - Throws: ``DeliveryError``.
    public func begin(_ info: DocumentInfo) throws -> any SinkWriter {
        do {
            let opened = try Archive.open(folder, .create)
            // A repeated delivery does not touch documents that have another owner by now.
            let archive = opened.used(by: info.user ?? opened.user)
            return ArchiveWriter(
                sink: name, archive: archive, addition: try archive.begin(info, for: claim),
                tags: info.tags ?? [], quality: quality)
        } catch  where beginsAway && error.code == .unreachable {
            return AwayArchiveWriter(error: DeliveryError(error))
        } catch { throw DeliveryError(error) }
    }
}

extension ArchiveSink {
    /// The archive's name among the named sinks.
    public static let kindName = "archive"
}

/// Adds a document's pages to the archive.
final class ArchiveWriter: SinkWriter {
    /// True: nothing that was captured is missing from the archive.
    let keepsBlankPages = true
    private let sink: String
    private let archive: Archive
    private let addition: Addition
    private let tags: [String]
    private let quality: Int
    private let written = Mutex((pages: 0, bytes: 0))

    init(
        sink: String, archive: Archive, addition: Addition, tags: [String], quality: Int
    ) {
        self.sink = sink
        self.archive = archive
        self.addition = addition
        self.tags = tags
        self.quality = quality
    }

    func add(_ page: DeliveredPage) throws {
        do {
            var image = page.image
            image.resolution = resolution(of: page)
            let picture = try stored(image, page.originalJPEG)
            var kept = page.page
            kept.resolution = resolution(of: page)
            // The places of words are in pixels of this picture, whatever size the page states.
            kept.width = image.width
            kept.height = image.height
            let uncut = try page.uncut.map(stored)
            let bytes = picture.bytes + (uncut?.picture.bytes ?? 0)
            try addition.add(
                NewPage(
                    page: kept, picture: picture, uncut: uncut, original: Self.original(of: page)))
            written.withLock { $0 = ($0.pages + 1, $0.bytes + bytes) }
        } catch let error as ArchiveError {
            throw DeliveryError(error)
        } catch let error as ImagingError {
            throw DeliveryError(.unsupported, "'\(sink)' could not take a page. \(error.message)")
        }
    }

    func note(_ found: DocumentFindings) throws { addition.note(found) }

    func finish() throws -> Receipt {
        do {
            let id = try addition.finish()
            // A resumed job runs this again, and must not add a tag twice.
            if !tags.isEmpty { _ = try archive.perform(tags.map { .addTag($0) }, on: id) }
            let (pages, bytes) = written.withLock { $0 }
            var receipt = Receipt(
                sink: sink, locations: [id.description], pages: pages, bytes: bytes,
                duplicateOf: try archive.twin(of: id)?.description)
            receipt.location = .archive(
                folder: archive.place, document: id.description,
                pictures: try archive.deliveredImages(of: id).map(\.hexadecimal))
            return receipt
        } catch { throw DeliveryError(error) }
    }

    func cancel() { addition.cancel() }

    /// The file that the archive keeps for a page.
    private static func original(of page: DeliveredPage) -> (path: String, page: FilePage)? {
        guard let file = page.origin else { return nil }
        let document = page.document
        let likeness: FilePage.Likeness =
            document.map { $0.isKept ? .init(degrees: $0.turn?.degrees ?? 0) : .redrawn } ?? .part
        return (
            file.path,
            FilePage(
                name: file.name, media: file.media, number: file.page, area: document?.area,
                likeness: likeness, addedText: document?.addedText)
        )
    }

    /// The long side of a thumbnail in pixels, enough for two columns on a phone's screen or four
    /// on a desktop.
    private static let thumbnailSide = 360

    private func stored(_ image: Raster, _ original: [UInt8]?) throws -> PagePicture {
        let (bytes, media) = try encoded(image, original)
        let small = try image.converted(to: image.format.channels == 3 ? .rgb8 : .gray8)
            .thumbnail(longSide: Self.thumbnailSide).encodedJPEG(quality: 75)
        return PagePicture(image: bytes, media: media, thumbnail: small)
    }

    private func stored(_ uncut: UncutPicture) throws -> NewPage.Uncut {
        var (image, original) = try uncut.read()
        image.resolution = uncut.resolution
        return NewPage.Uncut(
            picture: try stored(image, original), width: image.width, height: image.height,
            resolution: uncut.resolution, turn: uncut.turn, text: uncut.text,
            showsFilePage: uncut.showsFilePage, addedText: uncut.addedText)
    }

    private func encoded(
        _ image: Raster, _ original: [UInt8]?
    ) throws -> (bytes: [UInt8], media: String) {
        if let original, let head = JPEGHeader(original),
            head.canStandFor(width: image.width, height: image.height)
        {
            return (original, "image/jpeg")
        }
        if image.format == .bilevel { return (try image.encodedTIFF(), "image/tiff") }
        if quality == 0 || max(image.width, image.height) > 65_500 {
            return (try image.encodedPNG(), "image/png")
        }
        return (
            try image.encodedJPEG(quality: quality, subsampling: ChromaSubsampling.none),
            "image/jpeg"
        )
    }
}

extension DeliveryError {
    /// The archive's error as a delivery error.
    package init(_ error: ArchiveError) {
        let code: Code =
            switch error.code {
            case .missing, .folderUnusable: .folderMissing
            case .readOnly, .notAdmitted: .permissionDenied
            case .noSpace: .noSpace
            case .unreachable: .unreachable
            default: .inputOutput
            }
        self.init(code, error.message)
    }
}

/// Makes a folder for its owner only, and the folders above it, durably: each is synced into the
/// one above.
///
/// - Throws: ``DeliveryError``, such as `noSpace`; `inputOutput` for a link, or for a folder in
///   which others can change something.
package func makePrivateFolder(_ path: String) throws(DeliveryError) {
    do throws(ArchiveError) { try makeFolder(path) } catch { throw DeliveryError(error) }
    do throws(GuardedFileError) { try GuardedFolder.folder(at: path).checkOwner() } catch {
        throw DeliveryError(error, "use")
    }
}
