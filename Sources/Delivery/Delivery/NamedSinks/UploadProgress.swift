import ExpectedFailures
import Glibc
import GuardedFiles
import HTTPClient
import Synchronization

/// The progress of a document's upload, for programs that list the outbox in the meantime.
///
/// The progress is written to a file beside the document, at most twice a second, and not synced:
/// it matters only during the upload. Documents under a megabyte have none.
final class UploadProgress: Sendable {
    private struct State {
        /// The bytes of files that have arrived already.
        var before = 0
        var last: ContinuousClock.Instant?
    }

    private let folder: String
    private let total: Int
    private let onProgress: (@Sendable (Int) -> Void)?
    private let state = Mutex(State())

    private static let noteName = "sending"
    /// The minimum number of bytes of a document whose progress is noted.
    private static let least = 1_000_000
    private static let interval = Duration.milliseconds(500)
    /// Seconds after which a note is assumed to be left by a killed process.
    private static let lifetime = 10

    /// The progress of an item.
    ///
    /// - Parameters:
    ///   - folder: the item's folder.
    ///   - total: the bytes of all its files.
    ///   - onProgress: gets the number of sent bytes whenever it is written.
    init(folder: String, total: Int, onProgress: (@Sendable (Int) -> Void)? = nil) {
        self.folder = folder
        self.total = total
        self.onProgress = onProgress
    }

    /// Removes the file with the progress.
    func end() {
        if total >= Self.least { GuardedFolder.ifUsable(at: folder)?.discard(Self.noteName) }
    }

    /// Notes how many bytes of whole files the sink has.
    func have(_ bytes: Int) { state.withLock { $0.before = bytes } }

    /// Notes how much of a transfer is done.
    ///
    /// - Parameters:
    ///   - sent: bytes of this transfer.
    ///   - length: of the transfer; a message is longer than the document in it.
    ///   - start: the offset in its file at which the transfer began.
    func note(_ sent: Int, of length: Int, from start: Int = 0) {
        guard total >= Self.least, sent > 0 else { return }
        let done = state.withLock { state -> Int? in
            if let last = state.last, ContinuousClock.now - last < Self.interval { return nil }
            state.last = .now
            let rest = total - state.before
            let own = length > rest ? Int(Double(rest) * Double(sent) / Double(length)) : sent
            return min(total, state.before + start + own)
        }
        guard let done else { return }
        defer { onProgress?(done) }
        let note = asHint { try GuardedFolder.folder(at: folder).openOrCreate(Self.noteName) }
        guard let file = note else { return }
        defer { close(file) }
        // All numbers are written with the same length, so a reader never sees a mixture of two.
        let digits = String(done)
        let line = String(repeating: " ", count: max(0, 20 - digits.utf8.count)) + digits
        _ = Array(line.utf8).withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, 0) }
        futimens(file, nil)
    }

    /// The number of bytes of the item in `folder` that were sent; nil without an upload.
    static func sent(in folder: String) -> Int? {
        let note = asHint { try GuardedFolder.folder(at: folder).open(noteName) }
        guard let (file, status) = note else { return nil }
        defer { close(file) }
        guard abs(time(nil) - status.st_mtim.tv_sec) <= lifetime else {
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: 20)
        guard read(file, &bytes, bytes.count) == bytes.count else { return nil }
        return Int(String(decoding: bytes.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self))
    }
}

/// Notes for each request how much of it is sent.
struct NotingClient: WebClient {
    let client: any WebClient
    let progress: UploadProgress
    var silenceLimit: Int { client.silenceLimit }

    func send(_ request: WebRequest) throws(HTTPFailure) -> WebAnswer {
        var request = request
        request.progress = { [progress] in progress.note($0, of: $1, from: $2) }
        return try client.send(request)
    }
}
