import Testing

@testable import WebServer

/// A question whose answer a job waits for.
@Suite struct QuestionTests {
    @Test(
        "An answer reaches the waiting task, even if it arrives before the task waits",
        arguments: [true, false])
    func answered(_ answer: Bool) async throws {
        let question = Question()
        question.answer(answer)
        #expect(try await question.wait() == answer)
        async let second = question.wait()
        question.answer(!answer)
        #expect(try await second == !answer)
    }

    @Test("A canceled task stops waiting, whether it was canceled before or while it waited")
    func cancelled() async throws {
        let question = Question()
        let waiting = Task { try await question.wait() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }
}
