import Glibc
public import Testing

extension Trait where Self == ConditionTrait {
    /// For a test that takes seconds.
    ///
    /// `COPYSTAND_SLOW_TESTS` has the names of the test targets whose slow tests run, between
    /// commas, or `none`. Without it, all run.
    public static func slow(_ file: String = #fileID) -> Self {
        .enabled(
            if: SlowTests.run(in: String(file.prefix { $0 != "/" })),
            "slow, and no module that it depends on has changed; Scripts/test --all runs it")
    }
}

/// Which slow tests run.
enum SlowTests {
    private static let chosen: Set<String>? = getenv("COPYSTAND_SLOW_TESTS").map {
        Set(String(cString: $0).split(separator: ",").map(String.init))
    }

    static func run(in target: String) -> Bool { chosen?.contains(target) ?? true }
}
