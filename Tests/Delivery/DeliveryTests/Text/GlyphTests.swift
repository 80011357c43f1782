import Testing

@testable import Delivery

@Suite struct GlyphTests {
    @Test("The font's tables are complete, in order and have the right checksums")
    func font() throws {
        let font = GlyphlessFont.file
        func number(_ place: Int, _ bytes: Int) -> Int {
            font[place..<place + bytes].reduce(0) { $0 << 8 | Int($1) }
        }
        func sum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
            zip(0..., bytes).reduce(0) { $0 &+ UInt32($1.1) << (24 - 8 * UInt32($1.0 % 4)) }
        }
        var tags: [String] = []
        var sizes: [String: (start: Int, count: Int)] = [:]
        #expect(number(0, 4) == 0x10000)
        for index in 0..<number(4, 2) {
            let entry = 12 + 16 * index
            let tag = String(decoding: font[entry..<entry + 4], as: UTF8.self)
            let (start, count) = (number(entry + 8, 4), number(entry + 12, 4))
            tags.append(tag)
            sizes[tag] = (start, count)
            #expect(start % 4 == 0)
            try #require(start + count <= font.count)
            if tag != "head" {
                #expect(Int(sum(font[start..<start + count])) == number(entry + 4, 4), "\(tag)")
            }
        }
        #expect(tags == ["cmap", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "post"])
        #expect(sum(font[...]) == 0xB1B0_AFBA)
        #expect(sizes["head"]?.count == 54)
        #expect(sizes["hhea"]?.count == 36)
        #expect(sizes["maxp"]?.count == 32)
        #expect(sizes["post"]?.count == 32)
        #expect(sizes["loca"]?.count == 6)
        #expect(sizes["hmtx"]?.count == 6)
        let maxp = try #require(sizes["maxp"]).start
        #expect(number(maxp + 4, 2) == 2)
    }

    @Test(
        "A character keeps its code, and a word that does not fit into a full font begins the next font"
    )
    func codes() {
        let table = GlyphTable(capacity: 5)
        #expect(table.encode(["a", "b"]) == (1, [2, 3]))
        #expect(table.encode(["b", "a", "c"]) == (1, [3, 2, 4]))
        #expect(table.encode(["d"]) == (1, [5]))
        #expect(table.encode(["a", "e"]) == (2, [2, 3]))
        #expect(table.encode(["a"]) == (2, [2]))
        #expect(table.fonts == [[" ", "a", "b", "c", "d"], [" ", "a", "e"]])
        #expect(table.encode(["1", "2", "3", "4", "5", "6"]).codes.count == 4)
    }

    @Test("The CMap has sections of at most 100, and surrogate pairs")
    func map() {
        let characters = (0..<250).map { _ in "x" } + ["😀"]
        let map = String(decoding: GlyphTable.toUnicode(characters), as: UTF8.self)
        #expect(map.contains("100 beginbfchar"))
        #expect(map.contains("51 beginbfchar"))
        #expect(map.contains("<00FB> <D83DDE00>"))
    }

    @Test(
        "Words are laid out from left to right",
        arguments: [
            ("abc", ["a", "b", "c"]), ("אבג", ["ג", "ב", "א"]), ("אב12", ["1", "2", "ב", "א"]),
            ("אPDFב", ["ב", "P", "D", "F", "א"]), ("", []), ("12", ["1", "2"]),
        ])
    func visual(word: String, characters: [String]) {
        #expect(visualCharacters(of: word) == characters)
    }

    @Test("A character with too many parts is split into its parts")
    func long() {
        let heap = "a" + String(repeating: "\u{301}", count: 100)
        #expect(visualCharacters(of: heap).count == 101)
        #expect(visualCharacters(of: "a\u{301}\u{302}").count == 1)
    }
}
