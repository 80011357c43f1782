import Documents
import FoundationEssentials
import Imaging
import Testing

@testable import Processing

@Suite struct PartsAndExplanationTests {
    private let input = PageInput(
        image: Raster(width: 40, height: 30, format: .gray8, resolution: 300),
        provenance: Provenance(device: "fake:1", label: "glass.png"), number: 7)

    private func pipeline(_ steps: [FakeStep], explaining: ExplainFolder? = nil) -> PagePipeline {
        PagePipeline(
            profile: Profile(name: "test", title: "Test", text: .init(languages: ["eng"])),
            steps: steps, recognizer: FakeRecognizer { image, _ in .words(["w\(image.width)"]) },
            explaining: explaining, threads: StepThreads(limit: 2))
    }

    private let part = FakeStep { input in
        let images = [10, 20, 30].map { Raster(width: $0, height: 5, format: .gray8) }
        return .split(
            images.map { PicturePart(image: $0, movement: .unknown) }, "found 3 items")
            ?? .left(input.image, "left")
    }

    @Test("A step that finds several pages passes each to the next steps, in order")
    func parts() async throws {
        let before = FakeStep { .left($0.image, "before") }
        let after = FakeStep { .left($0.image, "saw \($0.image.width)") }
        let pages = try await pipeline([before, part, after]).process(input)
        #expect(pages.map(\.image.width) == [10, 20, 30])
        #expect(pages.map { $0.parts.map(\.number) } == [[1], [2], [3]])
        #expect(pages.allSatisfy { $0.parts.map(\.of) == [3] && $0.isChanged })
        #expect(pages[1].steps.map(\.summary).prefix(3) == ["before", "found 3 items", "saw 20"])
        #expect(pages.map { $0.text?.plainText } == ["w10", "w20", "w30"])
    }

    @Test("A part of a part has both of their numbers, and a blank part is not read")
    func nested() async throws {
        let halves = FakeStep { input in
            guard input.image.width > 10 else { return .left(input.image, "one page") }
            let half = Raster(width: input.image.width / 2, height: 5, format: .gray8)
            return .split(
                [half, half].map { PicturePart(image: $0, movement: .unknown) }, "two halves")
                ?? .left(input.image, "left")
        }
        let blank = FakeStep { input in
            var outcome = StepOutcome.left(input.image, "looked")
            outcome.isBlank = input.image.width == 15
            return outcome
        }
        let pages = try await pipeline([part, halves, blank]).process(input)
        #expect(pages.map(\.image.width) == [10, 10, 10, 15, 15])
        #expect(pages.map { $0.parts.map(\.number) } == [[1], [2, 1], [2, 2], [3, 1], [3, 2]])
        #expect(pages.map(\.isBlank) == [false, false, false, true, true])
        #expect(pages.map { $0.text != nil } == [true, true, true, false, false])
    }

    @Test("An explanation has the page after every step, with the reason for what it did")
    func explanation() async throws {
        let folder = try TemporaryFolder()
        let explaining = try ExplainFolder(path: folder.path + "/why")
        let left = FakeStep { .left($0.image, "unchanged: nothing to do", ["angle": 0.25]) }
        _ = try await pipeline([left, part, left], explaining: explaining).process(input)
        let page = explaining.path + "/page-0007"
        let names = try FileManager.default.contentsOfDirectory(atPath: page).sorted()
        #expect(
            names == [
                "00-captured.png", "01-fake.png", "02-fake-1.png", "02-fake-2.png",
                "02-fake-3.png", "03-fake-1.png", "03-fake-2.png", "03-fake-3.png", "report.json",
                "report.txt",
            ])
        for (name, width) in [("01-fake.png", 40), ("03-fake-2.png", 20), ("03-fake-3.png", 30)] {
            let bytes = try Data(contentsOf: URL(filePath: "\(page)/\(name)"))
            #expect(try Raster.decoded(from: Array(bytes)).width == width)
        }
        let text = try String(contentsOf: URL(filePath: page + "/report.txt"), encoding: .utf8)
        for needed in [
            "Page 7 (glass.png), profile test", "Part 2 of 3", "fake: unchanged: nothing to do",
            "angle 0.25", "found 3 items", "03-fake-3.png",
        ] {
            #expect(text.contains(needed))
        }
    }

    @Test("A folder that is not empty is not used for an explanation")
    func occupied() throws {
        let folder = try TemporaryFolder()
        try folder.write("mine", to: "notes.txt")
        #expect(throws: ExplainError.self) { try ExplainFolder(path: folder.path) }
        #expect(throws: ExplainError.self) { try ExplainFolder(path: folder.path + "/notes.txt/x") }
    }

    @Test("An explanation that can't be written affects no page, and is reported")
    func lost() async throws {
        let folder = try TemporaryFolder()
        let explaining = try ExplainFolder(path: folder.path + "/why")
        try FileManager.default.removeItem(atPath: explaining.path)
        try folder.write("in the way", to: "why")
        let pages = try await pipeline([part], explaining: explaining).process(input)
        #expect(pages.count == 3)
        #expect(pages[0].problems.contains { $0.contains("explanation") })
    }
}
