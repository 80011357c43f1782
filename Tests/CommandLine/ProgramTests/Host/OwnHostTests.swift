import FoundationEssentials
import Testing

@testable import copystand

/// Tests the address that `copystand open` passes to the browser.
@Suite struct OwnHostTests {
    @Test("The address signs in once if the host needs a token, and leaves no token behind")
    func signsIn() throws {
        let home = try TemporaryFolder()
        let host = try RunningHost(in: home, ["--token"])
        defer { _ = try? host.end() }
        let address = "http://127.0.0.1:\(host.port)"
        let page = try OwnHost(address: address).page(environment: ["HOME": home.path])
        #expect(page.hasPrefix(address + "/#signin/"))
        let code = page.dropFirst(address.count + "/#signin/".count)
        func signIn() throws -> String {
            try BuiltProgram.spawn(
                "/usr/bin/curl",
                [
                    "--silent", "--output", "/dev/null", "--write-out", "%{http_code}",
                    "--json", #"{"code": "\#(code)"}"#, address + "/api/v1/session",
                ], in: home
            ).wait().output
        }
        #expect(try signIn() == "204")
        #expect(try signIn() == "401")
        let tokens = try String(
            contentsOfFile: home.path + "/.config/copystand/tokens.json", encoding: .utf8)
        #expect(!tokens.contains("copystand open"))
    }

    @Test("If no token is needed, or the host belongs to others, the address has no code")
    func plain() throws {
        let home = try TemporaryFolder()
        let open = try RunningHost(in: home)
        defer { _ = try? open.end() }
        let another = try TemporaryFolder()
        for host in [open, try RunningHost(in: home, ["--token"])] {
            let address = "http://127.0.0.1:\(host.port)"
            let page = try OwnHost(address: address).page(environment: ["HOME": another.path])
            #expect(page == address)
            _ = try? host.end()
        }
    }
}
