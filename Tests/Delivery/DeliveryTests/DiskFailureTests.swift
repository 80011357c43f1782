import Documents
import Glibc
import Imaging
import Synchronization
import Testing

@testable import Delivery

/// Counts calls, and lets one call fail.
private final class Fault: Sendable {
    private let calls = Mutex(0)
    let at: Int
    let number: Int32

    init(at: Int, number: Int32) {
        self.at = at
        self.number = number
    }

    var count: Int { calls.withLock { $0 } }

    func strikes() -> Bool {
        let call = calls.withLock { calls in
            calls += 1
            return calls
        }
        if call == at { errno = number }
        return call == at
    }

    /// A disk on which call number `at` of one kind fails.
    func disk(_ kind: String) -> Disk {
        let live = Disk.live
        var disk = Disk.live
        switch kind {
        case "write": disk.write = { self.strikes() ? -1 : live.write($0, $1, $2) }
        case "sync": disk.sync = { self.strikes() ? -1 : live.sync($0) }
        case "create": disk.create = { self.strikes() ? -1 : live.create($0, $1) }
        default: disk.link = { self.strikes() ? -1 : live.link($0, $1, $2) }
        }
        return disk
    }
}

private let pages = (1...3).map { number in
    samplePage(
        samplePicture(.gray8, width: 300, height: 400), number: number,
        text: sampleText([sampleLine(["page", "\(number)"], y: 20)]))
}

@Suite struct DiskFailureTests {
    @Test(
        "Whichever call fails, the error reports it and no file is left", arguments: allEndings,
        ["write", "sync", "create", "link"])
    func everyCall(ending: String, kind: String) throws {
        let folder = try TemporaryFolder()
        let number = kind == "write" || kind == "create" ? ENOSPC : EIO
        var at = 1
        while at < 200 {
            let fault = Fault(at: at, number: number)
            let error = failure {
                try deliver(pages, to: folder.path + "/May" + ending, disk: fault.disk(kind))
            }
            guard fault.count >= at else {
                // The document needed fewer calls, so nothing failed.
                #expect(error == nil)
                #expect(at > 1)
                return
            }
            let found = try #require(error, "call \(at) of \(kind)")
            #expect(found.code == (number == ENOSPC ? .noSpace : .inputOutput))
            #expect(found.message.contains(folder.path), "\(found.message)")
            #expect(folder.names == [], "call \(at) of \(kind)")
            at += 1
        }
        Issue.record("no end of calls")
    }

    @Test(
        "System errors become familiar states",
        arguments: [
            (EACCES, DeliveryError.Code.permissionDenied), (EROFS, .permissionDenied),
            (EDQUOT, .noSpace), (EFBIG, .noSpace), (ENOENT, .folderMissing), (EIO, .inputOutput),
        ])
    func codes(number: Int32, code: DeliveryError.Code) throws {
        let folder = try TemporaryFolder()
        let fault = Fault(at: 1, number: number)
        let error = failure {
            try deliver(pages, to: folder.path + "/May.pdf", disk: fault.disk("create"))
        }
        #expect(error?.code == code)
    }

    @Test("Without hard links, names are reserved, and still never replaced")
    func withoutLinks() throws {
        let folder = try TemporaryFolder()
        var disk = Disk.live
        disk.link = { _, _, _ in
            errno = EPERM
            return -1
        }
        let first = try FileSink(path: folder.path + "/May.txt", options: .init(), disk: disk)
            .begin(sampleInfo)
        try first.add(pages[0])
        try put([9], folder.path + "/May.txt")
        #expect(try first.finish().locations == [folder.path + "/May-2.txt"])
        #expect(try contents(folder.path + "/May.txt") == [9])
        #expect(try text(folder.path + "/May-2.txt") == "page 1\n")
        #expect(folder.names == ["May-2.txt", "May.txt"])
    }

    @Test(
        "On a disk that accepts only a few bytes at a time, all bytes are written",
        arguments: allEndings)
    func shortWrites(ending: String) throws {
        let folder = try TemporaryFolder()
        var disk = Disk.live
        disk.write = { file, bytes, offset in
            pwrite(file, bytes.baseAddress, min(bytes.count, 1013), off_t(offset))
        }
        let short = try deliver(pages, to: folder.path + "/short" + ending, disk: disk)
        let whole = try deliver(pages, to: folder.path + "/whole" + ending)
        for (one, other) in zip(short.locations, whole.locations) {
            #expect(try contents(one) == contents(other))
        }
    }

    @Test(
        "A full disk gives noSpace, with the folder and the number of bytes written",
        arguments: allEndings)
    func fullDisk(ending: String) throws {
        let folder = try TemporaryFolder()
        let mounted = mount("tmpfs", folder.path, "tmpfs", 0, "size=16k")
        // Only root may mount, and not in every container. The injected failures above cover the
        // rest.
        guard mounted == 0 else { try Test.cancel("a small file system can't be mounted here") }
        defer { umount2(folder.path, Int32(MNT_DETACH)) }
        let big = (1...60).map { number in
            samplePage(
                samplePicture(.rgb8, width: 300, height: 400), number: number,
                text: sampleText(
                    (0..<20).map { sampleLine(["seven", "little", "words"], y: 20 * $0) }))
        }
        let error = try #require(failure { try deliver(big, to: folder.path + "/May" + ending) })
        #expect(error.code == .noSpace)
        #expect(error.message.contains(folder.path))
        #expect(folder.names == [])
    }

    @Test(
        "The error for a name that the file system refuses suggests one that works, not a folder to make",
        arguments: [ENOENT, EINVAL, EILSEQ],
        [
            ("a: b?.pdf", "a- b-.pdf"), ("a\"<>|*\\.pdf", "a------.pdf"), ("dots...", "dots"),
            ("x\u{1}.pdf", "x-.pdf"),
        ])
    func refusedName(_ number: Int32, _ names: (String, String)) {
        let error = DeliveryError.disk(number, "write", names.0, in: "/tmp")
        #expect(error.message.contains("does not accept the name"), "\(error.message)")
        #expect(error.message.contains("'\(names.1)'"), "\(error.message)")
        #expect(!error.message.contains("mkdir"))
    }

    @Test("A missing folder is still reported as missing, whatever the name is")
    func missingFolder() {
        let error = DeliveryError.disk(ENOENT, "write", "a:b.pdf", in: "/no/such/folder")
        #expect(error.code == .folderMissing && error.message.contains("mkdir -p /no/such/folder"))
    }
}
