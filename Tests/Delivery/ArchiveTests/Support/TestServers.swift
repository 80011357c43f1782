import FoundationEssentials
import Glibc
import Synchronization

@testable import Archive
@testable import PostgreSQL

/// A program that serves until its standard input ends, at the latest at the end of these tests.
final class TestServer: Sendable {
    /// The first line of output.
    let answer: String
    /// `@unchecked Sendable`: the only operation is closing.
    private struct Input: @unchecked Sendable { let file: UnsafeMutablePointer<FILE> }
    private let input: Input

    struct Failure: Error { let log: String }

    init(_ command: String, folder: TestFolder) throws {
        let place = folder.path
        guard let pipe = popen("exec \(command) > '\(place)/answer' 2> '\(place)/log'", "we") else {
            throw Failure(log: command)
        }
        input = Input(file: pipe)
        for _ in 0..<1500 {
            let text = (try? String(contentsOfFile: place + "/answer", encoding: .utf8)) ?? ""
            if text.hasSuffix("\n") {
                answer = String(text.dropLast())
                return
            }
            usleep(20_000)
        }
        let log = (try? String(contentsOfFile: place + "/log", encoding: .utf8)) ?? ""
        throw Failure(log: log)
    }

    deinit { pclose(input.file) }
}

/// The PostgreSQL server of these tests.
enum TestDatabases {
    private static let server = Result {
        try TestServer(
            "'" + String(#filePath.dropLast("TestServers.swift".count)) + "postgresql.sh'",
            folder: TestFolder())
    }
    private static let count = Mutex(0)
    /// Databases that can be deleted after their last connection is closed.
    private static let unneeded = Mutex<[String]>([])

    /// The address of a new and empty database.
    static func make() throws -> String {
        let folder = try server.get().answer
        let name = count.withLock { count in
            count += 1
            return "test\(getpid())_\(count)"
        }
        let admin = try PostgreSQLConnection(
            PostgreSQLAddress(address(folder, "postgres")), purpose: "tests", schema: "public")
        let old = unneeded.withLock { unneeded in
            defer { unneeded = [] }
            return unneeded
        }
        for name in old {
            do { try admin.script("DROP DATABASE \(name)") } catch {
                unneeded.withLock { $0.append(name) }
            }
        }
        try admin.script("CREATE DATABASE \(name) STRATEGY FILE_COPY")
        return address(folder, name)
    }

    /// Deletes a database after its last use.
    static func drop(_ address: String) {
        guard let name = address.split(separator: "?").first?.split(separator: "/").last else {
            return
        }
        unneeded.withLock { $0.append(String(name)) }
    }

    private static func address(_ folder: String, _ name: String) -> String {
        "postgresql:///\(name)?host=\(folder.replacing("/", with: "%2F"))&user=copystand"
    }
}
