import FoundationEssentials
import Glibc
import Testing

@testable import Delivery

/// vsftpd on loopback, which requires TLS for everything, and data connections that resume the
/// session of the control connection.
///
/// The user `ftp` may sign in with any password except `wrong-word-17`, and only use the folder
/// `scans`.
final class FTPSServer {
    let port: Int
    let certificate: String
    /// The local folder that clients see as `scans`.
    let root: String
    private let place: TemporaryFolder
    private let input: UnsafeMutablePointer<FILE>

    /// - Parameter hasTLS12: False for only TLS 1.3, since the ciphers of TLS 1.2 need another key
    ///   than ours.
    init(hasTLS12: Bool = true) throws {
        place = try TemporaryFolder()
        let folder = place.path
        root = folder + "/root/scans"
        for name in ["/root", "/root/scans", "/empty"] { mkdir(folder + name, 0o755) }
        chmod(folder, 0o755)
        certificate = try ServerProcess.certificate(in: folder)
        chmod(folder + "/key.pem", 0o600)
        port = try SSHServer.freePort()
        if geteuid() == 0, let user = getpwnam("ftp") {
            chown(root, user.pointee.pw_uid, user.pointee.pw_gid)
        }
        try "wrong-word-17\n".write(toFile: folder + "/banned", atomically: true, encoding: .utf8)
        let settings = """
            listen=YES
            listen_address=127.0.0.1
            listen_port=\(port)
            max_per_ip=0
            background=NO
            run_as_launching_user=\(geteuid() == 0 ? "NO" : "YES")
            anonymous_enable=YES
            local_enable=NO
            write_enable=YES
            anon_root=\(folder)/root
            anon_upload_enable=YES
            anon_mkdir_write_enable=YES
            anon_other_write_enable=YES
            anon_world_readable_only=NO
            ssl_enable=YES
            allow_anon_ssl=YES
            force_anon_data_ssl=YES
            force_anon_logins_ssl=YES
            require_ssl_reuse=YES
            ssl_ciphers=\(hasTLS12 ? "HIGH" : "ECDHE-RSA-AES256-GCM-SHA384")
            rsa_cert_file=\(certificate)
            rsa_private_key_file=\(folder)/key.pem
            secure_chroot_dir=\(folder)/empty
            deny_email_enable=YES
            banned_email_file=\(folder)/banned
            seccomp_sandbox=NO

            """
        try settings.write(toFile: folder + "/conf", atomically: true, encoding: .utf8)
        chmod(folder + "/conf", 0o600)
        // The shell waits for the end of our pipe, and then ends the server. The tests' threads
        // block SIGTERM, and programs that they start inherit this.
        let command =
            "/usr/sbin/vsftpd '\(folder)/conf' > '\(folder)/log' 2>&1 & "
            + "server=$!; cat > /dev/null; kill -KILL $server"
        guard let pipe = popen(command, "we") else {
            throw ServerProcess.Failure.noServer("vsftpd")
        }
        input = pipe
        try ServerProcess.awaitListener(port, log: folder + "/log")
    }

    deinit { pclose(input) }
}
