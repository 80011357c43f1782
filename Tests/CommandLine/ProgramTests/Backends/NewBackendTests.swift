import FoundationEssentials
import Testing

/// Tests the errors of `copystand backend new` and the files that it writes.
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
        for language in ["python", "c", "swift", "javascript", "rust"] {
            let folder = "\(home.path)/my-\(language)"
            let outcome = try BuiltProgram.run(
                ["backend", "new", folder, "-l", language, "--copystand", "https://host/x/cs.git"],
                in: home)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let found = try BuiltProgram.shell(
                "cd '\(folder)' && find . -type f -printf '%P\\n'", in: home)
            let names = found.output.split(separator: "\n").map(String.init)
            for name in names where !name.contains("copystand_backend") {
                let text = try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
                #expect(text?.contains("{{") != true, "\(name)")
            }
            let wanted: Set = [
                "README.md", "backend.json", "test", "icon.svg", ".github/workflows/check.yml",
            ]
            #expect(Set(names).isSuperset(of: wanted), "\(names)")
            #expect(names.contains { $0.lowercased().contains("fake") }, "\(names)")
            let isBuilt = language != "python" && language != "javascript"
            #expect(names.contains("build") == isBuilt)
        }
        for (mine, example) in [
            ("my-python/copystand_backend.py", "python/copystand_backend.py"),
            ("my-c/copystand_backend.h", "c/copystand_backend.h"),
            ("my-javascript/copystand_backend.mjs", "javascript/copystand_backend.mjs"),
            ("my-rust/src/copystand_backend.rs", "rust/copystand_backend.rs"),
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
    @Test("A language whose program is missing is named, by `new` and by the new folder's `build`")
    func missing() throws {
        let home = try TemporaryFolder()
        try home.write("bin/nothing")
        let environment = ["PATH": home.path + "/bin"]
        let made = try BuiltProgram.run(
            ["backend", "new", home.path + "/3d", "-l", "rust"], in: home, environment: environment)
        #expect(made.status == 0)
        #expect(made.errors.contains("'cargo', which builds it, is not in the PATH"))
        #expect(made.errors.contains("Install the package 'cargo'"))
        let build = try BuiltProgram.shell(
            "cd '\(home.path)' && ln -s /usr/bin/dirname bin && PATH=$PWD/bin /bin/sh 3d/build",
            in: home)
        #expect(build.status != 0)
        #expect(build.errors.contains("cargo is needed to build this backend"), "\(build.errors)")
        // A shell's variable does not begin with a digit.
        let test = try BuiltProgram.shell("cat '\(home.path)/3d/test'", in: home)
        #expect(test.output.contains("\n_3D_FAKE=yes\n"), "\(test.output)")
        let known = try BuiltProgram.run(
            ["backend", "new", home.path + "/sh", "-l", "c"], in: home,
            environment: ["PATH": "/usr/bin:/bin"])
        #expect(!known.errors.contains("is not in the PATH"), "\(known.errors)")
    }
}
