import FoundationEssentials
import Glibc
import Testing

@testable import copystand

/// Tests the certificate of a host's own, and the authority that signs it.
@Suite struct OwnCertificateTests {
    let home: TemporaryFolder
    init() throws { home = try TemporaryFolder() }

    private var folder: String { home.path + "/.config/copystand" }

    private func shell(_ line: String) throws -> String {
        let outcome = try BuiltProgram.shell("cd \(folder) && " + line, in: home)
        return outcome.output + outcome.errors
    }

    /// What a host says until it listens.
    private func start(_ more: [String] = []) throws -> String {
        let host = try RunningHost(in: home, ["--tls"] + more)
        let said = RunningHost.said(host.running)
        try host.end()
        return said
    }

    @Test("An old authority that could sign any name is replaced, with the steps on phones")
    func replaced() throws {
        #expect(try !start().contains("was replaced"))
        // The authority of earlier versions, and the certificate that it signed.
        let said = try shell(
            """
            umask 077 && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \
            -keyout k -subj '/CN=Copystand on desk' -days 3650 -out ca 2>/dev/null && \
            cat k ca > https-authority.pem && openssl req -new -key https.pem -subj /CN=Copystand \
            -addext subjectAltName=DNS:localhost -out r && openssl x509 -req -in r -CA ca -CAkey k \
            -CAcreateserial -days 397 -copy_extensions copy -out leaf 2>/dev/null && \
            openssl pkey -in https.pem > key && cat key leaf ca > https.pem && rm k ca r leaf
            """)
        #expect(said == "")
        let old = try BuiltProgram.run(["doctor"], in: home).output
        #expect(old.contains("warning  HTTPS:") && old.contains("remove 'Copystand on desk'"))
        let notice = try start()
        #expect(notice.contains("was replaced"))
        #expect(notice.contains("Remove the old authority 'Copystand on desk'."))
        #expect(notice.contains("/copystand-ca.crt"))
        #expect(try !start().contains("was replaced"))
        let shown = try shell(
            "openssl x509 -in https-authority.pem -noout -subject -ext nameConstraints")
        #expect(shown.contains("X509v3 Name Constraints: critical"))
        #expect(!shown.contains("CN = Copystand on desk\n"))
        // Programs that know the host by its key still do.
        #expect(try shell("openssl pkey -in https.pem | cmp - key") == "")
        let verified = try shell(
            "openssl verify -CAfile https-authority.pem -verify_hostname localhost https.pem")
        #expect(verified == "https.pem: OK\n")
        let new = try BuiltProgram.run(["doctor"], in: home).output
        #expect(new.contains("ok       HTTPS:") && new.contains("signs only this host's names"))
    }

    @Test(
        "A name that no authority can be limited to leaves the trusted authority as it is",
        arguments: ["0.0.0.0", "0.0.0.0/0"])
    func unlimited(name: String) throws {
        _ = try start()
        _ = try shell("cp https-authority.pem before")
        let failed = try BuiltProgram.run(
            ["serve", "--tls", "--name", name, "--listen", "127.0.0.1:0"], in: home)
        #expect(failed.status != 0)
        #expect(try shell("cmp https-authority.pem before") == "")
    }

    @Test("A name that was given later gets a new authority, which keeps the names from before")
    func named() throws {
        _ = try start(["--name", "one.example.net"])
        let notice = try start(["--name", "two.example.net"])
        #expect(notice.contains("it may not sign 'two.example.net'"))
        for name in ["one", "two"] {
            #expect(try !start(["--name", name + ".example.net"]).contains("was replaced"))
            let verified = try shell(
                """
                openssl verify -CAfile https-authority.pem -verify_hostname \(name).example.net \
                https.pem
                """)
            #expect(verified == "https.pem: OK\n")
        }
    }

    @Test("The authority's key is in no memory of the host, and readable by nobody else")
    func memory() throws {
        let host = try RunningHost(in: home, ["--tls"])
        let program = try home.write(
            "search.py",
            """
            import base64, re, sys
            process, folder = sys.argv[1:]
            def secret(name):
                text = open(folder + "/" + name).read()
                lines = text[:text.index("-----BEGIN CERT")].split("-----")[2].split()
                # The key itself, in DER (RFC 5915).
                return [lines[0].encode(), base64.b64decode("".join(lines))[7:39]]
            def has(words):
                found = False
                memory = open(f"/proc/{process}/mem", "rb", 0)
                for line in open(f"/proc/{process}/maps"):
                    ends, mode = line.split()[:2]
                    if "w" not in mode: continue
                    start, end = (int(one, 16) for one in ends.split("-"))
                    try:
                        memory.seek(start)
                        bytes = memory.read(end - start)
                    except OSError: continue
                    found = found or any(word in bytes for word in words)
                return found
            # The certificate's key, which the host needs, shows that the search finds keys.
            print(has(secret("https.pem")), has(secret("https-authority.pem")))
            """)
        let searched = try BuiltProgram.spawn(
            "/usr/bin/python3", [program, "\(host.running.process)", folder], in: home
        ).wait()
        try host.end()
        #expect(searched.output == "True False\n", "\(searched.errors)")
        #expect(try shell("stat -c %a https-authority.pem .") == "600\n700\n")
        chmod(folder + "/https-authority.pem", 0o640)
        let refused = try BuiltProgram.run(["serve", "--tls", "--listen", "127.0.0.1:0"], in: home)
        #expect(refused.status != 0)
        #expect(refused.errors.contains("holds a key and can be read by others"))
    }
}
