import FoundationEssentials
import Glibc
import HTTPServer
import Testing

/// Tests the certificates of a host's own authority by OpenSSL and by Apple's rules.
@Suite struct OwnAuthorityTests {
    private let folder: String

    init() throws {
        var template = Array("/tmp/copystand-authority-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        folder = String(
            decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The output of a program about files of the folder.
    private func said(_ command: String) throws -> String {
        let pipe = try #require(popen("cd \(folder) && \(command) 2>&1", "r"))
        defer { pclose(pipe) }
        var text: [UInt8] = []
        var byte = fgetc(pipe)
        while byte != EOF {
            text.append(UInt8(truncatingIfNeeded: byte))
            byte = fgetc(pipe)
        }
        return String(decoding: text, as: UTF8.self)
    }

    private func write(_ name: String, _ text: String) throws {
        try text.write(to: URL(filePath: folder + "/" + name), atomically: true, encoding: .utf8)
    }

    @Test(
        "Clients that trust the authority trust its certificate's names and addresses for a year"
    )
    func leaf() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let authority = try HTTPListener.Identity.authority(of: "desk")
        let names = ["localhost", "desk.local", "192.0.2.7", "2001:db8::7"]
        let leaf = try HTTPListener.Identity.issued(for: names, by: authority)
        try write("ca.pem", authority.certificate)
        try write("leaf.pem", leaf.certificate)
        for check in [
            "-verify_hostname desk.local", "-verify_ip 192.0.2.7", "-verify_ip 2001:db8::7",
        ] {
            let answer = try said(
                "openssl verify -x509_strict -purpose sslserver -CAfile ca.pem \(check) leaf.pem")
            #expect(answer == "leaf.pem: OK\n", "\(check): \(answer)")
        }
        let other = try said("openssl verify -CAfile ca.pem -verify_hostname other.local leaf.pem")
        #expect(other.contains("hostname mismatch"), "\(other)")
        let about = try said(
            "openssl x509 -in leaf.pem -noout -ext extendedKeyUsage,basicConstraints")
        #expect(about.contains("TLS Web Server Authentication") && about.contains("CA:FALSE"))
        // Apple's systems refuse certificates for more than 825 days; browsers require at most 397
        // days for public certificates.
        #expect(
            try said("openssl x509 -in leaf.pem -noout -checkend \(398 * 86_400)").contains(
                "will expire"))
        #expect(
            try said("openssl x509 -in leaf.pem -noout -checkend \(396 * 86_400)").contains(
                "will not"))
        #expect(
            try said("openssl x509 -in ca.pem -noout -ext basicConstraints,keyUsage")
                .contains("CA:TRUE, pathlen:0"))
    }

    @Test("A certificate is kept until a name is missing, and its key is always kept")
    func renewed() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let authority = try HTTPListener.Identity.authority(of: "desk")
        let old = try HTTPListener.Identity.issued(for: ["localhost"], by: authority)
        #expect(old.isCurrent(for: ["localhost"], of: authority))
        #expect(!old.isCurrent(for: ["localhost", "desk.local"], of: authority))
        #expect(!old.isCurrent(for: ["localhost"], of: try .authority(of: "other")))
        let new = try HTTPListener.Identity.issued(
            for: ["localhost", "desk.local", "192.0.2.7"], by: authority, replacing: old)
        #expect(new.isCurrent(for: ["localhost", "desk.local", "192.0.2.7"], of: authority))
        #expect(new.keyHash != nil && new.keyHash == old.keyHash)
        #expect(new.certificate != old.certificate)
    }
}
