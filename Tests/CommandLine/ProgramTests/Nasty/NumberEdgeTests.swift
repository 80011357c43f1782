import FoundationEssentials
import Testing

@testable import copystand

/// Tests the built program with extreme numbers in all of its inputs.
@Suite struct NumberEdgeTests {
    let home: TemporaryFolder
    init() throws { home = try TemporaryFolder() }

    /// Runs a script that prints every wrong result.
    private func run(_ script: String, _ words: [String]) throws -> BuiltProgram.Outcome {
        try BuiltProgram.spawn(
            "/usr/bin/python3", [TutorialPage.root + "/" + script] + words, in: home
        ).wait()
    }

    @Test("No extreme number in a path, a query or a body of the API ends the host")
    func api() throws {
        for number in 1...2 {
            _ = try BuiltProgram.run(
                [
                    "scan", "-q", "-d", "virtual:feeder", "-r", "75", "-p", "none", "-n", "2", "-t",
                    "\(number)",
                ], in: home)
        }
        let host = try RunningHost(in: home)
        let edges = try run("Scripts/lib/number_edges.py", [host.address, "--seconds", "60"])
        #expect(edges.status == 0, "\(edges.output.suffix(4_000)) \(edges.errors)")
        #expect(try host.end().status == 0)
    }

    @Test(
        "No extreme number in a kept file, an option or a message of a backend ends the program",
        arguments: ["persisted", "option", "wire"])
    func program(_ source: String) throws {
        let edges = try run(
            "Tests/CommandLine/ProgramTests/Support/\(source)_edges.py",
            [BuiltProgram.path, home.path, "--seconds", "60"])
        #expect(edges.status == 0, "\(edges.output.prefix(4_000)) \(edges.errors)")
    }

    @Test("No clock, however wrong, ends the program")
    func clocks() throws {
        let edges = try run(
            "Tests/CommandLine/ProgramTests/Support/clock_edges.py", [BuiltProgram.path, home.path])
        #expect(edges.status == 0, "\(edges.output.prefix(4_000)) \(edges.errors)")
    }
}
