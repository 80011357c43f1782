import FoundationEssentials
import Glibc
import Testing

/// Runs `Scripts/install` and the inbox in separate folders.
@Suite struct InstallTests {
    let home: TemporaryFolder
    init() throws { home = try TemporaryFolder() }

    private static let root =
        "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    private static let built =
        "/" + BuiltProgram.path.split(separator: "/").dropLast().joined(separator: "/")

    private func install(_ options: String) throws -> BuiltProgram.Outcome {
        try BuiltProgram.shell(
            "cd && bash '\(Self.root)/Scripts/install' --from '\(Self.built)' \(options)", in: home)
    }

    private func tree(_ folder: String) throws -> [String] {
        try BuiltProgram.shell("cd '\(folder)' && find . | sort", in: home).output
            .split(separator: "\n").map(String.init)
    }

    @Test(
        "An installation works in place, a second run changes nothing, and uninstalling removes all of it"
    )
    func roundTrip() throws {
        let prefix = try home.folder()
        try home.write("\(prefix.dropFirst(home.path.count + 1))/share/man/man1/other.1", "mine")
        let before = try tree(prefix)
        #expect(try install("--prefix '\(prefix)'").status == 0)
        let installed = try tree(prefix)
        for file in [
            "bin/copystand", "lib/copystand/copystand-recognizer",
            "lib/copystand/backends/virtual.json", "lib/copystand/inbox",
            "share/man/man1/copystand.1", "share/bash-completion/completions/copystand",
            "share/zsh/site-functions/_copystand", "share/fish/vendor_completions.d/copystand.fish",
            "share/systemd/user/copystand-inbox.path", "share/systemd/user/copystand.service",
            "share/copystand/install-manifest.txt",
        ] {
            #expect(installed.contains("./\(file)"), "\(file)")
        }
        let listed = try BuiltProgram.shell(
            "cd '\(prefix)' && cat share/copystand/install-manifest.txt", in: home
        ).output.split(separator: "\n").filter { !$0.hasPrefix("#") && !$0.hasSuffix("/") }.map {
            "./\($0)"
        }
        #expect(Set(listed) == Set(try files(prefix)).subtracting(["./share/man/man1/other.1"]))

        let backends = try BuiltProgram.shell("'\(prefix)/bin/copystand' backends --json", in: home)
        #expect(backends.output.contains("\(prefix)/lib/copystand/backends/virtual.json"))

        // The installed reader program is found.
        let doctor = try BuiltProgram.shell("'\(prefix)/bin/copystand' doctor", in: home)
        #expect(doctor.output.contains("Libraries: all are installed for copystand, text,"))

        #expect(try install("--prefix '\(prefix)'").status == 0)
        #expect(try tree(prefix) == installed)
        #expect(try install("--prefix '\(prefix)' --uninstall").status == 0)
        #expect(try tree(prefix) == before)
        #expect(try install("--prefix '\(prefix)' --uninstall").status == 1)
    }

    private func files(_ folder: String) throws -> [String] {
        try BuiltProgram.shell("cd '\(folder)' && find . -type f", in: home).output
            .split(separator: "\n").map(String.init)
    }

    @Test("A package's files name paths of the prefix, and an older version's file is deleted")
    func destination() throws {
        let folder = try home.folder()
        #expect(try install("--destdir '\(folder)' --prefix '/opt/my stand'").status == 0)
        let unit = try BuiltProgram.shell(
            "grep ^ExecStart '\(folder)/opt/my stand/share/systemd/user/copystand-inbox.service'",
            in: home)
        #expect(unit.output == "ExecStart=\"/opt/my stand/lib/copystand/inbox\"\n")
        let stale = "\(folder)/opt/my stand/share/copystand/old"
        _ = try BuiltProgram.shell(
            "touch '\(stale)'; echo share/copystand/old >>'\(folder)/opt/my stand/share/copystand/install-manifest.txt'",
            in: home)
        #expect(try install("--destdir '\(folder)' --prefix '/opt/my stand'").status == 0)
        #expect(access(stale, F_OK) != 0)
        #expect(
            try install("--destdir '\(folder)' --prefix '/opt/my stand' --uninstall").status == 0)
        #expect(try tree(folder) == [".", "./opt"])
    }

    @Test(
        "A list that was tampered with is refused before anything is removed",
        arguments: ["../precious", "/etc/passwd", "a/../../precious", "a//b", "./x"])
    func tampered(line: String) throws {
        let prefix = try home.folder()
        let name = prefix.dropFirst(home.path.count + 1)
        try home.write("precious")
        try home.write("\(name)/share/copystand/install-manifest.txt", "bin/x\n\(line)\n")
        try home.write("\(name)/bin/x")
        let run = try install("--prefix '\(prefix)' --uninstall")
        #expect(run.status == 1 && run.errors.contains("'\(line)'"))
        #expect(access(prefix + "/bin/x", F_OK) == 0 && access(home.path + "/precious", F_OK) == 0)
    }

    @Test(
        "A wrong option gives exit code 2",
        arguments: ["--prefx /x", "--prefix", "--prefix relative", "--destdir ''"])
    func wrong(options: String) throws {
        #expect(try install(options).status == 2)
    }

    @Test("The units are valid for systemd", .needs("systemd-analyze"))
    func units() throws {
        let prefix = try home.folder()
        #expect(try install("--prefix '\(prefix)'").status == 0)
        let verify = try BuiltProgram.shell(
            "systemd-analyze verify --user --man=no '\(prefix)'/share/systemd/user/copystand*",
            in: home, environment: ["XDG_RUNTIME_DIR": home.path])
        #expect(verify.status == 0 && verify.errors == "", "\(verify.errors)")
    }

    @Test(
        "The inbox is emptied: results get free names, originals are kept, failures are set aside")
    func inbox() throws {
        // A substitute "imports" every file not named bad, so that this test covers only the inbox.
        try home.write(
            "i/bin/copystand",
            """
            #!/bin/sh
            # import --profile NAME --output PDF -- FILE
            case $7 in *bad*) exit 4 ;; esac
            [ -e "$5" ] && exit 5
            echo "$3 $7" >"$5"
            """, mode: 0o755)
        try home.write("Scans/letter.pdf", "mine")
        let script = try BuiltProgram.shell(
            "cd && mkdir -p i/lib/copystand && cp '\(Self.root)/Packaging/inbox' i/lib/copystand/ && echo",
            in: home)
        #expect(script.status == 0)
        for name in [
            "letter.jpg", "-n odd\n name.png", "bad.jpg", "plain", "letter.tiff", ".hidden",
        ] {
            try home.write("Scans/Inbox/\(name)", name)
        }
        let run = try BuiltProgram.shell(
            "cd && find Scans/Inbox -exec touch -d '1 hour ago' {} + && bash i/lib/copystand/inbox",
            in: home)
        #expect(run.status == 1)
        #expect(run.errors.contains("bad.jpg"))
        let tree = try BuiltProgram.shell(
            "cd && cd Scans && find . -type f -print0 | sort -z | tr '\\n\\0' '?\\n'", in: home)
        #expect(
            Set(tree.output.split(separator: "\n").map(String.init)) == [
                "./letter.pdf", "./letter-2.pdf", "./letter-3.pdf", "./plain.pdf",
                "./-n odd? name.pdf",
                "./Originals/letter.jpg", "./Originals/letter.tiff", "./Originals/plain",
                "./Originals/-n odd? name.png", "./Failed/bad.jpg", "./Inbox/.hidden",
            ])
        #expect(try BuiltProgram.shell("cat ~/Scans/letter.pdf", in: home).output == "mine")
    }
}
