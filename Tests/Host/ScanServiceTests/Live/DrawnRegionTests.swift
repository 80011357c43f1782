import CaptureKit
import Documents
import FoundationEssentials
import Imaging
import LiveCapture
import Processing
import Synchronization
import Testing

@testable import ScanService

/// Tests a region of the camera's picture that a user draws, and moves during the capture.
@Suite struct DrawnRegionTests {
    private static let half = CaptureArea.parts(x: 0.25, y: 0.25, width: 0.5, height: 0.5)

    private static func sizes(_ outcome: ScanOutcome) -> [[Int]] {
        outcome.pages.map { [$0.page.width, $0.page.height] }
    }

    @Test("Every page is the drawn region, and the empty stand is not a page")
    func alone() async throws {
        let scenes: [Int?] = [nil, nil, 1, nil, nil, 2]
        let setup = try WatchSetup(
            StageBackend(.files, scenes.map { .init(page: $0, frames: $0 == nil ? 8 : 14) }))
        let outcome = try await setup.watch(profile: "none", area: Self.half)
        // The stage is 320 × 240 pixels.
        #expect(Self.sizes(outcome) == [[160, 120], [160, 120]])
        #expect(outcome.pages.map(\.page.provenance.label) == ["page 1", "page 2"])
    }

    @Test(
        "A moved region is used from the next page on, even in a resumed job")
    func drawnAgain() async throws {
        let setup = try WatchSetup(StageBackend(.files, [.init(page: 1, frames: 40)]))
        let doomed = setup.folder + "/doomed"
        try FileManager.default.createDirectory(atPath: doomed, withIntermediateDirectories: true)
        let outcome = try await setup.watch(
            profile: "none", output: "doomed/out.tiff", pages: 2, area: Self.half,
            options: LiveOptions(isManual: true),
            onLive: { [control = setup.control] event in
                switch event {
                case .seen: control.captureNow()
                case .captured:
                    control.draw(Profile.Region(left: 0, top: 0.5, width: 1, height: 0.125))
                    // The document can't be delivered, so the job is resumed.
                    try? FileManager.default.removeItem(atPath: doomed)
                default: break
                }
            })
        #expect(Self.sizes(outcome) == [[160, 120], [320, 30]])
        let job = try setup.store.job(try #require(outcome.keptJob))
        let resumed = try await setup.service.resume(
            job, outputs: [setup.folder + "/later.tiff"], control: ScanControl()
        ) { _ in }
        #expect(Self.sizes(resumed) == [[160, 120], [320, 30]])
    }

    @Test("A small picture of every page's region is made on arrival, and of the processed page")
    func pictures() async throws {
        let setup = try WatchSetup(StageBackend(.files, [.init(page: 1, frames: 40)]))
        let shown = Mutex<[PageThumbnail]>([])
        setup.control.scan.onPicture { picture in shown.withLock { $0.append(picture) } }
        let outcome = try await setup.watch(
            profile: "none", pages: 2, area: Self.half, options: LiveOptions(isManual: true),
            onLive: { [control = setup.control] event in
                if case .seen = event { control.captureNow() }
            })
        #expect(outcome.pages.map(\.captured) == [1, 2])
        let pictures = shown.withLock { $0 }
        #expect(pictures.map(\.number).sorted() == [1, 1, 2, 2])
        for picture in pictures {
            let raster = try Raster.decoded(from: picture.bytes)
            #expect([raster.width, raster.height] == [160, 120])
        }
    }
}
