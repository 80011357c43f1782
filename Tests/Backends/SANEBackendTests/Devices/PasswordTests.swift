import ContractSupport
import Testing

@testable import SANEBackend

/// Tests passwords and how they are sent.
@Suite struct PasswordTests {
    @Test(
        "MD5 gives the hashes of RFC 1321, appendix A.5",
        arguments: [
            ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
            ("abc", "900150983cd24fb0d6963f7d28e17f72"),
            ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
            (
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
                "d174ab98d277d9f5a5611c2c9f419d9f"
            ),
            (
                "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
                "57edf4a22be3c955ac49da2e2107b67a"
            ),
        ])
    func md5(_ text: String, _ hash: String) { #expect(MD5.hexadecimal(Array(text.utf8)) == hash) }

    @Test("A driver that offers a salt gets a hash; another gets the password")
    func challenge() {
        let plain = Challenge("net:host:epson2")
        #expect(plain.resource == "net:host:epson2")
        #expect(plain.response("secret") == "secret")
        let hashed = Challenge("net:host:epson2$MD5$ab")
        #expect(hashed.resource == "net:host:epson2")
        #expect(hashed.response("c") == "$MD5$900150983cd24fb0d6963f7d28e17f72")
    }

    @Test(
        "The first entry that matches a resource counts",
        arguments: [
            ("net:host:epson2", "one"), ("net:host", "one"), ("net:hostess:x", "three"),
            ("epson2", "two"), ("else", "three"),
        ])
    func entries(_ resource: String, _ user: String) {
        let file = PasswordFile(
            "# comment\n\none:p:net:host\ntwo:p:epson2\nbroken\nthree:p\nfour:p\n")
        #expect(file.entries.count == 4)
        #expect(file.entry(for: resource)?.user == user)
        #expect(PasswordFile("a:b:c").entry(for: "d") == nil)
    }

    @Test("A folder, a missing file and a huge file are not files of passwords")
    func files() throws {
        let folder = try TemporaryFolder()
        #expect(try PasswordFile.read(folder.file("none")) == nil)
        #expect(throws: PasswordFile.Refusal.self) { _ = try PasswordFile.read(folder.path) }
    }
}
