import FileNames
import FoundationEssentials
import Glibc
import Testing

@Suite struct NamesTests {
    /// File names as bytes, with unusual characters.
    static let nasty: [[UInt8]] = [
        [0xFF], Array("a".utf8) + [0xC3], [0xE2, 0x82], [0xC0, 0xAF], [0xED, 0xA0, 0x80],
        [0xF4, 0x90, 0x80, 0x80], [0xF0, 0x80, 0x80, 0xAF], Array("é".utf8), Array("e\u{301}".utf8),
        Array("a\nb".utf8), Array("a\r\nb".utf8), Array("\tx".utf8), Array("\u{1B}[31mred".utf8),
        Array("-o".utf8), Array(" x".utf8), Array("x.".utf8), Array("...".utf8),
        Array("{n}.pdf".utf8), Array("%s%n".utf8), Array("a'b\"c\\d`$(e)".utf8),
        Array("\u{202E}fdp.exe".utf8), Array("\u{200F}\u{2066}x".utf8),
        Array("\u{85}\u{9B}31m".utf8),
        Array("\u{301}x".utf8), Array("👩‍👩‍👧".utf8), Array("\u{10FF0A}\u{10FFFF}".utf8), [0x7F],
        [UInt8](repeating: 0xFF, count: 255), [UInt8](repeating: 0x0A, count: 255),
        Array("\u{0600}x".utf8), Array("x\u{20DD}".utf8),
    ]

    @Test("Every name becomes text and comes back", arguments: nasty)
    func thereAndBack(name: [UInt8]) {
        #expect(FileNames.bytes(FileNames.text(name)) == name)
    }

    @Test("Random bytes become text and come back", arguments: 0..<200)
    func random(seed: Int) {
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
        let starts: [UInt8] = [0xF4, 0x8F, 0xBC, 0xBF, 0xE2, 0x80, 0xC2, 0x2F, 0x0A, 0x61]
        let bytes = (0..<60).map { _ -> UInt8 in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state % 3 == 0
                ? max(1, UInt8(truncatingIfNeeded: state >> 8)) : starts[Int(state % 10)]
        }
        #expect(FileNames.bytes(FileNames.text(bytes)) == bytes)
    }

    @Test(
        "No text of a name has a character that a terminal or Swift interprets",
        arguments: nasty)
    func harmless(name: [UInt8]) {
        let text = FileNames.text(Array("/".utf8) + name + Array("/x".utf8))
        #expect(text.unicodeScalars.allSatisfy { !FileNames.isUnsafe($0) })
        #expect(text.split(separator: "/").count == 2)
        let shown = FileNames.shown(text)
        #expect(shown.unicodeScalars.allSatisfy { !FileNames.isUnsafe($0) })
    }

    @Test(
        "A safe name is shown unchanged",
        arguments: [
            ([0xFF, 0x61], "\\xffa"), (Array("a\nb\tc\u{1B}".utf8), "a\\nb\\tc\\x1b"),
            (Array("\u{202E}x".utf8), "\\u{202e}x"), (Array("日本 e\u{301}".utf8), "日本 e\u{301}"),
            (Array("\u{200D}".utf8), "\u{200D}"),
        ] as [([UInt8], String)])
    func shown(name: [UInt8], expected: String) {
        #expect(
            FileNames.shown(FileNames.text(name)).unicodeScalars.elementsEqual(
                expected.unicodeScalars))
    }

    @Test(
        "No text hides a slash, a period or the end of a path",
        arguments: ["\u{10FF2F}", "\u{10FF2E}\u{10FF2E}", "\u{10FF00}", "\u{10FF41}"])
    func noHidingPlace(text: String) {
        #expect(FileNames.bytes(text) == Array(text.utf8))
    }

    @Test("JSON shows names as they are, with nothing that a terminal obeys")
    func json() throws {
        struct Value: Codable, Equatable { var name: String }
        let name = FileNames.text(Array("a\nb\u{202E}c\u{9B}\u{7F}d\u{2028}\u{200F}e\u{301}".utf8))
        let text = SafeJSON.text(
            try JSONEncoder().encode(Value(name: name + "\u{9B}\u{61C}\u{7F}")))
        #expect(
            text
                == #"{"name":"a\u000ab\u202ec\u009b\u007fd\u2028\u200fe\#u{301}\u009b\u061c\u007f"}"#
        )
        let read = try JSONDecoder().decode(
            Value.self, from: Array(text.utf8).withUnsafeBytes { Data($0) })
        #expect(
            read.name == "a\nb\u{202E}c\u{9B}\u{7F}d\u{2028}\u{200F}e\u{301}\u{9B}\u{61C}\u{7F}")
    }

    @Test("A name with a character that could stand for a byte is exact in JSON")
    func jsonOfMarks() throws {
        let name = Array("\u{10FFFF}\u{10FF0A}".utf8)
        let text = SafeJSON.text(try JSONEncoder().encode([FileNames.text(name)]))
        #expect(FileNames.bytes(text) == Array(text.utf8))
        let read = try JSONDecoder().decode([String].self, from: Data(text.utf8))
        #expect(FileNames.bytes(read[0]) == name)
    }

    @Test("JSON keeps bytes that are not UTF-8 apart")
    func jsonBytes() throws {
        let text = SafeJSON.text(try JSONEncoder().encode([FileNames.text([0x61, 0xFF])]))
        #expect(text == #"["a\udbff\udfff"]"#)
        let read = try JSONDecoder().decode([String].self, from: Data(text.utf8))
        #expect(FileNames.bytes(read[0]) == [0x61, 0xFF])
    }

    @Test("Files of every name are made, found, listed and removed", arguments: nasty)
    func files(name: [UInt8]) throws {
        var template = Array("/tmp/names-XXXXXX".utf8CString)
        let made = try #require(mkdtemp(&template).map { String(cString: $0) })
        defer { try? FileManager.default.removeItem(atPath: made) }
        let folder = made + "/d"
        mkdir(folder, 0o700)
        let path = folder + "/" + FileNames.text(name)
        // Another program makes the file from the bytes of its name.
        let hex = (Array((folder + "/").utf8) + name).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
        let program = "import sys; open(bytes.fromhex(sys.argv[1]), 'w')"
        let line: [String] = ["python3", "-c", program, hex]
        var words: [UnsafeMutablePointer<CChar>?] = line.map { (word: String) in strdup(word) }
        words.append(nil)
        defer { words.forEach { free($0) } }
        var child: pid_t = 0
        #expect(posix_spawn(&child, "/usr/bin/python3", nil, nil, &words, environ) == 0)
        waitpid(child, nil, 0)
        #expect(FileNames.names(in: folder) == [FileNames.text(name)])
        #expect(access(path, F_OK) == 0)
        var about = stat()
        #expect(stat(path, &about) == 0 && lstat(path, &about) == 0)
        try Data([1, 2]).write(to: URL(filePath: path))
        #expect(try Data(contentsOf: URL(filePath: path)) == Data([1, 2]))
        #expect(FileManager.default.fileExists(atPath: path))
        #expect(rename(path, folder + "/plain") == 0)
        #expect(link(folder + "/plain", path) == 0 && unlink(folder + "/plain") == 0)
        #expect(FileNames.names(in: folder) == [FileNames.text(name)])
        let file = fopen(path, "re")
        #expect(file != nil)
        file.map { _ = fclose($0) }
        try FileManager.default.removeItem(atPath: path)
        #expect(FileNames.names(in: folder) == [])
    }

    @Test("A path longer than the kernel's limit for one call leads to its file")
    func deep() throws {
        var template = Array("/tmp/names-XXXXXX".utf8CString)
        let made = try #require(mkdtemp(&template).map { String(cString: $0) })
        var path = made
        for _ in 0..<30 {
            path += "/" + FileNames.text([UInt8](repeating: 0xFF, count: 200))
            try #require(mkdir(path, 0o700) == 0)
        }
        let file = open(path + "/x", O_CREAT | O_WRONLY, 0o600)
        #expect(file >= 0)
        close(file)
        #expect(FileNames.names(in: path) == ["x"])
        var about = stat()
        #expect(stat(path + "/x", &about) == 0 && rename(path + "/x", path + "/y") == 0)
        #expect(unlink(path + "/y") == 0)
        while path != made {
            #expect(rmdir(path) == 0)
            path = String(path[..<path.lastIndex(of: "/")!])
        }
        rmdir(made)
    }
}
