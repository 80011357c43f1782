import HTTPServer
import Synchronization

/// Counts of answers, for a Prometheus server (text format 0.0.4).
final class Metrics: Sendable {
    private struct Key: Hashable {
        var route: String
        var status: Int
    }

    private let wrongTokens: WrongTokens?
    private let counts = Mutex<[Key: (number: Int, milliseconds: Double)]>([:])

    /// - Parameter wrongTokens: where wrong tokens are counted; nil for a host that asks for none.
    init(wrongTokens: WrongTokens? = nil) { self.wrongTokens = wrongTokens }

    func count(_ route: String, status: Int, milliseconds: Double) {
        counts.withLock { counts in
            let old = counts[Key(route: route, status: status)] ?? (0, 0)
            counts[Key(route: route, status: status)] = (
                old.number + 1, old.milliseconds + milliseconds
            )
        }
    }

    /// The text of the endpoint.
    func text(jobs: Int, listeners: Int) -> String {
        let sorted = counts.withLock { $0 }.sorted {
            ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status)
        }
        var text = "# TYPE copystand_requests_total counter\n"
        for (key, value) in sorted {
            text += "copystand_requests_total\(labels(key)) \(value.number)\n"
        }
        text += "# TYPE copystand_request_seconds_total counter\n"
        for (key, value) in sorted {
            text += "copystand_request_seconds_total\(labels(key)) \(value.milliseconds / 1000)\n"
        }
        text += "# TYPE copystand_jobs_running gauge\ncopystand_jobs_running \(jobs)\n"
        text += "# TYPE copystand_event_streams gauge\ncopystand_event_streams \(listeners)\n"
        let refused = wrongTokens?.counts ?? WrongTokens.Counts()
        text += "# TYPE copystand_tokens_refused_total counter\n"
        text += "copystand_tokens_refused_total{reason=\"wrong\"} \(refused.wrong)\n"
        text += "copystand_tokens_refused_total{reason=\"slowed\"} \(refused.unread)\n"
        return text
    }

    /// The text for the requests that the listener refused or cut off.
    static func text(of counters: HTTPCounters) -> String {
        HTTPCounters.Event.allCases.reduce("# TYPE copystand_refusals_total counter\n") {
            $0 + "copystand_refusals_total{event=\"\($1.rawValue)\"} \(counters[$1])\n"
        }
    }

    private func labels(_ key: Key) -> String {
        "{route=\"\(key.route)\",status=\"\(key.status)\"}"
    }
}
