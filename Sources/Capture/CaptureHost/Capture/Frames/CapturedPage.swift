import FileNames
public import CaptureKit
import FoundationEssentials
import Glibc
import GuardedFiles
import Synchronization

/// A page, or a live frame, that the host has checked and stored.
///
/// All copies of the value are the same page. The page counts against its capture's window until
/// ``release()`` is called or the last copy is gone; its files stay.
public struct CapturedPage: Sendable {
    /// The page's number in its spool folder, which begins with ``SpoolFolder/firstNumber``;
    /// skipped pages have numbers too.
    public let number: Int
    /// The frame's description; its height is never nil.
    public let description: FrameDescription
    /// The path of the file with the pixels, one row each `description.stride` bytes; the last row
    /// may lack its padding.
    ///
    /// A live frame's file may be longer than the frame.
    ///
    /// A page's file is complete and on the disk. A live frame's path is valid until the page is
    /// released.
    public let pixels: String
    /// The unused bytes of the file before its first row: room for the header of a file format.
    public let room: Int
    /// The encoded picture that the page was decoded from, if the backend sent it.
    public let original: StoredOriginal?
    /// The path of the file with the page's own text (``ownText()``); nil for a page without one.
    let text: String?
    /// The page of a document that this page shows; nil if the document was not handed over.
    public let source: Source?
    /// The corners of the page in the picture; nil if unknown.
    public let corners: PageCorners?
    private let hold: PageHold

    /// The encoded original of a page.
    public struct StoredOriginal: Codable, Hashable, Sendable {
        /// The path of the original's file.
        public let path: String
        /// The original's media type, such as `image/jpeg`.
        public let mediaType: String

        /// An original in a file.
        public init(path: String, mediaType: String) {
            self.path = path
            self.mediaType = mediaType
        }
    }

    /// A page of a document.
    public struct Source: Codable, Hashable, Sendable {
        /// The path of the document's file, which stays as long as the job's folder.
        public let path: String
        /// The page's number in the document, from 1.
        public let page: Int
        /// The part of the page that the frame shows, as in `FrameSource`; nil for the whole page.
        public let area: [Double]?
    }

    /// The maximum size that a page's note may state: 1 MiB.
    static let mostRoom = 1 << 20

    /// The size in bytes of an encoded frame (`jpeg`); nil for a frame whose size follows from its
    /// rows.
    let length: Int?

    /// A page from existing files, such as those of an interrupted job.
    public init(
        number: Int, description: FrameDescription, pixels: String, room: Int = 0,
        original: StoredOriginal?, text: String? = nil, source: Source? = nil,
        corners: PageCorners? = nil,
        onRelease: @escaping @Sendable () -> Void = {}
    ) {
        self.init(
            number: number, description: description, pixels: pixels, room: room,
            original: original, text: text, source: source, corners: corners, length: nil,
            onRelease: onRelease)
    }

    init(
        number: Int, description: FrameDescription, pixels: String, room: Int = 0,
        original: StoredOriginal?, text: String? = nil, source: Source? = nil,
        corners: PageCorners? = nil, length: Int?,
        onRelease: @escaping @Sendable () -> Void
    ) {
        self.number = number
        self.description = description
        self.pixels = pixels
        self.room = room
        self.original = original
        self.text = text
        self.source = source
        self.corners = corners
        self.length = length
        hold = PageHold(onRelease)
    }

    /// The size of the page's pixels in bytes.
    public var byteCount: Int { length ?? description.byteCount(rows: description.height ?? 0) }

    /// Releases the page, so that the capture may continue with another page; the page's files
    /// stay.
    public func release() { hold.release() }

    /// Deletes the page's files and releases it.
    public func discard() {
        if !pixels.hasPrefix("/proc/") {
            GuardedFolder.removeFile(at: pixels)
            GuardedFolder.removeFile(at: SpoolFolder.notePath(ofPixels: pixels))
        }
        if let original { GuardedFolder.removeFile(at: original.path) }
        if let text { GuardedFolder.removeFile(at: text) }
        release()
    }

    /// The page's own text; nil if the page came without one.
    ///
    /// - Throws: ``HostError`` `spoolFailed` when its file is gone or broken.
    public func ownText() throws -> FrameText? {
        guard let text else { return nil }
        let bytes = try spooling { () throws(GuardedFileError) in
            try GuardedFolder.readFile(at: text)
        }
        do { return try JSONDecoder().decode(FrameText.self, from: Data(bytes)) } catch {
            throw HostError(
                .spoolFailed, "page \(number)'s text '\(text)' can't be read: \(jsonFault(error))")
        }
    }

    /// Maps the frame's bytes into memory, for reading only; the system loads them from the file at
    /// the first access (`mmap`).
    ///
    /// - Throws: ``HostError`` `spoolFailed` when the file is gone or too short.
    public func mapPixels() throws -> MappedPixels {
        let rows = description.height ?? 0
        let needed = length ?? description.leastBytes(rows: rows)
        let (raw, information) = try spooling { () throws(GuardedFileError) in
            try GuardedFolder.openFile(at: pixels)
        }
        let file = OwnedDescriptor(raw)
        guard needed > 0, Int(information.st_size) >= room + needed else {
            throw HostError(
                .spoolFailed,
                "page \(number)'s '\(pixels)' has \(Int(information.st_size) - room) bytes, not the \(needed) of its rows"
            )
        }
        let count =
            length ?? min(Int(information.st_size) - room, description.byteCount(rows: rows))
        // From the start of the file, because a mapping can't begin in the middle of a page of
        // memory.
        guard let address = mmap(nil, room + count, PROT_READ, MAP_SHARED, file.raw, 0),
            address != MAP_FAILED
        else { throw SpoolFile.failure("page \(number)'s '\(pixels)' can't be mapped") }
        return MappedPixels(
            UnsafeMutableRawBufferPointer(start: address, count: room + count), from: room,
            keeping: hold)
    }
}

/// A page's mapped bytes.
///
/// They must not be written, although their type, which a raster needs, allows it.
///
/// `@unchecked Sendable`: the memory is never written and stays mapped until ``release`` is called.
public struct MappedPixels: @unchecked Sendable {
    /// The pixels, one row each stride of the frame; a JPEG picture for the format `jpeg`.
    public let bytes: UnsafeMutableRawBufferPointer
    /// Unmaps the memory; call it exactly once, after the last use of the bytes.
    public let release: @Sendable () -> Void
    /// Releases this many bytes from the start of the memory; a later access reads them from the
    /// file again (`madvise`).
    public let forget: @Sendable (Int) -> Void

    fileprivate init(
        _ mapping: UnsafeMutableRawBufferPointer, from start: Int, keeping hold: PageHold
    ) {
        bytes = UnsafeMutableRawBufferPointer(rebasing: mapping[start...])
        nonisolated(unsafe) let mapped = mapping
        forget = { count in
            // The system releases only whole pages of memory.
            let most = min(max(0, start + count), mapped.count)
            _ = madvise(
                mapped.baseAddress, most & ~(sysconf(Int32(_SC_PAGESIZE)) - 1), MADV_DONTNEED)
        }
        // A live frame's buffer must not be filled again while it is mapped, so the mapping holds
        // the page.
        release = { withExtendedLifetime(hold) { _ = munmap(mapped.baseAddress, mapped.count) } }
    }
}

/// Runs an action once: on request, or when the last reference is released.
private final class PageHold: Sendable {
    private let action: Mutex<(@Sendable () -> Void)?>

    init(_ action: @escaping @Sendable () -> Void) { self.action = Mutex(action) }

    func release() {
        action.withLock { action in
            defer { action = nil }
            return action
        }?()
    }

    deinit { release() }
}
