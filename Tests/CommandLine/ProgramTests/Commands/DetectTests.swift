import FoundationEssentials
import Glibc
import Testing

@Suite struct DetectTests {
    let home: TemporaryFolder
    init() throws { home = try TemporaryFolder() }

    private struct Entry: Decodable {
        struct Problem: Decodable {
            var code, message: String
            var advice: String?
        }
        var file: String
        var page: Int?
        var corners: [[Double]]?
        var confidence, milliseconds: Double?
        var outputs: [String]?
        var all: [Sighting]?
        var error: Problem?
    }

    private struct Sighting: Decodable {
        var corners: [[Double]]
        var confidence: Double
        var outputs: [String]?
    }

    private func detect(_ words: [String]) throws -> (status: Int32, entries: [Entry]) {
        let run = try BuiltProgram.run(["detect", "--json"] + words, in: home)
        return (run.status, try JSONDecoder().decode([Entry].self, from: Data(run.output.utf8)))
    }

    private static let sheet = [(150.0, 60.0), (500.0, 90.0), (470.0, 420.0), (120.0, 380.0)]
    private static let right = [(260.0, 40.0), (600.0, 40.0), (600.0, 440.0), (260.0, 440.0)]
    private static let other = [(200.0, 40.0), (430.0, 40.0), (430.0, 440.0), (200.0, 440.0)]

    /// The largest distance of a corner from the true one, in pixels.
    private func distance(_ corners: [[Double]]?, _ truth: [(Double, Double)]) -> Double {
        guard let corners, corners.count == 4 else { return .infinity }
        return zip(corners, truth).map { hypot($0[0] - $1.0, $0[1] - $1.1) }.max() ?? .infinity
    }

    @Test("The corners of a page are reported in order, within 2 pixels", arguments: [0, 1])
    func corners(number: Int) throws {
        let truth = [Self.sheet, Self.other][number]
        let photo = PaperPhoto(corners: truth.map { (x: $0.0, y: $0.1) })
        let path = try home.write("photo.pgm", bytes: photo.pgm)
        let (status, entries) = try detect([path])
        let entry = try #require(entries.first)
        #expect(status == 0 && entries.count == 1)
        #expect(distance(entry.corners, truth) < 2, "\(entry.corners ?? [])")
        #expect(entry.file == path && entry.page == nil && entry.error == nil)
        #expect((0.5...1).contains(entry.confidence ?? 0))
        #expect(entry.milliseconds ?? 0 > 0)
    }

    @Test("Corners are in pixels of the upright picture")
    func upright() throws {
        let photo = PaperPhoto(corners: Self.sheet.map { (x: $0.0, y: $0.1) })
        let path = try home.write(
            "turned.tif", bytes: PaperPhoto.tiff([photo], orientation: 6))
        let entry = try #require(try detect([path]).entries.first)
        // After a quarter turn clockwise, the stored bottom left corner is the upright top left
        // one.
        let turned = Self.sheet.map { (480 - $0.1, $0.0) }
        let truth = [turned[3], turned[0], turned[1], turned[2]]
        #expect(distance(entry.corners, truth) < 2, "\(entry.corners ?? [])")
    }

    @Test("Corners are in pixels of the file if these are not square")
    func fax() throws {
        let photo = PaperPhoto(corners: Self.sheet.map { (x: $0.0, y: $0.1) })
        let path = try home.write(
            "fax.tif", bytes: PaperPhoto.tiff([photo], resolution: (200, 100)))
        let entry = try #require(try detect([path]).entries.first)
        #expect(distance(entry.corners, Self.sheet) < 2, "\(entry.corners ?? [])")
    }

    @Test(
        "Pictures are answered in the order given; what can't be read is reported and harms no other"
    )
    func hostile() throws {
        let photo = PaperPhoto(corners: Self.sheet.map { (x: $0.0, y: $0.1) })
        var broken = PaperPhoto.tiff([photo])
        broken.removeLast(40_000)
        let words = [
            try home.write("text.jpg", "I am no picture"),
            try home.write("desk.pgm", bytes: PaperPhoto().pgm),
            home.path + "/missing.jpg",
            try home.write("empty.png"),
            try home.write("one.pgm", bytes: Array("P5 1 1 255\n".utf8) + [200]),
            try home.folder(),
            try home.write("huge.pgm", "P5 65000 65000 255\n"),
            try home.write("broken.tif", bytes: broken),
            try home.write("sheet.pgm", bytes: photo.pgm),
        ]
        let (status, entries) = try detect(words)
        #expect(status != 0)
        #expect(entries.map(\.file) == words)
        let codes = entries.map { $0.error?.code }
        #expect(
            codes == [
                "damagedData", nil, "noSuchDevice", "damagedData", nil, "unsupported",
                "tooLarge", "damagedData", nil,
            ])
        for entry in entries where entry.error != nil {
            #expect(entry.corners == nil && entry.confidence == nil && entry.milliseconds == nil)
            #expect(entry.error?.message.contains(entry.file) == true)
        }
        #expect(entries[1].corners == nil && entries[1].confidence == 0)
        #expect(entries[4].corners == nil && entries[4].confidence == 0)
        #expect(distance(entries[8].corners, Self.sheet) < 2)
    }

    @Test("Without a page, null is written, and the exit code is 0")
    func nothing() throws {
        let path = try home.write("desk.pgm", bytes: PaperPhoto().pgm)
        let run = try BuiltProgram.run(["detect", "--json", path], in: home)
        #expect(run.status == 0 && run.errors == "")
        #expect(run.output.contains("\"corners\" : null"))
    }

    @Test("Each page in a file gets a result with its number")
    func pages() throws {
        let photos = [Self.sheet, Self.other].map { corners in
            PaperPhoto(corners: corners.map { (x: $0.0, y: $0.1) })
        }
        let path = try home.write("pages.tif", bytes: PaperPhoto.tiff(photos))
        let entries = try detect([path]).entries
        #expect(entries.map(\.page) == [1, 2] && entries.map(\.file) == [path, path])
        #expect(distance(entries[0].corners, Self.sheet) < 2)
        #expect(distance(entries[1].corners, Self.other) < 2)
    }

    @Test("People get a table, and errors on standard error")
    func table() throws {
        let sheet = try home.write(
            "sheet.pgm", bytes: PaperPhoto(corners: Self.other.map { (x: $0.0, y: $0.1) }).pgm)
        let desk = try home.write("desk.pgm", bytes: PaperPhoto().pgm)
        let run = try BuiltProgram.run(["detect", sheet, desk, "/no/such.jpg"], in: home)
        let lines = run.output.split(separator: "\n")
        #expect(run.status == 2 && lines.count == 4)
        #expect(lines[0].hasPrefix("PHOTO"))
        #expect(lines[1].contains("sheet.pgm") && lines[1].contains(","))
        #expect(lines[2].contains("no page"))
        #expect(lines[3].contains("can't be read"))
        #expect(run.errors.contains("/no/such.jpg"))
    }

    @Test("Pages are cut out into files, and no file is ever overwritten")
    func output() throws {
        let photos = try [Self.sheet, Self.other].enumerated().map { number, corners in
            try home.write(
                "\(number).pgm", bytes: PaperPhoto(corners: corners.map { (x: $0.0, y: $0.1) }).pgm)
        }
        let desk = try home.write("desk.pgm", bytes: PaperPhoto().pgm)
        let (status, entries) = try detect(
            [photos[0], desk, photos[1], "-o", home.path + "/page.png"])
        let written = ["\(home.path)/page-001.png", "\(home.path)/page-002.png"]
        #expect(status == 0)
        #expect(entries.map(\.outputs) == [[written[0]], nil, [written[1]]])
        // Another reader verifies that the sheet fills the picture, and that its bar is only at the
        // top.
        let script = """
            import sys; from PIL import Image
            for path in sys.argv[1:]:
                picture = Image.open(path).convert('L'); w, h = picture.size
                at = lambda x, y: picture.getpixel((int(x * w), int(y * h)))
                print(w > h, all(at(x, y) > 200 for x in (.02, .98) for y in (.02, .98)), at(.5, \
                .1) < 110, at(.5, .9) > 200)
            """
        let shown = try BuiltProgram.spawn("/usr/bin/python3", ["-c", script] + written, in: home)
            .wait()
        #expect(shown.output == "True True True True\nFalse True True True\n", "\(shown.errors)")

        let before = try Data(contentsOf: URL(filePath: written[0]))
        let again = try BuiltProgram.run(
            ["detect", photos[1], "-o", written[0]], in: home)
        #expect(again.status == 5 && again.errors.contains("never overwritten"))
        #expect(try Data(contentsOf: URL(filePath: written[0])) == before)
    }

    @Test("With --all, every visible page is reported and cut out, the main one first")
    func all() throws {
        let (small, large) = (
            [(30.0, 60.0), (200.0, 50.0), (205.0, 290.0), (35.0, 300.0)], Self.right
        )
        var photo = PaperPhoto(corners: large.map { (x: $0.0, y: $0.1) })
        let beside = PaperPhoto(corners: small.map { (x: $0.0, y: $0.1) }).pixels
        let pixels = zip(photo.pixels, beside).map { max($0, $1) }
        photo.corners = []
        let path = try home.write("two.pgm", bytes: photo.pgm.dropLast(pixels.count) + pixels)
        let desk = try home.write("desk.pgm", bytes: photo.pgm)

        let (status, entries) = try detect(["--all", path, desk, "-o", home.path + "/page.png"])
        let pages = try #require(entries.first?.all)
        #expect(status == 0 && entries.count == 2 && pages.count == 2)
        for (page, truth) in zip(pages, [large, small]) {
            #expect(distance(page.corners, truth) < 3, "\(page.corners)")
        }
        #expect(entries[0].corners == pages.first?.corners)
        #expect(entries[0].confidence == pages.first?.confidence)
        let files = ["\(home.path)/page-001.png", "\(home.path)/page-002.png"]
        #expect(pages.map(\.outputs) == files.map { [$0] })
        #expect(files.allSatisfy { FileManager.default.fileExists(atPath: $0) })
        #expect(entries[1].all?.isEmpty == true && entries[1].corners == nil)

        let one = try #require(try detect([path]).entries.first)
        #expect(one.all == nil && distance(one.corners, large) < 3)
        let table = try BuiltProgram.run(["detect", "--all", path], in: home).output
        #expect(table.split(separator: "\n").count == 3)
    }

    @Test("One photo makes one file with the given name; without a page, it makes none")
    func single() throws {
        let sheet = try home.write(
            "sheet.pgm", bytes: PaperPhoto(corners: Self.other.map { (x: $0.0, y: $0.1) }).pgm)
        let desk = try home.write("desk.pgm", bytes: PaperPhoto().pgm)
        #expect(try detect([sheet, "-o", home.path + "/page.jpg"]).status == 0)
        let entry = try #require(
            try detect([sheet, "-o", home.path + "/page.pdf"]).entries.first)
        #expect(entry.outputs == [home.path + "/page.pdf"])
        let none = try BuiltProgram.run(
            ["detect", desk, "-o", home.path + "/none.pdf"], in: home)
        #expect(none.status == 0 && none.errors.contains("nothing was written"))
        let names = try FileManager.default.contentsOfDirectory(atPath: home.path)
        #expect(names.contains("page.jpg") && !names.contains("none.pdf"))
    }

    @Test("No temporary folder is left behind")
    func tidy() throws {
        let place = try home.folder()
        let desk = try home.write("desk.pgm", bytes: PaperPhoto().pgm)
        let run = try BuiltProgram.run(
            ["detect", desk, "/no/such.jpg"], in: home, environment: ["TMPDIR": place])
        #expect(run.status == 2)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place).isEmpty)
        let full = try BuiltProgram.run(
            ["detect", desk], in: home, environment: ["TMPDIR": "/proc/1"])
        #expect(full.status == 6 && full.errors.contains("TMPDIR"))
    }
}
