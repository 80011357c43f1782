import Testing

@testable import WebServer

/// A question that a job waits with.
@Suite struct QuestionTests {
    @Test(
        "An answer reaches whoever waits, also when it comes before they do",
        arguments: [true, false])
    func answered(_ answer: Bool) async throws {
        let question = Question()
        question.answer(answer)
        #expect(try await question.wait() == answer)
        async let second = question.wait()
        question.answer(!answer)
        #expect(try await second == !answer)
    }

    @Test("A canceled task waits no longer, whether canceled before or meanwhile")
    func cancelled() async throws {
        let question = Question()
        let waiting = Task { try await question.wait() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }
}
