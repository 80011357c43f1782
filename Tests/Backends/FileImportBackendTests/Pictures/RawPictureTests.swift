import CaptureKit
import FileImportBackend
import Testing

/// Raw pictures of cameras, written by a script.
@Suite struct RawPictureTests {
    /// Writes a DNG: a thumbnail of white pixels, then, optionally, a sensor's samples of one color
    /// under an RGGB filter.
    private static let script = """
        import struct, sys
        path, compression, hasRaw = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "raw"
        width, height = 96, 64
        raw = b"".join(struct.pack("<H", [[40000, 8000], [8000, 2000]][y % 2][x % 2]) for y in \
        range(height) for x in range(width))
        thumbnail = b"\\xff" * (16 * 8 * 3)
        def directory(entries, start):
            body, more = struct.pack("<H", len(entries)), b""
            behind = start + 2 + 12 * len(entries) + 4
            for tag, kind, values in sorted(entries):
                size = {1: "B", 3: "H", 4: "I", 5: "II", 10: "ii"}[kind]
                data = b"".join(struct.pack("<" + size, *(v if isinstance(v, tuple) else (v,))) \
                for v in values)
                if len(data) > 4:
                    place, more = behind + len(more), more + data + b"\\0" * (len(data) % 2)
                    data = struct.pack("<I", place)
                body += struct.pack("<HHI", tag, kind, len(values)) + data.ljust(4, b"\\0")
            return body + struct.pack("<I", 0) + more
        at = 8 + len(thumbnail)
        first = [(254, 4, [1]), (256, 4, [16]), (257, 4, [8]), (258, 3, [8, 8, 8]), (259, 3, [1]), \
        (262, 3, [2]), (273, 4, [8]),
                 (277, 3, [3]), (278, 4, [8]), (279, 4, [len(thumbnail)]), (271, 1, \
                 list(b"Test\\0")), (272, 1, list(b"Test\\0")),
                 (50706, 1, [1, 4, 0, 0]), (50707, 1, [1, 1, 0, 0]), (50708, 1, list(b"Test\\0")),
                 (50721, 10, [(10000, 10000), (0, 1), (0, 1), (0, 1), (10000, 10000), (0, 1), (0, \
                 1), (0, 1), (10000, 10000)]),
                 (50728, 5, [(1, 1), (1, 1), (1, 1)]), (50778, 3, [21])]
        size = lambda entries: len(directory(entries, 0))
        start = at + len(raw)
        if hasRaw: first.append((330, 4, [start + size(first + [(330, 4, [0])])]))
        second = [(254, 4, [0]), (256, 4, [width]), (257, 4, [height]), (258, 3, [16]), (259, 3, \
        [compression]), (262, 3, [32803]),
                  (273, 4, [at]), (277, 3, [1]), (278, 4, [height]), (279, 4, [len(raw)]), (33421, \
                  3, [2, 2]),
                  (33422, 1, [0, 1, 1, 2]), (50717, 4, [65535])]
        ifd = directory(first, start)
        with open(path, "wb") as file:
            file.write(b"II*\\0" + struct.pack("<I", start) + thumbnail + raw + ifd)
            if hasRaw: file.write(directory(second, start + len(ifd)))
        """

    static func dng(_ scratch: Scratch, compression: Int = 1, hasRaw: Bool = true) throws -> String
    {
        try scratch.file("make.py", Array(script.utf8))
        try make(
            in: scratch, "/usr/bin/python3 make.py a.tif \(compression) \(hasRaw ? "raw" : "none")")
        return scratch.path + "/a.tif"
    }

    @Test("A DNG's sensor data is developed, whatever the file's name")
    func developed() async throws {
        let scratch = try Scratch()
        let page = try #require(try await record(Self.dng(scratch)).pages.first)
        #expect(page.description.width == 96 && page.description.height == 64)
        // The color is mainly red, with almost no blue.
        let middle = pixels(page.bytes, size: 3)[32 * 96 + 48]
        #expect(middle[0] > 150 && middle[1] < 140 && middle[2] < 100, "\\(middle)")
    }

    @Test("A thumbnail is never the page", arguments: [(1, false), (34_713, true), (12_345, true)])
    func thumbnail(compression: Int, hasRaw: Bool) async throws {
        let scratch = try Scratch()
        let error = try await failure(Self.dng(scratch, compression: compression, hasRaw: hasRaw))
        #expect(error.code == .unsupported)
        #expect(error.message.contains("LibRaw"))
    }

    @Test(
        "A truncated raw file gives a page or an error, never its thumbnail",
        arguments: 1...15)
    func cut(part: Int) async throws {
        let scratch = try Scratch()
        let bytes = try Scratch.read(Self.dng(scratch))
        let path = try scratch.file("cut.dng", Array(bytes.prefix(bytes.count * part / 16)))
        do {
            #expect(try await record(path).pages.allSatisfy { $0.description.width == 96 })
        } catch let error as CaptureError {
            #expect([.damagedData, .unsupported].contains(error.code))
        }
    }
}
