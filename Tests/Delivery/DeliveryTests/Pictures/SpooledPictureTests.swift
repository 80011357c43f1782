import CTIFF
import Documents
import Glibc
import Imaging
import Synchronization
import Testing

@testable import Delivery

/// A picture in a file of a spool, as after a capture.
private struct Spooled {
    let page: DeliveredPage
    let path: String
    let pixels: [UInt8]

    /// - Parameter stride: The bytes from row to row; nil for packed rows.
    init(
        _ format: PixelFormat, in folder: TemporaryFolder, width: Int = 333, height: Int = 2222,
        stride: Int? = nil, room: Int = SpooledPicture.room
    ) throws {
        let stride = stride ?? format.minimumStride(width: width)
        var generator = SeededGenerator(state: 21)
        pixels = (0..<stride * height).map { _ in
            UInt8(truncatingIfNeeded: generator.next() >> 40)
        }
        path = folder.path + "/page-0001.raw"
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        try #require(file >= 0)
        defer { close(file) }
        let bytes = [UInt8](repeating: 0, count: room) + pixels
        try #require(Glibc.write(file, bytes, bytes.count) == bytes.count)
        let memory = UnsafeMutableRawBufferPointer.allocate(
            byteCount: pixels.count, alignment: 16)
        memory.copyBytes(from: pixels)
        nonisolated(unsafe) let owned = memory
        let picture = Raster(
            width: width, height: height, format: format, stride: stride, resolution: 75,
            adopting: memory, release: { owned.deallocate() })
        var page = samplePage(picture)
        page.spooled = SpooledPicture(path: path, room: room)
        self.page = page
    }

    var status: stat { fileStatus(path) }
}

private func fileStatus(_ path: String) -> stat {
    var status = stat()
    _ = lstat(path, &status)
    return status
}

/// A TIFF's description of its first page, and the page's pixels.
private func read(_ path: String) throws -> (tags: [String], pixels: [UInt8]) {
    let tiff = try #require(TIFFOpen(path, "r"))
    defer { TIFFClose(tiff) }
    let texts = [TIFFTAG_DOCUMENTNAME, TIFFTAG_PAGENAME, TIFFTAG_SOFTWARE, TIFFTAG_DATETIME]
    let numbers = [
        TIFFTAG_BITSPERSAMPLE, TIFFTAG_COMPRESSION, TIFFTAG_PHOTOMETRIC, TIFFTAG_ORIENTATION,
        TIFFTAG_SAMPLESPERPIXEL, TIFFTAG_PLANARCONFIG, TIFFTAG_RESOLUTIONUNIT,
    ]
    let reals = [TIFFTAG_XRESOLUTION, TIFFTAG_YRESOLUTION]
    let tags =
        texts.map {
            copystand_tiff_get_text(tiff, UInt32($0)).map { String(cString: $0) } ?? "none"
        } + numbers.map { "\(copystand_tiff_get_short(tiff, UInt32($0)))" }
        + reals.map { "\(copystand_tiff_get_real(tiff, UInt32($0)))" }
    var pixels = [UInt8](
        repeating: 0, count: Int(TIFFNumberOfStrips(tiff)) * Int(TIFFStripSize(tiff)))
    var place = 0
    for strip in 0..<TIFFNumberOfStrips(tiff) {
        let count = pixels.withUnsafeMutableBytes {
            TIFFReadEncodedStrip(tiff, strip, $0.baseAddress?.advanced(by: place), -1)
        }
        try #require(count > 0)
        place += Int(count)
    }
    #expect(TIFFReadDirectory(tiff) == 0, "there is one page")
    return (tags, Array(pixels[..<place]))
}

@Suite struct SpooledPictureTests {
    let spool: TemporaryFolder
    let folder: TemporaryFolder
    private let plain = FileSinkOptions(compressesTIFF: false)

    init() throws {
        spool = try TemporaryFolder()
        folder = try TemporaryFolder()
    }

    private func path(_ name: String) -> String { folder.path + "/" + name }

    /// True if a delivered file is the spool's file.
    private func isLinked(_ name: String, _ spooled: Spooled) -> Bool {
        fileStatus(path(name)).st_ino == spooled.status.st_ino
    }

    /// Checks that the pixels of the TIFF `name` are those in the spool.
    private func expectPixels(_ name: String, _ spooled: Spooled) throws {
        let isSame = try read(path(name)).pixels == spooled.pixels
        #expect(isSame)
    }

    @Test(
        "The spool's own file becomes the TIFF, with the same tags as one that was written",
        arguments: PixelFormat.allCases)
    func linked(_ format: PixelFormat) throws {
        let spooled = try Spooled(format, in: spool)
        let before = spooled.status
        let receipt = try deliver([spooled.page], to: path("a.tiff"), options: plain)
        #expect(isLinked("a.tiff", spooled))
        var page = spooled.page
        page.spooled = nil
        try deliver([page], to: path("b.tiff"), options: plain)
        let (linked, written) = (try read(path("a.tiff")), try read(path("b.tiff")))
        #expect(linked.tags == written.tags)
        try expectPixels("a.tiff", spooled)
        try expectPixels("b.tiff", spooled)
        // The file has the permissions of any new file, and the spool recognizes the file by its
        // time.
        #expect(fileStatus(path("a.tiff")).st_mode == fileStatus(path("b.tiff")).st_mode)
        #expect(spooled.status.st_mtim.tv_nsec == before.st_mtim.tv_nsec)
        #expect(spooled.status.st_mtim.tv_sec == before.st_mtim.tv_sec)
        #expect(receipt.bytes == SpooledPicture.room + spooled.pixels.count)
        #expect(receipt.files.map(\.inode) == [UInt64(before.st_ino)])
        #expect(folder.names == ["a.tiff", "b.tiff"])
    }

    @Test("Another reader opens it and sees the pixels")
    func otherReader() throws {
        let spooled = try Spooled(.rgb8, in: spool, width: 50, height: 40)
        try deliver([spooled.page], to: path("a.tiff"), options: plain)
        let script =
            "from PIL import Image; i = Image.open('\(path("a.tiff"))'); "
            + "print(i.mode, i.size, *i.getpixel((3, 2)), i.info.get('dpi'))"
        let place = 2 * 150 + 9
        let pixel = spooled.pixels[place..<place + 3].map { "\($0)" }.joined(separator: " ")
        let answer = try run("/usr/bin/python3", "-c", script)
        #expect(answer.output == "RGB (50, 40) \(pixel) (75.0, 75.0)\n", "\(answer)")
    }

    @Test("A second page makes a document that is written, and the spool's file stays the spool's")
    func twoPages() throws {
        let spooled = try Spooled(.gray8, in: spool, height: 30)
        let second = samplePage(samplePicture(.gray8, width: 9, height: 3), number: 2)
        try deliver([spooled.page, second], to: path("a.tiff"), options: plain)
        #expect(!isLinked("a.tiff", spooled) && spooled.status.st_nlink == 1)
        let tiff = try #require(TIFFOpen(path("a.tiff"), "r"))
        defer { TIFFClose(tiff) }
        #expect(TIFFNumberOfDirectories(tiff) == 2)
        let untouched = try contents(spooled.path).prefix(SpooledPicture.room)
            .allSatisfy { $0 == 0 }
        #expect(untouched)
    }

    @Test("A file system that can't link gets a copy", arguments: [EXDEV, EPERM, EMLINK, ENOTSUP])
    func notLinkable(_ number: Int32) throws {
        let spooled = try Spooled(.rgb8, in: spool)
        var disk = Disk.live
        disk.adopt = { _, _, _ in
            errno = number
            return -1
        }
        try deliver([spooled.page], to: path("a.tiff"), options: plain, disk: disk)
        #expect(!isLinked("a.tiff", spooled) && spooled.status.st_nlink == 1)
        try expectPixels("a.tiff", spooled)
        #expect(folder.names == ["a.tiff"])
    }

    private static let memoryFolder = "/dev/shm"

    @Test(
        "From a spool on another file system, pages are copied",
        .enabled("/dev/shm is not another file system here") {
            fileStatus(memoryFolder).st_dev != fileStatus("/tmp").st_dev
                && access(memoryFolder, W_OK) == 0
        })
    func otherFileSystem() throws {
        let spooled = try Spooled(.gray8, in: spool)
        let elsewhere =
            Self.memoryFolder + "/copystand-\(getpid())-\(spooled.status.st_ino).tiff"
        defer { unlink(elsewhere) }
        try deliver([spooled.page], to: elsewhere, options: plain)
        #expect(fileStatus(elsewhere).st_dev != spooled.status.st_dev)
        let isSame = try read(elsewhere).pixels == spooled.pixels
        #expect(isSame && spooled.status.st_nlink == 1)
    }

    enum Unfit: CaseIterable {
        case hasSecondName, isLonger, isShorter, isLink, isGone, hasNoRoom, hasLittleRoom
        case hasGaps, hasLongTitle, isLabeled
    }

    @Test("A file that can't become the document is copied", arguments: Unfit.allCases)
    func unfit(_ unfit: Unfit) throws {
        let rowGap = unfit == .hasGaps ? 340 : nil
        let room = unfit == .hasNoRoom ? 0 : unfit == .hasLittleRoom ? 64 : SpooledPicture.room
        let spooled = try Spooled(.gray8, in: spool, stride: rowGap, room: room)
        var info = sampleInfo
        switch unfit {
        case .hasSecondName: #expect(link(spooled.path, spool.path + "/second") == 0)
        case .isLonger: #expect(truncate(spooled.path, spooled.status.st_size + 1) == 0)
        case .isShorter: #expect(truncate(spooled.path, spooled.status.st_size - 1) == 0)
        case .isLink:
            #expect(rename(spooled.path, spool.path + "/real") == 0)
            #expect(symlink("real", spooled.path) == 0)
        case .isGone: unlink(spooled.path)
        case .hasNoRoom, .hasLittleRoom, .hasGaps: break
        case .hasLongTitle: info.title = String(repeating: "t", count: 5000)
        case .isLabeled: #expect(label(spooled.path))
        }
        try deliver([spooled.page], to: path("a.tiff"), info: info, options: plain)
        #expect(!isLinked("a.tiff", spooled))
        let packed =
            rowGap == nil
            ? spooled.pixels : (0..<2222).flatMap { spooled.pixels[$0 * 340..<$0 * 340 + 333] }
        let isSame = try read(path("a.tiff")).pixels == packed
        #expect(isSame)
        #expect(folder.names == ["a.tiff"])
    }

    /// Gives a file an attribute that other files don't have.
    private func label(_ path: String) -> Bool {
        (try? run(
            "/usr/bin/python3", "-c",
            "import os; os.setxattr('\(path)', 'user.copystand', b'x')"))?.status == 0
    }

    @Test("A compressed document is written")
    func compressed() throws {
        let spooled = try Spooled(.gray8, in: spool)
        try deliver([spooled.page], to: path("a.tiff"))
        #expect(!isLinked("a.tiff", spooled))
        try expectPixels("a.tiff", spooled)
    }

    @Test("A file that gets the name in the meantime is never replaced")
    func taken() throws {
        let spooled = try Spooled(.gray8, in: spool)
        let writer = try FileSink(path: path("a.tiff"), options: plain).begin(sampleInfo)
        try writer.add(spooled.page)
        let file = open(path("a.tiff"), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        _ = Glibc.write(file, "mine", 4)
        close(file)
        let receipt = try writer.finish()
        #expect(receipt.locations == [path("a-2.tiff")])
        #expect(isLinked("a-2.tiff", spooled) && spooled.status.st_nlink == 2)
        let mine = try contents(path("a.tiff"))
        #expect(mine == Array("mine".utf8))
        #expect(folder.names == ["a-2.tiff", "a.tiff"])
    }

    @Test("A discarded document leaves only the spool's file")
    func cancelled() throws {
        let spooled = try Spooled(.gray8, in: spool)
        let writer = try FileSink(path: path("a.tiff"), options: plain).begin(sampleInfo)
        try writer.add(spooled.page)
        writer.cancel()
        #expect(folder.names == [] && spooled.status.st_nlink == 1)
    }

    @Test("The file is synced before it gets its name, and has it before success is reported")
    func order() throws {
        let spooled = try Spooled(.gray8, in: spool)
        let steps = Mutex<[String]>([])
        var disk = Disk.live
        disk.write = { file, bytes, offset in
            steps.withLock { $0.append("write \(bytes.count) at \(offset)") }
            return pwrite(file, bytes.baseAddress, bytes.count, off_t(offset))
        }
        disk.sync = { file in
            var status = stat()
            fstat(file, &status)
            steps.withLock { $0.append(status.st_mode & S_IFMT == S_IFDIR ? "folder" : "file") }
            return fsync(file)
        }
        disk.link = { folder, from, to in
            steps.withLock { $0.append("name") }
            return linkat(folder, from, folder, to, 0)
        }
        try deliver([spooled.page], to: path("a.tiff"), options: plain, disk: disk)
        #expect(steps.withLock { $0 } == ["write 4096 at 0", "file", "name", "folder"])
    }

    @Test("A failed sync leaves no document, and the page in the spool", arguments: [1, 2])
    func failingSync(_ which: Int) throws {
        let spooled = try Spooled(.gray8, in: spool)
        let count = Mutex(0)
        var disk = Disk.live
        disk.sync = { file in
            let number = count.withLock { count in
                count += 1
                return count
            }
            guard number == which else { return fsync(file) }
            errno = EIO
            return -1
        }
        let error = failure {
            try deliver([spooled.page], to: path("a.tiff"), options: plain, disk: disk)
        }
        #expect(error?.code == .inputOutput)
        #expect(folder.names == [] && spooled.status.st_nlink == 1)
        let isSame = try contents(spooled.path).suffix(spooled.pixels.count).elementsEqual(
            spooled.pixels)
        #expect(isSame)
    }

    @Test(
        "After a process ended right after the link, the next one finds the document, and there is only one"
    )
    func foundAgain() throws {
        let spooled = try Spooled(.gray8, in: spool)
        let announced = Mutex(0)
        func deliverOnce() throws -> Receipt {
            let sink = try FileSink(path: path("a.tiff"), options: plain).replacing(
                EarlierDelivery(states: [], linked: [spooled.path]) { _ in
                    announced.withLock { $0 += 1 }
                })
            let writer = try sink.begin(sampleInfo)
            try writer.add(spooled.page)
            return try writer.finish()
        }
        _ = try deliverOnce()
        #expect(isLinked("a.tiff", spooled))
        // The spool's file identifies itself, so no note was needed.
        #expect(announced.withLock { $0 } == 0)
        let second = try deliverOnce()
        #expect(second.locations == [path("a.tiff")])
        #expect(!isLinked("a.tiff", spooled) && spooled.status.st_nlink == 1)
        try expectPixels("a.tiff", spooled)
        #expect(folder.names == ["a.tiff"])
    }
}
