import CaptureKit
import HTTPServer
import Testing

@testable import ScannerSharing

/// Tests that a job belongs to the address that began it.
@Suite struct JobOwnerTests {
    private static let networks = ["192.0.2.0/24", "2001:db8::/32", "fe80::/10"].compactMap {
        Network($0)
    }
    private let small = "<scan:XResolution>75</scan:XResolution>"

    /// Requests for a job, also those that nobody's job answers.
    private static let requests = [
        ("GET", "/NextDocument"), ("GET", "/ScanImageInfo"), ("GET", ""), ("DELETE", ""),
        ("PUT", ""), ("POST", "/NextDocument"), ("GET", "/Other"),
    ]

    @Test(
        "For every other address, a job is not there: not in the list, and at no address",
        arguments: [
            ("192.0.2.7", "192.0.2.8"), ("192.0.2.7", "127.0.0.1"), ("127.0.0.1", "192.0.2.7"),
            ("127.0.0.1", "127.0.0.2"), ("2001:db8::7", "2001:db8::8"),
            ("fe80::7%eth0", "fe80::7%eth1"), ("fe80::7%eth0", "fe80::7"),
        ])
    func others(_ owner: String, _ other: String) async throws {
        let bench = try SharingBench(["row-delay": .integer(0)], allowed: Self.networks)
        let job = try #require(await bench.order(small, peer: owner))
        for (method, rest) in Self.requests {
            let answer = await bench.ask(method, job + rest, peer: other)
            let missing = await bench.ask(method, "eSCL/ScanJobs/none" + rest, peer: other)
            #expect(answer.status == 404, "\(method) \(rest)")
            #expect(SharingBench.text(answer) == SharingBench.text(missing))
        }
        let seen = SharingBench.text(await bench.ask("GET", "eSCL/ScannerStatus", peer: other))
        #expect(seen.contains("pwg:State") && !seen.contains("Job"))
        // Nothing of this has changed the job.
        let own = SharingBench.text(await bench.ask("GET", "eSCL/ScannerStatus", peer: owner))
        #expect(own.contains(job) && !own.contains("Canceled"))
        #expect(await bench.next(job, peer: owner).status == 200)
        #expect(await bench.ask("GET", job + "/ScanImageInfo", peer: owner).status == 200)
        #expect(await bench.ask("GET", job + "/ScanImageInfo", peer: other).status == 404)
        #expect(await bench.next(job, peer: owner).status == 404)
        #expect(await bench.ask("DELETE", job, peer: owner).status == 200)
    }

    @Test(
        "A client is known by its address in each form, and this machine by both of its own",
        arguments: [
            ("192.0.2.7", "::ffff:192.0.2.7"), ("127.0.0.1", "::1"),
            ("2001:db8::7", "2001:DB8:0:0::7"), ("fe80::7%eth0", "fe80:0::7%eth0"),
        ])
    func forms(_ one: String, _ other: String) async throws {
        let bench = try SharingBench(["row-delay": .integer(0)], allowed: Self.networks)
        let job = try #require(await bench.order(small, peer: one))
        #expect(await bench.next(job, peer: other).status == 200)
        let status = SharingBench.text(await bench.ask("GET", "eSCL/ScannerStatus", peer: other))
        #expect(status.contains(job))
        #expect(await bench.ask("DELETE", job, peer: other).status == 200)
    }

    @Test("Many jobs of one client leave the page that another still has to fetch")
    func crowded() async throws {
        let bench = try SharingBench(["row-delay": .integer(0)], allowed: Self.networks)
        let job = try #require(await bench.order(small, peer: "192.0.2.7"))
        for _ in 0..<20 {
            var mine: String?
            while mine == nil { mine = await bench.order(small, peer: "192.0.2.8") }
        }
        #expect(await bench.next(job, peer: "192.0.2.7").status == 200)
    }

    @Test("A client that learns of an empty feeder finds the device idle and the feeder empty")
    func end() async throws {
        let feeder = small + "<pwg:InputSource>Feeder</pwg:InputSource>"
        for _ in 0..<10 {
            let bench = try SharingBench(["pages": .integer(0)])
            let job = try #require(await bench.order(feeder))
            let wrong = await withTaskGroup(of: String?.self) { group -> [String] in
                for _ in 0..<64 {
                    group.addTask {
                        let answer = await bench.next(job)
                        let status = SharingBench.text(
                            await bench.ask("GET", "eSCL/ScannerStatus"))
                        let isRight =
                            answer.status == 404 && status.contains("ScannerAdfEmpty")
                            && status.contains("<pwg:State>Idle</pwg:State>")
                        return isRight ? nil : status
                    }
                }
                return await group.reduce(into: []) { if let wrong = $1 { $0.append(wrong) } }
            }
            #expect(wrong == [])
        }
    }
}
