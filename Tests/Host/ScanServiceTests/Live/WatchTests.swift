import CaptureHost
import CaptureKit
import Detection
import Documents
import FoundationEssentials
import Imaging
import Processing
import Synchronization
import Testing

@testable import LiveCapture
@testable import ScanService

/// Tests live capture from frames to the document, with a stage whose frames are scripted.
@Suite struct WatchTests {
    private static func scenes(_ pages: [Int?]) -> [StageBackend.Scene] {
        pages.map { .init(page: $0, frames: $0 == nil ? 8 : 14) }
    }

    /// The numbers of the delivered pages, which are the numbers of the pages that the camera
    /// showed.
    private static func labels(_ outcome: ScanOutcome) -> [String?] {
        outcome.pages.map(\.page.provenance.label)
    }

    @Test("Each page of a recording is captured once, cut out and delivered")
    func recording() async throws {
        let setup = try WatchSetup(StageBackend(.files, Self.scenes([nil, 1, 2, nil, 2, 3, 1])))
        let outcome = try await setup.watch()
        guard case .completed = outcome.ending else {
            Issue.record("\(outcome.ending)")
            return
        }
        #expect(Self.labels(outcome) == ["page 1", "page 2", "page 3"])
        #expect(outcome.receipts.count == 1)
        #expect(setup.store.jobs().isEmpty)
        let sheet = Quad(width: 142, height: 200).moved(90, 20)
        for page in setup.captured {
            let quad = try #require(page.quad)
            #expect(quad.intersectionOverUnion(sheet) > 0.97)
        }
        for page in outcome.pages {
            // The sheet alone, in its own shape.
            #expect(abs(Double(page.page.height) / Double(page.page.width) - 200.0 / 142) < 0.03)
        }
        let statistics = try #require(setup.statistics)
        #expect(statistics.frames == setup.stage.scenes.reduce(0) { $0 + $1.frames })
        #expect(statistics.looked == statistics.frames)
        #expect(statistics.pages == 3 && statistics.dropped == 0 && statistics.overtaken == 0)
    }

    @Test(
        "A still page is examined closely until it is captured, and later if one look leaves doubt"
    )
    func looksClosely() async throws {
        let scenes = Self.scenes([nil, 1, nil, 2])
        func watched(_ search: BrightSheet) async throws -> (pages: Int, closer: Int, looks: Int) {
            let setup = try WatchSetup(StageBackend(.files, scenes), search: search)
            let outcome = try await setup.watch()
            let statistics = try #require(setup.statistics)
            return (
                outcome.pages.count, statistics.times[.closer]?.count ?? 0, statistics.looked
            )
        }
        let doubtful = try await watched(BrightSheet(atOnce: 0.4, closely: 0.95))
        #expect(doubtful.pages == 2)
        // No closer look is taken at the frames of the empty desk, nor at a frame in which a page
        // has just arrived.
        #expect(doubtful.closer > 0 && doubtful.closer <= doubtful.looks - 8 - 8 - 2)
        let sure = try await watched(BrightSheet())
        #expect(sure.pages == 2 && sure.closer > 0 && sure.closer < doubtful.closer)
        let hopeless = try await watched(BrightSheet(atOnce: 0.4, closely: 0.5))
        #expect(hopeless.pages == 0 && hopeless.closer > 0)
    }

    @Test(
        "If single looks confidently place corners wrongly, the corners of closer looks are used")
    func cornersOfCloserLooks() async throws {
        let scenes: [StageBackend.Scene] = [
            .init(page: nil, frames: 8), .init(page: 1, frames: 60), .init(page: nil, frames: 8),
            .init(page: 2, frames: 60),
        ]
        let setup = try WatchSetup(
            StageBackend(.files, scenes), search: BrightSheet(off: 18))
        let outcome = try await setup.watch()
        #expect(Self.labels(outcome) == ["page 1", "page 2"])
        let sheet = Quad(width: 142, height: 200).moved(90, 20)
        for page in setup.captured {
            #expect(try #require(page.quad).drift(from: sheet) < 0.01)
        }
    }

    @Test(
        "A slip on a larger sheet is captured, although the search sees the sheet below")
    func slip() async throws {
        let setup = try WatchSetup(StageBackend(.files, Self.scenes([nil, 1, 51, 1, 52])))
        let outcome = try await setup.watch()
        #expect(Self.labels(outcome) == ["page 1", "page 51", "page 52"])
        let slip = Quad(
            width: StageBackend.slipColumns.count, height: StageBackend.slipRows.count
        ).moved(
            Double(StageBackend.slipColumns.lowerBound), Double(StageBackend.slipRows.lowerBound))
        for page in setup.captured.dropFirst() {
            let place = try #require(page.quad)
            #expect(place.intersectionOverUnion(slip) > 0.95)
        }
    }

    @Test("The second look sees more of a large frame's pixels than the first look")
    func closerInLargeFrames() async throws {
        let scenes: [StageBackend.Scene] = [
            .init(page: nil, frames: 8), .init(page: 1, frames: 40),
        ]
        let setup = try WatchSetup(
            StageBackend(.files, scenes, enlarged: 4),
            search: BrightSheet(off: 18, least: 4 * StageBackend.width))
        _ = try await setup.watch()
        let sheet = Quad(width: 4 * 142, height: 4 * 200).moved(4 * 90, 4 * 20)
        #expect(try #require(setup.captured.first?.quad).drift(from: sheet) < 0.01)
    }

    @Test("The live state has the duration of the page search, if there was one")
    func searchTime() async throws {
        let parts: [CaptureArea?] = [nil, .parts(x: 0.1, y: 0.1, width: 0.5, height: 0.5)]
        for area in parts {
            let setup = try WatchSetup(StageBackend(.files, Self.scenes([1])))
            let times = Mutex<[Double?]>([])
            _ = try await setup.watch(
                profile: area == nil ? "search" : "none", area: area,
                onLive: { event in
                    guard case .seen(let view) = event else { return }
                    times.withLock { $0.append(view.searchTime) }
                })
            #expect(!times.withLock { $0.isEmpty })
            for time in times.withLock({ $0 }) { #expect((time == nil) == (area != nil)) }
        }
    }

    @Test("A page is on the disk, with its note, before it is reported as captured")
    func durable() async throws {
        let setup = try WatchSetup(StageBackend(.files, Self.scenes([1, 2])))
        let safe = Mutex<[Int]>([])
        _ = try await setup.watch(onLive: { [store = setup.store] event in
            guard case .captured = event else { return }
            safe.withLock { $0.append(store.jobs().first?.pages ?? 0) }
        })
        #expect(safe.withLock { $0 } == [1, 2])
    }

    @Test("The limit ends the watching", arguments: [1, 2])
    func limit(pages: Int) async throws {
        let setup = try WatchSetup(StageBackend(.files, Self.scenes([1, 2, 3])))
        let outcome = try await setup.watch(pages: pages)
        #expect(outcome.pages.count == pages)
        #expect(setup.live.contains { if case .lost = $0 { true } else { false } } == false)
    }

    @Test("If nothing new happens for the idle time, the watch ends")
    func idle() async throws {
        let scenes: [StageBackend.Scene] = [
            .init(page: 1, frames: 100), .init(page: 2, frames: 40),
        ]
        let setup = try WatchSetup(StageBackend(.files, scenes))
        let outcome = try await setup.watch(options: LiveOptions(idle: .seconds(3)))
        #expect(Self.labels(outcome) == ["page 1"])
    }

    @Test("A stop is a normal end: the captured pages are delivered")
    func stops() async throws {
        let setup = try WatchSetup(StageBackend(.camera, Self.scenes([1])))
        let outcome = try await setup.watch(onLive: { [control = setup.control] event in
            if case .captured = event { control.scan.stop() }
        })
        guard case .completed = outcome.ending else {
            Issue.record("\(outcome.ending)")
            return
        }
        #expect(Self.labels(outcome) == ["page 1"])
        #expect(setup.store.jobs().isEmpty)
    }

    @Test("If a camera is unplugged, the watch waits; pages before and after make one document")
    func unplugged() async throws {
        let stage = StageBackend(
            .camera, Self.scenes([1, 2]), trouble: .init(unplugAfter: 12, absences: 2))
        let setup = try WatchSetup(stage)
        let outcome = try await setup.watch(pages: 2)
        let labels = Set(Self.labels(outcome))
        #expect(labels == ["page 1", "page 2"])
        let lost = setup.live.filter { if case .lost = $0 { true } else { false } }
        let back = setup.live.filter { if case .back = $0 { true } else { false } }
        #expect(lost.count == 1 && back.count == 1)
        let times = setup.live.compactMap(\.time)
        #expect(times == times.sorted())
    }

    @Test(
        "A camera that sends nothing is not reported as back, and the idle time ends the wait"
    )
    func silent() async throws {
        // A single frame can't show that a page is still, however slow the machine is.
        let stage = StageBackend(
            .camera, Self.scenes([1]), trouble: .init(unplugAfter: 1, silences: 3))
        let setup = try WatchSetup(stage)
        _ = try await setup.watch(pages: 1)
        let told = setup.live.compactMap { event in
            switch event {
            case .lost: "lost"
            case .back: "back"
            case .captured: "captured"
            default: nil
            }
        }
        #expect(told == ["lost", "back", "captured"])

        let silent = try WatchSetup(
            StageBackend(.camera, [], trouble: .init(unplugAfter: 0, silences: .max)))
        let outcome = try await silent.watch(options: LiveOptions(idle: .seconds(1)))
        #expect(outcome.pages.isEmpty)
        #expect(!silent.live.contains { if case .back = $0 { true } else { false } })
    }

    @Test("The idle time ends the watch of a silent camera without an error")
    func mute() async throws {
        let setup = try WatchSetup(StageBackend(.camera, [], trouble: .init(isMute: true)))
        let outcome = try await setup.watch(options: LiveOptions(idle: .seconds(1)))
        guard case .completed = outcome.ending else {
            Issue.record("\(outcome.ending)")
            return
        }
        #expect(outcome.pages.isEmpty && setup.statistics?.frames == 0)
    }

    @Test("A camera that sends only damaged frames is reported, and so is its return to good ones")
    func cutFrames() async throws {
        let stage = StageBackend(.camera, Self.scenes([1, 2]), trouble: .init(cut: 0..<48))
        let setup = try WatchSetup(stage)
        _ = try await setup.watch(pages: 1)
        let lost = setup.live.compactMap { if case .lost(_, let error) = $0 { error } else { nil } }
        #expect(lost.map(\.code) == [HostError.Code(.stalled)])
        #expect(lost.first?.message.contains("only damaged frames for 3 s") == true)
        #expect(setup.live.contains { if case .back = $0 { true } else { false } })
        let statistics = try #require(setup.statistics)
        #expect(statistics.damaged >= 36)
        #expect(statistics.looked + statistics.damaged <= statistics.frames)
    }

    @Test("A camera that is missing at first is an error, not a wait")
    func absent() async throws {
        let stage = StageBackend(
            .camera, Self.scenes([1]), trouble: .init(unplugAfter: 0, absences: 1000))
        let setup = try WatchSetup(stage)
        // The first capture removes the camera, and the idle time ends the wait.
        let first = try await setup.watch(options: LiveOptions(idle: .milliseconds(400)))
        #expect(first.pages.isEmpty)
        let second = try await setup.watch()
        guard case .deviceFailed(let error as HostError) = second.ending else {
            Issue.record("\(second.ending)")
            return
        }
        #expect(error.code == HostError.Code(.offline))
    }

    @Test(
        "By hand, only requested pictures are captured, immediately, with or without a page"
    )
    func byHand() async throws {
        // The test uses a recording, whose frames wait. A camera's frames would be gone when a busy
        // machine requests the second page.
        let setup = try WatchSetup(StageBackend(.files, Self.scenes([1])))
        let outcome = try await setup.watch(
            pages: 2, options: LiveOptions(isManual: true),
            onLive: { [control = setup.control] event in
                if case .seen(let view) = event, view.status.reason == .byHand {
                    control.captureNow()
                }
            })
        #expect(outcome.pages.count == 2)
        #expect(setup.captured.map(\.isByHand) == [true, true])
    }

    @Test("With a fixed region the empty stand is not a page, and the whole frame is kept")
    func fixedArea() async throws {
        let setup = try WatchSetup(StageBackend(.files, Self.scenes([nil, nil, 1, nil, nil, 2])))
        let outcome = try await setup.watch(profile: "none")
        #expect(Self.labels(outcome) == ["page 1", "page 2"])
        let notes = setup.live.compactMap {
            if case .note(_, let text) = $0 { text } else { nil }
        }
        #expect(notes.count == 1 && notes[0].contains("does not look for a page"))
        #expect(outcome.pages.allSatisfy { $0.page.width == 320 && $0.page.height == 240 })
    }

    @Test("Captured pages that were not delivered are delivered later, cut out as detected")
    func resumed() async throws {
        let setup = try WatchSetup(StageBackend(.files, Self.scenes([1, 2])))
        // The output's folder is removed while the pages are captured.
        let doomed = setup.folder + "/doomed"
        try FileManager.default.createDirectory(atPath: doomed, withIntermediateDirectories: true)
        let outcome = try await setup.watch(
            output: "doomed/out.tiff",
            onLive: { event in
                guard case .captured = event else { return }
                try? FileManager.default.removeItem(atPath: doomed)
            })
        #expect(outcome.receipts.isEmpty)
        let job = try setup.store.job(try #require(outcome.keptJob))
        let resumed = try await setup.service.resume(
            job, outputs: [setup.folder + "/later.tiff"], control: ScanControl()
        ) { _ in }
        #expect(resumed.pages.count == 2)
        for (first, second) in zip(outcome.pages, resumed.pages) {
            #expect(first.page.width == second.page.width)
            #expect(first.page.height == second.page.height)
        }
    }

    @Test("Frames that no camera sends are refused with an explanation")
    func form() async throws {
        let frame = CapturedPage(
            number: 1, description: FrameDescription(format: .bilevel, width: 8, height: 8),
            pixels: "/nowhere", original: nil)
        #expect(throws: HostError.self) { try frame.withFrame { _ in } }
    }
}
