import CaptureKit
import Dispatch
import FoundationEssentials
import Glibc
import GuardedFiles
import Synchronization

// Stores a frame whose last row has arrived.
extension CaptureSession {
    func done(_ line: WireLine, _ reader: WireReader) throws -> Effect {
        let end = try line.decode(Wire.Rows.self)
        guard let frame = state.withLock({ $0.open }), frame.number == end.frame else {
            throw link.nonsense("sent 'done' for frame \(end.frame), which has no buffer")
        }
        var description = frame.description
        let height = try checkedHeight(end, frame)
        description.height = height
        let size =
            try frame.description.format == .jpeg
            ? checkedLength(end, frame)
            : min(description.byteCount(rows: height), arrived(frame))
        guard size >= description.leastBytes(rows: height) else {
            throw torn(frame, "\(size) of \(description.leastBytes(rows: height)) bytes")
        }
        guard frame.isEndWritten else { throw torn(frame, "a last row that it never wrote") }
        let original = try receiveOriginal(line, end, reader)
        let text = try storeText(frame)
        state.withLock { state in
            state.open = nil
            state.pages += 1
            state.finished += 1
        }
        let finished = description
        switch frame.storage {
        case .page(let file):
            let parts = Parts(original: original, text: text)
            noteArrival(frame, size: size, finished, parts)
            storing.async { [self] in
                store(frame, file, size: size, description: finished, parts: parts)
            }
        case .live(let buffer):
            original?.file.discard()
            text?.file.discard()
            let page = CapturedPage(
                number: page(frame.number), description: finished, pixels: buffer.path,
                original: nil, length: finished.format == .jpeg ? size : nil,
                onRelease: { [weak self, ring] in
                    ring.give(buffer)
                    self?.grantWaitingFrame()
                })
            continuation.yield(.page(page))
        }
        return .advance
    }

    /// The parts of a page besides its pixels.
    private struct Parts {
        let original: Original?
        let text: StoredText?

        func discard() {
            original?.file.discard()
            text?.file.discard()
        }

        func complete(isKept: Bool) throws {
            if let original {
                try original.file.complete(size: original.size, isKept: isKept)
            }
            if let text { try text.file.complete(size: text.size, isKept: isKept) }
        }
    }

    /// Syncs and names a page's files, then reports the page; runs on ``storing``.
    private func store(
        _ frame: OpenFrame, _ file: SpoolFile, size: Int, description: FrameDescription,
        parts: Parts
    ) {
        let number = frame.number
        if let failed = state.withLock({ $0.failure?.frame }), failed <= number {
            // A part of this page, or of a page before it, is lost: no page after a gap is reported
            // as complete.
            settings.spool.forgetArrival(page(number))
            frame.discard()
            parts.discard()
            return
        }
        do {
            // The page's other files come first, then the note: a page with its final name is
            // complete.
            let spool = settings.spool
            try parts.complete(isKept: spool.isKept)
            let modified =
                spool.isKept ? try completeNote(of: frame, description, parts) : nil
            try file.complete(
                size: frame.room + size, modified: modified, isKept: spool.isKept)
            try spool.sync()
        } catch {
            settings.spool.forgetArrival(page(number))
            frame.discard()
            parts.discard()
            return fail(error, at: number)
        }
        settings.spool.forgetArrival(page(number))
        let page = CapturedPage(
            number: page(number), description: description,
            pixels: settings.spool.pagePath(page(number), "raw"), room: frame.room,
            original: parts.original?.stored, text: parts.text?.path,
            source: pageSource(of: description),
            onRelease: { [weak self] in self?.releasePage() })
        continuation.yield(.page(page))
    }

    /// Notes a page's arrival, so that the page outlives this process.
    private func noteArrival(
        _ frame: OpenFrame, size: Int, _ description: FrameDescription, _ parts: Parts
    ) {
        settings.spool.noteArrival(
            page(frame.number),
            SpoolFolder.Note(
                description: description, original: parts.original?.stored,
                room: frame.room > 0 ? frame.room : nil, modified: .now, text: parts.text?.path,
                source: pageSource(of: description)),
            size: frame.room + size, originalSize: parts.original?.size ?? 0,
            textSize: parts.text?.size)
    }

    /// Makes sure that the page's note on the disk is up to date.
    ///
    /// - Returns: the modification time of the page's file, which the note contains.
    private func completeNote(
        of frame: OpenFrame, _ description: FrameDescription, _ parts: Parts
    ) throws -> FileTime? {
        let written = frame.writtenNote
        var note = SpoolFolder.Note(
            description: description, original: parts.original?.stored,
            room: frame.room > 0 ? frame.room : nil, modified: written?.note.modified ?? .now,
            text: parts.text?.path, source: pageSource(of: description))
        if note == written?.note { return note.modified }
        note.modified = .now
        if let written { GuardedFolder.removeFile(at: written.path) }
        try settings.spool.writeNote(page(frame.number), note)
        return note.modified
    }

    /// A page's own text that is being written to the spool.
    private struct StoredText {
        let file: SpoolFile
        let path: String
        let size: Int
    }

    /// Writes the text that arrived before `done`; nil when none arrived, or it could not be
    /// stored.
    private func storeText(_ frame: OpenFrame) throws -> StoredText? {
        guard let text = frame.text, case .page = frame.storage else { return nil }
        let bytes = try JSONEncoder().encode(text)
        let path = settings.spool.pagePath(page(frame.number), "text")
        do {
            let file = try SpoolFile(path: path, size: bytes.count)
            do {
                try bytes.withUnsafeBytes { try file.write($0, at: 0) }
            } catch {
                file.discard()
                throw error
            }
            return StoredText(file: file, path: path, size: bytes.count)
        } catch let error as HostError {
            fail(error, at: frame.number)
            return nil
        }
    }

    private func checkedHeight(_ end: Wire.Rows, _ frame: OpenFrame) throws -> Int {
        guard (1...FrameDescription.longestSide).contains(end.rows) else {
            throw link.nonsense("ended frame \(end.frame) with \(end.rows) rows")
        }
        guard let height = frame.description.height else {
            guard frame.description.byteCount(rows: end.rows) <= frame.most else {
                throw link.nonsense(
                    "ended frame \(end.frame) with \(end.rows) rows, beyond the limit")
            }
            return end.rows
        }
        guard end.rows == height else { throw torn(frame, "\(end.rows) of \(height) rows") }
        return height
    }

    /// The length that the end of an encoded frame states.
    private func checkedLength(_ end: Wire.Rows, _ frame: OpenFrame) throws -> Int {
        guard let length = end.length, (1...frame.most).contains(length) else {
            let stated = end.length.map { "\($0)" } ?? "no number of"
            throw link.nonsense(
                "ended frame \(end.frame) with \(stated) bytes, not 1…\(frame.most)")
        }
        if frame.isInline, frame.received != length {
            throw torn(frame, "\(frame.received) of \(length) bytes")
        }
        return length
    }

    /// The number of a frame's bytes that have arrived.
    private func arrived(_ frame: OpenFrame) throws -> Int {
        if frame.isInline { return frame.received }
        return switch frame.storage {
        case .page(let file): max(0, try file.size() - frame.room)
        case .live(let buffer): buffer.size
        }
    }

    private func torn(_ frame: OpenFrame, _ what: String) -> HostError {
        HostError(
            .tornPage,
            "the backend '\(link.backend)' ended page \(page(frame.number)) with \(what)",
            backend: link.backend)
    }

    /// An encoded original that is being written to the spool.
    private struct Original {
        let file: SpoolFile
        let path: String
        let mediaType: String
        let size: Int
        var stored: CapturedPage.StoredOriginal { .init(path: path, mediaType: mediaType) }
    }

    /// Stores the encoded original that follows `done`; nil when none follows, or it could not be
    /// stored.
    private func receiveOriginal(
        _ line: WireLine, _ end: Wire.Rows, _ reader: WireReader
    ) throws -> Original? {
        let size = line.header.bytes ?? 0
        guard let mediaType = end.mediaType, size > 0 else { return nil }
        guard size <= settings.limits.originalBytes else {
            throw link.nonsense("sent an original of \(size) bytes, beyond the limit")
        }
        guard mediaType.utf8.count <= 100, mediaType.utf8.allSatisfy({ (33...126).contains($0) })
        else {
            throw link.nonsense("sent an original with an invalid media type")
        }
        let path = settings.spool.pagePath(page(end.frame), fileEnding(mediaType))
        do {
            let file = try SpoolFile(path: path, size: size)
            var offset = 0
            var failure: (any Error)?
            do {
                try reader.readBytes { bytes in
                    defer { offset += bytes.count }
                    guard failure == nil else { return }
                    do { try file.write(bytes, at: offset) } catch { failure = error }
                }
                if let failure { throw failure }
            } catch {
                file.discard()
                throw error
            }
            return Original(file: file, path: path, mediaType: mediaType, size: size)
        } catch let error as HostError {
            fail(error, at: end.frame)
            return nil
        }
    }

    private func fileEnding(_ mediaType: String) -> String {
        switch mediaType {
        case "image/jpeg": "jpg"
        case "image/png": "png"
        case "image/tiff": "tiff"
        case "image/webp": "webp"
        case "image/heic", "image/heif": "heic"
        case "application/pdf": "pdf"
        default: "original"
        }
    }
}
