import FoundationEssentials
import Glibc
import Testing

@testable import UserFiles

/// Tests the words for disks that take nothing more.
@Suite struct DiskRefusalTests {
    @Test(
        "A byte count is in the unit that people read",
        arguments: [
            (0, "0 bytes"), (999, "999 bytes"), (1_000, "1 kB"), (12_345, "12.3 kB"),
            (3_000_000, "3 MB"), (2_450_000_000, "2.5 GB"),
        ])
    func units(_ bytes: Int, _ words: String) { #expect(readable(bytes) == words) }

    @Test("Other failures are no refusal", arguments: [EACCES, EIO, ENOENT, EFBIG, 0])
    func others(_ number: Int32) {
        #expect(DiskRefusal(number, at: "/tmp") == nil)
        #expect(systemReason(number, at: "/tmp") == String(cString: strerror(number)))
    }

    @Test(
        "A full disk is named by its mount, with what is free and needed, also for a file that does not exist"
    )
    func full() throws {
        let place = try Place()
        let disk = place.path + "/a disk"
        mkdir(disk, 0o700)
        guard mount("tmpfs", disk, "tmpfs", 0, "size=64k") == 0 else {
            try Test.cancel("a small file system can't be mounted here")
        }
        defer { umount2(disk, CInt(MNT_DETACH)) }
        let path = disk + "/none/of/these"
        let refusal = try #require(DiskRefusal(ENOSPC, at: path, needed: 3_000_000))
        #expect(refusal.reason == .full)
        #expect(
            refusal.message
                == "No space is left on '\(disk)': 65.5 kB free, 3 MB needed. Free some space there, and try again."
        )
        #expect(DiskRefusal(EDQUOT, at: path)?.message.contains("your quota on '\(disk)'") == true)
        #expect(DiskRefusal(of: path, needed: 60_000) == nil)
        #expect(DiskRefusal(of: path, needed: 70_000)?.reason == .full)
        let error = CocoaError(.fileWriteOutOfSpace, userInfo: ["NSFilePath": path])
        #expect(DiskRefusal(error)?.cause == "No space is left on '\(disk)': 65.5 kB free")
        try #require(mount("", disk, "", UInt(MS_REMOUNT | MS_RDONLY), "") == 0)
        #expect(DiskRefusal(of: path, needed: 1)?.reason == .readOnly)
        #expect(
            DiskRefusal(EROFS, at: path)?.cause
                == "'\(path)' is on a read-only file system, '\(disk)'")
    }

    @Test("A disk that has room for bytes, but for no other file, says so")
    func files() throws {
        let place = try Place()
        guard mount("tmpfs", place.path, "tmpfs", 0, "size=64k,nr_inodes=1") == 0 else {
            try Test.cancel("a small file system can't be mounted here")
        }
        defer { umount2(place.path, CInt(MNT_DETACH)) }
        let refusal = try #require(DiskRefusal(of: place.path, needed: 1))
        #expect(refusal.message.contains("no room for another file"))
    }
}
