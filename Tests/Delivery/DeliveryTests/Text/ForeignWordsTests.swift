import Testing

@testable import Delivery

/// Texts from services are separate from the host's text about them.
@Suite struct ForeignWordsTests {
    @Test(
        "A service's words are at the end of a message, and can be removed",
        arguments: ["root:x:0:0", "a. It said: b", "no stop", "."])
    func removed(_ words: String) {
        let message = "https://service.example answered 500" + ForeignWords.quoted(words)
        #expect(message.hasSuffix(words))
        let advice = message + ". Give a token that is right"
        for text in [message, advice] {
            #expect(ForeignWords.removed(from: text) == "https://service.example answered 500.")
        }
    }

    @Test("A message without a service's words stays as it is")
    func none() {
        let message = "https://service.example answered 500" + ForeignWords.quoted("")
        #expect(ForeignWords.removed(from: message) == message)
    }
}
