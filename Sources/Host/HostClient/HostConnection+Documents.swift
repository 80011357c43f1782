import Clocks
import HTTPClient
import Glibc

/// The file into which a document is fetched: complete under its name at the end, or not there at
/// all.
package protocol FetchedFile: AnyObject {
    /// The number of bytes so far.
    var count: Int { get }
    /// Adds bytes at the end.
    func append(_ bytes: UnsafeRawBufferPointer) throws
    /// Makes the file durable under its name, and returns its path.
    func finish() throws -> String
}

/// Receives a file from a host.
private final class FileReceiver: HTTPReceiver {
    private let file: any FetchedFile
    private(set) var expected: Int?
    private(set) var failure: (any Error)?
    private(set) var isUnfit = false
    let isOver = false

    init(_ file: any FetchedFile) { self.file = file }

    func begin(_ headers: [String: String]) -> Bool {
        expected = headers["content-length"].flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
        // Without a length, a complete file could not be distinguished from a truncated one.
        isUnfit = expected == nil
        return !isUnfit
    }

    func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let expected, bytes.count <= expected - file.count else {
            isUnfit = true
            return false
        }
        do {
            try file.append(bytes)
            return true
        } catch {
            failure = error
            return false
        }
    }
}

extension HostConnection {
    /// The number of times that a file is requested after a lost connection.
    private static let mostTries = 3
    /// The factor for the host's allowed silence while it makes a file with hundreds of pages.
    private static let makingFactor = 10

    /// Fetches a document from the host's archive as a file, completely or not at all.
    ///
    /// It blocks.
    ///
    /// - Parameters:
    ///   - format: the file's format, by its name.
    ///   - pages: the pages to write, such as `2,5` or `3-7`; nil for all.
    ///   - pdf: the settings of a PDF, as names in the query of the host's `export`.
    ///   - path: the file's path, for messages.
    ///   - file: begins the file, for each attempt.
    /// - Returns: the path at which the file ended up, and the bytes.
    /// - Throws: ``HostFailure``; the errors of the file when it can't be written on this machine.
    package func fetch(
        _ document: Int64, as format: String, pages: String?, keepsBlankPages: Bool,
        pdf: [(name: String, value: String)], to path: String,
        file: () throws -> any FetchedFile
    ) throws -> (path: String, bytes: Int) {
        try fetch(
            "/api/v1/documents/\(document)/export"
                + Self.words(
                    [("format", format)]
                        + (pages.map { [("pages", $0)] } ?? [])
                        + (keepsBlankPages ? [("blank", "true")] : []) + pdf),
            to: path, of: document, later: "", file: file)
    }

    /// Fetches an original file of an imported document, unchanged.
    ///
    /// - Parameters:
    ///   - number: the number of the original, from 1.
    ///   - path: the file's path, for messages.
    ///   - file: begins the file, for each attempt.
    /// - Returns: the path and the bytes, as
    ///   ``fetch(_:as:pages:keepsBlankPages:pdf:to:file:)`` does.
    /// - Throws: the errors of that function.
    package func fetch(
        original number: Int, of document: Int64, to path: String,
        file: () throws -> any FetchedFile
    ) throws -> (path: String, bytes: Int) {
        try fetch(
            "/api/v1/documents/\(document)/originals/\(number)", to: path, of: document,
            later: " --original", file: file)
    }

    /// - Parameter later: the option with which the command fetches the file later.
    private func fetch(
        _ place: String, to path: String, of document: Int64, later: String,
        file begin: () throws -> any FetchedFile
    ) throws -> (path: String, bytes: Int) {
        for tries in 1... {
            let file = try begin()
            let receiver = FileReceiver(file)
            do {
                try stream(place, patience: patience * Self.makingFactor, to: receiver)
                if let failure = receiver.failure { throw failure }
                guard !receiver.isUnfit, file.count == receiver.expected else {
                    throw notCopystand(place, "with a file whose length is missing or wrong")
                }
                return (try file.finish(), file.count)
            } catch let failure as HostFailure where failure.code == .unreachable {
                guard tries < Self.mostTries else {
                    throw HostFailure(
                        .cut,
                        "The document \(document) could not be fetched into '\(path)': \(failure.message) It is safe in the host's archive. Fetch it later with: copystand export \(document)\(later) --host \(address.text) -o \(path)"
                    )
                }
                clock.sleep(for: .milliseconds(500))
            }
        }
        preconditionFailure("tries end above")
    }
}
