import CaptureKit
import ContractSupport
import Testing

@testable import CaptureHost

/// Runs the inputs that Scripts/fuzz has found.
@Suite struct FuzzCorpusTests {
    private static let root =
        #filePath.split(separator: "/").dropLast(2).reduce("") { $0 + "/" + $1 } + "/Fuzz/"

    @Test("The wire's invariants hold for every input of the fuzzer")
    func corpus() {
        var count = 0
        for folder in ["Corpus", "Found"] {
            for name in folderNames(Self.root + folder) {
                let bytes = Bench.read(Self.root + folder + "/" + name)
                let fault = bytes.withUnsafeBytes { WireProperties.fault($0) }
                #expect(fault == nil, "\(folder)/\(name)")
                count += 1
            }
        }
        #expect(count > 20, "the corpus is not there")
    }
}
