import CaptureHost
import CaptureKit
import HTTPServer
import Testing

@testable import ScannerSharing

/// Tests clients that wait for a device, and devices that wait for a client.
@Suite struct SharingQueueTests {
    private let small = "<scan:XResolution>75</scan:XResolution>"
    private let feeder =
        "<scan:XResolution>75</scan:XResolution><pwg:InputSource>Feeder</pwg:InputSource>"

    @Test("A client waits for a job on this machine, whose use of the scanner its status shows")
    func waits() async throws {
        let bench = try SharingBench(["row-delay": .integer(0)])
        var other = bench.claims.claim("virtual:feeder", for: "copystand scan")
        let before = SharingBench.text(await bench.ask("GET", "eSCL/ScannerStatus"))
        #expect(before.contains("<pwg:State>Processing</pwg:State>"))
        let job = try #require(await bench.order(small))
        let status = try await bench.status(saying: "JobQueued")
        #expect(status.contains("<pwg:State>Processing</pwg:State>"))
        #expect(status.contains("<pwg:JobState>Pending</pwg:JobState>"))
        withExtendedLifetime(other) {}
        other = nil
        #expect(await bench.next(job).status == 200)
        #expect(await bench.next(job).status == 404)
        let end = try await bench.status(saying: "Idle")
        #expect(end.contains("<pwg:State>Idle</pwg:State>"))
    }

    @Test("A client that has waited long enough is asked to try again") func givesUp() async throws
    {
        let bench = try SharingBench(
            limits: ScanJob.Limits(busy: .zero, interval: .milliseconds(10)))
        let other = bench.claims.claim("virtual:feeder", for: "copystand scan")
        let job = try #require(await bench.order(small))
        let answer = await bench.ask("GET", job + "/NextDocument")
        #expect(answer.status == 503)
        #expect(answer.headers.first { $0.name == "Retry-After" }?.value == "5")
        withExtendedLifetime(other) {}
    }

    @Test("The client that uses a shared device is shown to others by its address")
    func named() async throws {
        let bench = try SharingBench(["row-delay": .integer(3000)])
        let job = try #require(await bench.order(feeder))
        var user: String?
        for _ in 0..<500 where user == nil {
            user = bench.claims.user(of: "virtual:feeder")
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(user == "a scan from 127.0.0.1")
        #expect(await bench.ask("DELETE", job).status == 200)
    }

    @Test("A client that never fetches a page loses the device") func vanished() async throws {
        let bench = try SharingBench(
            ["row-delay": .integer(0)], limits: ScanJob.Limits(idle: .milliseconds(300)))
        let job = try #require(await bench.order(feeder))
        let status = try await bench.status(saying: "Idle")
        #expect(status.contains("<pwg:JobState>Aborted</pwg:JobState>"))
        #expect(bench.claims.user(of: "virtual:feeder") == nil)
        #expect(await bench.next(job).status == 404)
        #expect(await bench.order(small) != nil)
    }

    @Test("A client whose connection breaks in a large page gets no more time than others")
    func broken() async throws {
        // A client may take hours to fetch a page, but no client fetches this page.
        let bench = try SharingBench(
            ["row-delay": .integer(0)], limits: ScanJob.Limits(idle: .milliseconds(300), pace: 1))
        let job = try #require(await bench.order(feeder))
        let page = await bench.next(job)
        #expect(page.status == 200)
        let whenGone = try #require(page.whenGone)
        whenGone()
        #expect(try await bench.status(saying: "Idle", "Aborted").contains("Aborted"))
    }

    @Test("All clients that request a scanner's capabilities at the same time get the answer")
    func abilities() async throws {
        let bench = try SharingBench()
        let answers = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask { await bench.ask("GET", "eSCL/ScannerCapabilities").status }
            }
            return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(answers == [200: 20])
    }

    @Test("The scanner's state is reported immediately on any thread") func atOnce() throws {
        let bench = try SharingBench()
        func answer(_ method: String, _ path: [String]) -> HTTPResponse? {
            bench.server.answerAtOnce(HTTPRequestHead(method: method, path: path))
        }
        #expect(answer("GET", ["eSCL", "ScannerStatus"])?.status == 200)
        #expect(answer("POST", ["eSCL", "ScannerStatus"]) == nil)
        #expect(answer("GET", ["eSCL", "ScannerCapabilities"]) == nil)
        #expect(answer("GET", ["none", "eSCL", "ScannerStatus"]) == nil)
    }
}
