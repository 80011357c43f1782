import CaptureHost
import CaptureKit
import Glibc
import Processes
import Testing

@testable import copystand

@Suite struct DoctorTests {
    @Test("Missing languages are reported with the package to install")
    func languages() {
        let none = LanguageCheck(languages: [], hasOrientation: false).findings
        #expect(none.map(\.state) == [.failure, .warning])
        #expect(none[0].remedy == "sudo apt install tesseract-ocr-eng")
        #expect(none[1].remedy == "sudo apt install tesseract-ocr-osd")
        let german = LanguageCheck(languages: ["deu"], hasOrientation: true).findings
        #expect(german.map(\.state) == [.warning, .ok, .ok])
        let all = LanguageCheck(languages: ["deu", "eng"], hasOrientation: true).findings
        #expect(all.allSatisfy { $0.state == .ok })
        #expect(all[0].message.contains("deu, eng"))
    }

    @Test("The loader's list says which libraries are missing, and each has its package")
    func libraries() {
        let list = """
            \tlinux-vdso.so.1 (0x00007ffd)
            \tlibheif.so.1 => not found
            \tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f0)
            \tlibodd.so.3 => not found
            \tstatically linked
            """
        #expect(LibraryCheck.missing(in: list) == ["libheif.so.1", "libodd.so.3"])
        #expect(LibraryCheck.remedy("libheif.so.1") == "sudo apt install libheif1")
        #expect(LibraryCheck.remedy("libodd.so.3").contains("apt-file search libodd.so.3"))
    }

    @Test("The libraries of a real program are examined")
    func realLibraries() async {
        let shell = BackendReport(id: "shell", name: "Shell", program: "/bin/sh")
        let findings = await LibraryCheck(program: nil, backends: [shell]).findings()
        #expect(findings == [.ok("Libraries", "all are installed for shell")])
    }

    @Test("A program that never ends is stopped at its deadline; one that can't start is empty")
    func smallProcess() async {
        let started = ContinuousClock.now
        let output = await SmallProcess.output(
            of: "/bin/sh", arguments: ["-c", "echo up; exec sleep 3600"], environment: [:],
            deadline: .milliseconds(300))
        #expect(output == "up\n")
        #expect(ContinuousClock.now - started < .seconds(1800))
        #expect(
            await SmallProcess.output(of: "/nowhere", environment: [:], deadline: .seconds(1)) == ""
        )
    }

    @Test("Broken or silent backends are reported with advice")
    func backends() {
        let reports = [
            BackendReport(id: "good", name: "Good", program: "/x"),
            BackendReport(
                id: "bad", name: "Bad", manifest: "/m.json", problem: "it is torn: fix it"),
            BackendReport(id: "mute", name: "Mute", program: "/y"),
        ]
        let device = ListedDevice(
            backend: "good",
            descriptor: DeviceDescriptor(
                id: "1", name: "One", kind: .scanner, state: .noPermission, advice: "join a group"))
        let listing = DeviceListing(
            devices: [device], problems: [HostError(.hung, "mute did not answer", backend: "mute")])
        let findings = BackendCheck(reports: reports, listing: listing).findings
        #expect(findings.map(\.state) == [.ok, .warning, .failure, .warning])
        #expect(findings[0].message == "good answers; devices: 1")
        #expect(findings[1].remedy == "fix or remove /m.json")
        #expect(findings[3].remedy == "join a group")
        #expect(
            BackendCheck(reports: [], listing: DeviceListing()).findings.map(\.state) == [.failure])
        let useless = BackendCheck(reports: [reports[1]], listing: DeviceListing()).findings
        #expect(useless.map(\.state) == [.warning, .failure])
    }

    @Test("Each backend's rights are reported, and the kernel's missing features for confining it")
    func confinement() {
        var reports = [
            BackendReport(id: "free", name: "Free", program: "/x"),
            BackendReport(id: "strict", name: "Strict", program: "/y"),
            BackendReport(id: "bad", name: "Bad", problem: "it is torn"),
        ]
        reports[1].confinement = Confinement(
            memory: 64 << 20, openFiles: 32, isReadOnly: true, hasNetwork: false)
        let able = SandboxSupport(landlockVersion: 7, filtersCalls: true)
        let good = ConfinementCheck(reports: reports, support: able).findings
        #expect(good.map(\.state) == [.ok, .ok, .ok])
        #expect(good[0].message == "this kernel has Landlock 7, seccomp")
        #expect(good[1].message.hasPrefix("free: its user's files, network, "))
        #expect(
            good[2].message
                == "strict: can read files but change none, no network, 64 MiB of memory, 32 "
                + "descriptors, no new privileges"
        )
        let unable = SandboxSupport(landlockVersion: nil, filtersCalls: true)
        let poor = ConfinementCheck(reports: reports, support: unable).findings
        #expect(poor.map(\.state) == [.warning, .ok, .ok])
        #expect(poor[0].message.contains("no Landlock, seccomp, which would confine strict"))
        #expect(poor[2].message.hasPrefix("strict: its user's files, no network"))
    }

    @Test(
        "Whether sandboxes have namespaces is reported, with the way to allow them",
        arguments: [
            ("kernel/unprivileged_userns_clone", "0", "kernel.unprivileged_userns_clone=1"),
            ("kernel/apparmor_restrict_unprivileged_userns", "1", "an AppArmor profile"),
            ("user/max_user_namespaces", "0", "user.max_user_namespaces=10000"),
            ("none", "", "RestrictNamespaces="),
        ])
    func namespaces(setting: String, value: String, remedy: String) {
        var report = BackendReport(id: "strict", name: "Strict", program: "/y")
        report.confinement = Confinement(isReadOnly: true, hasNetwork: false)
        var support = SandboxSupport(
            landlockVersion: 7, filtersCalls: true, grantsNamespaces: false)
        var check = ConfinementCheck(reports: [report], support: support)
        check.setting = { $0 == setting ? value : nil }
        #expect(check.findings.map(\.state) == [.ok, .warning, .ok])
        #expect(check.findings[1].message.contains("no namespaces"))
        #expect(check.findings[1].remedy?.contains(remedy) == true)
        support.grantsNamespaces = true
        check.support = support
        #expect(check.findings.map(\.state) == [.ok, .ok, .ok])
        #expect(check.findings[1].message == "sandboxes have namespaces of their own: strict")
    }

    @Test("Devices that the user may not open are reported with the group to join")
    func permissions() throws {
        let root = try TemporaryFolder()
        for name in [
            "dev/video0", "dev/video10", "dev/videodev", "dev/bus/usb/001/004",
            "dev/bus/usb/002/001",
        ] {
            try root.write(name)
        }
        var check = PermissionCheck(root: root.path, user: "reader")
        check.group = { path in
            path.contains("video") ? "video" : path.hasSuffix("004") ? "scanner" : "root"
        }
        check.isOpen = { _ in true }
        #expect(check.findings.map(\.message) == ["2 can be opened", "1 can be opened"])
        check.isOpen = { !$0.hasSuffix("video10") && !$0.hasSuffix("004") }
        let closed = check.findings
        #expect(closed.map(\.state) == [.failure, .failure])
        #expect(closed[0].message == "/dev/video10 can't be opened by reader")
        #expect(closed[0].remedy == "sudo usermod -aG video reader, then log out and in again")
        #expect(closed[1].remedy?.contains("-aG scanner reader") == true)
        check.root = root.path + "/nothing"
        #expect(check.findings.allSatisfy { $0.state == .ok && $0.message == "none is plugged in" })
    }

    @Test(
        "Free disk space is compared with the size of pages",
        arguments: [
            (UInt64(100) << 20, DoctorFinding.State.failure), (1 << 30, .warning), (50 << 30, .ok),
        ])
    func space(bytes: UInt64, state: DoctorFinding.State) {
        var check = DiskCheck(environment: ["HOME": "/", "TMPDIR": "/nowhere"])
        check.free = { _ in bytes }
        check.isWritable = { _ in true }
        let findings = check.findings
        // Both folders are on '/', which is reported once.
        #expect(findings.map(\.state) == [state, .ok])
    }

    @Test("A settings folder that can't be written is reported, and so is unknown space")
    func settings() {
        var check = DiskCheck(environment: [
            "HOME": "/", "TMPDIR": "/", "XDG_CONFIG_HOME": "/nowhere/c",
        ])
        check.free = { _ in nil }
        check.isWritable = { _ in false }
        #expect(check.findings.map(\.state) == [.warning, .failure])
        #expect(check.findings[1].message.contains("/nowhere/c/copystand"))
        #expect(DiskCheck.words(3 << 30) == "3072 MiB" && DiskCheck.words(12 << 30) == "12 GiB")
    }
}
