import CaptureHost
import Delivery
import FoundationEssentials
import Testing

@testable import ScanService

/// Tests that passwords of PDFs are never stored, and that a job that continues without them does
/// not write an unprotected document.
@Suite struct ProtectedJobTests {
    let bench: Bench

    init() throws { bench = try Bench() }

    /// Runs a job that a jam ends on its third page.
    private func jammed() async throws -> StoredJob {
        var order = bench.order("out.pdf", settings: ["fault": "jam", "fault-page": "3"])
        order.pdf.protection = PDFProtection(password: "not for disks")
        let outcome = try await bench.service.run(order, control: ScanControl()) { _ in }
        #expect(outcome.receipts.count == 1)
        return try bench.store.job(try #require(outcome.continuation).job)
    }

    private func append(_ job: StoredJob, _ protection: PDFProtection?) async throws -> ScanOutcome
    {
        try await bench.service.append(
            to: job,
            ScanOrder.Change(
                settings: [
                    .init(option: "fault", value: "none"), .init(option: "pages", value: "1"),
                ],
                protection: protection), control: ScanControl()
        ) { _ in }
    }

    private func isEncrypted(_ name: String) throws -> Bool {
        try Array(Data(contentsOf: URL(filePath: bench.folder + "/" + name)))
            .contains(Array("/Encrypt".utf8))
    }

    @Test("The job's folder does not store the password, only a note that there is a password")
    func record() async throws {
        let job = try await jammed()
        #expect(try isEncrypted("out.pdf"))
        let names = try FileManager.default.contentsOfDirectory(atPath: job.folder)
        #expect(names.contains("job.json"))
        for name in names {
            let bytes = try Array(Data(contentsOf: URL(filePath: job.folder + "/" + name)))
            #expect(!bytes.contains(Array("not for disks".utf8)), "\(name)")
        }
        let record = try JobRecord.read(from: job.folder)
        #expect(record.order.pdf.isProtected && record.order.pdf.protection == nil)
    }

    @Test("Continuing without the password is refused with advice, and changes nothing")
    func missing() async throws {
        let job = try await jammed()
        let before = try Data(contentsOf: URL(filePath: bench.folder + "/out.pdf"))
        let record = try Data(contentsOf: URL(filePath: job.folder + "/job.json"))
        for attempt in ["append", "resume"] {
            let refusal = await #expect(throws: DeliveryError.self, "\(attempt)") {
                _ =
                    attempt == "append"
                    ? try await append(job, nil)
                    : try await bench.service.resume(job, outputs: [], control: ScanControl()) {
                        _ in
                    }
            }
            #expect(refusal?.code == .invalidOption)
            #expect(refusal?.message.contains("--pdf-password-file") == true)
        }
        #expect(try Data(contentsOf: URL(filePath: bench.folder + "/out.pdf")) == before)
        #expect(try Data(contentsOf: URL(filePath: job.folder + "/job.json")) == record)
    }

    @Test("With the password given again the whole document is protected")
    func again() async throws {
        let outcome = try await append(try await jammed(), PDFProtection(password: "another"))
        #expect(outcome.pages.count == 3)
        #expect(try isEncrypted("out.pdf"))
        #expect(outcome.continuation == nil)
    }

    @Test("A password with which no PDF is written is refused before anything is captured")
    func nothingToProtect() async throws {
        var order = bench.order("out.txt")
        order.pdf.protection = PDFProtection(password: "x")
        let refusal = await #expect(throws: DeliveryError.self) {
            _ = try await bench.service.run(order, control: ScanControl()) { _ in }
        }
        #expect(refusal?.message.contains("no PDF is written") == true)
        #expect(!bench.exists("out.txt"))
    }

    @Test(
        "Requests of older versions have plain PDFs, and everything in a request but the passwords is kept"
    )
    func coding() throws {
        var order = bench.order("a.pdf")
        order.pdf.compression = .mixed
        order.pdf.quality = 60
        order.pdf.archival = .pdfA2b
        let data = try JSONEncoder().encode(order)
        #expect(try JSONDecoder().decode(ScanOrder.self, from: data).pdf == order.pdf)
        let old = Data(
            #"{"sources":[],"settings":[],"profile":"none","stepChanges":[],"omittedSteps":[],"languages":[],"outputs":["a.pdf"]}"#
                .utf8)
        #expect(try JSONDecoder().decode(ScanOrder.self, from: old).pdf == PDFOrder())
    }
}
