import FoundationEssentials
import Glibc
import Testing

/// Tests today's program with data that released versions stored in `Fixtures/stored-VERSION`.
@Suite struct StoredDataTests {
    private let home: TemporaryFolder

    private static let fixtures =
        "/" + #filePath.split(separator: "/").dropLast().joined(separator: "/") + "/Fixtures"
    static let versions =
        ((try? FileManager.default.contentsOfDirectory(atPath: fixtures)) ?? [])
        .filter { $0.hasPrefix("stored-") }.map { String($0.dropFirst("stored-".count)) }

    init() throws { home = try TemporaryFolder() }

    /// Runs a shell command in the home of an earlier version.
    private func run(_ line: String, code: Int32 = 0) throws -> String {
        let outcome = try BuiltProgram.shell(
            "cd '\(home.path)' && \(line)", in: home,
            environment: [
                "XDG_CONFIG_HOME": home.path + "/config", "XDG_DATA_HOME": home.path + "/data",
                "XDG_STATE_HOME": home.path + "/state",
            ])
        #expect(outcome.status == code, "\(line): \(outcome.output)\(outcome.errors)")
        return outcome.output
    }

    private func restore(_ version: String) throws {
        let done = try BuiltProgram.spawn(
            "/usr/bin/python3",
            [
                "-B", Self.fixtures + "/stored.py", "restore", Self.fixtures + "/stored-\(version)",
                home.path,
            ],
            in: home
        ).wait()
        try #require(done.status == 0, "\(done.errors)")
    }

    /// The number of the schema according to another reader of SQLite.
    private func schema(_ folder: String) throws -> String {
        try run(
            """
            /usr/bin/python3 -c 'import sqlite3, sys
            print(*sqlite3.connect(sys.argv[1]).execute("PRAGMA user_version").fetchone())' \
            '\(folder)/archive.sqlite'
            """)
    }

    @Test("The test has data from the first release")
    func present() { #expect(Self.versions.contains("0.1.0")) }

    @Test(
        "An archive is migrated to today's schema with documents, history, index and originals",
        arguments: versions)
    func archive(version: String) throws {
        try restore(version)
        #expect(try run("$P search Aldermouth").contains("Invoice 2291 from"))
        #expect(try run("$P list").contains("Printer paper"))
        #expect(try run("$P list --trash").contains("Thrown away"))
        let document = try run("$P show 1 --json")
        for part in [
            #""title" : "Printer paper""#, #""type" : "invoice""#, #""note" : "Paid in May""#,
            #""value" : "12.50""#, #""office""#, #""2026""#, #""name" : "letter.pdf""#,
            #""turn" : 90"#, #""words" : 4"#,
        ] {
            #expect(document.contains(part), "\(part)")
        }
        // This change migrates the archive; the restored history is from before.
        _ = try run("$P restore 2 && $P edit 1 --note 'Paid in June'")
        #expect(try run("$P list").contains("Thrown away"))
        _ = try run("$P pages 1 --undo && $P pages 1 --undo")
        let before = try run("$P show 1 --json")
        #expect(before.contains(#""note" : "Paid in May""#) && !before.contains(#""turn" : 90"#))
        #expect(try run("$P archive check 2>&1").contains("2 documents, 2 pages"))
        _ = try run("printf 'P2 40 60 255 %s' \"$(yes 90 | head -n 2400)\" > a.pgm")
        _ = try run("XDG_DATA_HOME=$PWD/new $P import -q -p none a.pgm")
        #expect(try schema(home.path + "/data/copystand") == schema(home.path + "/new/copystand"))
        _ = try run("$P export 1 -o letter-again.pdf && test -s letter-again.pdf")
    }

    @Test(
        "An interrupted job of that release is delivered, and its outbox too", arguments: versions)
    func work(version: String) throws {
        try restore(version)
        #expect(try run("$P jobs").contains("interrupted.tiff"))
        _ = try run("$P jobs resume \"$(ls state/copystand/spool)\" && test -s interrupted.tiff")
        // Its capture ended early, so that the rest can still be added; nothing waits any more.
        #expect(try run("$P jobs --json").contains(#""undelivered" : 0"#))
        _ = try run("$P jobs discard \"$(ls state/copystand/spool)\"")
        #expect(try run("$P jobs --json").contains("interrupted.tiff") == false)
        #expect(try run("$P outbox").contains("Waits"))
        _ = try run("$P outbox retry && test -s shelf/Waits.pdf")
        #expect(try run("$P outbox --json").contains("Waits") == false)
    }

    @Test("Stored settings keep their meaning", arguments: versions)
    func settings(version: String) throws {
        try restore(version)
        #expect(try run("$P device default") == "virtual:flatbed\n")
        #expect(try run("$P devices").contains("desk"))
        #expect(try run("$P share").contains("The desk"))
        #expect(try run("$P token").contains("kitchen  scan"))
        _ = try run("$P profiles check config/copystand/profiles/mine.json5")
        #expect(try run("$P profiles show mine").contains("items"))
        let sinks = try run("$P sinks")
        #expect(sinks.contains("cloud  webdav  https://cloud.invalid/dav"))
        #expect(sinks.contains("shelf  file"))
        // One setting can be changed, and the others stay unchanged.
        _ = try run("$P sinks remove shelf && $P token add tablet && $P device alias near desk")
        #expect(try run("$P sinks").contains("cloud"))
        #expect(try run("$P token").contains("kitchen"))
        #expect(try run("grep -c 'not so secret' config/copystand/sinks.json") == "1\n")
        #expect(try run("$P devices").contains("near"))
    }
}
