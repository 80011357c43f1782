import Documents
import Imaging
import Recognition
import Synchronization
import Testing

@testable import Processing

@Suite struct DeskewTests {
    @Test(
        "Text is straightened to within a tenth of a degree",
        arguments: [-4.0, -0.6, 0.25, 1.5, 6.0])
    func straightens(_ angle: Double) throws {
        let page = try TestPage.turned(TestPage.letter(), clockwise: angle)
        let outcome = try DeskewStep(StepSettings()).run(on: StepInput(image: page))
        #expect(outcome.isChanged)
        let measured = try #require(outcome.measurements["angle"])
        #expect((measured + angle).magnitude <= 0.1)
        // A second run on the result finds almost nothing to correct.
        let rest = try PageSketch(of: outcome.image).skew()
        #expect(try #require(rest).degrees.magnitude <= 0.1)
        #expect(outcome.image.width == page.width && outcome.image.height == page.height)
    }

    @Test("A straight page keeps its pixels")
    func straight() throws {
        let page = try TestPage.letter()
        let outcome = try DeskewStep(StepSettings()).run(on: StepInput(image: page))
        #expect(!outcome.isChanged)
        #expect(outcome.summary.hasPrefix("unchanged: already straight"))
        #expect(outcome.image.pixels == page.pixels)
    }

    @Test("A page tilted by more than the maximum, or less than the threshold, stays unchanged")
    func limits() throws {
        let page = try TestPage.turned(TestPage.letter(), clockwise: 2)
        let small = DeskewStep(StepSettings(["maximum": .number(1)]))
        let outcome = try small.run(on: StepInput(image: page))
        #expect(!outcome.isChanged)
        #expect(outcome.summary.contains("more than the maximum"))
        let slight = try TestPage.turned(TestPage.letter(), clockwise: 0.6)
        let patient = DeskewStep(StepSettings(["threshold": .number(1)]))
        #expect(try !patient.run(on: StepInput(image: slight)).isChanged)
    }

    @Test("A black-and-white page stays black and white")
    func bilevel() throws {
        let page = try TestPage.turned(TestPage.bilevelLetter(), clockwise: 1)
        #expect(page.format == .bilevel)
        let outcome = try DeskewStep(StepSettings()).run(on: StepInput(image: page))
        #expect(outcome.isChanged && outcome.image.format == .bilevel)
        #expect((outcome.measurements["angle"] ?? 0) + 1 < 0.1)
    }
}

@Suite struct OrientationTests {
    @Test(
        "A page is turned upright from any side, even tilted",
        arguments: [QuarterTurn.clockwise90, .half, .counterclockwise90], [0.0, 3.0])
    func turns(_ turn: QuarterTurn, _ askew: Double) throws {
        let upright = try TestPage.letter()
        let page = try TestPage.turned(upright.rotated(by: turn), clockwise: askew)
        let outcome = try OrientationStep(StepSettings()).run(on: StepInput(image: page))
        #expect(outcome.summary == "turned by \(turn.inverse.degrees)°")
        #expect(outcome.image.width == upright.width)
        if askew == 0 { #expect(outcome.image.pixels == upright.pixels) }
    }

    @Test("An upright page, straight or tilted, keeps its pixels", arguments: [0.0, 3.0])
    func upright(_ askew: Double) throws {
        let page = try TestPage.turned(TestPage.letter(), clockwise: askew)
        let outcome = try OrientationStep(StepSettings()).run(on: StepInput(image: page))
        #expect(outcome.summary == "unchanged: upright already")
        #expect(!outcome.isChanged && outcome.image.pixels == page.pixels)
    }

    @Test(
        "A probably upright page is confirmed by reading, or else by the shapes of letters",
        arguments: [true, false])
    func unproven(_ isReadNext: Bool) throws {
        let page = try letter(upright: 0.57)
        let estimate = try PageSketch(of: page).uprightTurn()
        #expect(estimate.answer == .upright && estimate.confidence > 10, "\(estimate)")
        let asked = Mutex(0)
        let outcome = try OrientationStep(StepSettings()).run(
            on: StepInput(
                image: page,
                letters: { _ in
                    asked.withLock { $0 += 1 }
                    return OrientationGuess(quarterTurns: 0, confidence: 9)
                }, isReadNext: isReadNext))
        #expect(outcome.summary == "unchanged: upright already")
        #expect(outcome.isUnproven == isReadNext)
        #expect(asked.withLock(\.self) == (isReadNext ? 0 : 1))
    }

    @Test("A page without text stays unchanged, with a report")
    func noText() throws {
        var page = Raster(width: 400, height: 600, format: .gray8, resolution: 100)
        page.withMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 240) }
        let outcome = try OrientationStep(StepSettings()).run(on: StepInput(image: page))
        #expect(outcome.summary == "unchanged: too little text to tell which way is up")
        #expect(!outcome.isChanged)
    }

    /// A letter with the given fraction upright, and the rest, at its foot, upside down.
    private func letter(upright share: Double) throws -> Raster {
        let upright = try TestPage.letter()
        let flipped = upright.rotated(by: .half)
        var page = upright
        let first = Int(Double(upright.height) * share) * upright.stride
        flipped.withBytes { source in
            page.withMutableBytes { bytes in
                for index in first..<bytes.count { bytes[index] = source[index] }
            }
        }
        return page
    }

    private func turned(_ page: Raster, letters guess: OrientationGuess) throws -> String {
        try OrientationStep(StepSettings()).run(on: StepInput(image: page) { _ in guess }).summary
    }

    @Test(
        "If ascenders say nothing, as in other scripts, the shapes of letters decide",
        arguments: [
            (4.0, "turned by 180°"), (3, "unchanged: not sure enough that it should be turned"),
        ])
    func shapes(_ confidence: Double, _ says: String) throws {
        var page = Raster(width: 400, height: 600, format: .gray8, resolution: 100)
        page.withMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 240) }
        let guess = OrientationGuess(quarterTurns: 2, confidence: confidence)
        #expect(try turned(page, letters: guess) == says)
    }

    @Test("If ascenders and shapes disagree, a page is turned only if the shapes are certain")
    func disputed() throws {
        let page = try TestPage.letter().rotated(by: .half)
        for (turns, confidence, says) in [
            (0, 12.0, "unchanged: upright already"),
            (1, 6, "unchanged: not sure enough that it should be turned"), (2, 6, "turned by 180°"),
        ] {
            let guess = OrientationGuess(quarterTurns: turns, confidence: confidence)
            #expect(try turned(page, letters: guess) == says)
        }
    }

    @Test("If ascenders and shapes agree, the shapes need only a quarter of the certainty")
    func agreed() throws {
        let page = try TestPage.letter().rotated(by: .half)
        for (confidence, says) in [
            (2.6, "turned by 180°"), (2.4, "unchanged: not sure enough that it should be turned"),
        ] {
            let guess = OrientationGuess(quarterTurns: 2, confidence: confidence)
            #expect(try turned(page, letters: guess) == says)
        }
    }

    @Test("A small majority of ascenders does not outweigh the shapes")
    func unclear() throws {
        let page = try letter(upright: 0.55)
        #expect(try PageSketch(of: page).uprightTurn().answer == .upright)
        for (turns, confidence, says) in [
            (2, 4.0, "turned by 180°"), (0, 3, "unchanged: upright already"),
            (2, 3, "unchanged: not sure enough that it should be turned"),
        ] {
            let guess = OrientationGuess(quarterTurns: turns, confidence: confidence)
            #expect(try turned(page, letters: guess) == says)
        }
    }

    /// Processes an upside-down page whose text is read as `asItLies`, and as `turned` after a
    /// turn.
    private func tried(
        _ asItLies: PageText, _ turned: PageText, letters guess: OrientationGuess? = nil
    ) throws -> StepOutcome {
        let page = try TestPage.letter().rotated(by: .half)
        return try OrientationStep(StepSettings()).run(
            on: StepInput(
                image: page, letters: { _ in guess },
                trial: { $0.pixels == page.pixels ? asItLies : turned }))
    }

    @Test("A probably upside-down page is turned if it reads clearly better that way")
    func provenByReading() throws {
        let good = PageText.words(["Invoice", "number", "4711"], confidence: 0.9)
        for poor in [PageText.words([]), .words(["Invoice"], confidence: 0.9)] {
            let outcome = try tried(poor, good)
            #expect(outcome.isChanged && outcome.summary == "turned by 180°")
            #expect(outcome.measurements["lettersTurned"] == 17)
        }
    }

    @Test("A page that reads equally well or badly both ways stays, with a report")
    func notProvenByReading() throws {
        let good = PageText.words(["Invoice", "number", "4711"], confidence: 0.9)
        let pairs: [(PageText, PageText)] = [
            (good, good), (good, .words([])),
            (
                .words(["Invoice", "of"], confidence: 0.9),
                .words(["Invoice", "num"], confidence: 1)
            ),
            (.words([]), .words(["Invoice", "number"], confidence: 0.5)),
            (.words([]), .words(["ll", "il", "Il", "li", "lI", "ii"], confidence: 0.9)),
            (.words([]), .words(["Invoice"], confidence: 1)),
        ]
        for (asItLies, turned) in pairs {
            let outcome = try tried(asItLies, turned)
            #expect(!outcome.isChanged)
            #expect(
                outcome.summary == "unchanged: does not read clearly better when turned by 180°")
        }
    }

    @Test("If letters are uncertain, reading decides")
    func decidedByReading() throws {
        let good = PageText.words(["Invoice", "number", "4711"], confidence: 0.9)
        let unsure = OrientationGuess(quarterTurns: 2, confidence: 0.4)
        #expect(try tried(.words([]), good, letters: unsure).summary == "turned by 180°")
        #expect(try !tried(good, .words([]), letters: unsure).isChanged)
    }

    /// Processes a letter turned by `turn`.
    ///
    /// `texts` has the text that is read after each turn; after other turns no text is read.
    private func tried(
        turnedBy turn: QuarterTurn, letters guess: OrientationGuess, texts: [Int: [String]]
    ) throws -> StepOutcome {
        let page = try TestPage.letter().rotated(by: turn)
        let ways = [0: page.pixels].merging(
            QuarterTurn.allCases.map { ($0.degrees, page.rotated(by: $0).pixels) }
        ) { $1 }
        return try OrientationStep(StepSettings()).run(
            on: StepInput(
                image: page, letters: { _ in guess },
                trial: { picture in
                    let way = ways.first { $0.value == picture.pixels }
                    return .words(way.flatMap { texts[$0.key] } ?? [], confidence: 0.9)
                }))
    }

    @Test("A page on its side is turned the way it reads, whatever the letters suggest")
    func otherEnd() throws {
        let guess = OrientationGuess(quarterTurns: 1, confidence: 0.4)
        let outcome = try tried(
            turnedBy: .clockwise90, letters: guess,
            texts: [90: ["lantern", "harbor"], 270: ["Invoice", "number", "lantern", "harbor"]])
        #expect(outcome.summary == "turned by 270°")
        let sure = try tried(
            turnedBy: .clockwise90, letters: guess, texts: [90: ["lantern", "harbor"]])
        #expect(sure.summary == "turned by 90°")
    }

    @Test("If hardly any text is readable, every other orientation is tried")
    func everyWay() throws {
        let guess = OrientationGuess(quarterTurns: 2, confidence: 0.4)
        let text = ["Invoice", "number", "lantern"]
        let outcome = try tried(turnedBy: .clockwise90, letters: guess, texts: [270: text])
        #expect(outcome.summary == "turned by 270°")
        let legible = try tried(
            turnedBy: .clockwise90, letters: guess,
            texts: [0: text, 270: text + text + ["meadow"]])
        #expect(!legible.isChanged)
    }

    @Test("A page whose orientations can't be compared stays, and its reason is kept")
    func unreadable() throws {
        let page = try TestPage.letter().rotated(by: .half)
        let error = #expect(throws: RecognitionError.self) {
            try OrientationStep(StepSettings()).run(
                on: StepInput(
                    image: page,
                    trial: { _ throws in throw RecognitionError(.engineFailed, "took too long") }))
        }
        #expect(error?.message == "took too long")
    }

    @Test(
        "A page that is too large for readers is reduced, and its words have the right places")
    func readSmaller() async throws {
        let page = Raster(width: 40_000, height: 20, format: .gray8)
        let reader = FakeRecognizer { picture, _ in
            #expect(picture.width == 20_000 && picture.height == 10)
            var text = PageText.words(["far"], confidence: 0.9)
            let box = Box(x: 10_000, y: 4, width: 300, height: 5)
            text.blocks[0].paragraphs[0].lines[0].words[0].box = box
            return text
        }
        let profile = Profile(
            name: "reading", title: "Reading", steps: [],
            text: Profile.TextReading(languages: ["eng"]))
        let made = try await PagePipeline(profile: profile, recognizer: reader).onlyPage(
            PageInput(image: page, provenance: Provenance(device: "fake:1")))
        #expect(made.image.width == 40_000)
        #expect(
            made.text?.words.map(\.box) == [Box(x: 20_000, y: 8, width: 600, height: 10)])
    }

    @Test("A profile that reads has both readings compared before a page is turned")
    func comparesReadings() async throws {
        let page = try TestPage.letter().rotated(by: .half)
        let reader = FakeRecognizer { _, _ in
            .words(["Invoice", "number", "4711", "lantern"], confidence: 0.9)
        }
        let profile = Profile(
            name: "reading", title: "Reading", steps: [Profile.Step("orientation")],
            text: Profile.TextReading(languages: ["eng"]))
        let made = try await PagePipeline(profile: profile, recognizer: reader).onlyPage(
            PageInput(image: page, provenance: Provenance(device: "fake:1")))
        #expect(made.image.pixels == page.pixels)
        #expect(
            made.steps.first?.summary
                == "unchanged: does not read clearly better when turned by 180°")
        // Two readings for the comparison, and one of the result.
        #expect(reader.calls == 3)
    }

    @Test("Rules and frames are not mistaken for letters")
    func lettering() throws {
        let plain = try PageSketch(of: TestPage.bilevelLetter())
        var other = plain.image
        let (width, height, stride) = (other.width, other.height, other.stride)
        other.withMutableBytes { bytes in
            // Draws a frame around the page.
            for y in 20..<height - 20 {
                for x in [20, 21, width - 22] { bytes[y * stride + x / 8] |= 0x80 >> UInt8(x % 8) }
            }
            for x in 20..<width - 20 {
                for y in [20, 21, height - 22] {
                    bytes[y * stride + x / 8] |= 0x80 >> UInt8(x % 8)
                }
            }
        }
        #expect(other.pixels != plain.image.pixels)
        let (expected, found) = (try Lettering(plain), try Lettering(PageSketch(of: other)))
        #expect(found.sketch.image.pixels == plain.image.pixels)
        #expect(found.count == expected.count && found.count > 500)
    }

    @Test("A page is not turned below the requested confidence")
    func confidence() throws {
        let page = try TestPage.letter().rotated(by: .half)
        let step = OrientationStep(StepSettings(["confidence": .number(100)]))
        let outcome = try step.run(on: StepInput(image: page))
        #expect(outcome.summary == "unchanged: not sure enough that it should be turned")
        #expect(outcome.image.pixels == page.pixels)
    }
}
