import CommandLine
import FoundationEssentials
import HTTPServer
import UserFiles

/// The certificate with which `serve` speaks HTTPS.
enum ServerIdentity {
    /// The identity that the options ask for; nil for plain HTTP.
    ///
    /// The host's own one is made once, and kept where only its owner can read it, so that browsers
    /// that trust it continue to do so.
    static func wanted(
        isTLS: Bool, certificate: String?, key: String?, names: [String],
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
        return try UserFile(path: folder + "/https.pem", secret: "a key").change { kept in
            if let kept {
                let text = String(decoding: kept, as: UTF8.self)
                return HTTPListener.Identity(certificate: text, key: text)
            }
            let made = try HTTPListener.Identity.selfSigned(names: ["localhost"] + names)
            kept = Array((made.key + made.certificate).utf8)
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
