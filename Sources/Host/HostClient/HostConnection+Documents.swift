import Clocks
import Delivery
import Glibc

/// Receives a file from a host.
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
    /// The number of times that a file is requested after a lost connection.
    private static let mostTries = 3
    /// The factor for the host's allowed silence while it makes a file with hundreds of pages.
    private static let makingFactor = 10

    /// Refuses a path early if ``fetch(_:to:pages:keepsBlankPages:pdf:)`` could not write to it.
    ///
    /// - Throws: `DeliveryError`, for example for an existing file.
    public static func checkOutput(_ path: String) throws { try NewFile.check(path) }

    /// Fetches a document from the host's archive as a file, completely or not at all.
    ///
    /// It blocks. The path's ending chooses the format. An existing file is never replaced.
    ///
    /// - Parameters:
    ///   - pages: the pages to write, such as `2,5` or `3-7`; nil for all.
    ///   - pdf: the settings of a PDF, as names in the query of the host's `export`.
    /// - Returns: the path, which is the next free one if a file with that name has appeared, and
    ///   the bytes.
    /// - Throws: ``HostFailure``; `DeliveryError` when the file can't be written on this machine.
    public func fetch(
        _ document: Int64, to path: String, pages: String? = nil, keepsBlankPages: Bool = false,
        pdf: [(name: String, value: String)] = []
    ) throws -> (path: String, bytes: Int) {
        let format = try NewFile.check(path)
        return try fetch(
            "/api/v1/documents/\(document)/export"
                + Self.words(
                    [("format", format.name)]
                        + (pages.map { [("pages", $0)] } ?? [])
                        + (keepsBlankPages ? [("blank", "true")] : [])
                        + (format == .pdf ? pdf : [])),
            to: path, of: document, later: "")
    }

    /// Fetches an original file of an imported document, unchanged.
    ///
    /// - Parameter number: the number of the original, from 1.
    /// - Returns: the path and the bytes, as ``fetch(_:to:pages:keepsBlankPages:pdf:)`` does.
    /// - Throws: the errors of that function.
    public func fetch(
        original number: Int, of document: Int64, to path: String
    ) throws -> (path: String, bytes: Int) {
        try fetch(
            "/api/v1/documents/\(document)/originals/\(number)", to: path, of: document,
            later: " --original")
    }

    /// - Parameter later: the option with which the command fetches the file later.
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
