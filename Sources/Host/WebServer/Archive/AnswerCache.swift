import Archive
import Synchronization

/// Answers about the archive, cached until the archive changes: a list is requested far more often
/// than it changes.
final class AnswerCache: Sendable {
    private struct State {
        var stamp: ArchiveStamp?
        var answers: [ArchiveQuestion: [UInt8]] = [:]
        var bytes = 0
    }

    private let state = Mutex(State())
    private let limit: Int

    /// A cache with at most `limit` bytes; an answer of more than an eighth of that is not stored.
    init(limit: Int = 8 << 20) { self.limit = limit }

    /// The answer to a question, for the archive's present version.
    ///
    /// - Parameter make: asks the archive, after its version was read.
    func answer(
        _ question: ArchiveQuestion, at stamp: ArchiveStamp, _ make: () throws -> [UInt8]
    ) rethrows -> [UInt8] {
        if let known = state.withLock({ $0.stamp == stamp ? $0.answers[question] : nil }) {
            return known
        }
        let answer = try make()
        guard answer.count <= limit / 8 else { return answer }
        state.withLock { state in
            if state.stamp != stamp || state.bytes + answer.count > limit {
                state = State(stamp: stamp)
            }
            if state.answers.updateValue(answer, forKey: question) == nil {
                state.bytes += answer.count
            }
        }
        return answer
    }
}
