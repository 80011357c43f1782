/// Where a capturing device puts its frames.
public protocol FrameSink: Sendable {
    /// Announces the next frame and waits until the host has room for it (back-pressure).
    ///
    /// One frame at a time: the one before must be finished or skipped.
    ///
    /// - Throws: ``CaptureError`` `tooLarge` when the frame is beyond the host's limits, after
    ///   which another may be begun or this page be skipped; `internalFault` when the frame before
    ///   is unfinished or the request's limit is reached; `CancellationError`.
    func begin(_ frame: FrameDescription) async throws -> any FrameWriter

    /// Hands over a document whose pages come next, so that it may be delivered as it is; call it
    /// between frames.
    ///
    /// - Parameters:
    ///   - mediaType: what it is; the host knows `application/pdf`.
    ///   - size: its bytes, at most 512 MiB.
    ///   - read: gives up to this many bytes from an offset; fewer end the document early, which is
    ///     an error.
    /// - Returns: its number for ``FrameDescription/source``; nil if it is not wanted.
    func source(
        mediaType: String, size: Int,
        read: @escaping @Sendable (_ offset: Int, _ count: Int) async throws -> [UInt8]
    ) async throws -> Int?

    /// Reports a page that could not be captured while the pages after it can.
    ///
    /// The host counts it as a page number of its own and shows `error`. When a frame has been
    /// begun and not finished, that page is skipped, and its pixels are discarded: this reports a
    /// page that turns out to be damaged half-way.
    func skip(label: String?, _ error: CaptureError) async throws

    /// Reports what is read next, before reading it: if the backend crashes or hangs over it, the
    /// host continues after it.
    ///
    /// For a device whose pages come from files. By default, nothing is reported.
    func reading(_ place: ReadingPlace) async throws
}

extension FrameSink {
    /// By default, no document is wanted.
    public func source(
        mediaType: String, size: Int,
        read: @escaping @Sendable (_ offset: Int, _ count: Int) async throws -> [UInt8]
    ) async throws -> Int? { nil }

    /// Nothing is reported.
    public func reading(_ place: ReadingPlace) async throws {}
}

/// Takes the pixels of one frame, top row first.
public protocol FrameWriter: AnyObject, Sendable {
    /// Adds the next bytes of the frame; they need not end at a row's end.
    ///
    /// - Throws: ``CaptureError`` `internalFault` when more bytes come than the description allows;
    ///   `CancellationError`.
    func write(_ bytes: UnsafeRawBufferPointer) async throws

    /// Reports the page's text, if the device knows it without reading; once, before the frame is
    /// finished.
    ///
    /// By default, nothing is reported.
    ///
    /// - Throws: ``CaptureError`` `internalFault` when a word is outside the frame or there are
    ///   too many; `CancellationError`.
    func text(_ text: FrameText) async throws

    /// Ends the frame; it is the host's from now on.
    ///
    /// A frame of unknown height gets its height from the bytes written. A frame with too few bytes
    /// is refused as torn; one of the format `jpeg` is as long as what was written, and may not be
    /// empty.
    func finish(original: EncodedOriginal?) async throws

    /// False when the host has no room for this frame of a live capture and its pixels go nowhere,
    /// so that decoding it can be spared; true unless a sink says otherwise. The frame must be
    /// finished anyway.
    var isWanted: Bool { get }

    /// Adds bytes that are made in place: `body` writes to the buffer it gets and returns how many
    /// bytes it wrote.
    ///
    /// For a device that decodes or reads straight into memory. The buffer holds `count` bytes: the
    /// host's own memory for live frames, else a buffer that is copied from.
    ///
    /// - Throws: what `body` throws, and what ``write(_:)`` throws.
    func fill(
        count: Int, _ body: @Sendable (UnsafeMutableRawBufferPointer) throws -> Int
    ) async throws
}

extension FrameWriter {
    /// Nothing is reported.
    public func text(_ text: FrameText) async throws {}

    /// Every frame is wanted.
    public var isWanted: Bool { true }

    /// Makes the bytes in a buffer of its own and writes them.
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
        // The pointer must stay valid across the suspension, which `withUnsafeBytes` can't promise
        // in an async context.
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        defer { copy.deallocate() }
        bytes.withUnsafeBytes { copy.copyMemory(from: $0) }
        try await write(UnsafeRawBufferPointer(copy))
    }
}
