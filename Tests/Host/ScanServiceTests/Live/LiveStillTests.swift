import CaptureKit
import Documents
import Imaging
import Testing

@testable import LiveCapture
@testable import ScanService

/// Tests pages that a camera captures again as larger stills, and a camera's own button.
@Suite struct LiveStillTests {
    private static let scenes: [StageBackend.Scene] = [
        .init(page: 1, frames: 40), .init(page: 2, frames: 40),
    ]

    /// Options that wait for stills as long as a busy machine needs.
    private static let always = LiveOptions(stills: .always)

    private static func notes(_ setup: WatchSetup) -> [String] {
        setup.live.compactMap { if case .note(_, let text) = $0 { text } else { nil } }
    }

    @Test("A still replaces a page if the still is larger, and the corners are found again in it")
    func larger() async throws {
        let setup = try WatchSetup(StageBackend(.camera, Self.scenes, still: .large))
        let outcome = try await setup.watch(pages: 2, options: Self.always)
        #expect(outcome.pages.count == 2)
        #expect(setup.captured.map(\.isStill) == [true, true])
        // The sheet of the stage, at twice its size.
        let sheet = Quad(width: 284, height: 400).moved(180, 40)
        for page in setup.captured {
            #expect(page.width == 640 && page.height == 480)
            #expect(try #require(page.quad).intersectionOverUnion(sheet) > 0.97)
        }
        #expect(Set(outcome.pages.map(\.page.provenance.label)) == ["page 1", "page 2"])
        // The pages alone are as large as in the still.
        for page in outcome.pages { #expect((380...420).contains(page.page.height)) }
        #expect(setup.statistics?.times[.change]?.count == 2)
        #expect(Self.notes(setup) == [])
    }

    @Test("In a still of another shape the page is searched again")
    func wide() async throws {
        let setup = try WatchSetup(StageBackend(.camera, Self.scenes, still: .wide))
        _ = try await setup.watch(pages: 1, options: Self.always)
        let page = try #require(setup.captured.first)
        #expect(page.isStill && page.width == 800)
        let sheet = Quad(width: 284, height: 400).moved(260, 40)
        #expect(try #require(page.quad).intersectionOverUnion(sheet) > 0.97)
    }

    @Test(
        "A still with another page, or none, is not used: the page comes from the live frames",
        arguments: [StageBackend.Still.late, .empty, .moved, .blurred, .damaged])
    func refused(_ still: StageBackend.Still) async throws {
        let setup = try WatchSetup(StageBackend(.camera, Self.scenes, still: still))
        let outcome = try await setup.watch(pages: 1, options: Self.always)
        let page = try #require(setup.captured.first)
        #expect(!page.isStill && page.width == 320)
        #expect(outcome.pages.map(\.page.provenance.label) == ["page 1"])
        let notes = Self.notes(setup)
        #expect(notes.count == 1 && notes[0].contains("The page is taken from the live frames"))
    }

    @Test("Stills that fail again and again are given up, unless every page must be one")
    func surrender() throws {
        for (wish, isWanted) in [(LiveOptions.Stills.auto, false), (.always, true)] {
            var use = StillUse(wish)
            for isUsed in [false, false, true, false, false] {
                use.record(seconds: 1, isUsed: isUsed)
                #expect(use.surrender == nil)
            }
            use.record(seconds: 1, isUsed: false)
            #expect((use.surrender == nil) == isWanted)
        }
    }

    @Test(
        "Stills are taken depending on how much they gain, and on the setting",
        arguments: [
            ("1920x1080", "3264x2448", LiveOptions.Stills.auto, true),
            ("1920x1080", "2304x1296", .auto, false), ("1920x1080", "2304x1296", .always, true),
            ("1920x1080", "1920x1080", .always, false), ("1920x1080", "3264x2448", .never, false),
            ("large", "3264x2448", .auto, false),
        ])
    func gain(_ size: String, _ still: String, _ wish: LiveOptions.Stills, _ isWanted: Bool) {
        let options = [("size", size), ("still-size", still)].map {
            DeviceOption(
                name: $0, title: "", help: "", type: .text(maximumLength: nil), value: .text($1))
        }
        #expect(StillUse(wish).isWanted(options) == isWanted)
        #expect(!StillUse(wish).isWanted([]))
    }

    @Test("Stills that take too long several times are given up, unless every page must be one")
    func slow() {
        for (wish, isWanted) in [(LiveOptions.Stills.auto, false), (.always, true)] {
            var use = StillUse(wish)
            for seconds in [4.1, 3.9, 4.1] {
                use.record(seconds: seconds, isUsed: true)
                #expect(use.surrender == nil)
            }
            use.record(seconds: 4.1, isUsed: true)
            #expect((use.surrender == nil) == isWanted)
        }
    }

    @Test("A press of the camera's own button captures by hand")
    func button() async throws {
        let setup = try WatchSetup(
            StageBackend(.camera, [.init(page: nil, frames: 200)], hasButton: true))
        let outcome = try await setup.watch(
            pages: 1, options: LiveOptions(isManual: true),
            onLive: { [stage = setup.stage] event in
                if case .seen = event { stage.press() }
            })
        #expect(outcome.pages.count == 1)
        #expect(setup.captured.map(\.isByHand) == [true])
    }
}
