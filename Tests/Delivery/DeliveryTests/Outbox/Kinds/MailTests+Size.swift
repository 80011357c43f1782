import FoundationEssentials
import Imaging
import Testing

@testable import Delivery

/// Tests documents that are too large for one message.
extension MailTests {
    /// Sends pages of noise as pictures, with at most a megabyte a message.
    private func sendPictures(
        _ server: ServerProcess, _ choice: String, width: Int, pages: Int = 3
    ) throws -> (receipt: Receipt, outbox: Outbox) {
        let sinks = sink(server) {
            $0.format = "jpg"
            $0.parameters?["max-size"] = "1"
            $0.parameters?["too-large"] = choice
        }
        let registry = try bench.registry(sinks)
        let outbox = bench.outbox(registry)
        let writer = try NamedSink("post", in: registry, outbox: outbox).begin(sampleInfo)
        for number in 1...pages {
            let picture = samplePicture(.rgb8, width: width + number, height: width)
            try writer.add(samplePage(picture, number: number))
        }
        return (try writer.finish(), outbox)
    }

    /// The number of files in a message.
    private func attachments(_ text: String) -> Int {
        text.components("Content-Disposition: attachment").count - 1
    }

    @Test("Too many pictures for one message are sent in several, each with as many as fit")
    func split() throws {
        let server = try server()
        try server.fault(#"["none", 451]"#)
        let (receipt, outbox) = try sendPictures(server, "split", width: 1500, pages: 4)
        #expect(receipt.waiting?.isRefused == false, "\(receipt.waiting as Any)")
        guard case .delivered(let later) = outbox.deliver(isDue: false).first?.outcome else {
            Issue.record("not delivered")
            return
        }
        let all = try mails(server)
        #expect(all.count > 1 && later.notes == nil)
        #expect(all.map { attachments($0.text) }.reduce(0, +) == 4)
        #expect(all.allSatisfy { $0.text.utf8.count <= 1_000_000 })
        #expect(Set(all.map { header("Message-ID", $0.text) }).count == all.count)
    }

    @Test("Pictures that are too large are made smaller until they fit, the same at every try")
    func shrink() throws {
        let server = try server()
        try server.fault(#"["cut"]"#)
        let (receipt, outbox) = try sendPictures(server, "shrink", width: 1600)
        #expect(receipt.waiting?.isRefused == false, "\(receipt.waiting as Any)")
        guard case .delivered(let later) = outbox.deliver(isDue: false).first?.outcome else {
            Issue.record("not delivered")
            return
        }
        #expect(later.notes?.contains { $0.contains("smaller") } == true, "\(later.notes ?? [])")
        let all = try mails(server)
        #expect(all.count == 2 && Set(all.map(\.text)).count == 1)
        let text = try #require(all.first?.text)
        // The attachment is not smaller than necessary.
        #expect((500_000...1_000_000).contains(text.utf8.count), "\(text.utf8.count)")
        #expect(attachments(text) == 3)
        #expect(attachment(text)?.prefix(2) == Data([0xFF, 0xD8]))
    }

    @Test("Only the pictures of PDFs and JPEG files are made smaller")
    func shrinkFormats() throws {
        var sink = try #require(sink(server())["post"])
        sink.parameters?["max-size"] = "1"
        sink.parameters?["too-large"] = "shrink"
        #expect(failure { try sink.check() } == nil)
        sink.format = "tiff"
        #expect(failure { try sink.check() }?.message.contains("--format jpg") == true)
    }

    /// Sends a PDF of pages with text, with at most a megabyte a message.
    private func sendPDF(
        _ server: ServerProcess, _ options: FileSinkOptions = FileSinkOptions(), side: Int = 2600
    ) throws -> (receipt: Receipt, outbox: Outbox) {
        let sinks = sink(server) {
            $0.parameters?["max-size"] = "1"
            $0.parameters?["too-large"] = "shrink"
        }
        let registry = try bench.registry(sinks)
        let outbox = bench.outbox(registry)
        let named = try NamedSink("post", in: registry, outbox: outbox).making(options)
        let writer = try named.begin(sampleInfo)
        for number in 1...3 {
            let format: PixelFormat = number == 2 ? .gray8 : .rgb8
            try writer.add(
                samplePage(
                    samplePicture(format, width: side + number, height: side), number: number,
                    text: sampleText([sampleLine(["word"], y: 100)])))
        }
        return (try writer.finish(), outbox)
    }

    @Test("A PDF with a password can't be made smaller, and is refused with the reason")
    func shrinkProtected() throws {
        let server = try server()
        var options = FileSinkOptions()
        options.pdf.protection = PDFProtection(password: "sesame")
        let receipt = try sendPDF(server, options).receipt
        #expect(receipt.waiting?.isRefused == true)
        let reason = receipt.waiting?.reason ?? ""
        #expect(reason.contains("max-size=1") && reason.contains("password"), "\(reason)")
        #expect(try mails(server).isEmpty)
    }

    @Test(
        "The pictures of a PDF are made smaller until it fits, the same at every try, and its text stays",
        arguments: [PDFOptions.Compression.jpeg, .lossless])
    func shrinkPDF(_ compression: PDFOptions.Compression) throws {
        let server = try server()
        try server.fault(#"["cut"]"#)
        var options = FileSinkOptions()
        options.pdf.compression = compression
        let (receipt, outbox) = try sendPDF(
            server, options, side: compression == .jpeg ? 2600 : 1200)
        #expect(receipt.waiting?.isRefused == false, "\(receipt.waiting as Any)")
        guard case .delivered(let later) = outbox.deliver(isDue: false).first?.outcome else {
            Issue.record("not delivered")
            return
        }
        #expect(later.notes?.contains { $0.contains("smaller") } == true, "\(later.notes ?? [])")
        let all = try mails(server)
        #expect(all.count == 2 && Set(all.map(\.text)).count == 1)
        let text = try #require(all.first?.text)
        #expect((400_000...1_000_000).contains(text.utf8.count), "\(text.utf8.count)")
        let path = bench.folder + "/small.pdf"
        try #require(attachment(text)).write(to: URL(filePath: path))
        #expect(try run("qpdf", "--check", path).status == 0)
        let pictures = try run("pdfimages", "-list", path).output.split(separator: "\n").dropFirst(
            2)
        #expect(pictures.count == 3)
        #expect(pictures.allSatisfy { $0.contains(" jpeg ") })
        #expect(pictures.map { $0.contains(" gray ") } == [false, true, false])
        #expect(try run("pdftotext", path, "-").output.contains("word"))
    }

    @Test("A message that the server refuses as too large is refused with advice")
    func tooLargeThere() throws {
        let server = try server()
        let registry = try bench.registry(sink(server) { $0.format = "tiff" })
        let writer = try NamedSink("post", in: registry, outbox: bench.outbox(registry)).begin(
            sampleInfo)
        // The server takes two megabytes.
        try writer.add(samplePage(samplePicture(.rgb8, width: 1200, height: 900)))
        let waiting = try writer.finish().waiting
        #expect(waiting?.isRefused == true, "\(waiting as Any)")
        #expect(waiting?.reason.contains("--parameter max-size") == true, "\(waiting as Any)")
        #expect(waiting?.reason.contains("221") == false, "\(waiting as Any)")
        #expect(try mails(server).isEmpty)
    }

    @Test("A message that is too large is refused with its size")
    func tooLarge() throws {
        let server = try server()
        let large: (inout SinkDefinition) -> Void = {
            $0.format = "tiff"
            $0.parameters?["max-size"] = "1"
        }
        let registry = try bench.registry(sink(server, large))
        let writer = try NamedSink("post", in: registry, outbox: bench.outbox(registry)).begin(
            sampleInfo)
        try writer.add(samplePage(samplePicture(.rgb8, width: 1200, height: 900)))
        let receipt = try writer.finish()
        #expect(receipt.waiting?.isRefused == true)
        #expect(receipt.waiting?.reason.contains("max-size=1") == true)
        #expect(try mails(server).isEmpty)
    }
}
