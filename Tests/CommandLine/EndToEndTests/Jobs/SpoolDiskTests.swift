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
            try tool("mount", "-t", "tmpfs", "-o", "size=128k,mode=700", "tmpfs", disk) != nil,
            "this test mounts a small tmpfs, and needs to be root for that")
        defer { _ = try? tool("umount", disk) }
        let ending = try program.run(scan, environment: ["COPYSTAND_SPOOL": disk])
        #expect(ending.status == 6, "\(ending.messages)")
        #expect(ending.messages.contains("the spool folder '\(disk)/"), "\(ending.messages)")
        #expect(
            ending.messages.contains("No space is left on '\(disk)': "), "\(ending.messages)")
        #expect(ending.messages.contains(" kB needed"), "\(ending.messages)")
        #expect(ending.messages.contains("COPYSTAND_SPOOL"), "\(ending.messages)")
    }

    @Test(
        "If the archive's folder can't be synced, the delivery fails, and the job is kept and resumed",
        arguments: [1])
    func unsyncedFolder(_ number: Int) throws {
        let source = program.home.path + "/.sync.c"
        let library = program.home.path + "/.sync.so"
        let archive = program.home.path + "/archive"
        try Data(
            """
            #define _GNU_SOURCE
            #include <dlfcn.h>
            #include <errno.h>
            #include <stdio.h>
            #include <stdlib.h>
            #include <string.h>
            #include <unistd.h>
            static int fails(int file) {
                static int count;
                char link[64], path[4096] = "";
                snprintf(link, sizeof link, "/proc/self/fd/%d", file);
                ssize_t length = readlink(link, path, sizeof path - 1);
                const char *folder = getenv("FAULTY_FOLDER");
                if (length < 0 || !folder || strcmp(path, folder) != 0) return 0;
                errno = EIO;
                return ++count >= atoi(getenv("FAULTY_SYNC"));
            }
            #define REPLACED(name) \
                int name(int file) { \
                    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, #name); \
                    return fails(file) ? -1 : real(file); \
                }
            REPLACED(fsync)
            REPLACED(fdatasync)

            """.utf8
        ).write(to: URL(filePath: source))
        _ = try #require(try tool("cc", "-shared", "-fPIC", "-o", library, source, "-ldl"))
        let first = try program.run(
            scan + ["--sink", "archive"], environment: ["COPYSTAND_ARCHIVE": archive])
        try #require(first.status == 0, "\(first.messages)")
        try FileManager.default.removeItem(atPath: program.home.path + "/out.pdf")
        let ending = try program.run(
            scan + ["--sink", "archive"],
            environment: [
                "LD_PRELOAD": library, "COPYSTAND_ARCHIVE": archive, "FAULTY_FOLDER": archive,
                "FAULTY_SYNC": "\(number)",
            ])
        #expect(ending.status == 5, "\(ending.messages)")
        #expect(ending.messages.contains("Input/output error"), "\(ending.messages)")
        let listed = try program.run(["jobs"]).output
        let id = try #require(listed.firstMatch(of: /([0-9]{8}-[0-9]{6}-[0-9a-z]+)/)?.1)
        let resumed = try program.run(
            ["jobs", "resume", String(id)], environment: ["COPYSTAND_ARCHIVE": archive])
        #expect(resumed.status == 0, "\(resumed.messages)")
        let check = try program.run(["archive", "check", "--archive", archive])
        #expect(check.messages.contains("2 documents,") || check.output.contains("2 documents,"))
    }
}
