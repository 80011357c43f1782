/// Where a capturing device puts its frames.
public protocol FrameSink: Sendable {
    /// Announces the next frame and waits until the host has room for it (back-pressure).
    ///
    /// - Throws: ``CaptureError`` `tooLarge` when the frame is beyond the host's limits; `CancellationError`.
    func begin(_ frame: FrameDescription) async throws -> any FrameWriter

    /// Reports a page that could not be captured while the pages after it can.
    ///
    /// The host counts it as a page number of its own and shows `error`.
    func skip(label: String?, _ error: CaptureError) async throws
}

/// Takes the pixels of one frame, top row first.
public protocol FrameWriter: AnyObject, Sendable {
    /// Adds the next bytes of the frame; they need not end at a row's end.
    ///
    /// - Throws: ``CaptureError`` `internalFault` when more bytes come than the description allows; `CancellationError`.
    func write(_ bytes: UnsafeRawBufferPointer) async throws

    /// Ends the frame; it is the host's from now on.
    ///
    /// A frame of unknown height gets its height from the bytes written. A frame with too few bytes is refused as torn.
    func finish(original: EncodedOriginal?) async throws
}

extension FrameWriter {
    /// Ends the frame without an encoded original.
    public func finish() async throws { try await finish(original: nil) }

    /// Adds the next bytes of the frame from an array.
    public func write(_ bytes: [UInt8]) async throws {
        // The pointer must stay valid across the suspension, which `withUnsafeBytes` can't promise in an async context.
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        defer { copy.deallocate() }
        bytes.withUnsafeBytes { copy.copyMemory(from: $0) }
        try await write(UnsafeRawBufferPointer(copy))
    }
}
