import FoundationEssentials
import Testing

@testable import Archive

/// Tests what three people see and change with random requests.
@Suite struct ViewerWalkTests {
    /// The seed of the requests; `COPYSTAND_SEED` repeats those of a failure.
    private static let seed =
        ProcessInfo.processInfo.environment["COPYSTAND_SEED"].flatMap { UInt64($0) } ?? 20_261_128

    private func walk(_ home: ArchiveHome) throws {
        try ArchiveHome.$current.withValue(home) {
            var walk = try ViewerWalk(seed: Self.seed)
            try walk.run(2_000)
            // The requests reach what they are to reach.
            for end in ["undo", "redo", "merge", "split", "replace", "give", "delete"] {
                #expect(walk.ends["\(end) succeeded", default: 0] > 5, "\(walk.ends)")
                #expect(walk.ends["\(end) noSuchDocument", default: 0] > 5, "\(walk.ends)")
            }
            #expect(walk.ends["undo refused", default: 0] > 5, "\(walk.ends)")
        }
    }

    @Test("2,000 requests show and change nothing that someone may not see, in a folder")
    func folder() throws { try walk(ArchiveHome()) }

    @Test("2,000 requests show and change nothing that someone may not see, on a server")
    func server() throws { try walk(ArchiveHome(isShared: true)) }
}
