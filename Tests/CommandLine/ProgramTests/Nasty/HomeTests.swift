import FoundationEssentials
import Glibc
import Testing

private enum Commands {
    /// Commands that write or read the user's own files.
    static let needy = [
        "token list", "token add kitchen", "sinks",
        "sinks add shelf -k file --template /s/{title}.pdf",
        "outbox", "jobs", "list", "search word", "scan -d virtual:flatbed -o page.pdf",
        "scan -d virtual:flatbed", "scan --append", "serve --token --listen 127.0.0.1:0",
        "device alias desk virtual:flatbed", "device default virtual:flatbed",
        "profiles copy document mine",
    ]
    /// Commands that need none of the user's files.
    static let modest = [
        "--version", "backends", "devices", "options virtual:flatbed", "profiles list",
        "profiles show document", "completions bash",
    ]
}

/// Tests commands when the user's home is missing, or is not a folder.
@Suite struct HomeTests {
    @Test(
        "A missing home, or one that is a file, is reported with advice, and not made",
        arguments: Commands.needy)
    func unusable(_ command: String) throws {
        let home = try TemporaryFolder()
        let file = try home.write("file", "text")
        for (place, fault) in [
            (home.path + "/missing", "does not exist"), (file, "is not a folder"),
        ] {
            let outcome = try BuiltProgram.shell(
                "cd \(home.path) && exec $P \(command)", in: home, environment: ["HOME": place])
            #expect(outcome.status == 2, "\(outcome.errors)")
            #expect(outcome.errors.contains("'\(place)' \(fault)"), "\(outcome.errors)")
            #expect(outcome.errors.contains("Set HOME or XDG_"), "\(outcome.errors)")
            expectPlainWords(outcome.errors)
        }
        #expect(access(home.path + "/missing", F_OK) != 0)
        #expect(try String(contentsOf: URL(filePath: file), encoding: .utf8) == "text")
    }

    @Test("Commands that need no home work without one", arguments: Commands.modest)
    func modest(_ command: String) throws {
        let home = try TemporaryFolder()
        let outcome = try BuiltProgram.shell(
            "exec $P \(command)", in: home, environment: ["HOME": home.path + "/missing"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(!outcome.output.isEmpty)
        #expect(access(home.path + "/missing", F_OK) != 0)
    }

    @Test(
        "An unknown user without HOME learns which variable to set",
        .enabled(if: geteuid() == 0, "only root can run as another user"),
        arguments: Commands.needy)
    func nobody(_ command: String) throws {
        let outcome = try asStranger(command)
        #expect(outcome.status == 2, "\(outcome.errors)")
        #expect(outcome.errors.contains("There is no home folder"), "\(outcome.errors)")
        #expect(outcome.errors.contains("Set HOME or XDG_"), "\(outcome.errors)")
        expectPlainWords(outcome.errors)
    }

    @Test(
        "Commands that need no home work for an unknown user too",
        .enabled(if: geteuid() == 0, "only root can run as another user"),
        arguments: Commands.modest)
    func modestNobody(_ command: String) throws {
        let outcome = try asStranger(command)
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test("Without HOME, all files go to the home in the password database")
    func registered() throws {
        let home = try TemporaryFolder()
        let entry = try #require(getpwuid(geteuid()))
        let registered = String(cString: entry.pointee.pw_dir)
        // Only this shell sees the mount, which puts the test's folder in the place of the home.
        let outcome = try BuiltProgram.shell(
            """
            unshare -m sh -c 'mount --bind "$0" "$1" || exit 77
            env -i PATH=/usr/bin:/bin "$P" token add kitchen || exit 1
            cd / && env -i PATH=/usr/bin:/bin XDG_CONFIG_HOME=relative HOME= "$P" token add porch' \
                '\(home.path)' '\(registered)'
            """, in: home)
        guard outcome.status != 77, !outcome.errors.contains("unshare failed") else {
            try Test.cancel("nothing can be mounted here")
        }
        #expect(outcome.status == 0, "\(outcome.errors)")
        let file = home.path + "/.config/copystand/tokens.json"
        let text = try String(contentsOf: URL(filePath: file), encoding: .utf8)
        #expect(text.contains("kitchen") && text.contains("porch"))
    }

    @Test(
        "A relative folder of the XDG specification counts as not set, whatever the current folder is"
    )
    func relative() throws {
        let home = try TemporaryFolder()
        let relative = [
            "XDG_CONFIG_HOME": "config", "XDG_STATE_HOME": "./state", "XDG_DATA_HOME": "data",
            "XDG_CACHE_HOME": "..",
        ]
        let here = try home.folder()
        for command in [
            "token add kitchen", "scan -q -d virtual:flatbed -s resolution=75 -p none",
            "sinks add shelf -k file --template /s/{title}.pdf", "jobs", "outbox", "list",
        ] {
            let outcome = try BuiltProgram.shell(
                "cd \(here) && exec $P \(command)", in: home, environment: relative)
            #expect(outcome.status == 0, "\(command): \(outcome.errors)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: here) == [])
        for place in [
            ".config/copystand/tokens.json", ".config/copystand/sinks.json",
            ".local/share/copystand/archive.sqlite",
        ] {
            #expect(access(home.path + "/" + place, F_OK) == 0, "\(place)")
        }
    }

    @Test(
        "A home in which no folder can be made is reported with advice",
        .enabled(if: geteuid() == 0, "only root can run as another user"),
        arguments: [
            "token add kitchen", "sinks add shelf -k file --template /s/{title}.pdf",
            "device alias desk virtual:flatbed", "profiles copy document mine",
            "serve --token --listen 127.0.0.1:0", "scan -d virtual:flatbed -o /dev/null",
        ])
    func closed(_ command: String) throws {
        let home = try TemporaryFolder()
        mkdir(home.path + "/home", 0o755)
        chmod(home.path, 0o755)
        let outcome = try asStranger(command, "HOME=\(home.path)/home")
        #expect([1, 2, 6].contains(outcome.status), "\(outcome.status) \(outcome.errors)")
        #expect(outcome.errors.contains("\(home.path)/home/."), "\(outcome.errors)")
        expectPlainWords(outcome.errors)
    }

    /// Runs a command as a user without an entry in the password database.
    private func asStranger(
        _ command: String, _ environment: String = ""
    ) throws -> BuiltProgram.Outcome {
        let place = try TemporaryFolder()
        return try BuiltProgram.shell(
            "cd / && exec setpriv --reuid 47114 --regid 47114 --clear-groups "
                + "env -i PATH=/usr/bin:/bin \(environment) \"$P\" \(command)", in: place)
    }

    /// Expects errors in sentences, not Swift's description of a value.
    private func expectPlainWords(_ text: String) {
        for word in ["Error(", "code:", "Optional(", "NSCocoa", "unexpected error"] {
            #expect(!text.contains(word), "\(text)")
        }
    }
}
