import Testing

@testable import WebServer

/// Tests that texts for the network name no folder of this machine.
@Suite struct PlaceNamesTests {
    @Test(
        "A path keeps only its last part",
        arguments: [
            (
                "The spool folder /home/ann/.local/share/x can't be written",
                "The spool folder x can't be written"
            ),
            ("'/var/spool/a b' is gone", "'a b' is gone"),
            ("'/home/ann lee/spool/j-1/picture-1/a b.txt' is bad", "'a b.txt' is bad"),
            ("'/srv/ann's scans/x.pdf', or '/a/b c'.", "'x.pdf', or 'b c'."),
            ("“/srv/my scans/é.pdf” and '/a/b", "“é.pdf” and 'b"),
            ("see (/etc/sane.d/dll.conf), please", "see (dll.conf), please"),
            ("/a/b", "b"), ("/a/b/", "b"), ("one / two", "one / two"), ("and/or", "and/or"),
            ("/single", "/single"),
            ("https://example.org/a/b", "https://example.org/a/b"), ("", ""),
            ("net:host:/dev/video0", "net:host:/dev/video0"),
            ("two /a/b and /c/d.", "two b and d."), ("“/x/ü/é.pdf”", "“é.pdf”"),
        ])
    func paths(_ text: String, _ told: String) {
        #expect(PlaceNames.removed(from: text) == told)
    }
}
