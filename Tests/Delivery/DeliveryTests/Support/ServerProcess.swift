import FoundationEssentials
import Glibc

@testable import Delivery

/// A running server, a script beside this file that prints its port and ends when this program
/// ends.
final class ServerProcess {
    let port: Int
    /// The server's folder.
    ///
    /// Arguments may name it, for example for the file `faults`.
    let folder: String
    private let place: TemporaryFolder
    private let input: UnsafeMutablePointer<FILE>

    enum Failure: Error { case noServer(String) }

    /// - Parameter arguments: `$F` stands for the server's folder.
    init(_ script: String, _ arguments: [String]) throws {
        place = try TemporaryFolder()
        folder = place.path
        let beside = String(#filePath.dropLast("ServerProcess.swift".count))
        let folder = place.path
        let words = arguments.map { "'" + $0.replacing("$F", with: folder) + "'" }
        mkdir(folder + "/root", 0o755)
        let command = "exec /usr/bin/python3 '\(beside)\(script)' \(words.joined(separator: " "))"
        guard let pipe = popen("\(command) > '\(folder)/port' 2> '\(folder)/log'", "we") else {
            throw Failure.noServer(script)
        }
        input = pipe
        port = try Self.number(folder + "/port", log: folder + "/log")
    }

    deinit { pclose(input) }

    private static func number(_ path: String, log: String) throws -> Int {
        for _ in 0..<1500 {
            let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            if text.hasSuffix("\n"), let number = Int(text.dropLast()) { return number }
            usleep(20_000)
        }
        throw Failure.noServer((try? String(contentsOfFile: log, encoding: .utf8)) ?? "")
    }

    /// The path of the folder in which the server stores files.
    var root: String { folder + "/root" }

    func fault(_ faults: String) throws {
        try faults.write(toFile: folder + "/faults", atomically: true, encoding: .utf8)
    }

    /// A new certificate for 127.0.0.1 with its key.
    static func certificate(in folder: String) throws -> String {
        let path = folder + "/certificate.pem"
        let run = try Delivery.ProgramRun(
            [
                "/usr/bin/openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
                "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder + "/key.pem", "-out",
                folder + "/only.pem",
            ], environment: [:], limit: 60)
        guard run.ending == .exited(0) else { throw Failure.noServer(run.errors) }
        let both = try ["/key.pem", "/only.pem"].map {
            try String(contentsOfFile: folder + $0, encoding: .utf8)
        }
        try both.joined().write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    /// Waits until a server listens.
    static func awaitListener(_ port: Int, log: String) throws {
        for _ in 0..<500 {
            let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(socket) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = UInt16(port).bigEndian
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            let isThere = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            if isThere { return }
            usleep(20_000)
        }
        throw Failure.noServer((try? text(log)) ?? "")
    }
}
