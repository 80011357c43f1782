import Suggestions
import Testing

@Suite struct ChoiceWordsTests {
    @Test(
        "A word means the choice with the same letters in another case or spelling",
        arguments: [
            ("color", "color"), ("colour", "color"), ("Colour", "color"), ("GREY", "gray"),
            ("auto-grey", "auto-gray"), ("lineart", "bilevel"), ("bw", "bilevel"), ("red", nil),
            ("", nil), ("colo", nil),
        ])
    func meant(word: String, choice: String?) {
        let choices = ["bilevel", "gray", "color", "auto-gray"]
        #expect(ChoiceWords.choice(for: word, among: choices) == choice)
    }

    @Test("An exact match wins, and of two similar words neither is suggested")
    func several() {
        #expect(ChoiceWords.choice(for: "Gray", among: ["gray", "Gray"]) == "Gray")
        #expect(ChoiceWords.choice(for: "GRAY", among: ["gray", "Gray"]) == nil)
        #expect(ChoiceWords.choice(for: "bw", among: ["Lineart", "Color"]) == "Lineart")
    }
}
