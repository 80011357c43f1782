import FoundationEssentials
import Testing

/// Tests the refusals and the files of `copystand backend new`.
@Suite struct NewBackendTests {
    @Test(
        "An invalid backend is refused",
        arguments: [
            (["Mycam", "-l", "c"], "can't be a backend's id"),
            (["-l", "c", "--", "-x"], "can't be a backend's id"),
            (["mycam"], "--language"), (["mycam", "-l", "perl"], "perl"),
            (["there", "-l", "c"], "already exists"), (["no/mycam", "-l", "c"], "No such file"),
        ])
    func refused(_ words: [String], _ text: String) throws {
        let home = try TemporaryFolder()
        try home.write("there/file")
        let line = "cd '\(home.path)' && \"$P\" backend new " + words.joined(separator: " ")
        let outcome = try BuiltProgram.shell(line, in: home)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains(text), "\(outcome.errors)")
    }

    @Test("A new backend's files are those of Examples, with every placeholder filled")
    func files() throws {
        let home = try TemporaryFolder()
        for language in ["python", "c", "swift"] {
            let folder = "\(home.path)/my-\(language)"
            let outcome = try BuiltProgram.run(
                ["backend", "new", folder, "-l", language, "--copystand", "https://host/x/cs.git"],
                in: home)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let found = try BuiltProgram.shell(
                "cd '\(folder)' && find . -type f -printf '%P\\n'", in: home)
            let names = found.output.split(separator: "\n").map(String.init)
            for name in names where !name.hasPrefix("copystand_backend") {
                let text = try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
                #expect(text?.contains("{{") != true, "\(name)")
            }
            let wanted: Set = [
                "README.md", "backend.json", "test", "icon.svg", ".github/workflows/check.yml",
            ]
            #expect(Set(names).isSuperset(of: wanted), "\(names)")
            #expect(names.contains { $0.lowercased().contains("fake") }, "\(names)")
            #expect(names.contains("build") == (language != "python"))
        }
        for (mine, example) in [
            ("my-python/copystand_backend.py", "python/copystand_backend.py"),
            ("my-c/copystand_backend.h", "c/copystand_backend.h"),
        ] {
            let isSame =
                try Data(contentsOf: URL(filePath: "\(home.path)/\(mine)"))
                == Data(contentsOf: URL(filePath: "\(TutorialPage.root)/Examples/\(example)"))
            #expect(isSame, "\(mine)")
        }
        let package = try String(
            contentsOfFile: home.path + "/my-swift/Package.swift", encoding: .utf8)
        #expect(package.contains(#".package(url: "https://host/x/cs.git", branch: "main")"#))
        #expect(package.contains(#"package: "cs""#))
    }
}
