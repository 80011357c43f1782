import Testing

@testable import WebServer

/// Tests the text that a Prometheus server reads.
@Suite struct MetricsTests {
    @Test("Answers are counted by route and status, and their times are added up in seconds")
    func counts() {
        let metrics = Metrics()
        for milliseconds in [250.0, 500] {
            metrics.count("/a/{id}", status: 200, milliseconds: milliseconds)
        }
        metrics.count("/a/{id}", status: 404, milliseconds: 0)
        let lines = metrics.text(jobs: 2, listeners: 3).split(separator: "\n")
        for line in [
            "# TYPE copystand_requests_total counter",
            #"copystand_requests_total{route="/a/{id}",status="200"} 2"#,
            #"copystand_requests_total{route="/a/{id}",status="404"} 1"#,
            #"copystand_request_seconds_total{route="/a/{id}",status="200"} 0.75"#,
            "copystand_jobs_running 2", "copystand_event_streams 3",
        ] { #expect(lines.contains(Substring(line)), "\(line)") }
    }
}
