import Clocks
import Delivery
import Glibc

/// Takes a file that a host sends.
private final class FileReceiver: HTTPReceiver {
    private let file: NewFile
    private(set) var expected: Int?
    private(set) var failure: DeliveryError?
    private(set) var isUnfit = false
    let isOver = false

    init(_ file: NewFile) { self.file = file }

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
    /// How often a file is requested again after a lost connection.
    private static let mostTries = 3
    /// How much longer than usual a host may be silent while it makes a file of hundreds of pages.
    private static let makingFactor = 10

    /// Refuses early what ``fetch(_:to:keepsBlankPages:pdf:)`` could not write.
    ///
    /// - Throws: `DeliveryError`, such as for a file that already exists.
    public static func checkOutput(_ path: String) throws { try NewFile.check(path) }

    /// Fetches a document from the host's archive as a file, complete or not at all.
    ///
    /// It blocks. The path's ending chooses the format. An existing file is never replaced.
    ///
    /// - Parameter pdf: how a PDF is made, as names in the query of the host's `export`.
    /// - Returns: the file's path, the next free one when a file of that name has appeared, and its
    ///   bytes.
    /// - Throws: ``HostFailure``; `DeliveryError` for what this machine's disk refuses.
    public func fetch(
        _ document: Int64, to path: String, keepsBlankPages: Bool = false,
        pdf: [(name: String, value: String)] = []
    ) throws -> (path: String, bytes: Int) {
        let format = try NewFile.check(path)
        return try fetch(
            "/api/v1/documents/\(document)/export"
                + Self.words(
                    [("format", format.name)]
                        + (keepsBlankPages ? [("blank", "true")] : [])
                        + (format == .pdf ? pdf : [])),
            to: path, of: document, later: "")
    }

    /// Fetches a file that a document was imported from, as it was.
    ///
    /// - Parameter number: Which of its originals, from 1.
    /// - Returns: as ``fetch(_:to:keepsBlankPages:pdf:)``.
    /// - Throws: as that does.
    public func fetch(
        original number: Int, of document: Int64, to path: String
    ) throws -> (path: String, bytes: Int) {
        try fetch(
            "/api/v1/documents/\(document)/originals/\(number)", to: path, of: document,
            later: " --original")
    }

    /// - Parameter later: The option with which the command brings it later.
    private func fetch(
        _ place: String, to path: String, of document: Int64, later: String
    ) throws -> (path: String, bytes: Int) {
        for tries in 1... {
            let file = try NewFile(path: path)
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
