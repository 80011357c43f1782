import FoundationEssentials
import Glibc

/// A folder that is removed with its object.
final class TestFolder {
    let path: String

    init() throws {
        path = TemporaryPlace.folder + "/copystand-test-http-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The names of the files in the folder.
    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }
}

private enum TemporaryPlace {
    static let folder = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
}

/// A generator whose numbers are the same in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
