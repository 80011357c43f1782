import FileNames
import FoundationEssentials
import Glibc
import HTTPClient

@testable import Delivery

/// A running `peer.py`: a real HTTP server on loopback that fails on request.
final class Peer {
    let base: String
    let port: Int
    private let input: UnsafeMutablePointer<FILE>
    private let client = CurlClient(timeLimit: 20)

    /// The requests that the server got, and its documents.
    struct Seen: Decodable {
        struct Request: Decodable {
            var method: String
            var path: String
            var headers: [String: String]
            /// The length of the request's body in bytes.
            var bytes: Int
        }
        struct Document: Decodable {
            var key: String?
            var title: String?
            var sha256: JSONValue?
            var tags: [String]?
            var query: [String: [String]]?
            var metadata: JSONValue?
        }
        var requests: [Request]
        var documents: [Document]
        var files: [String]
    }

    init() throws {
        let script = String(#filePath.dropLast("Peer.swift".count)) + "peer.py"
        let folder = try TemporaryFolder()
        let port = folder.path + "/port"
        // The server reads until this program ends, and then ends too.
        guard let pipe = popen("exec /usr/bin/python3 '\(script)' > '\(port)'", "we") else {
            throw PeerFailure.noServer
        }
        input = pipe
        var number = ""
        for _ in 0..<500 {
            number = (try? String(contentsOfFile: port, encoding: .utf8)) ?? ""
            if number.hasSuffix("\n") { break }
            usleep(20_000)
        }
        guard let port = Int(number.dropLast()) else { throw PeerFailure.noServer }
        self.port = port
        base = "http://127.0.0.1:\(port)"
    }

    enum PeerFailure: Error { case noServer }

    deinit { pclose(input) }

    func fault(_ faults: String) throws { try tell("/fault", faults) }

    func settings(_ settings: String) throws { try tell("/settings", settings) }

    /// Puts an empty file there, as another person would.
    func put(_ path: String) throws {
        let place = path.split(separator: "/").map { "/" + WebAddress.encoded(String($0)) }
        _ = try client.send(
            WebRequest(
                "PUT", base + place.joined(), body: .bytes([], mediaType: "application/pdf")))
    }

    func seen() throws -> Seen {
        let answer = try client.send(WebRequest("GET", base + "/requests"))
        return try JSONDecoder().decode(Seen.self, from: Data(answer.body))
    }

    private func tell(_ path: String, _ json: String) throws {
        _ = try client.send(
            WebRequest(
                "POST", base + path, body: .bytes(Array(json.utf8), mediaType: "application/json")))
    }
}
