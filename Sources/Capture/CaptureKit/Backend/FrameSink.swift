/// The receiver of a capturing device's frames.
public protocol FrameSink: Sendable {
    /// Announces the next frame and waits until the host has room for it (back-pressure).
    ///
    /// Only one frame may be open: the previous one must be finished or skipped.
    ///
    /// - Throws: ``CaptureError`` `tooLarge` when the frame exceeds the host's limits; another may
    ///   then be begun, or this page skipped. `internalFault` when the previous frame is
    ///   unfinished, or the request's limit is reached. `CancellationError`.
    func begin(_ frame: FrameDescription) async throws -> any FrameWriter

    /// Passes a document whose pages come next, so that it can be delivered unchanged; call it
    /// between frames.
    ///
    /// - Parameters:
    ///   - mediaType: the document's type; the host knows `application/pdf`.
    ///   - size: the document's size in bytes, at most 512 MiB.
    ///   - read: returns up to this many bytes from an offset; returning fewer before the
    ///     document's end is an error.
    /// - Returns: the document's number for ``FrameDescription/source``; nil if the host does not
    ///   want the document.
    func source(
        mediaType: String, size: Int,
        read: @escaping @Sendable (_ offset: Int, _ count: Int) async throws -> [UInt8]
    ) async throws -> Int?

    /// Reports a page that could not be captured, while later pages can.
    ///
    /// The host gives it a page number and shows `error`. If a frame was begun and not finished,
    /// that page is skipped and its pixels are discarded: use this when a page turns out to be
    /// damaged halfway.
    func skip(label: String?, _ error: CaptureError) async throws

    /// Reports the place that is read next. If the backend crashes or hangs while reading it, the
    /// host continues after it.
    ///
    /// Call it before reading, for pages that come from files. By default, it does nothing.
    func reading(_ place: ReadingPlace) async throws
}

extension FrameSink {
    /// The default: no document is wanted.
    public func source(
        mediaType: String, size: Int,
        read: @escaping @Sendable (_ offset: Int, _ count: Int) async throws -> [UInt8]
    ) async throws -> Int? { nil }

    /// The default: nothing is reported.
    public func reading(_ place: ReadingPlace) async throws {}
}

/// Receives the pixels of one frame, top row first.
public protocol FrameWriter: AnyObject, Sendable {
    /// Adds the next bytes of the frame; they may end anywhere in a row.
    ///
    /// - Throws: ``CaptureError`` `internalFault` when there are more bytes than the description
    ///   allows; `CancellationError`.
    func write(_ bytes: UnsafeRawBufferPointer) async throws

    /// Reports the page's text, if the device knows it without text recognition; once, before the
    /// frame is finished.
    ///
    /// The default does nothing.
    ///
    /// - Throws: ``CaptureError`` `internalFault` when a word is outside the frame or there are
    ///   too many; `CancellationError`.
    func text(_ text: FrameText) async throws

    /// Ends the frame; after that, it belongs to the host.
    ///
    /// A frame of unknown height gets its height from the number of bytes. A frame with too few
    /// bytes is refused as incomplete. A frame of the format `jpeg` may have any length but 0.
    func finish(original: EncodedOriginal?) async throws

    /// False when the host has no room for this live frame, so that its pixels need not be decoded;
    /// true by default. The frame must be finished anyway.
    var isWanted: Bool { get }

    /// Adds bytes that `body` writes into a buffer; it returns how many it wrote.
    ///
    /// This is for a device that decodes or reads directly into memory. The buffer holds `count`
    /// bytes: the host's own memory for live frames, otherwise memory that is copied afterward.
    ///
    /// - Throws: the errors of `body` and of ``write(_:)``.
    func fill(
        count: Int, _ body: @Sendable (UnsafeMutableRawBufferPointer) throws -> Int
    ) async throws
}

extension FrameWriter {
    /// The default: nothing is reported.
    public func text(_ text: FrameText) async throws {}

    /// The default: every frame is wanted.
    public var isWanted: Bool { true }

    /// The default: makes the bytes in a new buffer and writes them.
    public func fill(
        count: Int, _ body: @Sendable (UnsafeMutableRawBufferPointer) throws -> Int
    ) async throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 64)
        defer { buffer.deallocate() }
        let made = try body(buffer)
        guard (0...count).contains(made) else {
            throw CaptureError(.internalFault, "\(made) bytes were made in a buffer of \(count)")
        }
        try await write(UnsafeRawBufferPointer(rebasing: buffer[..<made]))
    }

    /// Ends the frame without an encoded original.
    public func finish() async throws { try await finish(original: nil) }

    /// Adds the next bytes of the frame from an array.
    public func write(_ bytes: [UInt8]) async throws {
        // The pointer must stay valid while the task is suspended, which `withUnsafeBytes` can't
        // promise in an async context.
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        defer { copy.deallocate() }
        bytes.withUnsafeBytes { copy.copyMemory(from: $0) }
        try await write(UnsafeRawBufferPointer(copy))
    }
}
