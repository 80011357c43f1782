import CommandLine
import FoundationEssentials
import Glibc
import HTTPServer

/// The certificate with which `serve` speaks HTTPS.
enum ServerIdentity {
    /// The identity that the options ask for; nil for plain HTTP.
    ///
    /// A new certificate of the host's own is made when the machine has other names or addresses,
    /// or the old one is about to expire. Browsers that trust the authority trust it too.
    ///
    /// - Parameter tell: gets the addresses that the authority may not sign.
    static func wanted(
        isTLS: Bool, certificate: String?, key: String?, names: [String], isOnNetwork: Bool,
        environment: [String: String], path: [String], tell: (String) -> Void
    ) throws -> HTTPListener.Identity? {
        guard (certificate == nil) == (key == nil) else {
            throw UsageError(
                .refused("needs the other of --certificate and --key"),
                argument: certificate == nil ? "--key" : "--certificate", path: path)
        }
        if let certificate, let key {
            return HTTPListener.Identity(
                certificate: try text(certificate, path), key: try text(key, path))
        }
        guard isTLS else { return nil }
        let wanted =
            ["localhost"] + names + (isOnNetwork ? ThisMachine.names + ThisMachine.addresses : [])
        let own = try OwnCertificate(environment: environment)
        var identity = try own.current(names: wanted, given: names)
        if identity == nil {
            try sign(wanted, given: names)
            identity = try own.current(names: wanted, given: names)
        }
        guard let identity, let authority = identity.authority else {
            throw OutputFailure(
                message:
                    "The certificate for HTTPS changed while the host started. Start it again.")
        }
        if authority.isOfFuture {
            tell(
                "The host's authority is not valid yet: the clock was ahead when it was made, or is behind now. If the clock is right, browsers refuse the host: remove ~/.config/copystand/https-authority.pem, restart the host, and install the new authority on phones."
            )
        }
        let others = wanted.filter { !authority.permits($0) }
        if !others.isEmpty {
            tell(
                "The host's authority may not sign \(others.joined(separator: ", ")): browsers warn there. Use another address, or replace the authority, and install it again on phones: remove ~/.config/copystand/https-authority.pem, and restart the host."
            )
        }
        return identity
    }

    /// Signs a certificate in a process of its own, since this one will decode pictures.
    private static func sign(_ names: [String], given: [String]) throws {
        let arguments =
            ["copystand", SignCertificateCommand.command.name] + names
            + given.flatMap { ["--given", $0] }
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var child: pid_t = 0
        let failure = posix_spawn(&child, "/proc/self/exe", nil, nil, &words, environ)
        guard failure == 0 else {
            throw OutputFailure(
                message:
                    "The certificate for HTTPS can't be made: \(String(cString: strerror(failure)))"
            )
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else {
            throw OutputFailure(
                message: "The certificate for HTTPS can't be made; see the message above.")
        }
    }

    private static func text(_ file: String, _ path: [String]) throws -> String {
        do {
            return try String(contentsOf: URL(filePath: absolutePath(file)), encoding: .utf8)
        } catch {
            throw UsageError(
                .refused("can't be read: name a PEM file"), argument: file, path: path)
        }
    }
}
