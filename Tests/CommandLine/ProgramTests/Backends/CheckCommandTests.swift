import FoundationEssentials
import Glibc
import Testing

/// Tests `copystand backend check` in scripts: exit codes, JSON, and the options that the command
/// sets.
@Suite struct CheckCommandTests {
    private struct Report: Decodable {
        struct Row: Decodable {
            var id: String
            var severity: String
            var section: String
            var outcome: String?
            var expected: String?
            var came: String?
            var reason: String?
        }
        var program: String?
        var checks: [Row]
    }

    private static var stripes: String { TutorialPage.root + "/Examples/PythonBackend" }

    private func report(_ text: String) throws -> Report {
        try JSONDecoder().decode(Report.self, from: Data(text.utf8))
    }

    @Test("A backend that passes gives exit code 0 and an object with the results")
    func passing() throws {
        let home = try TemporaryFolder()
        let outcome = try BuiltProgram.run(
            [
                "backend", "check", Self.stripes, "-c", "hello.answers", "-c", "open.answers",
                "--json",
            ],
            in: home)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let report = try report(outcome.output)
        #expect(report.program == Self.stripes + "/stripes.py")
        #expect(report.checks.map(\.id) == ["hello.answers", "open.answers"])
        #expect(report.checks.allSatisfy { $0.outcome == "passed" && $0.severity == "must" })
    }

    @Test("A backend that breaks a must gives 4, with the expected and the actual behavior")
    func failing() throws {
        let home = try TemporaryFolder()
        // The program does not speak the protocol.
        try home.write("mute", "#!/bin/sh\nexit 3\n")
        chmod(home.path + "/mute", 0o755)
        let line = ["backend", "check", home.path + "/mute", "-c", "hello.answers"]
        let outcome = try BuiltProgram.run(line + ["--json"], in: home)
        #expect(outcome.status == 4)
        let row = try #require(try report(outcome.output).checks.first)
        #expect(row.outcome == "failed")
        #expect(row.expected?.isEmpty == false && row.came?.isEmpty == false)
        let text = try BuiltProgram.run(line, in: home)
        #expect(text.status == 4)
        #expect(text.output.contains("FAILED"))
    }

    @Test(
        "Options are set at each opening; a missing one is the user's mistake, not a fault",
        arguments: [
            (["--set", "pages=2"], 0, ""), (["--set", "pages=none"], 2, "'pages' takes"),
            (["--set", "sheets=2"], 2, "no option is called 'sheets'"),
            (["--device", "feedr"], 3, "It lists: feeder"),
        ])
    func wishes(_ words: [String], _ status: Int32, _ text: String) throws {
        let home = try TemporaryFolder()
        let outcome = try BuiltProgram.run(
            [
                "backend", "check", Self.stripes, "-c", "open.answers", "-c", "capture.page",
                "--json",
            ] + words, in: home)
        #expect(outcome.status == status, "\(outcome.output)\n\(outcome.errors)")
        #expect(outcome.errors.contains(text), "\(outcome.errors)")
        if status == 0 {
            #expect(try report(outcome.output).checks.allSatisfy { $0.outcome == "passed" })
        }
    }

    @Test("A backend without a page fails, unless that is allowed, with a readable reason")
    func empty() throws {
        let home = try TemporaryFolder()
        let source = try String(contentsOfFile: Self.stripes + "/stripes.py", encoding: .utf8)
        let bare = source.replacing("[FEEDER]", with: "[]")
        try #require(bare != source)
        let program = try home.write("bare.py", bare, mode: 0o755)
        let checks = ["-c", "hello.answers", "-c", "capture.page"]
        let line = ["backend", "check", program] + checks
        let empty = try BuiltProgram.run(line + ["--junit", home.path + "/empty.xml"], in: home)
        #expect(empty.status == 4)
        #expect(empty.errors.contains("1 passed, 0 failed, 1 not checked"), "\(empty.errors)")
        #expect(empty.errors.contains("No page could be captured"), "\(empty.errors)")
        let xml = try String(contentsOfFile: home.path + "/empty.xml", encoding: .utf8)
        #expect(xml.contains("tests=\"2\" failures=\"0\" skipped=\"1\""), "\(xml)")
        let allowed = try BuiltProgram.run(line + ["--allow-empty"], in: home)
        #expect(allowed.status == 0, "\(allowed.errors)")
        let whole = try BuiltProgram.run(["backend", "check", Self.stripes] + checks, in: home)
        #expect(whole.status == 0, "\(whole.errors)")
        #expect(whole.output.split(separator: "\n").count == 2, "\(whole.output)")
        try home.write("mute", "#!/bin/sh\nexit 3\n")
        chmod(home.path + "/mute", 0o755)
        let broken = try BuiltProgram.run(
            [
                "backend", "check", home.path + "/mute", "-c", "hello.answers", "--junit",
                home.path + "/bad.xml",
            ],
            in: home)
        #expect(broken.status == 4 && broken.errors.contains("Failed: hello.answers."))
    }

    @Test("An interrupted check reports the results so far")
    func interrupted() throws {
        let home = try TemporaryFolder()
        let running = try BuiltProgram.spawn(
            BuiltProgram.path, ["backend", "check", Self.stripes], in: home)
        defer { running.remove() }
        let output = URL(filePath: running.folder + "/out")
        // The line of a check is printed as soon as the check is finished.
        while (try? String(contentsOf: output, encoding: .utf8))?.contains("hello.newer") != true {
            usleep(20_000)
        }
        kill(running.process, SIGINT)
        let outcome = try running.wait()
        #expect(outcome.status == 130, "\(outcome.errors)")
        let summary = /Stopped after (\d+) of (\d+): (\d+) passed, 0 failed/
        let found = try #require(outcome.errors.firstMatch(of: summary), "\(outcome.errors)")
        #expect(Int(found.1)! < Int(found.2)! && Int(found.3)! > 0)
    }

    @Test("With --watch a change in the folder builds the backend and checks it again")
    func watched() throws {
        let home = try TemporaryFolder()
        let made = try BuiltProgram.run(
            ["backend", "new", home.path + "/dot", "-l", "python"], in: home)
        try #require(made.status == 0)
        // The first build makes the program, and not in the folder itself.
        try home.write(
            "dot/build",
            """
            #!/bin/sh
            mkdir -p .build
            cp copystand_backend.py fake_scanner.py .build
            sed "s/^import os$/$(cat lines/first)/" dot.py >.build/dot.py
            chmod +x .build/dot.py

            """, mode: 0o755)
        try home.write("dot/lines/first", "import os")
        let manifest = try String(contentsOfFile: home.path + "/dot/backend.json", encoding: .utf8)
        try home.write(
            "dot/backend.json", manifest.replacing("\"dot.py\"", with: "\".build/dot.py\""))
        let words = ["backend", "check", home.path + "/dot", "--watch", "-c", "devices.answers"]
        let running = try BuiltProgram.spawn(BuiltProgram.path, words, in: home)
        defer { running.remove() }
        /// Waits for the summaries of the given number of runs. The limit of one minute is reached
        /// only if a test fails.
        func runs(_ count: Int) throws -> String {
            var said = ""
            for _ in 0..<1200 {
                let file = running.folder + "/errors"
                said = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
                if said.split(separator: "Waiting for a change").count > count { return said }
                usleep(50_000)
            }
            throw BuiltProgram.Failure(message: said)
        }
        #expect(try runs(1).contains("1 passed, 0 failed"))
        try home.write("dot/lines/first", "import nothing_of_that_name")
        #expect(try runs(2).contains("0 passed, 1 failed"))
        kill(running.process, SIGINT)
        #expect(try running.wait().status == 130)
    }

    @Test("On a terminal a bar shows how many checks were made, and is gone at the end")
    func bar() throws {
        let home = try TemporaryFolder()
        let checks = "-c hello.answers -c devices.answers"
        let outcome = try BuiltProgram.shell(
            "script -qec \"stty cols 100; '$P' backend check '\(Self.stripes)' \(checks)\" /dev/null",
            in: home)
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(outcome.output.contains("██████████░░░░░░░░░░  2 of 2"), "\(outcome.output)")
        let last = outcome.output.split(separator: "░").last ?? ""
        #expect(last.contains("\r\u{1B}[K") && last.contains("2 passed"), "\(outcome.output)")
    }

    @Test("The list of checks needs no backend, and names a section for each")
    func listed() throws {
        let home = try TemporaryFolder()
        let outcome = try BuiltProgram.run(["backend", "check", "--list", "--json"], in: home)
        #expect(outcome.status == 0)
        let checks = try report(outcome.output).checks
        #expect(checks.count >= 50)
        #expect(checks.allSatisfy { !$0.section.isEmpty && $0.outcome == nil })
    }
}
