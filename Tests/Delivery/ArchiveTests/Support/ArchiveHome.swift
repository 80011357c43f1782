import Delivery
import Synchronization
import Testing

@testable import Archive

/// The kind of storage of an archive in tests.
struct ArchiveHome: Hashable, Sendable, CustomStringConvertible {
    var isShared = false
    var isS3 = false

    var description: String {
        (isShared ? "PostgreSQL" : "SQLite") + (isS3 ? " and S3" : " and a folder")
    }

    /// The storage of archives that a test makes.
    @TaskLocal static var current = ArchiveHome()

    static let all = [false, true].flatMap { isShared in
        [false, true].map { ArchiveHome(isShared: isShared, isS3: $0) }
    }

    /// The settings of a bucket for the archive of a folder; its store checks every signature.
    static func bucket(_ folder: TestFolder) throws -> ImageSettings {
        let port = try store.get().answer
        let name = folder.path.split(separator: "-").last.map { $0.lowercased() } ?? ""
        return ImageSettings(
            place: "s3://scans/\(name)", endpoint: "http://127.0.0.1:\(port)",
            region: "us-east-1", key: "AKID", secret: "s3cret-word")
    }

    private static let store = Result {
        let folder = try TestFolder()
        let beside = String(#filePath.dropLast("ArchiveTests/Support/ArchiveHome.swift".count))
        return try StoreServer(
            folder: folder,
            TestServer(
                "/usr/bin/python3 '\(beside)DeliveryTests/Support/object_store.py' '\(folder.path)' '\(folder.path)/faults'",
                folder: folder))
    }

    /// A server, with the folder of its objects, which is removed with this value.
    private struct StoreServer {
        let folder: TestFolder
        private let server: TestServer
        var answer: String { server.answer }

        init(folder: TestFolder, _ server: TestServer) {
            self.folder = folder
            self.server = server
        }
    }
}

/// Runs each test of a suite once for every storage of an archive, since the contract is the same
/// for all.
struct EveryHome: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func scopeProvider(for test: Test, testCase: Test.Case?) -> EveryHome? {
        testCase == nil ? nil : self
    }

    @concurrent func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        for home in ArchiveHome.all {
            do { try await ArchiveHome.$current.withValue(home) { try await function() } } catch {
                Issue.record("With \(home): \(error)")
            }
        }
    }
}

extension Trait where Self == EveryHome {
    /// Runs each test once for every storage of an archive.
    static var everyHome: EveryHome { EveryHome() }
}
