import CaptureKit
import Glibc
import GuardedFiles
import Synchronization

/// A document that is being written to the spool.
struct IncomingSource {
    let file: SpoolFile
    let path: String
    let size: Int
    var received = 0
}

// Stores documents whose pages a capture shows.
extension CaptureSession {
    /// Adds a piece to a document's file; the last piece completes the file.
    func source(_ line: WireLine, _ reader: WireReader) throws -> Effect {
        let source = try line.decode(Wire.Source.self)
        let count = line.header.bytes ?? 0
        guard settings.request.mode == .pages, state.withLock({ $0.open == nil }) else {
            throw link.nonsense("sent a document within a frame, or of a live capture")
        }
        let (done, known) = state.withLock { ($0.sources.count, $0.incoming) }
        guard source.source == done + 1, source.source <= FrameSource.mostDocuments else {
            throw link.nonsense("sent document \(source.source) out of order")
        }
        guard (1...FrameSource.mostBytes).contains(source.size), count > 0,
            count <= WireLimits.pixels,
            known.map({ $0.size == source.size && count <= $0.size - $0.received })
                ?? (count <= source.size)
        else { throw link.nonsense("sent \(count) bytes of a document of \(source.size)") }
        guard source.mediaType == "application/pdf" else {
            throw link.nonsense("sent a document of the type '\(source.mediaType.prefix(100))'")
        }
        do {
            var incoming = try known ?? begin(source)
            var failure: (any Error)?
            try reader.readBytes { bytes in
                guard failure == nil else { return }
                do { try incoming.file.write(bytes, at: incoming.received) } catch {
                    failure = error
                }
                incoming.received += bytes.count
            }
            if let failure { throw failure }
            if incoming.received == incoming.size {
                try incoming.file.complete(size: incoming.size)
                try settings.spool.sync()
                let path = incoming.path
                state.withLock { state in
                    state.sources.append(path)
                    state.incoming = nil
                }
            } else {
                let more = incoming
                state.withLock { $0.incoming = more }
            }
        } catch let error as HostError {
            state.withLock { $0.incoming }?.file.discard()
            state.withLock { $0.incoming = nil }
            fail(error, at: state.withLock { $0.pages + 1 })
        }
        return .advance
    }

    /// Makes the file of a document under an unused name.
    private func begin(_ source: Wire.Source) throws -> IncomingSource {
        let folder = settings.spool.path
        var number = 1
        while GuardedFolder.status(at: "\(folder)/source-\(number).pdf") != nil { number += 1 }
        let path = "\(folder)/source-\(number).pdf"
        // A killed process may have left the file.
        GuardedFolder.removeFile(at: path + ".part")
        return IncomingSource(
            file: try SpoolFile(path: path, size: source.size), path: path, size: source.size)
    }

    /// The document and page that a frame shows; nil for none.
    ///
    /// - Throws: an error when the document was not handed over.
    ///
    /// Nil for a page of no document, or of one that does not exist: see
    /// ``checkSource(of:)``.
    func pageSource(of description: FrameDescription) -> CapturedPage.Source? {
        let files = state.withLock(\.sources)
        guard let source = description.source, source.document <= files.count else { return nil }
        return CapturedPage.Source(
            path: files[source.document - 1], page: source.page, area: source.area)
    }

    /// Checks that a page's document exists.
    ///
    /// - Throws: ``HostError`` for a page of a document that was not announced.
    func checkSource(of description: FrameDescription) throws {
        guard let source = description.source, pageSource(of: description) == nil else { return }
        throw link.nonsense(
            "announced a page of document \(source.document), which does not exist")
    }
}
