import Testing

@testable import FileNames

/// Tests that texts for other machines name no folder of this one.
@Suite struct PlaceNamesTests {
    private static let places = PlaceNames(environment: {
        [
            "HOME": "/srv/home of ada/", "COPYSTAND_SPOOL": "/srv/o'brien, spool",
            "TMPDIR": "/tmp", "XDG_STATE_HOME": "relative",
        ][$0]
    })

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
            ("'sane:hpaio:/usb/Deskjet?serial=1'", "'sane:hpaio:/usb/Deskjet?serial=1'"),
            ("two /a/b and /c/d.", "two b and d."), ("“/x/ü/é.pdf”", "“é.pdf”"),
        ])
    func paths(_ text: String, _ told: String) {
        #expect(PlaceNames.removed(from: text) == told)
        #expect(Self.places.removed(from: text) == told)
    }

    @Test(
        "A path after a colon, and one with spaces in quotation marks, is cut too",
        arguments: [
            ("file:/home/ann/may.pdf", "file:may.pdf"),
            ("'file:/home/my ann/b c/may 1.pdf' is gone", "'file:may 1.pdf' is gone"),
            ("file:///home/ann/may.pdf", "file:may.pdf"),
            ("'/a/the ann's, folder/x.pdf' and '/b/c'", "'x.pdf' and 'c'"),
            ("the scanner's /a/b isn't there", "the scanner's b isn't there"),
            ("'/a/b c", "'b c"),
        ])
    func moreForms(_ text: String, _ told: String) {
        #expect(Self.places.removed(from: text) == told)
    }

    @Test(
        "A known folder is removed wherever it stands, also without quotation marks",
        arguments: [
            ("No room in /srv/home of ada: free some", "No room in ~: free some"),
            ("/srv/home of ada/docs/may.pdf is gone", "may.pdf is gone"),
            ("in /srv/o'brien, spool/1-a/page.raw", "in page.raw"),
            ("archive:/srv/home of ada/archive", "archive:archive"),
            ("file:%2Fsrv%2Fhome%20of%20ada%2Fx", "file:~%2Fx"),
            ("sftp://nas/srv/home of ada/x", "sftp://nas/x"), ("//srv/home of ada/x", "/x"),
            ("/srv/home of adam", "home of adam"), ("/tmp", "/tmp"),
        ])
    func knownFolders(_ text: String, _ told: String) {
        #expect(Self.places.removed(from: text) == told)
    }

    @Test(
        "The encoded path of a socket in an address is cut to its last part",
        arguments: [
            (
                "'postgresql:///scans?host=%2Fvar%2Frun%2Fdb&port=5' is away",
                "'postgresql:///scans?host=db&port=5' is away"
            ),
            ("x?host=%2Ftmp&y=1", "x?host=%2Ftmp&y=1"), ("100%2F3", "100%2F3"),
            ("a=%2Fb%2Fc d=%2Fe%2Ff", "a=c d=f"),
        ])
    func encoded(_ text: String, _ told: String) {
        #expect(Self.places.removed(from: text) == told)
    }

    @Test(
        "A value that is a path becomes its name, whatever characters it has",
        arguments: [
            ("file:/home/ann (old)/b, c/may 1.pdf", "file:may 1.pdf"),
            ("/home/ann/b c/it's.pdf", "it's.pdf"), ("file:sub folder/x.pdf", "file:x.pdf"),
            ("file:may.pdf", "file:may.pdf"), ("file:stdin", "file:stdin"),
            ("v4l2:/dev/video0", "v4l2:/dev/video0"), ("camera:/opt/my film/a", "camera:a"),
            ("sane:hpaio:/usb/Deskjet", "sane:hpaio:/usb/Deskjet"),
            ("https://host/a/b", "https://host/a/b"), ("outbox:12", "outbox:12"),
            ("Canon MX/490: ready", "Canon MX/490: ready"), ("LaserJet/2", "LaserJet/2"),
            ("/srv/home of ada", "~"), ("dir=/srv/home of ada/x y", "dir=x y"), ("/a", "/a"),
        ])
    func values(_ value: String, _ told: String) {
        #expect(Self.places.name(of: value) == told)
    }
}
