import CaptureKit
import ContractSupport
import Glibc
import Testing

@testable import CaptureHost

@Suite struct ModuleTests {
    private func report(_ manifest: String, program: String = "run") throws -> BackendReport {
        let folder = try TemporaryFolder()
        Bench.write("#!/bin/sh\n", to: folder.file(program))
        chmod(folder.file(program), 0o755)
        Bench.write(manifest, to: folder.file("stem.json"))
        return try #require(
            ModuleFinder(folders: [folder.path], programFolder: nil).reports().first)
    }

    @Test("A complete manifest is read")
    func good() throws {
        let report = try report(
            #"{"id":"sane","name":"Scanners","version":"1.2","protocol":1,"program":"run","serves":"all","more":[1]}"#
        )
        #expect(report.id == "sane")
        #expect(report.name == "Scanners")
        #expect(report.version == "1.2")
        #expect(report.serves == "all")
        #expect(report.program?.hasSuffix("/run") == true)
        #expect(report.problem == nil)
    }

    @Test(
        "A broken manifest is listed with its reason",
        arguments: [
            ("", "not a JSON object"), ("{", "not a JSON object"), ("[]", "wrong type"),
            ("{}", "lacks \"id\""),
            (#"{"id":"x","name":"n","protocol":1}"#, "lacks \"program\""),
            (
                #"{"id":"x","name":"n","protocol":"one","program":"run"}"#,
                "wrong type at \"protocol\""
            ),
            (#"{"id":"X y","name":"n","protocol":1,"program":"run"}"#, "id 'X y'"),
            (#"{"id":"x","name":"n","protocol":0,"program":"run"}"#, "protocol 0"),
            (
                #"{"id":"x","name":"n","protocol":2,"program":"run"}"#,
                "speaks protocol 2, this host speaks 1"
            ),
            (
                #"{"id":"x","name":"n","protocol":1,"program":"walk"}"#,
                "/walk does not exist: build it"
            ),
            (#"{"id":"x","name":"n","protocol":1,"program":"/bin"}"#, "/bin does not exist"),
            (
                #"{"id":"x","name":"n","protocol":1,"program":"stem.json"}"#,
                "/stem.json is not executable: run chmod +x"
            ),
            (#"{"id":"x","name":"n","protocol":1,"program":""}"#, "names no program"),
            (
                #"{"id":"x","name":"n","protocol":1,"program":"run","limits":{"memory":15}}"#,
                "limits.memory 15 is not within 16…1073741824"
            ),
            (
                #"{"id":"x","name":"n","protocol":1,"program":"run","limits":{"files":-1}}"#,
                "limits.files -1 is not within 16…65536"
            ),
            (
                #"{"id":"x","name":"n","protocol":1,"program":"run","sandbox":{"filesystem":"none"}}"#,
                "unknown value at \"sandbox.filesystem\" ('none' is not one of full, read-only)"
            ),
            (
                #"{"id":"x","name":"n","protocol":1,"program":"run","sandbox":{"network":"no"}}"#,
                "wrong type at \"network\""
            ),
            (String(repeating: " ", count: 70_000), "larger than 64 KiB"),
        ])
    func broken(_ manifest: String, _ words: String) throws {
        let report = try report(manifest)
        #expect(report.problem?.contains(words) == true, "\(report.problem ?? "no problem")")
    }

    @Test(
        "The first usable backend of an id in the folders is used, and broken ones are listed too"
    )
    func order() async throws {
        let first = try TemporaryFolder()
        let second = try TemporaryFolder()
        Bench.write(
            #"{"id":"a","name":"broken","protocol":9,"program":"x"}"#, to: first.file("a.json"))
        for (folder, ids) in [(first, ["b"]), (second, ["a", "b", "c"])] {
            for id in ids { try Bench.install("", id: id, in: folder) }
        }
        mkdir(second.file("Deep"), 0o755)
        Bench.write("{}", to: second.file("Deep/backend.json"))
        let host = CaptureHost(
            HostConfiguration(
                backendFolders: [first.path, "/no/such/folder", second.path, first.path],
                stateFile: first.file("state")))
        let reports = await host.backends()
        #expect(reports.map(\.id) == ["a", "b", "Deep", "a", "c"])
        #expect(reports.map { $0.problem == nil } == [false, true, false, true, true])
        #expect(reports[1].program == first.file("b.py"))
        let listing = await host.listDevices(backend: "Deep")
        #expect(listing.problems.first?.code == .brokenBackend)
    }

    @Test("The standard folders depend on the environment and the program's place")
    func standard() throws {
        let package = try TemporaryFolder()
        for folder in ["Plugins", ".build", ".build/x86", ".build/x86/debug"] {
            mkdir(package.file(folder), 0o755)
        }
        Bench.write("", to: package.file("Package.swift"))
        let configuration = HostConfiguration.standard(
            environment: [
                "COPYSTAND_BACKENDS": "/one:/two", "XDG_DATA_HOME": "/data",
                "XDG_CONFIG_HOME": "/config",
                "HOME": "/home/me",
            ], executable: package.file(".build/x86/debug/copystand"))
        #expect(
            configuration.backendFolders == [
                "/one", "/two", "/data/copystand/backends",
                package.file(".build/x86/lib/copystand/backends"), "/usr/lib/copystand/backends",
                package.file("Plugins"),
            ])
        #expect(configuration.stateFile == "/config/copystand/devices.json")
        let installed = HostConfiguration.standard(
            environment: ["HOME": "/home/me", "XDG_DATA_HOME": "relative"],
            executable: "/usr/bin/copystand")
        #expect(
            installed.backendFolders == [
                "/home/me/.local/share/copystand/backends", "/usr/lib/copystand/backends",
            ])
        #expect(installed.programFolder == "/usr/bin")
        #expect(installed.stateFile == "/home/me/.config/copystand/devices.json")
    }

    @Test("A backend that keeps failing is restarted later and later, up to a limit")
    func backOff() {
        let delays = (0...9).map { BackOff().delay(afterFailures: $0) }
        #expect(
            delays == [
                .zero, .zero, .milliseconds(200), .milliseconds(400), .milliseconds(800),
                .milliseconds(1600), .milliseconds(3200), .seconds(5), .seconds(5), .seconds(5),
            ])
        #expect(BackOff().delay(afterFailures: .max) == .seconds(5))
    }
}
