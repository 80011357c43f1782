import Foundation
import Testing

/// Tests spools on disks that are full or lack common features.
@Suite struct SpoolDiskTests {
    let program: Program
    init() throws { program = try Program() }

    private let scan = [
        "scan", "--device", "virtual:feeder", "--profile", "none", "--set", "resolution=75",
        "--set", "pages=3", "-o", "out.pdf",
    ]

    @Test("A spool whose disk has neither hard links nor exclusive renames takes every page")
    func noLinks() throws {
        let source = program.home.path + "/.disk.c"
        let library = program.home.path + "/.disk.so"
        try Data(
            """
            #include <errno.h>
            int link(const char *a, const char *b) { errno = EPERM; return -1; }
            int linkat(int a, const char *b, int c, const char *d, int e) { errno = EPERM; return \
            -1; }
            int renameat2(int a, const char *b, int c, const char *d, unsigned e) { errno = \
            EINVAL; return -1; }

            """.utf8
        ).write(to: URL(filePath: source))
        _ = try #require(try tool("cc", "-shared", "-fPIC", "-o", library, source))
        let ending = try program.run(scan, environment: ["LD_PRELOAD": library])
        #expect(ending.status == 0, "\(ending.messages)")
        #expect(try pageCount(program.home.path + "/out.pdf") == 3)
        #expect(program.home.visibleNames == ["out.pdf"])
    }

    @Test(
        "A full spool is reported with its folder and free space, and has its own exit code")
    func full() throws {
        let disk = program.home.path + "/small"
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        try #require(
            try tool("mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", disk) != nil,
            "this test mounts a small tmpfs, and needs to be root for that")
        defer { _ = try? tool("umount", disk) }
        let ending = try program.run(scan, environment: ["COPYSTAND_SPOOL": disk])
        #expect(ending.status == 6, "\(ending.messages)")
        #expect(ending.messages.contains("the spool folder '\(disk)/"), "\(ending.messages)")
        #expect(ending.messages.contains("KiB free"), "\(ending.messages)")
        #expect(ending.messages.contains("COPYSTAND_SPOOL"), "\(ending.messages)")
    }
}
