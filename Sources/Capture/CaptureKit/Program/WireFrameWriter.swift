import Dispatch
import Glibc

/// Writes a frame's pixels to the buffer that the host gave: a file, or the connection itself.
///
/// `@unchecked Sendable`: only one capturing task writes a frame, one call after the other, as
/// ``FrameWriter`` requires.
final class WireFrameWriter: FrameWriter, @unchecked Sendable {
    private let description: FrameDescription
    private let reference: Wire.FrameReference
    private let grant: Grant
    private let isLive: Bool
    private let writer: WireWriter
    private let queue: DispatchQueue
    private let onFinish: @Sendable () -> Void
    /// The maximum size of the frame in bytes.
    private let most: Int
    /// Small writes are gathered here, so that many rows need one system call and one progress
    /// message.
    private lazy var staging = UnsafeMutableRawBufferPointer.allocate(
        byteCount: Self.stagingSize, alignment: 64)
    private static let stagingSize = 512 << 10
    private var hasStaging = false
    private var staged = 0
    private var flushed = 0
    private var lastFlush = ContinuousClock.now
    /// The number of steps of the page that were last reported to the host (below 0: none yet), and
    /// the time.
    private var reported = (steps: -1, time: ContinuousClock.now)
    /// The host gets a report of the first rows, then one for every further amount of this many
    /// bytes, or of fewer after a while.
    ///
    /// This interval is short enough for people and for the disk, and a fast device needs no
    /// message for each piece.
    private let reportSize: Int
    private static let reportInterval = Duration.milliseconds(100)
    private let mappings: LiveMappings
    private var isFinished = false

    init(
        _ description: FrameDescription, _ reference: Wire.FrameReference, grant: Grant,
        isLive: Bool, writer: WireWriter, queue: DispatchQueue, mappings: LiveMappings,
        onFinish: @escaping @Sendable () -> Void
    ) throws(CaptureError) {
        self.description = description
        self.reference = reference
        self.grant = grant
        self.isLive = isLive
        self.writer = writer
        self.queue = queue
        self.mappings = mappings
        self.onFinish = onFinish
        let rows = description.height ?? FrameDescription.longestSide
        most = min(description.byteCount(rows: rows), grant.buffer.most ?? .max)
        reportSize = min(4 << 20, max(1, most / 16))
        if grant.buffer.way == .fd && grant.descriptor == nil {
            throw CaptureError(.internalFault, "the host announced a buffer that did not arrive")
        }
        guard (0...(1 << 40)).contains(grant.buffer.offset ?? 0) else {
            throw CaptureError(.internalFault, "the host's buffer begins at an impossible offset")
        }
    }

    deinit {
        if hasStaging { staging.deallocate() }
    }

    var isWanted: Bool { grant.buffer.way != .drop }

    func write(_ bytes: UnsafeRawBufferPointer) async throws {
        try checkRoom(for: bytes.count)
        if bytes.count > Self.stagingSize - staged { try await flush() }
        if bytes.count > Self.stagingSize {
            try await put(bytes)
        } else if !bytes.isEmpty {
            hasStaging = true
            UnsafeMutableRawBufferPointer(rebasing: staging[staged...]).copyMemory(from: bytes)
            staged += bytes.count
            // Slow rows are reported as they arrive, so that the host knows that the device still
            // works.
            if ContinuousClock.now - lastFlush > .milliseconds(250) { try await flush() }
        }
    }

    func fill(
        count: Int, _ body: @Sendable (UnsafeMutableRawBufferPointer) throws -> Int
    ) async throws {
        try checkRoom(for: count)
        try await flush()
        // Only memory is mapped: in a file, the first access to each page of memory costs more than
        // copying it.
        if isLive, grant.buffer.way == .fd, let height = description.height, count > 0 {
            let memory = try mapped(description.byteCount(rows: height))
            let made = try body(
                UnsafeMutableRawBufferPointer(rebasing: memory[flushed..<flushed + count]))
            try checkMade(made, of: count)
            flushed += made
            // A complete frame needs no report: its end is announced next.
            if flushed < description.leastBytes(rows: height) { try report() }
        } else {
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 64)
            defer { buffer.deallocate() }
            let made = try body(buffer)
            try checkMade(made, of: count)
            try await put(UnsafeRawBufferPointer(rebasing: buffer[..<made]))
        }
    }

    func text(_ text: FrameText) async throws {
        try Task.checkCancellation()
        guard isWanted, !isFinished else { return }
        guard text.words.count <= FrameText.mostWords else {
            throw CaptureError(
                .internalFault, "page \(reference.frame) has \(text.words.count) words")
        }
        if let fault = text.words.lazy.compactMap({ FrameText.fault($0, in: self.description) })
            .first
        {
            throw CaptureError(.internalFault, "page \(reference.frame) has \(fault)")
        }
        // A line holds a megabyte, and a word can take about 6 KB of it.
        for start in stride(from: 0, to: text.words.count, by: 100) {
            let body = Wire.Text(
                capture: reference.capture, frame: reference.frame,
                words: Array(text.words[start..<min(start + 100, text.words.count)]),
                partial: text.isPartial ? true : nil)
            try wireToCapture { () throws(WireError) in
                try writer.send(WireHeader(event: .text), body)
            }
        }
    }

    func finish(original: EncodedOriginal?) async throws {
        try Task.checkCancellation()
        guard !isFinished else {
            throw CaptureError(.internalFault, "page \(reference.frame) was finished twice")
        }
        guard isWanted else {
            // No one asked for these pixels, so they need not exist.
            isFinished = true
            return onFinish()
        }
        try await flush()
        let rows = description.height ?? description.wholeRows(in: flushed)
        guard rows > 0, flushed >= description.leastBytes(rows: rows) else {
            let expected = description.leastBytes(rows: max(rows, 1))
            throw CaptureError(
                .damagedData,
                "page \(reference.frame) is incomplete: \(flushed) of \(expected) bytes arrived")
        }
        isFinished = true
        try await announce(rows, original)
        onFinish()
    }

    private func announce(_ rows: Int, _ original: EncodedOriginal?) async throws {
        let body = Wire.Rows(
            capture: reference.capture, frame: reference.frame, rows: rows,
            mediaType: original?.mediaType, length: description.format == .jpeg ? flushed : nil)
        guard let original else {
            try wireToCapture { () throws(WireError) in
                try writer.send(WireHeader(event: .done), body)
            }
            // A backend may end right after its page, so the report must be sent first.
            return await writer.drain()
        }
        let copy = UnsafeMutableRawBufferPointer.allocate(
            byteCount: original.bytes.count, alignment: 16)
        defer { copy.deallocate() }
        original.bytes.withUnsafeBytes { copy.copyMemory(from: $0) }
        try await send(
            WireHeader(event: .done, bytes: copy.count), body, UnsafeRawBufferPointer(copy))
    }

    private func checkRoom(for count: Int) throws {
        try Task.checkCancellation()
        guard !isFinished else {
            throw CaptureError(
                .internalFault, "page \(reference.frame) was written to after its end")
        }
        guard count >= 0, count <= most - flushed - staged else {
            let message =
                "page \(reference.frame) has more bytes than the \(most) of its description"
            throw CaptureError(description.height == nil ? .tooLarge : .internalFault, message)
        }
    }

    private func checkMade(_ made: Int, of count: Int) throws {
        guard (0...count).contains(made) else {
            throw CaptureError(.internalFault, "\(made) bytes were made in a buffer of \(count)")
        }
    }

    private func flush() async throws {
        guard staged > 0 else { return }
        let count = staged
        staged = 0
        try await put(UnsafeRawBufferPointer(rebasing: staging[..<count]))
    }

    /// Sends bytes to the host and reports the progress of the page.
    private func put(_ bytes: UnsafeRawBufferPointer) async throws {
        switch grant.buffer.way {
        case .drop: break
        case .fd: try await store(bytes)
        case .inline:
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 20))
                try await send(WireHeader(event: .pixels, bytes: piece.count), reference, piece)
                rest = rest.dropFirst(piece.count)
            }
        }
        flushed += bytes.count
        lastFlush = .now
        if grant.buffer.way == .fd { try report() }
    }

    private func report() throws {
        // A frame that is encoded as a whole has no rows to report.
        guard description.format != .jpeg else { return }
        let now = ContinuousClock.now
        let steps = flushed / reportSize
        guard steps > reported.steps || now - reported.time >= Self.reportInterval else { return }
        reported = (steps, now)
        let body = Wire.Rows(
            capture: reference.capture, frame: reference.frame,
            rows: description.wholeRows(in: flushed))
        try wireToCapture { () throws(WireError) in
            try writer.send(WireHeader(event: .progress), body)
        }
    }

    private func send(
        _ header: WireHeader, _ body: some Encodable, _ bytes: UnsafeRawBufferPointer
    ) async throws {
        do {
            try await writer.send(header, body, bytes: bytes)
        } catch {
            throw CaptureError(.inputOutput, error.message)
        }
    }

    /// Writes to the host's file (`pwrite`), off the cooperative pool.
    private func store(_ bytes: UnsafeRawBufferPointer) async throws {
        guard let descriptor = grant.descriptor else { return }
        nonisolated(unsafe) let bytes = bytes
        let offset = (grant.buffer.offset ?? 0) + flushed
        let failure: Int32 = await withCheckedContinuation { continuation in
            queue.async {
                var done = 0
                while done < bytes.count {
                    let count = retryingInterrupts {
                        pwrite(
                            descriptor.raw, bytes.baseAddress?.advanced(by: done),
                            bytes.count - done, off_t(offset + done))
                    }
                    guard count > 0 else { return continuation.resume(returning: errno) }
                    done += count
                }
                continuation.resume(returning: 0)
            }
        }
        if failure != 0 {
            throw CaptureError(
                .inputOutput,
                "page \(reference.frame) can't be stored: \(systemMessage(failure))",
                advice: failure == ENOSPC ? "Free some disk space, then try again." : nil)
        }
    }

    private func mapped(_ size: Int) throws(CaptureError) -> UnsafeMutableRawBufferPointer {
        guard let descriptor = grant.descriptor, grant.buffer.size ?? 0 >= size,
            let memory = mappings.memory(of: descriptor, size: size)
        else {
            throw CaptureError(
                .inputOutput, "the host's buffer can't be mapped: \(systemMessage())")
        }
        return memory
    }
}
