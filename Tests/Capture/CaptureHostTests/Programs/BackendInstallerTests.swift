import CaptureKit
import ContractSupport
import FoundationEssentials
import Glibc
import Testing

@testable import CaptureHost

/// Tests the installation of backends into a folder, as a user who is not root.
@Suite struct BackendInstallerTests {
    private let home: TemporaryFolder
    private let source: String
    private let installer: BackendInstaller

    init() throws {
        home = try TemporaryFolder()
        source = home.path + "/mine"
        installer = BackendInstaller(folder: home.path + "/data/backends", user: 1000)
        mkdir(source, 0o755)
        write("mine.py", "#!/usr/bin/python3\nimport helper\n" + Bench.prelude + "opened()\n")
        write("helper.py", "")
        chmod(source + "/mine.py", 0o755)
        manifest()
    }

    private func write(_ name: String, _ text: String) {
        Bench.write(text, to: source + "/" + name)
    }

    private func manifest(
        id: String = "mine", version: Int = 1, program: String = "mine.py",
        files: [String] = ["helper.py"]
    ) {
        let list = files.map { "\"\($0)\"" }.joined(separator: ",")
        write(
            "backend.json",
            #"{"id":"\#(id)","name":"Mine","version":"1","protocol":\#(version),"program":"\#(program)","files":[\#(list)]}"#
        )
    }

    private var known: [BackendReport] {
        ModuleFinder(folders: [installer.folder], programFolder: nil).reports()
    }

    /// All names in the backend folder, including hidden ones.
    private var entries: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: installer.folder)) ?? []).sorted()
    }

    private func refused(
        _ words: String, known: [BackendReport] = [], replaces: Bool = false
    ) async {
        do {
            _ = try await installer.install(source, known: known, replaces: replaces)
            Issue.record("it was installed")
        } catch let error as HostError {
            #expect(error.code == .installRefused)
            #expect(error.message.contains(words), "\(error.message)")
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test("An installed backend is found, does not need its source, and can be removed")
    func whole() async throws {
        let report = try await installer.install(source, known: [])
        #expect(report.problem == nil)
        try FileManager.default.removeItem(atPath: source)
        #expect(known.map(\.id) == ["mine"])
        #expect(known.first?.program == installer.folder + "/mine/mine.py")
        #expect(entries == ["mine"])
        let host = CaptureHost(
            HostConfiguration(
                backendFolders: [installer.folder], stateFile: home.path + "/devices.json"
            )
            .patient)
        #expect(await host.listDevices(backend: "mine").devices.map(\.id) == ["mine:d"])
        await host.shutdown()
        try installer.remove("mine", known: known)
        #expect(entries == [])
    }

    @Test("An installed backend is replaced only on request")
    func replacing() async throws {
        _ = try await installer.install(source, known: [])
        write("helper.py", "# newer\n")
        await refused("is already installed", known: known)
        _ = try await installer.install(source, known: known, replaces: true)
        #expect(Bench.read(installer.folder + "/mine/helper.py") == Array("# newer\n".utf8))
        #expect(entries == ["mine"])
    }

    @Test("An id that another backend has is refused")
    func clash() async throws {
        let other = BackendReport(id: "mine", name: "Other", manifest: "/usr/lib/x/mine.json")
        await refused("belongs to another backend: /usr/lib/x/mine.json", known: [other])
        await refused("belongs to another", known: [other], replaces: true)
        #expect(entries == [])
    }

    @Test("A backend can be installed from a folder that the host already searches")
    func own() async throws {
        symlink(source, home.path + "/other-way")
        let own = BackendReport(
            id: "mine", name: "Mine", manifest: home.path + "/other-way/backend.json")
        let report = try await installer.install(source, known: [own])
        #expect(report.problem == nil)
        #expect(entries == ["mine"])
    }

    @Test(
        "A manifest with files outside its folder is refused, and nothing is left",
        arguments: [
            ("../secret", "not a path inside"), ("/etc/hostname", "not a path inside"),
            ("", "not a path inside"), ("./helper.py", "not a path inside"),
            ("folder/../helper.py", "not a path inside"), ("gone.py", "which does not exist"),
            ("outside", "leads out of the backend's folder"), ("way/hostname", "leads out"),
            ("folder", "is not a plain file"), ("pipe", "is not a plain file"),
        ])
    func escaping(_ file: String, _ words: String) async throws {
        Bench.write("secret", to: home.path + "/secret")
        mkdir(source + "/folder", 0o755)
        mkfifo(source + "/pipe", 0o600)
        symlink("../secret", source + "/outside")
        symlink("/etc", source + "/way")
        manifest(files: ["helper.py", file])
        await refused(words)
        #expect(entries == [])
        manifest(program: file)
        await refused("")
        #expect(entries == [])
    }

    @Test("A symbolic link within the folder is copied as its target")
    func innerLink() async throws {
        mkdir(source + "/build", 0o755)
        rename(source + "/mine.py", source + "/build/mine.py")
        symlink("build", source + "/latest")
        write("build/helper.py", "")
        manifest(program: "latest/mine.py", files: ["latest/helper.py"])
        _ = try await installer.install(source, known: [])
        #expect(known.first?.problem == nil)
        var about = stat()
        #expect(lstat(installer.folder + "/mine/latest", &about) == 0)
        #expect(about.st_mode & S_IFMT == S_IFDIR)
    }

    @Test("An invalid manifest is refused, and nothing is left")
    func lies() async throws {
        manifest(version: 2)
        await refused("speaks protocol 2")
        manifest(id: "../mine")
        await refused("its id '../mine'")
        manifest(files: [])
        // Python's own message names the missing module.
        await refused("No module named 'helper'")
        manifest()
        write("mine.py", "#!/bin/true\n")
        await refused("does not start")
        chmod(source + "/mine.py", 0o644)
        await refused("is not executable")
        unlink(source + "/backend.json")
        await refused("there is no backend.json")
        #expect(entries == [])
    }

    @Test("Root can't install or remove backends")
    func root() async throws {
        let installer = BackendInstaller(folder: installer.folder, user: 0)
        await #expect(throws: HostError.self) { try await installer.install(source, known: []) }
        _ = try await self.installer.install(source, known: [])
        #expect(throws: HostError.self) { try installer.remove("mine", known: known) }
        #expect(entries == ["mine"])
    }

    @Test("Only installed backends are removed", arguments: ["other", "..", "", "mine/../other"])
    func foreign(_ id: String) async throws {
        _ = try await installer.install(source, known: [])
        mkdir(installer.folder + "/other", 0o755)
        #expect(throws: HostError.self) { try installer.remove(id, known: known) }
        #expect(entries == ["mine", "other"])
    }
}
