import Testing

@testable import Delivery

/// What services say, apart from what the host says of them.
@Suite struct ForeignWordsTests {
    @Test(
        "What was said is at the end of a message, and can be taken off",
        arguments: ["root:x:0:0", "a. It said: b", "no stop", "."])
    func removed(_ words: String) {
        let message = "https://service.example answered 500" + ForeignWords.told(words)
        #expect(message.hasSuffix(words))
        let advice = message + ". Give a token that is right"
        for text in [message, advice] {
            #expect(ForeignWords.removed(from: text) == "https://service.example answered 500.")
        }
    }

    @Test("A message in which nobody said anything stays as it is")
    func none() {
        let message = "https://service.example answered 500" + ForeignWords.told("")
        #expect(ForeignWords.removed(from: message) == message)
    }
}
