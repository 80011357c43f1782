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
        let authority = try HTTPListener.Identity.authority(
            of: "desk", permitting: ["192.0.2.7", "2001:db8::7"])
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
        let authority = try HTTPListener.Identity.authority(
            of: "desk", permitting: ["192.0.2.7"])
        let root = try AuthorityCertificate(authority.certificate)
        let old = try HTTPListener.Identity.issued(for: ["localhost"], by: authority)
        #expect(old.isCurrent(for: ["localhost"], of: root))
        #expect(!old.isCurrent(for: ["localhost", "desk.local"], of: root))
        let other = try AuthorityCertificate(
            HTTPListener.Identity.authority(of: "other").certificate)
        #expect(!old.isCurrent(for: ["localhost"], of: other))
        let new = try HTTPListener.Identity.issued(
            for: ["localhost", "desk.local", "192.0.2.7"], by: authority, replacing: old)
        #expect(new.isCurrent(for: ["localhost", "desk.local", "192.0.2.7"], of: root))
        #expect(new.authority?.text == authority.certificate)
        #expect(new.keyHash != nil && new.keyHash == old.keyHash)
        #expect(new.certificate != old.certificate)
    }

    @Test("A certificate from a time when the clock was ahead is replaced when it is right again")
    func ofFuture() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let authority = try HTTPListener.Identity.authority(of: "desk")
        let root = try AuthorityCertificate(authority.certificate)
        #expect(!root.isOfFuture)
        try write("ca.pem", authority.certificate)
        try write("ca.key", authority.key)
        try write("empty", "")
        try write(
            "openssl.conf",
            """
            [x]
            database = empty
            new_certs_dir = new
            rand_serial = yes
            certificate = ca.pem
            private_key = ca.key
            default_md = sha256
            policy = any
            copy_extensions = copy
            [any]
            commonName = supplied
            """)
        _ = try said(
            """
            openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout k.pem \
            -subj /CN=Copystand -addext subjectAltName=DNS:localhost -out r.pem 2>/dev/null && \
            mkdir new && openssl ca -batch -config openssl.conf -name x -in r.pem -out leaf.pem \
            -startdate 20480101000000Z -enddate 20490101000000Z -notext
            """)
        let leaf = HTTPListener.Identity(
            certificate: try String(contentsOfFile: folder + "/leaf.pem", encoding: .utf8),
            key: try String(contentsOfFile: folder + "/k.pem", encoding: .utf8))
        #expect(!leaf.isCurrent(for: ["localhost"], of: root))
    }

    /// The answer of OpenSSL to a certificate for a name that somebody makes with the authority's
    /// key.
    private func forged(_ name: String) throws -> String {
        let kind = name.contains(":") || name.allSatisfy { $0.isNumber || $0 == "." } ? "IP" : "DNS"
        return try said(
            """
            openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout k.pem \
            -subj /CN=Copystand -addext 'subjectAltName=\(kind):\(name)' -out r.pem 2>/dev/null \
            && openssl x509 -req -in r.pem -CA ca.pem -CAkey ca.key -CAcreateserial -days 9 \
            -copy_extensions copy -out forged.pem 2>/dev/null; \
            openssl verify -CAfile ca.pem forged.pem
            """)
    }

    @Test("Whoever takes the authority's key can sign the host's own and private names only")
    func constraints() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let own = ["scans.example.net", "desk", "192.0.2.7", "2001:db8::7"]
        let authority = try HTTPListener.Identity.authority(of: "desk", permitting: own)
        try write("ca.pem", authority.certificate)
        try write("ca.key", authority.key)
        let shown = try said("openssl x509 -in ca.pem -noout -ext nameConstraints,extendedKeyUsage")
        #expect(shown.contains("X509v3 Name Constraints: critical"))
        let root = try AuthorityCertificate(authority.certificate)
        #expect(root.isLimited && root.isUsable)
        #expect(root.permittedNames == ["localhost", "local", "scans.example.net", "desk"])
        let permitted =
            own + [
                "localhost", "desk.local", "other.local", "127.0.0.1", "127.9.9.9", "::1",
                "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.2", "169.254.3.4",
                "fd12::1", "fe80::1",
            ]
        for name in permitted {
            #expect(root.permits(name), "\(name)")
            #expect(try forged(name) == "forged.pem: OK\n", "\(name)")
        }
        for name in [
            "example.com", "example.net", "bank.example", "evillocal", "local.example",
            "8.8.8.8", "172.32.0.1", "11.0.0.1", "192.0.2.8", "128.0.0.1", "0.0.0.0",
            "2001:db8::8", "2606:4700::1111", "::2", "::",
        ] {
            #expect(!root.permits(name), "\(name)")
            let answer = try forged(name)
            #expect(answer.contains("permitted subtree violation"), "\(name): \(answer)")
        }
    }

    @Test("A name that the authority may not sign is left out, so that all others are trusted")
    func leftOut() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let authority = try HTTPListener.Identity.authority(of: "desk")
        let names = ["localhost", "scans.example.net", "desk.local", "192.0.2.7", "10.0.0.7"]
        let leaf = try HTTPListener.Identity.issued(for: names, by: authority)
        try write("ca.pem", authority.certificate)
        try write("leaf.pem", leaf.certificate)
        for check in ["-verify_hostname desk.local", "-verify_ip 10.0.0.7"] {
            #expect(try said("openssl verify -CAfile ca.pem \(check) leaf.pem") == "leaf.pem: OK\n")
        }
        let shown = try said("openssl x509 -in leaf.pem -noout -ext subjectAltName")
        #expect(!shown.contains("example") && !shown.contains("192.0.2"))
        #expect(leaf.isCurrent(for: names, of: try AuthorityCertificate(authority.certificate)))
    }

    @Test("An authority without critical limits, or with limits for names alone, is not limited")
    func unlimited() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for limits in [
            nil, "nameConstraints=permitted;DNS:local",
            "nameConstraints=critical,permitted;DNS:local",
            "nameConstraints=critical,permitted;IP:10.0.0.0/255.0.0.0",
            "nameConstraints=critical,excluded;DNS:example.com",
        ] {
            let extra = limits.map { "-addext '\($0)'" } ?? ""
            _ = try said(
                """
                openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout k.pem \
                -subj '/CN=Copystand on desk' -days 3650 \(extra) -out ca.pem
                """)
            let text = try String(contentsOfFile: folder + "/ca.pem", encoding: .utf8)
            let authority = try AuthorityCertificate(text)
            #expect(authority.name == "Copystand on desk")
            #expect(!authority.isLimited && !authority.isUsable, "\(limits ?? "none")")
        }
    }
}
