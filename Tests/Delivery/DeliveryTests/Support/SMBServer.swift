import FoundationEssentials
import Glibc
import Testing

@testable import Delivery

/// Samba's smbd on loopback, which accepts this user with a password.
///
/// The server runs only as root.
final class SMBServer {
    static let mayRun = geteuid() == 0
    let port: Int
    let root: String
    let user: String
    private let place: TemporaryFolder
    private let input: UnsafeMutablePointer<FILE>

    /// - Parameters:
    ///   - settings: Lines for the configuration's section `global`.
    ///   - space: The capacity of the share in bytes; other processes can't see a limited share.
    ///     Nil for no limit.
    init(_ settings: String = "", space: String? = nil) throws {
        place = try TemporaryFolder()
        let folder = place.path
        root = folder + "/root"
        port = try SSHServer.freePort()
        user = String(cString: try #require(getpwuid(geteuid())).pointee.pw_name)
        let own = ["private", "lock", "state", "cache", "pid", "ncalrpc", "root"]
        for name in own { mkdir(folder + "/" + name, 0o755) }
        let conf = """
            [global]
            server role = standalone server
            smb ports = \(port)
            interfaces = 127.0.0.1
            bind interfaces only = yes
            private dir = \(folder)/private
            lock directory = \(folder)/lock
            state directory = \(folder)/state
            cache directory = \(folder)/cache
            pid directory = \(folder)/pid
            ncalrpc dir = \(folder)/ncalrpc
            log file = \(folder)/log
            passdb backend = tdbsam
            disable spoolss = yes
            load printers = no
            map to guest = never
            \(settings)
            [scans]
            path = \(root)
            read only = no
            [shut]
            path = \(root)
            read only = yes
            """
        try conf.write(toFile: folder + "/conf", atomically: true, encoding: .utf8)
        let added = try run(
            "/bin/sh", "-c",
            "printf 's3cret-word\\ns3cret-word\\n' | smbpasswd -c '\(folder)/conf' -s -a \(user)")
        guard added.status == 0 else { throw ServerProcess.Failure.noServer(added.errors) }
        let small = space.map {
            "mount -t tmpfs -o size=\($0) none '\(folder)/root' && "
        }
        // At its end smbd signals its process group, so smbd must have a separate group.
        let command =
            "setsid unshare -m sh -c \"\(small ?? "")exec /usr/sbin/smbd -F --no-process-group -s '\(folder)/conf'\" > '\(folder)/out' 2>&1 & cat > /dev/null; kill $(cat '\(folder)/pid/smbd.pid')"
        guard let pipe = popen(command, "we") else { throw ServerProcess.Failure.noServer("smbd") }
        input = pipe
        try ServerProcess.awaitListener(port, log: folder + "/out")
    }

    deinit { pclose(input) }
}
