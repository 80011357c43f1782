import FoundationEssentials
import Glibc
import Testing

@testable import Delivery

/// A real server for one kind of sink, and access to what has arrived there.
final class DeliveryTarget {
    /// The kinds of sinks for which there is a server.
    enum Server: String, CaseIterable {
        case sftp, ftps, smb, s3, webdav, nextcloud, email, webhook, paperless, immich, docspell

        /// True for folders, in which every document has its own name.
        var isFolder: Bool {
            [.sftp, .ftps, .smb, .s3, .webdav, .nextcloud].contains(self)
        }
        /// True if nobody can check whether a document has arrived.
        var mayDouble: Bool { self == .email || self == .webhook }
    }

    /// The port on which the server listens.
    let port: Int
    private let make: (Int) -> SinkDefinition
    private let count: () throws -> Int
    private let names: () -> [String]
    /// The running servers, which end with the target.
    private let servers: [AnyObject]

    /// The sink, for a server behind another port.
    func sink(port: Int? = nil) -> SinkDefinition { make(port ?? self.port) }
    /// The number of documents that have arrived.
    ///
    /// A document that arrived twice counts twice.
    func documents() throws -> Int { try count() }
    /// The names of the files that are there, for a folder.
    var files: [String] { names() }

    /// Canceling in the initializer itself would be code that is never executed.
    private static func skipUnlessHere(_ server: Server) throws {
        if server == .smb, !SMBServer.mayRun { try Test.cancel("smbd runs as root alone") }
    }

    /// Starts the servers; the test is skipped where they can't run.
    init(_ server: Server, in folder: String) throws {
        try Self.skipUnlessHere(server)
        switch server {
        case .sftp:
            let ssh = try SSHServer()
            let user = String(cString: try #require(getpwuid(geteuid())).pointee.pw_name)
            (servers, port) = ([ssh], ssh.port)
            make = { port in
                definition(.sftp, "sftp://127.0.0.1:\(port)\(ssh.root)", user, nil) {
                    $0.parameters = ["host-key": ssh.hostKey, "key-file": ssh.key]
                }
            }
            (names, count) = counted { filesBelow(ssh.root) }
        case .ftps:
            let ftp = try FTPSServer()
            (servers, port) = ([ftp], ftp.port)
            make = { port in
                definition(.ftps, "ftp://127.0.0.1:\(port)/scans", "ftp", "s3cret-word") {
                    $0.parameters = ["ca-file": ftp.certificate]
                }
            }
            (names, count) = counted { filesBelow(ftp.root) }
        case .smb:
            let smb = try SMBServer()
            (servers, port) = ([smb], smb.port)
            make = { definition(.smb, "smb://127.0.0.1:\($0)/scans", smb.user, "s3cret-word") }
            (names, count) = counted { filesBelow(smb.root) }
        case .s3:
            let store = try ServerProcess("object_store.py", ["$F/root", "$F/faults"])
            (servers, port) = ([store], store.port)
            make = { port in
                definition(.s3, "http://127.0.0.1:\(port)", "AKID", "s3cret-word") {
                    $0.parameters = ["bucket": "scans", "region": "eu-central-1"]
                }
            }
            (names, count) = counted { objects(in: store.root) }
        case .nextcloud:
            let cloud = try ServerProcess("nextcloud.py", ["$F/root", "$F/faults"])
            (servers, port) = ([cloud], cloud.port)
            make = {
                definition(
                    .nextcloud, "http://127.0.0.1:\($0)/remote.php/dav/files/ada", "ada",
                    "s3cret-word")
            }
            (names, count) = counted { filesBelow(cloud.root) }
        case .email:
            let certificate = try ServerProcess.certificate(in: folder)
            let mail = try ServerProcess("mail_server.py", ["$F", certificate, "starttls"])
            (servers, port) = ([mail], mail.port)
            make = { port in
                definition(.email, "smtp://127.0.0.1:\(port)", "ada", "s3cret-word") {
                    $0.parameters = [
                        "from": "scans@example.org", "to": "ada@example.org",
                        "ca-file": certificate,
                    ]
                }
            }
            (names, count) = counted { filesBelow(mail.folder).filter { $0.hasSuffix(".eml") } }
        case .webdav, .webhook, .paperless, .immich, .docspell:
            let peer = try Peer()
            (servers, port) = ([peer], peer.port)
            (make, names, count) = Self.atPeer(server, peer)
            if server != .immich && server != .docspell {
                try peer.settings(
                    #"{"token": "\#(server == .paperless ? "Token" : "Bearer") s3cret-word"}"#)
            }
        }
    }

    private static func atPeer(
        _ server: Server, _ peer: Peer
    ) -> ((Int) -> SinkDefinition, () -> [String], () throws -> Int) {
        let kinds: [Server: (kind: SinkDefinition.Kind, path: String, token: String)] = [
            .webdav: (.webdav, "/dav", "s3cret-word"),
            .webhook: (.webhook, "/hook", "s3cret-word"),
            .paperless: (.paperless, "/paperless", "s3cret-word"),
            .immich: (.immich, "/immich", "immich-key-1"),
            .docspell: (.docspell, "/docspell", "source-id-17"),
        ]
        let (kind, path, token) = kinds[server] ?? (.webhook, "", "")
        return (
            { port in
                definition(kind, "http://127.0.0.1:\(port)\(path)", nil, nil) { $0.token = token }
            },
            { (try? peer.seen().files.map { String($0.dropFirst("/dav/".count)) }) ?? [] },
            {
                let seen = try peer.seen()
                if server == .webdav { return seen.files.filter { !$0.hasSuffix("/") }.count }
                return seen.documents.count
            }
        )
    }
}

private func definition(
    _ kind: SinkDefinition.Kind, _ url: String, _ user: String?, _ password: String?,
    _ change: (inout SinkDefinition) -> Void = { _ in }
) -> SinkDefinition {
    var definition = SinkDefinition(kind: kind)
    (definition.url, definition.user, definition.password) = (url, user, password)
    change(&definition)
    return definition
}

private func counted(_ names: @escaping () -> [String]) -> (() -> [String], () throws -> Int) {
    (names, { names().count })
}

/// The files below a folder, hidden ones included, by their paths.
func filesBelow(_ root: String) -> [String] {
    namesIn(root).flatMap { name -> [String] in
        var status = stat()
        guard lstat(root + "/" + name, &status) == 0 else { return [] }
        guard status.st_mode & S_IFMT == S_IFDIR else { return [name] }
        return filesBelow(root + "/" + name).map { name + "/" + $0 }
    }.sorted()
}

/// The keys of the objects that `object_store.py` keeps.
func objects(in root: String) -> [String] {
    struct Meta: Decodable { var key: String }
    return filesBelow(root).filter { !$0.hasSuffix(".meta") }.compactMap {
        let data = try? Data(contentsOf: URL(filePath: root + "/" + $0 + ".meta"))
        return data.flatMap { try? JSONDecoder().decode(Meta.self, from: $0).key }
    }.sorted()
}
