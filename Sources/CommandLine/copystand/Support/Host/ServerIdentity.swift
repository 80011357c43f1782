import CommandLine
import FoundationEssentials
import HTTPServer
import UserFiles

/// The certificate with which `serve` speaks HTTPS.
enum ServerIdentity {
    /// The identity that the options ask for; nil for plain HTTP.
    ///
    /// The host's own certificate is signed by its own authority. Both are stored in files that
    /// only their owner can read. A new certificate is made when the machine has other names or
    /// addresses, or the old one is about to expire. Browsers that trust the authority trust it
    /// too.
    static func wanted(
        isTLS: Bool, certificate: String?, key: String?, names: [String], isOnNetwork: Bool,
        environment: [String: String], path: [String]
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
        let folder = try UserFolders(environment: environment).usable(.config)
        let authority = try kept(in: folder + "/https-authority.pem") { old in
            try old ?? .authority(of: ThisMachine.name)
        }
        let wanted =
            ["localhost"] + names + (isOnNetwork ? ThisMachine.names + ThisMachine.addresses : [])
        return try kept(in: folder + "/https.pem") { old in
            if let old, old.isCurrent(for: wanted, of: authority) { return old }
            return try .issued(for: wanted, by: authority, replacing: old)
        }
    }

    /// The certificate of the host's own authority, as PEM; nil when there is none yet.
    static func authority(environment: [String: String]) throws -> String? {
        let folder = try UserFolders(environment: environment).usable(.config)
        guard let text = try UserFile(path: folder + "/https-authority.pem", secret: "a key").read()
        else { return nil }
        let all = String(decoding: text, as: UTF8.self)
        return all.firstRange(of: "-----BEGIN CERTIFICATE").map { String(all[$0.lowerBound...]) }
    }

    /// The identity in a file; `make` gets it and may replace it.
    private static func kept(
        in path: String, _ make: (HTTPListener.Identity?) throws -> HTTPListener.Identity
    ) throws -> HTTPListener.Identity {
        try UserFile(path: path, secret: "a key").change { kept in
            let old = kept.map { bytes in
                let text = String(decoding: bytes, as: UTF8.self)
                let start = text.firstRange(of: "-----BEGIN CERTIFICATE")?.lowerBound
                return HTTPListener.Identity(
                    certificate: String(text[(start ?? text.endIndex)...]),
                    key: String(text[..<(start ?? text.endIndex)]))
            }
            let made = try make(old)
            let bytes = Array((made.key + made.certificate).utf8)
            if kept != bytes { kept = bytes }
            return made
        }
    }

    private static func text(_ file: String, _ path: [String]) throws -> String {
        guard let text = try? String(contentsOf: URL(filePath: absolutePath(file)), encoding: .utf8)
        else {
            throw UsageError(
                .refused("can't be read: name a PEM file"), argument: file, path: path)
        }
        return text
    }
}
