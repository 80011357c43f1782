import CaptureKit
import HTTPServer
import Testing

@testable import ScannerSharing

/// Tests the server with clients that follow the rules, and with others.
@Suite struct SharingServerTests {
    private let small = "<scan:XResolution>75</scan:XResolution>"
    private let feeder =
        "<scan:XResolution>75</scan:XResolution><pwg:InputSource>Feeder</pwg:InputSource>"

    @Test("The glass delivers one page, and then none") func platen() async throws {
        let bench = try SharingBench(["row-delay": .integer(0)])
        let job = try #require(await bench.order(small))
        let page = await bench.next(job)
        #expect(page.status == 200)
        #expect(page.headers.first { $0.name == "Content-Type" }?.value == "image/jpeg")
        let info = SharingBench.text(await bench.ask("GET", job + "/ScanImageInfo"))
        #expect(info.contains("<scan:ActualWidth>638</scan:ActualWidth>"))
        #expect(await bench.next(job).status == 404)
        let status = try await bench.status(saying: "Completed")
        #expect(status.contains("JobCompletedSuccessfully"))
        #expect(status.contains("<pwg:ImagesCompleted>1</pwg:ImagesCompleted>"))
        var last: SharingSettings.LastUse?
        for _ in 0..<500 where last == nil {
            last = try bench.sharing.shares().first?.lastUse
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(last?.address == "127.0.0.1")
    }

    @Test("The feeder delivers its pages in order, and a PDF has all of them") func pages()
        async throws
    {
        let bench = try SharingBench(["row-delay": .integer(0), "pages": .integer(3)])
        let job = try #require(
            await bench.order(feeder + "<pwg:DocumentFormat>image/png</pwg:DocumentFormat>"))
        for _ in 0..<3 {
            #expect(await bench.next(job).status == 200)
        }
        #expect(await bench.next(job).status == 404)
        _ = try await bench.status(saying: "Idle")
        let whole = try #require(
            await bench.order(feeder + "<pwg:DocumentFormat>application/pdf</pwg:DocumentFormat>"))
        let pdf = await bench.next(whole)
        #expect(pdf.headers.first { $0.name == "Content-Type" }?.value == "application/pdf")
        #expect(await bench.next(whole).status == 404)
        let status = try await bench.status(saying: "Idle")
        #expect(status.contains("<pwg:ImagesCompleted>3</pwg:ImagesCompleted>"))
    }

    @Test(
        "Faults of the feeder are reported as the status that clients know",
        arguments: [
            ("jam", 409, "ScannerAdfJam"), ("cover-open", 409, "ScannerAdfHatchOpen"),
            ("double-feed", 409, "ScannerAdfMultipickDetected"),
        ])
    func faults(_ fault: String, _ code: Int, _ word: String) async throws {
        let bench = try SharingBench([
            "fault": .text(fault), "fault-page": .integer(2), "row-delay": .integer(0),
        ])
        let job = try #require(await bench.order(feeder))
        #expect(await bench.next(job).status == 200)
        #expect(await bench.next(job).status == code)
        let status = try await bench.status(saying: word)
        #expect(status.contains(word))
        #expect(status.contains("<pwg:JobState>Aborted</pwg:JobState>"))
    }

    @Test("An empty feeder delivers no page, and is reported") func empty() async throws {
        let bench = try SharingBench(["pages": .integer(0)])
        let job = try #require(await bench.order(feeder))
        #expect(await bench.next(job).status == 404)
        #expect(try await bench.status(saying: "ScannerAdfEmpty").contains("ScannerAdfEmpty"))
    }

    @Test("Of a hundred simultaneous requests, one is accepted, and the others are asked to wait")
    func many()
        async throws
    {
        let bench = try SharingBench(["row-delay": .integer(2000)])
        let body = SharingBench.settings(small)
        let answers = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<100 {
                group.addTask { await bench.ask("POST", "eSCL/ScanJobs", body).status }
            }
            return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(answers == [201: 1, 503: 99])
    }

    @Test("A canceled job releases the device immediately, and its pages are deleted") func cancel()
        async throws
    {
        let bench = try SharingBench(["row-delay": .integer(3000)])
        let job = try #require(await bench.order(feeder))
        #expect(await bench.ask("DELETE", job).status == 200)
        #expect(await bench.next(job).status == 404)
        #expect(try await bench.status(saying: "Idle", "Canceled").contains("Canceled"))
        #expect(await bench.order(small) != nil)
    }

    @Test(
        "Wrong methods and addresses are refused",
        arguments: [
            ("POST", "eSCL/ScannerStatus", 405), ("GET", "eSCL/ScanJobs", 405),
            ("DELETE", "eSCL/ScannerCapabilities", 405), ("GET", "eSCL", 404),
            ("GET", "eSCL/ScanJobs/none/NextDocument", 404), ("DELETE", "eSCL/ScanJobs/none", 404),
            ("GET", "eSCL/../etc/passwd", 404), ("GET", "api/v1/documents", 404),
            ("GET", "other/eSCL/ScannerStatus", 404), ("PUT", "eSCL/ScanBufferInfo", 400),
            ("POST", "icon.png", 405), ("GET", "icon.png", 200), ("GET", "", 200),
        ])
    func routes(_ method: String, _ path: String, _ status: Int) async throws {
        #expect(try await SharingBench().ask(method, path).status == status)
    }

    @Test(
        "Invalid orders are refused with the reason",
        arguments: [
            ("", 400), ("<x", 400), ("<!DOCTYPE a><ScanSettings/>", 400), ("<Other/>", 400),
            ("<ScanSettings><ColorMode>CMYK</ColorMode></ScanSettings>", 400),
            (
                "<ScanSettings><InputSource>Feeder</InputSource><Duplex>true</Duplex></ScanSettings>",
                409
            ),
            (String(repeating: " ", count: 70_000), 413),
        ])
    func orders(_ body: String, _ status: Int) async throws {
        let bench = try SharingBench(device: "virtual:flatbed")
        #expect(await bench.ask("POST", "eSCL/ScanJobs", body).status == status)
    }

    @Test("Strangers, foreign names and web pages are kept out") func strangers() async throws {
        let bench = try SharingBench()
        let host = (name: "Host", value: "localhost")
        func status(_ peer: String, _ headers: [(name: String, value: String)]) async -> Int {
            await bench.ask("GET", "eSCL/ScannerStatus", peer: peer, headers: headers).status
        }
        #expect(await status("127.0.0.1", [host]) == 200)
        #expect(await status("203.0.113.5", [host]) == 403)
        #expect(await status("127.0.0.1", [(name: "Host", value: "evil.example")]) == 403)
        #expect(await status("127.0.0.1", []) == 403)
        #expect(
            await status("127.0.0.1", [host, (name: "Origin", value: "http://evil.example")]) == 403
        )
        #expect(
            await status("127.0.0.1", [host, (name: "Sec-Fetch-Site", value: "cross-site")]) == 403)
    }

    @Test("The result of a scan is predicted without a scan") func buffer() async throws {
        let bench = try SharingBench()
        let answer = await bench.ask(
            "PUT", "eSCL/ScanBufferInfo",
            SharingBench.settings(
                "<scan:XResolution>140</scan:XResolution><scan:ColorMode>Grayscale8</scan:ColorMode>"
            ))
        let text = SharingBench.text(answer)
        #expect(answer.status == 200)
        #expect(text.contains("<scan:XResolution>150</scan:XResolution>"))
        #expect(text.contains("<scan:ImageWidth>1275</scan:ImageWidth>"))
        #expect(text.contains("<scan:BytesPerLine>1275</scan:BytesPerLine>"))
        #expect(SharingBench.text(await bench.ask("GET", "eSCL/ScannerStatus")).contains("Idle"))
    }

    @Test("A camera acts as a glass: the page under it is delivered at the requested size")
    func camera() async throws {
        let bench = try SharingBench(device: "virtual:camera")
        let capabilities = SharingBench.text(await bench.ask("GET", "eSCL/ScannerCapabilities"))
        #expect(capabilities.contains("<scan:MaxHeight>3508</scan:MaxHeight>"))
        // On a very busy machine, the server may give up before it sees a page.
        var job = "", status = 0
        for _ in 0..<5 where status != 200 {
            job = try #require(await bench.order("<scan:XResolution>100</scan:XResolution>"))
            status = await bench.next(job).status
        }
        #expect(status == 200)
        let info = SharingBench.text(await bench.ask("GET", job + "/ScanImageInfo"))
        #expect(info.contains("<scan:ActualWidth>826</scan:ActualWidth>"))
        #expect(info.contains("<scan:ActualHeight>1169</scan:ActualHeight>"))
        #expect(await bench.next(job).status == 404)
    }

    @Test("Pages of a scanner pass through the steps of its share's profile, and keep their mode")
    func steps() async throws {
        let order = small + "<scan:ColorMode>Grayscale8</scan:ColorMode>"
        let bench = try SharingBench(["row-delay": .integer(0)], profile: "cut")
        try bench.addProfile(
            "cut", #"{ title: "Cut", looksFor: "page", steps: ["crop"], text: "off" }"#)
        var job = try #require(
            await bench.order(order + "<pwg:DocumentFormat>image/png</pwg:DocumentFormat>"))
        #expect(await bench.next(job).status == 200)
        let info = SharingBench.text(await bench.ask("GET", job + "/ScanImageInfo"))
        // The dark rim beside the sheet, which an unprocessed page has, was removed.
        let width = try #require(info.firstMatch(of: /ActualWidth>(\d+)</).flatMap { Int($0.1) })
        #expect((600..<637).contains(width), "\(info)")
        #expect(info.contains("<scan:ActualBytesPerLine>\(width)</scan:ActualBytesPerLine>"))
        #expect(await bench.next(job).status == 404)
        _ = try await bench.status(saying: "Idle")
        job = try #require(
            await bench.order(order + "<pwg:DocumentFormat>application/pdf</pwg:DocumentFormat>"))
        #expect(await bench.next(job).status == 200)
    }

    @Test("If the profile was deleted, the scan fails, and the device is free again")
    func lostProfile() async throws {
        let bench = try SharingBench(profile: "gone")
        let job = try #require(await bench.order(small))
        #expect(await bench.next(job).status == 500)
        let idle = "<pwg:State>Idle</pwg:State>"
        let status = try await bench.status(saying: "Aborted", idle)
        #expect(status.contains("Aborted") && status.contains(idle), "\(status)")
    }

    @Test(
        "A PDF has the text of its pages if that was requested",
        arguments: [
            ("virtual:feeder", "word"), ("virtual:camera", "word"), ("virtual:feeder", nil),
        ])
    func text(_ device: String, _ word: String?) async throws {
        let bench = try SharingBench(["row-delay": .integer(0)], device: device, text: word)
        var status = 0
        var found = false
        // On a very busy machine, the server may give up before it sees a page under the camera.
        for _ in 0..<5 where status != 200 {
            let job = try #require(
                await bench.order(
                    "<scan:XResolution>100</scan:XResolution><pwg:DocumentFormat>application/pdf</pwg:DocumentFormat>"
                ))
            let answer = await bench.next(job)
            status = answer.status
            found = try bench.pdfText(answer).contains("word")
        }
        #expect(status == 200)
        #expect(found == (word != nil))
    }

    @Test("A share that was ended is no longer served") func ended() async throws {
        let bench = try SharingBench()
        #expect(await bench.ask("GET", "eSCL/ScannerStatus").status == 200)
        #expect(try bench.sharing.remove(device: "virtual:feeder"))
        try bench.scanners.refresh()
        #expect(await bench.ask("GET", "eSCL/ScannerStatus").status == 404)
    }

    @Test(
        "Scanners of the network are not shared again",
        arguments: ["airscan:e0:X", "escl:http://x"])
    func circles(_ rest: String) async throws {
        #expect(SharingSettings.isForeign("sane:" + rest))
        let bench = try SharingBench(device: "sane:" + rest)
        #expect(await bench.ask("GET", "eSCL/ScannerStatus").status == 404)
    }
}
