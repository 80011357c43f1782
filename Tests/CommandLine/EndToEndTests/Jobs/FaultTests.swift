import Foundation
import Testing

/// Tests devices that fail during a job, full disks and interrupts: earlier pages are safe, and the
/// error names the cause.
@Suite struct FaultTests {
    let program: Program

    init() throws { program = try Program() }

    /// The arguments for a scan of small pages from the virtual feeder, with the profile 'none'.
    func scan(_ more: [String]) -> [String] {
        [
            "scan", "--device", "virtual:feeder", "--profile", "none", "-o", "out.pdf", "--set",
            "resolution=75",
        ]
            + more
    }

    struct Fault: CustomTestStringConvertible {
        let name: String
        let says: [String]
        var testDescription: String { name }
    }

    static let faults = [
        Fault(name: "jam", says: ["jam"]),
        Fault(name: "cover-open", says: ["cover"]),
        Fault(name: "double-feed", says: ["sheets"]),
        Fault(name: "crash", says: ["virtual", "signal 6"]),
        Fault(name: "exit", says: ["virtual", "3"]),
        Fault(name: "torn", says: ["virtual", "status 0"]),
        Fault(name: "wrong-size", says: ["page 3 is incomplete"]),
        Fault(name: "garbage", says: ["virtual"]),
        Fault(name: "huge", says: ["60000"]),
    ]

    @Test("A fault on page 3 keeps pages 1 and 2, with a message", arguments: faults)
    func fault(_ fault: Fault) throws {
        let ending = try program.run(
            scan(["--set", "fault=\(fault.name)", "--set", "fault-page=3"]))
        #expect(ending.status == 4, "\(ending.messages)")
        for word in fault.says {
            #expect(ending.messages.localizedCaseInsensitiveContains(word), "\(ending.messages)")
        }
        #expect(try pageCount(program.home.path + "/out.pdf") == 2)
    }

    @Test("An unusable backend is named with its reason, and the others continue to work")
    func badBackends() throws {
        let backends = program.home.path + "/backends"
        try FileManager.default.createDirectory(atPath: backends, withIntermediateDirectories: true)
        func manifest(_ id: String, version: Int, program: String) throws {
            let text = """
                {"id": "\(id)", "name": "Bad \(id)", "version": "1.0", "protocol": \(version), \
                "program": "\(program)", "serves": "nothing"}
                """
            try Data(text.utf8).write(to: URL(filePath: "\(backends)/\(id).json"))
        }
        try manifest("newer", version: 99, program: "/bin/true")
        try manifest("quits", version: 1, program: "/bin/false")
        try manifest("babbles", version: 1, program: backends + "/babbles")
        try manifest("gone", version: 1, program: "/nowhere/program")
        let babbles = "#!/bin/sh\nprintf 'all is well\\n' >&3\nexec cat <&3 >/dev/null\n"
        try Data(babbles.utf8).write(to: URL(filePath: backends + "/babbles"))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: backends + "/babbles")

        let environment = ["COPYSTAND_BACKENDS": backends]
        let listed = try program.run(["backends", "--json"], environment: environment)
        for id in ["newer", "gone"] { #expect(listed.output.contains(id)) }
        #expect(listed.output.contains("99"))

        let devices = try program.run(["devices"], environment: environment)
        #expect(devices.output.contains("virtual:feeder"), "\(devices.messages)")
        for id in ["quits", "babbles"] {
            #expect(devices.messages.contains(id), "\(devices.messages)")
        }
        #expect(devices.messages.contains("1"), "the exit status of /bin/false")
    }

    @Test("Ctrl-C once stops cleanly and keeps the finished pages")
    func interruptOnce() throws {
        let ending = try program.run(scan(["--set", "pages=500"])) {
            process, messages in
            if messages.wait(for: "Page 3:") { process.interrupt() }
        }
        #expect(ending.status == 130, "\(ending.messages)")
        let pages = try #require(try pageCount(program.home.path + "/out.pdf"))
        #expect(pages >= 2 && pages < 500)
        #expect(ending.messages.contains("scan --append"), "\(ending.messages)")
        let jobs = try program.run(["jobs", "--json"])
        #expect(jobs.output.contains("\"state\" : \"continuable\""), "\(jobs.output)")
    }

    @Test(
        "Ctrl-C twice stops at once: no half-written file, and the pages stay in the spool")
    func interruptTwice() throws {
        let ending = try program.run(
            scan(["--set", "fault=hang", "--set", "fault-page=3"])
        ) { process, messages in
            guard messages.wait(for: "Page 2:") else { return }
            process.interrupt()
            if messages.wait(for: "again") { process.interrupt() }
        }
        #expect(ending.status == 130, "\(ending.messages)")
        #expect(program.home.visibleNames.isEmpty)
        let jobs = try program.run(["jobs", "--json"])
        #expect(jobs.output.contains("\"pages\" : 2"), "\(jobs.output)")
    }

    @Test(
        "No space left for the document: exit 5, nothing half-written, and the job resumes elsewhere"
    )
    func noSpace() throws {
        let disk = program.home.path + "/disk"
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        try #require(
            try tool("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk) != nil,
            "this test mounts a small tmpfs, and needs to be root for that")
        defer { _ = try? tool("umount", disk) }
        let ending = try program.run([
            "scan", "--device", "virtual:feeder", "--profile", "none", "--pages", "3", "-o",
            "disk/out.tiff",
            "--set", "mode=color",
        ])
        #expect(ending.status == 5, "\(ending.messages)")
        #expect(ending.messages.contains("space"), "\(ending.messages)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk).isEmpty)

        let job = try #require(
            try FileManager.default.contentsOfDirectory(atPath: program.home.path + "/spool").first)
        #expect(ending.messages.contains(job), "the message names the job to resume")
        let resumed = try program.run(["jobs", "resume", job, "-o", "out.pdf"])
        #expect(resumed.status == 0, "\(resumed.messages)")
        #expect(try pageCount(program.home.path + "/out.pdf") == 3)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: program.home.path + "/spool")
                .isEmpty)
    }

    @Test("A killed host loses no finished page: the job resumes with all of them")
    func killed() throws {
        let ending = try program.run(scan(["--set", "pages=60"])) { process, messages in
            if messages.wait(for: "Page 4:") { kill(process.processIdentifier, SIGKILL) }
        }
        #expect(ending.status == SIGKILL)
        #expect(program.home.visibleNames.isEmpty)
        let job = try #require(
            try FileManager.default.contentsOfDirectory(atPath: program.home.path + "/spool").first)
        let resumed = try program.run(["jobs", "resume", job])
        #expect(resumed.status == 0, "\(resumed.messages)")
        let pages = try #require(try pageCount(program.home.path + "/out.pdf"))
        #expect(pages >= 3 && pages <= 60)
    }
}
