import FoundationEssentials
import Glibc
import Testing

@testable import copystand

/// Tests `--host` over HTTPS: the hosts that the client trusts, the hosts that accept the client,
/// and a host that is killed during a job.
@Suite(.serialized) final class HostTrustTests: TwoMachines {
    private func list(
        _ address: String, _ words: String..., token: String? = nil
    ) throws -> BuiltProgram.Outcome {
        try BuiltProgram.run(
            ["list", "--host", address] + words, in: here,
            environment: token.map { ["COPYSTAND_HOST_TOKEN": $0] } ?? [:])
    }

    /// The text after some words on standard error.
    private func said(_ host: RunningHost, after words: String) throws -> String {
        for _ in 0..<300 {
            let said = RunningHost.said(host.running)
            if let start = said.firstRange(of: words)?.upperBound, said[start...].contains("\n") {
                return String(said[start...].prefix { !$0.isWhitespace })
            }
            usleep(100_000)
        }
        throw BuiltProgram.Failure(message: RunningHost.said(host.running))
    }

    @Test("With HTTPS, the certificate or key identifies the host, and a token gives access")
    func trust() throws {
        let host = try RunningHost(in: there, ["--tls", "--token"])
        let token = try said(host, after: "not shown again: ")
        let key = try said(host, after: "--host-key ")
        let named = host.address.replacing("127.0.0.1", with: "localhost")
        // The token is never sent to an unknown host.
        for address in [host.address, named] {
            let unknown = try list(address, token: token)
            #expect(unknown.status == 2 && unknown.errors.contains("--host-ca"))
            #expect(unknown.errors.contains("can't prove that it is the host"))
        }
        let kept = try String(
            contentsOfFile: there.path + "/.config/copystand/https.pem", encoding: .utf8)
        let start = try #require(kept.firstRange(of: "-----BEGIN CERTIFICATE")?.lowerBound)
        let certificate = try here.write("host.pem", String(kept[start...]))
        let byCertificate = try list(named, "--host-ca", certificate, token: token)
        #expect(byCertificate.status == 0, "\(byCertificate.errors)")
        // The certificate is for another name than the address.
        #expect(try list(host.address, "--host-ca", certificate, token: token).status == 2)
        #expect(try list(host.address, "--host-key", key, token: token).status == 0)
        let other = "sha256//" + String(repeating: "A", count: 43) + "="
        let pinned = try list(host.address, "--host-key", other, token: token)
        #expect(pinned.status == 2 && pinned.errors.contains("can't prove that it is the host"))

        let none = try list(host.address, "--host-key", key)
        #expect(none.status == 2 && none.errors.contains("asks for a token"))
        let wrong = try list(host.address, "--host-key", key, token: "wrong")
        #expect(wrong.status == 2 && wrong.errors.contains("does not accept this token"))
        #expect(!wrong.errors.contains("wrong\n"))
        let file = try here.write("token", token + "\n", mode: 0o600)
        #expect(
            try list(host.address, "--host-key", key, "--host-token-file", file).status == 0)
        chmod(file, 0o644)
        let open = try list(host.address, "--host-key", key, "--host-token-file", file)
        #expect(open.status == 2 && open.errors.contains("chmod 600"), "\(open.errors)")
        try host.end()
    }

    @Test(
        "A host that is killed and restarted delivers the pages that it had, and the rest of the stack can follow"
    )
    func restarted() throws {
        let host = try RunningHost(in: there)
        let running = try BuiltProgram.spawn(
            BuiltProgram.path,
            [
                "scan", "--host", host.address, "-d", "virtual:feeder", "-p", "none", "-r", "75",
                "--set", "pages=500", "--set", "fault=slow", "--set", "row-delay=1", "--set",
                "fault-page=4", "-o", here.path + "/a.tiff",
            ], in: here)
        for _ in 0..<600 where !RunningHost.said(running).contains("Page 2:") { usleep(50_000) }
        try host.end(SIGKILL)
        for _ in 0..<600 where !RunningHost.said(running).contains("was lost") { usleep(50_000) }
        let again = try RunningHost(in: there, port: host.port)
        let outcome = try running.wait()
        #expect(outcome.status == 4, "\(outcome.errors)")
        #expect(outcome.errors.contains("restarted during the scan"), "\(outcome.errors)")
        #expect(outcome.errors.contains("copystand scan --append"), "\(outcome.errors)")
        // The document here has every page that is in the other machine's archive.
        let shown = try BuiltProgram.run(
            ["show", "1", "--json", "--host", again.address], in: here)
        let pages = shown.output.ranges(of: "\"number\"").count
        #expect(pages >= 2, "\(shown.output)")
        let folders = try BuiltProgram.shell(
            "tiffinfo \(here.path)/a.tiff | grep -c 'TIFF Dir'", in: here)
        #expect(folders.output == "\(pages)\n", "\(folders.errors)")
        let jobs = try BuiltProgram.run(["jobs", "--host", again.address], in: here)
        #expect(jobs.output.contains("to be continued"), "\(jobs.output)")
        let id = String(jobs.output.split(separator: "\n").last?.prefix { $0 != " " } ?? "")
        let discarded = try BuiltProgram.run(
            ["jobs", "discard", id, "--host", again.address], in: here)
        #expect(discarded.status == 0, "\(discarded.errors)")
        try again.end()
    }
}
