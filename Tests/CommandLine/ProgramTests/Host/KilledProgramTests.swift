import FoundationEssentials
import Glibc
import Testing

/// Tests what is left after a program was killed, and that the next start settles it.
@Suite struct KilledProgramTests {
    private let home: TemporaryFolder
    private let programs = String(BuiltProgram.path.dropLast("/copystand".count))

    init() throws { home = try TemporaryFolder() }

    private func python(_ script: String, _ words: String...) throws -> BuiltProgram.Outcome {
        try BuiltProgram.spawn(
            "/usr/bin/python3", [TutorialPage.root + "/" + script] + words, in: home
        ).wait()
    }

    @Test(
        "Whichever process is killed, the next start of any command removes what is left of a page")
    func orphans() throws {
        // The user of the database server has to pass through it.
        chmod(home.path, 0o755)
        let outcome = try python(
            "Scripts/torture.d/main.py", "orphans", "--bin", programs, "--dir", home.path,
            "--count", "14", "--jobs", "2")
        #expect(outcome.status == 0, "\(outcome.output)\n\(outcome.errors)")
    }

    @Test(
        "A watched file whose document is in the archive goes to 'done', whenever the program is killed"
    )
    func watchedFile() throws {
        let outcome = try python(
            "Tests/CommandLine/ProgramTests/Support/killed_watch.py", programs, home.path)
        #expect(outcome.status == 0, "\(outcome.errors)")
        // The test shows nothing without a kill between the document and the move.
        #expect(Int(outcome.output.filter(\.isNumber)) ?? 0 > 0, "\(outcome.output)")
    }
}
