import Delivery
import FoundationEssentials
import Testing

/// Tests that nothing that leaves a host names its user's folders.
@Suite struct LeakTests {
    @Test(
        "No answer, event, export, e-mail or request to a destination names a folder of the host")
    func folders() throws {
        let home = try TemporaryFolder()
        // The lists are those of the program, so a new format or kind is searched, too.
        let endings = FileFormat.all.flatMap(\.endings).joined(separator: ",")
        let kinds = SinkDefinition.Kind.all.map(\.name).joined(separator: ",")
        let folder = BuiltProgram.path.dropLast("/copystand".count)
        let outcome = try BuiltProgram.spawn(
            "/usr/bin/python3",
            [
                TutorialPage.root + "/Tests/CommandLine/ProgramTests/Support/leaks.py",
                String(folder), home.path, endings, kinds,
            ], in: home
        ).wait()
        #expect(outcome.status == 0, "\(outcome.output)\n\(outcome.errors)")
    }
}
