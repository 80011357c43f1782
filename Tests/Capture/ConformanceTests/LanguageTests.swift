import Conformance
import FoundationEssentials
import Glibc
import Testing

/// Tests the libraries for further languages, each with its example.
@Suite struct LanguageTests {
    @Test(
        "The example in JavaScript passes every check, as a scanner and as a camera",
        .enabled(if: Tool.node != nil, "needs node"), arguments: ["pages", "live"])
    func javascript(_ device: String) async throws {
        let folder = try Folder()
        // The interpreter is named by its path, because it may not be in a backend's PATH.
        let program = try folder.program(
            "clock",
            """
            #!/bin/sh
            exec '\(Tool.node ?? "")' '\(BundledTests.root)/Examples/javascript/clock.mjs'

            """)
        try await expectAll(program, device)
    }

    @Test(
        "The example in Rust is built without a warning, and passes every check",
        .enabled(if: Tool.rustc != nil, "needs rustc"))
    func rust() async throws {
        let folder = try Folder()
        let source = BundledTests.root + "/Examples/rust/cards.rs"
        let options = "--edition 2021 -D warnings -O -o '\(folder.path)/cards'"
        try #require(system("'\(Tool.rustc ?? "")' \(options) '\(source)'") == 0)
        for device in ["cards", "camera"] {
            try await expectAll(folder.path + "/cards", device)
        }
    }

    private func expectAll(_ program: String, _ device: String) async throws {
        let result = await Findings(patient(program, device: device))
        #expect(result.failed == [], "\(result.reasons)")
        for id in ["capture.as-set", "capture.formats", "options.common", "cancel.waiting"] {
            #expect(result.passed.contains(id), "\(id): \(result.reasons)")
        }
        let isLive = device == "live" || device == "camera"
        #expect(result.passed.contains("live.whole") == isLive, "\(result.reasons)")
    }
}

/// Programs in PATH that run or build backends; nil for a missing program.
private enum Tool {
    static let node: String? = place("node")
    static let rustc: String? = place("rustc")

    private static func place(_ name: String) -> String? {
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin"
        return path.split(separator: ":").map { "\($0)/\(name)" }.first {
            access($0, X_OK) == 0
        }
    }
}
