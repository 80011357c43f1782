import CaptureKit
import Testing

@testable import SANEBackend

/// Tests which driver options may name files.
@Suite struct HostPathTests {
    private func option(
        _ name: String, _ kind: NativeOption.Kind, _ constraint: NativeOption.Constraint = .none,
        size: Int = 100, isSettable: Bool = true
    ) -> DeviceOption {
        NativeOption(
            index: 1, name: name, title: name, kind: kind, constraint: constraint, size: size,
            isSettable: isSettable
        ).deviceOption(name: name, isAdvanced: false)
    }

    @Test(
        "Free text may name a file, whatever the name of the driver's option",
        arguments: ["filename", "calibration-file", "cal-file", "string", "note", ""])
    func text(_ name: String) { #expect(option(name, .text).hostPath) }

    @Test("Other option types can't name a file")
    func others() {
        #expect(!option("source", .text, .texts(["Flatbed", "ADF"])).hostPath)
        #expect(option("source", .text, .texts([])).hostPath)
        #expect(!option("endorser-string", .text).hostPath)
        #expect(!option("serial", .text, isSettable: false).hostPath)
        #expect(!option("gamma-table", .integer, size: 1024).hostPath)
        #expect(!option("filename", .toggle, size: 4).hostPath)
    }
}
