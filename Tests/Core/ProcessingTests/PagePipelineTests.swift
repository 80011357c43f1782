import Dispatch
import Documents
import Imaging
import Recognition
import Synchronization
import Testing

@testable import Processing

@Suite struct PagePipelineTests {
    private let input = PageInput(
        image: Raster(width: 4, height: 3, format: .gray8, resolution: 300),
        provenance: Provenance(device: "fake:1"))

    private func pipeline(
        _ steps: [FakeStep], recognizer: (any TextRecognizer)? = nil, reads: Bool = false,
        clock: any Clock<Duration> = ContinuousClock()
    ) -> PagePipeline {
        let profile = Profile(
            name: "test", title: "Test", text: reads ? .init(languages: ["eng"]) : nil)
        return PagePipeline(
            profile: profile, steps: steps, recognizer: recognizer, clock: clock,
            threads: StepThreads(limit: 2))
    }

    @Test("Without steps or text, the page stays unchanged")
    func untouched() async throws {
        let page = try await pipeline([]).onlyPage(input)
        #expect(!page.isChanged && page.steps.isEmpty && page.problems.isEmpty && page.text == nil)
        #expect(page.image.pixels == input.image.pixels)
        #expect(page.image.resolution == 300)
    }

    @Test("Each step gets the picture of the one before, and reports in order")
    func order() async throws {
        let grow = FakeStep {
            let image = Raster(width: $0.image.width + 1, height: 1, format: .gray8)
            return .changed(image, "grown to \(image.width)", ["width": Double(image.width)])
        }
        let leave = FakeStep { .left($0.image, "left at \($0.image.width)") }
        let page = try await pipeline([grow, leave, grow]).onlyPage(input)
        #expect(page.image.width == 6)
        #expect(page.isChanged)
        #expect(page.steps.map(\.summary) == ["grown to 5", "left at 5", "grown to 6"])
        #expect(page.steps.map(\.changed) == [true, false, true])
        #expect(page.steps[2].measurements == ["width": 6])
    }

    @Test(
        "Text is read from the page before it was enhanced",
        arguments: [300, 90, nil])
    func legible(_ resolution: Double?) async throws {
        var page = Raster(width: 40, height: 30, format: .rgb8, resolution: resolution)
        page.withMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 120) }
        let seen = Mutex<[UInt8]>([])
        let reader = FakeRecognizer { image, _ in
            seen.withLock { $0 = image.pixels }
            return .words(["a"])
        }
        var profile = Profile(name: "test", title: "Test", text: .init(languages: ["eng"]))
        profile.steps = [.init("enhance")]
        let done = try await PagePipeline(profile: profile, recognizer: reader).onlyPage(
            PageInput(image: page, provenance: Provenance(device: "fake:1")))
        #expect(done.isChanged && done.image.pixels != page.pixels)
        #expect(seen.withLock { $0 } == page.pixels)
    }

    @Test("Words read with little confidence are reported")
    func lowConfidence() async throws {
        let reader = FakeRecognizer { _, _ in .words(["scrawl"], confidence: 0.3) }
        let page = try await pipeline([], recognizer: reader, reads: true).onlyPage(input)
        let said = try #require(page.steps.last?.summary)
        #expect(said.hasPrefix("read 1 word with little confidence (0.3)"), "\(said)")
    }

    @Test("A new resolution alone does not count as a change, and later steps see it")
    func resolution() async throws {
        let estimate = FakeStep {
            var image = $0.image
            image.resolution = 144
            return .left(image, "left")
        }
        let see = FakeStep { .left($0.image, "seen \($0.image.resolution ?? 0)") }
        let page = try await pipeline([estimate, see]).onlyPage(input)
        #expect(!page.isChanged)
        #expect(page.image.resolution == 144)
        #expect(page.steps[1].summary == "seen 144.0")
    }

    @Test("A step that fails leaves the page unchanged, and the rest continues")
    func failingStep() async throws {
        let whiten = FakeStep {
            var image = $0.image
            image.withMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 255) }
            return .changed(image, "whitened")
        }
        let fail = FakeStep { input in
            var image = input.image
            image.withMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 7) }
            throw ImagingError(.libraryFailed, "memory ran out at 12 MB")
        }
        let see = FakeStep { .left($0.image, "saw \($0.image.pixels.first ?? 0)") }
        let page = try await pipeline([whiten, fail, see]).onlyPage(input)
        #expect(
            page.steps.map(\.summary) == [
                "whitened", "unchanged: memory ran out at 12 MB", "saw 255",
            ])
        #expect(
            page.problems == [
                "The step 'fake' failed and left the page as it was: memory ran out at 12 MB"
            ])
        #expect(page.image.pixels.allSatisfy { $0 == 255 })
    }

    @Test("The page's own text is kept, and that is reported")
    func reading() async throws {
        let recognizer = FakeRecognizer { image, _ in .words(["a", "b", "\(image.width)"]) }
        let page = try await pipeline([], recognizer: recognizer, reads: true).onlyPage(input)
        #expect(page.text?.plainText == "a b 4")
        #expect(page.steps.map(\.name) == ["text"])
        #expect(page.steps[0].summary == "read 3 words")
        #expect(page.steps[0].measurements == ["words": 3, "confidence": 0.5, "doubtful": 3])
        #expect(!page.isChanged)
    }

    @Test("The evidence for a reading is in the report, with the readers' names")
    func evidence() async throws {
        let recognizer = FakeRecognizer { _, _ in
            var text = PageText.words(["a", "b"])
            text.evidence = ReadingEvidence(
                readers: ["one", "two"], sureness: 0.75, unread: 0.02, known: 0.9,
                agreement: 0.5)
            return text
        }
        let page = try await pipeline([], recognizer: recognizer, reads: true).onlyPage(input)
        #expect(page.steps[0].summary == "read 2 words with one and two")
        #expect(
            page.steps[0].measurements == [
                "words": 2, "confidence": 0.5, "doubtful": 2, "sureness": 0.75, "unread": 0.02,
                "known": 0.9, "agreement": 0.5,
            ])
        #expect(page.text?.evidence?.readers == ["one", "two"])
    }

    @Test("The report names the regions that were read again, and how")
    func regions() async throws {
        let recognizer = FakeRecognizer { _, _ in
            var text = PageText.words(["a", "b"])
            text.evidence = ReadingEvidence(
                readers: ["one"], sureness: 0.75,
                regions: [
                    RegionReading(
                        box: Box(x: 3, y: 4, width: 10, height: 5), way: "inverted by one")
                ])
            return text
        }
        let page = try await pipeline([], recognizer: recognizer, reads: true).onlyPage(input)
        #expect(
            page.steps[0].summary
                == "read 2 words with one, and 1 region again: inverted by one (10 × 5 at 3, 4)")
        #expect(page.steps[0].measurements["regions"] == 1)
    }

    @Test("Nothing is read when the profile reads nothing")
    func notReading() async throws {
        let recognizer = FakeRecognizer()
        let page = try await pipeline([], recognizer: recognizer).onlyPage(input)
        #expect(recognizer.calls == 0 && page.text == nil && page.steps.isEmpty)
    }

    @Test("An unreadable page is kept without text, with the reason")
    func failingRecognizer() async throws {
        let recognizer = FakeRecognizer { _, _ in
            throw RecognitionError(.helperFailed, "the helper crashed twice")
        }
        let page = try await pipeline([], recognizer: recognizer, reads: true).onlyPage(input)
        #expect(page.text == nil)
        #expect(page.problems == ["The text was not read: the helper crashed twice"])
        #expect(page.steps[0].summary == "not read: the helper crashed twice")
        #expect(page.image.pixels == input.image.pixels)
    }

    @Test("The time of each step is measured by the clock it was given")
    func timing() async throws {
        let steps = [FakeStep { .left($0.image, "a") }, FakeStep { .left($0.image, "b") }]
        let page = try await pipeline(
            steps, recognizer: FakeRecognizer(), reads: true,
            clock: SteppingClock(step: .milliseconds(7))
        ).onlyPage(input)
        #expect(page.steps.map(\.milliseconds) == [7, 7, 7])
    }

    @Test(
        "An unproven result stays if the text is read confidently; otherwise its step runs again",
        arguments: [(0.9, 1), (0.4, 2)])
    func unproven(_ confidence: Double, _ runs: Int) async throws {
        let ran = Mutex<[Bool]>([])
        let guess = FakeStep { input in
            ran.withLock { $0.append(input.isReadNext) }
            guard input.isReadNext else {
                return .changed(input.image.rotated(by: .clockwise90), "turned")
            }
            var outcome = StepOutcome.left(input.image, "likely")
            outcome.isUnproven = true
            return outcome
        }
        let recognizer = FakeRecognizer { _, _ in .words(["a"], confidence: confidence) }
        let page = try await pipeline([guess], recognizer: recognizer, reads: true).onlyPage(input)
        #expect(ran.withLock(\.self) == Array([true, false].prefix(runs)))
        #expect(recognizer.calls == runs)
        #expect(page.image.width == (runs == 1 ? 4 : 3))
        #expect(page.steps.map(\.name) == ["fake", "text"])
        _ = try await pipeline([guess]).onlyPage(input)
        #expect(ran.withLock(\.last) == false, "without a recognizer, no step expects a reading")
    }

    @Test("A canceled page stops before the next step")
    func cancelling() async throws {
        let ran = Counter()
        let started = Gate()
        let cancelled = DispatchSemaphore(value: 0)
        let steps = (0..<1000).map { _ in
            FakeStep { input in
                ran.add(1)
                started.open()
                // The step waits on its own thread, not on one of the pool, until the test has
                // canceled.
                cancelled.wait()
                cancelled.signal()
                return .left(input.image, "left")
            }
        }
        let pipeline = pipeline(steps)
        let task = Task { try await pipeline.onlyPage(input) }
        await started.pass()
        task.cancel()
        cancelled.signal()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(ran.most == 1)
    }

    @Test("Steps of many pages run on a few threads")
    func fewThreads() async throws {
        let running = Counter()
        let step = FakeStep { input in
            running.add(1)
            defer { running.add(-1) }
            return .left(input.image, "left")
        }
        let pipeline = pipeline([step])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<200 { group.addTask { _ = try await pipeline.onlyPage(input) } }
            try await group.waitForAll()
        }
        #expect(running.most >= 1 && running.most <= 2)
        #expect(running.now == 0)
    }
}

extension Raster {
    /// The bytes of all rows, without the padding at the rows' ends.
    var pixels: [UInt8] {
        withBytes { bytes in
            let row = format.minimumStride(width: width)
            return (0..<height).flatMap { bytes[$0 * stride..<$0 * stride + row] }
        }
    }
}
