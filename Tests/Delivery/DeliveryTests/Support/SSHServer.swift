import FoundationEssentials
import Glibc

@testable import Delivery

/// OpenSSH's sshd on loopback, which accepts this user with a key.
final class SSHServer {
    let port: Int
    let root: String
    let key: String
    /// The SHA-256 of the host's key, as ssh-keygen prints it.
    let hostKey: String
    private let place: TemporaryFolder
    private let input: UnsafeMutablePointer<FILE>

    /// True if this process may mount a small disk for a server.
    static let mayMount = geteuid() == 0

    /// - Parameter space: The capacity of the server's folder in bytes; other processes can't see a
    ///   limited folder. Nil for no limit.
    init(space: String? = nil) throws {
        place = try TemporaryFolder()
        let folder = place.path
        root = folder + "/root"
        key = folder + "/user"
        mkdir(root, 0o755)
        // If sshd runs as root, it needs this folder, which its package makes at system start.
        if geteuid() == 0 { mkdir("/run/sshd", 0o755) }
        for name in ["host", "user"] {
            let run = try Delivery.ProgramRun(
                [
                    "/usr/bin/ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f",
                    folder + "/" + name,
                ],
                environment: [:], limit: 60)
            guard run.ending == .exited(0) else { throw ServerProcess.Failure.noServer(run.errors) }
        }
        let told = try Delivery.ProgramRun(
            ["/usr/bin/ssh-keygen", "-lf", folder + "/host.pub"], environment: [:], limit: 60)
        hostKey = told.output.split(separator: " ").map(String.init)[1]
        port = try Self.freePort()
        let settings = """
            Port \(port)
            ListenAddress 127.0.0.1
            HostKey \(folder)/host
            AuthorizedKeysFile \(folder)/user.pub
            StrictModes no
            UsePAM no
            PermitRootLogin yes
            PidFile none
            Subsystem sftp internal-sftp
            """
        try settings.write(toFile: folder + "/conf", atomically: true, encoding: .utf8)
        // The shell waits for the end of our pipe, and then ends the server.
        let sshd = "/usr/sbin/sshd -D -e -f '\(folder)/conf'"
        let started =
            space.map {
                "unshare -m sh -c \"mount -t tmpfs -o size=\($0) none '\(folder)/root' && exec \(sshd)\""
            } ?? sshd
        let command =
            "\(started) 2> '\(folder)/log' & server=$!; cat > /dev/null; kill $server"
        guard let pipe = popen(command, "we") else { throw ServerProcess.Failure.noServer("sshd") }
        input = pipe
        for _ in 0..<500 {
            let log = (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? ""
            if log.contains("listening on") { return }
            usleep(20_000)
        }
        throw ServerProcess.Failure.noServer(
            (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? "")
    }

    deinit { pclose(input) }

    /// A port that is not in use.
    static func freePort() throws -> Int {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, size) == 0 && getsockname(socket, $0, &size) == 0
            }
        }
        guard isBound else { throw ServerProcess.Failure.noServer("no port") }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
