import BlockingWork
import Archive
import Delivery
import Documents
import HTTPServer
import Synchronization

/// The user's archive, which is opened once, at the first request after it exists.
final class OpenArchive: Sendable {
    private let folder: String
    private let opened = Mutex<Archive?>(nil)
    private let answers = AnswerCache()

    init(folder: String) { self.folder = folder }

    /// Runs `body` with the archive as a user sees it, on a separate thread.
    ///
    /// - Parameters:
    ///   - user: the one who asks; the archive refuses documents they may not see.
    ///   - absent: the answer when there is no archive yet, because nothing was ever scanned into
    ///     it; nil to throw an error.
    /// - Throws: ``ArchiveError``.
    func with<Value: Sendable>(
        _ user: ArchiveUser, absent: Value? = nil,
        _ body: @escaping @Sendable (Archive) throws -> Value
    ) async throws -> Value {
        do {
            return try await onOwnThread { [self] in try body(archive().used(by: user)) }
        } catch let error as ArchiveError where error.code == .missing {
            // A shared archive is made once for all machines, never with the first document.
            guard let absent, !Archive.isShared(folder) else { throw error }
            return absent
        }
    }

    /// The answer to a request that only reads.
    ///
    /// If the archive has not changed since the last such request, the answer comes from memory.
    ///
    /// - Parameter make: the value whose JSON is the answer.
    func answer(
        _ call: Call, absent: (any Encodable & Sendable)? = nil,
        _ make: @escaping @Sendable (Archive) throws -> any Encodable & Sendable
    ) async throws -> HTTPResponse {
        let question = ArchiveQuestion(call)
        let nothing = try absent.map { try HTTPResponse.json($0) }
        return try await with(call.user, absent: nothing) { [answers] archive in
            HTTPResponse(
                status: 200, headers: [("Content-Type", "application/json")],
                body: .bytes(
                    try answers.answer(question, at: archive.stamp()) {
                        try HTTPResponse.bytes(ofJSON: make(archive))
                    }))
        }
    }

    private func archive() throws -> Archive {
        try opened.withLock { opened in
            if let opened { return opened }
            let archive = try Archive.open(folder, .readWrite)
            opened = archive
            return archive
        }
    }
}
