import Suggestions
import Testing

@Suite struct NearestNamesTests {
    struct Case: CustomTestStringConvertible {
        let typed: String
        let nearest: [String]
        var testDescription: String { "'\(typed)'" }
    }

    static let names = ["document", "photo", "none", "deskew", "crop", "light", "resolution"]

    @Test(
        "A typing mistake gets the intended suggestion",
        arguments: [
            Case(typed: "documnet", nearest: ["document"]),
            Case(typed: "DOCUMENT", nearest: ["document"]),
            Case(typed: "res", nearest: ["resolution"]),
            Case(typed: "deskw", nearest: ["deskew"]),
            Case(typed: "ligth", nearest: ["light"]),
            Case(typed: "zebra", nearest: []),
            Case(typed: "", nearest: []),
            Case(typed: "x", nearest: []),
        ])
    func nearest(_ given: Case) {
        #expect(nearestNames(to: given.typed, among: Self.names) == given.nearest)
    }

    @Test("The nearest name comes first, and there are at most three")
    func order() {
        #expect(
            nearestNames(to: "mode", among: ["modes", "mode", "made", "model", "depth"])
                == ["mode", "model", "modes"])
    }

    @Test("Suggestions are phrased as a question")
    func question() {
        #expect(didYouMean([]) == nil)
        #expect(didYouMean(["a"]) == "Did you mean 'a'?")
        #expect(didYouMean(["a", "b", "c"]) == "Did you mean 'a', 'b' or 'c'?")
    }

    @Test("Very long input takes no time, and finds nothing")
    func longInput() {
        #expect(nearestNames(to: String(repeating: "q", count: 100_000), among: Self.names).isEmpty)
    }
}
