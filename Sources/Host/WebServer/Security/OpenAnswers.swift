import Clocks
import Documents
import HTTPServer
import Synchronization

/// The answers that take time to send, such as events, live views and files: each ends when its
/// token or session does.
final class OpenAnswers: Sendable {
    private struct Open {
        var ending: AnswerEnding
        var stream: HTTPStream?
        var grant: AccessTokens.Grant
        var needs: AccessScope
    }

    private struct State {
        var open: [Int: Open] = [:]
        var next = 0
        var isWatching = false
    }

    private let state = Mutex(State())
    private let tokens: AccessTokens
    private let clock: any Clock<Duration>

    /// The time between two checks of the tokens while there are answers.
    ///
    /// Other processes change tokens too, perhaps on another machine with the same home, and no
    /// system reports that.
    private static let pause = Duration.milliseconds(400)
    /// The bytes that a connection takes at once; the end of a shorter answer is noticed too late.
    private static let short = 64 << 10

    init(tokens: AccessTokens, clock: any Clock<Duration> = ContinuousClock()) {
        (self.tokens, self.clock) = (tokens, clock)
    }

    /// The answer, watched until it was sent.
    ///
    /// - Parameter needs: the scope that the client must have.
    func watched(
        _ response: HTTPResponse, for grant: AccessTokens.Grant, needs: AccessScope
    ) -> HTTPResponse {
        var open = Open(ending: AnswerEnding(), grant: grant, needs: needs)
        switch response.body {
        case .bytes(let bytes) where bytes.count <= Self.short: return response
        case .bytes, .file: break
        case .stream(let stream): open.stream = stream
        }
        let (number, begins) = state.withLock { state in
            defer {
                state.next += 1
                state.isWatching = true
            }
            state.open[state.next] = open
            return (state.next, !state.isWatching)
        }
        var response = response
        response.ending = open.ending
        let forget = { @Sendable [weak self] in
            _ = self?.state.withLock { $0.open.removeValue(forKey: number) }
        }
        if let stream = open.stream {
            stream.onClose(forget)
        } else {
            response.whenGone = { [whenGone = response.whenGone] in
                forget()
                whenGone?()
            }
        }
        // The token may have ended before the answer was watched.
        endIfRevoked(open)
        if begins { watch() }
        return response
    }

    /// The number of answers.
    var count: Int { state.withLock(\.open.count) }

    /// Ends the answers whose token or session is gone, no longer allows them, or sees other
    /// documents.
    func endRevoked() {
        for open in state.withLock({ Array($0.open.values) }) { endIfRevoked(open) }
    }

    private func endIfRevoked(_ open: Open) {
        if let present = tokens.present(open.grant), present.scope >= open.needs,
            present.sees == open.grant.sees
        {
            return
        }
        open.stream?.cut()
        open.ending.end()
    }

    private func watch() {
        Task { [weak self, clock] in
            while true {
                await clock.pause(for: Self.pause)
                guard let self else { return }
                endRevoked()
                let isOver = state.withLock { state in
                    state.isWatching = !state.open.isEmpty
                    return !state.isWatching
                }
                if isOver { return }
            }
        }
    }
}
