import FoundationEssentials
import Glibc
import HTTPServer
import UserFiles

/// The host's own certificate for HTTPS, and the authority that signs it, in two files that only
/// their owner can read.
///
/// The authority's key is read only in ``sign(names:given:tell:)``, by a process that does nothing
/// else: the host decodes pictures, and a picture could take it over.
struct OwnCertificate {
    private let certificate: UserFile
    private let authority: UserFile

    /// The certificate in the user's folder of settings.
    ///
    /// - Throws: `UserFileError` when there is no such folder.
    init(environment: [String: String]) throws(UserFileError) {
        let folder = try UserFolders(environment: environment).usable(.config)
        certificate = UserFile(path: folder + "/https.pem", secret: "a key")
        authority = UserFile(path: folder + "/https-authority.pem", secret: "a key")
    }

    /// The certificate with its key and the authority's certificate; nil when there is none.
    ///
    /// - Throws: `UserFileError`.
    func read() throws(UserFileError) -> HTTPListener.Identity? {
        try certificate.read().map(Self.identity)
    }

    /// The certificate, if it still is for all of the names that its authority may sign.
    ///
    /// - Parameters:
    ///   - names: all names and addresses of the host.
    ///   - given: those that the authority must be able to sign.
    /// - Throws: `UserFileError`.
    func current(names: [String], given: [String]) throws(UserFileError) -> HTTPListener.Identity? {
        try authority.checkTrust()
        guard let kept = try read(), let signer = kept.authority, signer.isUsable,
            given.allSatisfy(signer.permits), kept.isCurrent(for: names, of: signer),
            access(authority.path, F_OK) == 0
        else { return nil }
        return kept
    }

    /// Signs a new certificate, by a new authority if the old one can't.
    ///
    /// - Parameters:
    ///   - names: all names and addresses of the host.
    ///   - given: those that the authority must be able to sign.
    ///   - tell: gets the instructions for people when the authority was replaced.
    /// - Throws: `UserFileError`; `ListenError`; ``OutputFailure`` for a name to which no authority
    ///   can be limited.
    func sign(names: [String], given: [String], tell: (String) -> Void) throws {
        let signer = try authority.change { kept in
            let old = kept.map(Self.identity)
            let known = try old.map { try AuthorityCertificate($0.certificate) }
            if let old, let known, known.isUsable, given.allSatisfy(known.permits) { return old }
            let new = try HTTPListener.Identity.authority(
                of: ThisMachine.name,
                permitting: Self.permitted(given, besides: known?.permittedNames ?? []))
            let made = try AuthorityCertificate(new.certificate)
            // An authority that phones trust must not be lost to a name that can't be signed.
            guard made.isUsable, given.allSatisfy(made.permits) else {
                throw OutputFailure(
                    message:
                        "A certificate can't be limited to \(given.joined(separator: ", ")). Give --name a name or an address of this host."
                )
            }
            kept = Self.bytes(new)
            if let known { tell(Self.advice(known, made, given)) }
            return new
        }
        try certificate.change { kept in
            let old = kept.map(Self.identity)
            kept = Self.bytes(try .issued(for: names, by: signer, replacing: old))
        }
    }

    /// The names that a new authority may sign besides the usual ones: the given ones, those of the
    /// old authority, and this machine's own names and addresses.
    private static func permitted(_ given: [String], besides earlier: [String]) -> [String] {
        let own = ThisMachine.names.filter { !isTopLevel($0) } + ThisMachine.addresses
        return (given + earlier + own).reduce(into: []) { all, one in
            if !all.contains(one) { all.append(one) }
        }
    }

    /// True if a machine's name could be a top-level domain of the Internet, all of whose names the
    /// authority could then sign.
    ///
    /// Those of countries have two letters. Of the others, these are usual names of machines.
    private static func isTopLevel(_ name: String) -> Bool {
        let words: Set = [
            "com", "net", "org", "edu", "gov", "mil", "int", "info", "biz", "name", "pro", "app",
            "box", "cloud", "computer", "design", "dev", "digital", "family", "host", "house",
            "media", "network", "office", "online", "page", "photo", "school", "shop", "site",
            "store", "studio", "systems", "team", "tech", "work", "works", "zone",
        ]
        return !name.contains(".") && (name.count == 2 || words.contains(name))
    }

    private static func advice(
        _ old: AuthorityCertificate, _ new: AuthorityCertificate, _ given: [String]
    ) -> String {
        let reason =
            if !old.isLimited {
                "it could have signed any name, and now there is one that signs only this host's names and private addresses"
            } else if let name = given.first(where: { !old.permits($0) }) {
                "it may not sign '\(name)'"
            } else {
                "it expires soon"
            }
        return """
            The authority of this host was replaced, because \(reason). Do this on each phone and \
            computer that trusts the old one:
              1. Remove the old authority '\(old.name)'. Android: Settings, "Trusted credentials" or \
            "User certificates". iPhone, iPad: Settings, General, "VPN & Device Management".
              2. Install the new one, '\(new.name)', from https://ADDRESS/copystand-ca.crt.
            Programs that got the old one by --host-ca need the new one, too.
            """
    }

    private static func identity(_ bytes: [UInt8]) -> HTTPListener.Identity {
        let text = String(decoding: bytes, as: UTF8.self)
        let start = text.firstRange(of: "-----BEGIN CERTIFICATE")?.lowerBound ?? text.endIndex
        return HTTPListener.Identity(
            certificate: String(text[start...]), key: String(text[..<start]))
    }

    private static func bytes(_ identity: HTTPListener.Identity) -> [UInt8] {
        Array((identity.key + identity.certificate).utf8)
    }
}
