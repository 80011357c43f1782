import FoundationEssentials
import Testing

/// Tests a profile that names the sinks of its documents.
@Suite struct ProfileSinksTests {
    let home: TemporaryFolder
    private let scan = ["scan", "-d", "virtual:flatbed", "-q", "-p", "bills"]

    init() throws { home = try TemporaryFolder() }

    private func write(_ sinks: String) throws {
        try home.write(
            "config/copystand/profiles/bills.json5", "{ looksFor: \"nothing\", sinks: \(sinks) }")
    }

    private func run(_ arguments: [String]) throws -> BuiltProgram.Outcome {
        try BuiltProgram.run(
            arguments, in: home,
            environment: [
                "XDG_CONFIG_HOME": home.path + "/config", "COPYSTAND_SPOOL": home.path + "/spool",
            ])
    }

    @Test("A profile's documents go to its sinks, unless the command says otherwise")
    func used() throws {
        let added = try run([
            "sinks", "add", "shelf", "--kind", "file", "--template",
            home.path + "/shelf/bill-{counter}",
        ])
        #expect(added.status == 0, "\(added.errors)")
        try write("[\"archive\", \"shelf\"]")
        let first = try run(scan)
        #expect(first.status == 0, "\(first.errors)")
        func shelf() -> [String] {
            (try? FileManager.default.contentsOfDirectory(atPath: home.path + "/shelf")) ?? []
        }
        #expect(shelf().count == 1)
        #expect(try run(["list", "--json"]).output.contains("\"pages\""))
        let elsewhere = try run(scan + ["-o", home.path + "/other.pdf"])
        #expect(elsewhere.status == 0, "\(elsewhere.errors)")
        #expect(FileManager.default.fileExists(atPath: home.path + "/other.pdf"))
        #expect(shelf().count == 1)
    }

    @Test("An unknown sink is reported before anything is captured, with the nearest name")
    func unknown() throws {
        try write("[\"archiv\"]")
        let outcome = try run(scan)
        #expect(outcome.status == 2, "\(outcome.errors)")
        #expect(outcome.errors.contains("archiv") && outcome.errors.contains("Did you mean"))
        let left =
            (try? FileManager.default.contentsOfDirectory(atPath: home.path + "/spool")) ?? []
        #expect(left.isEmpty, "nothing is captured for a document that has nowhere to go")
    }
}
