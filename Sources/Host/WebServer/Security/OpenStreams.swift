import Documents
import HTTPServer
import Synchronization

/// The endless answers, such as events and live views: each ends when its token is removed.
final class OpenStreams: Sendable {
    private struct Open {
        var stream: HTTPStream
        var sha256: String
        var needs: AccessScope
        var sees: ArchiveUser.Sees
    }

    private struct State {
        var open: [Int: Open] = [:]
        var next = 0
        var isWatching = false
    }

    private let state = Mutex(State())
    private let tokens: AccessTokens
    private let clock: any Clock<Duration>

    /// The time between two checks of the tokens while there are streams.
    ///
    /// Other processes change tokens too, perhaps on another machine with the same home, and no
    /// system reports that.
    private static let pause = Duration.milliseconds(400)

    init(tokens: AccessTokens, clock: any Clock<Duration> = ContinuousClock()) {
        (self.tokens, self.clock) = (tokens, clock)
    }

    /// Watches a stream until it ends.
    ///
    /// - Parameter needs: the scope that the stream's token must have.
    func add(_ stream: HTTPStream, for grant: AccessTokens.Grant, needs: AccessScope) {
        let (number, begins) = state.withLock { state in
            defer {
                state.next += 1
                state.isWatching = true
            }
            state.open[state.next] = Open(
                stream: stream, sha256: grant.sha256, needs: needs, sees: grant.sees)
            return (state.next, !state.isWatching)
        }
        stream.onClose { [weak self] in
            _ = self?.state.withLock { $0.open.removeValue(forKey: number) }
        }
        if begins { Task { [weak self] in await self?.watch() } }
    }

    /// The number of streams.
    var count: Int { state.withLock(\.open.count) }

    /// Ends the streams whose token is gone, no longer allows them, or sees other documents.
    func endRevoked() {
        let open = state.withLock { Array($0.open.values) }
        for one in open {
            guard let grant = tokens.grant(forHash: one.sha256), grant.scope >= one.needs,
                grant.sees == one.sees
            else {
                one.stream.cut()
                continue
            }
        }
    }

    private func watch() async {
        while true {
            try? await clock.sleep(for: Self.pause)
            endRevoked()
            let isOver = state.withLock { state in
                state.isWatching = !state.open.isEmpty
                return !state.isWatching
            }
            if isOver { return }
        }
    }
}
