import FoundationEssentials
import Imaging
import Testing

@testable import Delivery

/// Documents that are too large for one message.
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
        let book = try bench.book(sinks)
        let outbox = bench.outbox(book)
        let writer = try NamedSink("post", in: book, outbox: outbox).begin(sampleInfo)
        for number in 1...pages {
            let picture = samplePicture(.rgb8, width: width + number, height: width)
            try writer.add(samplePage(picture, number: number))
        }
        return (try writer.finish(), outbox)
    }

    /// How many files a message has.
    private func attachments(_ text: String) -> Int {
        text.components("Content-Disposition: attachment").count - 1
    }

    @Test("Too many pictures for a message go in several, each with as many as fit")
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
        // Not smaller than it must be.
        #expect((500_000...1_000_000).contains(text.utf8.count), "\(text.utf8.count)")
        #expect(attachments(text) == 3)
        #expect(attachment(text)?.prefix(2) == Data([0xFF, 0xD8]))
    }

    @Test("Smaller pictures are for formats of pictures alone")
    func shrinkPDF() throws {
        var sink = try #require(sink(server())["post"])
        sink.parameters?["max-size"] = "1"
        sink.parameters?["too-large"] = "shrink"
        #expect(failure { try sink.check() }?.message.contains("--format jpg") == true)
    }

    @Test("Too large a message is refused with its size")
    func tooLarge() throws {
        let server = try server()
        let large: (inout SinkDefinition) -> Void = {
            $0.format = "tiff"
            $0.parameters?["max-size"] = "1"
        }
        let book = try bench.book(sink(server, large))
        let writer = try NamedSink("post", in: book, outbox: bench.outbox(book)).begin(sampleInfo)
        try writer.add(samplePage(samplePicture(.rgb8, width: 1200, height: 900)))
        let receipt = try writer.finish()
        #expect(receipt.waiting?.isRefused == true)
        #expect(receipt.waiting?.reason.contains("max-size=1") == true)
        #expect(try mails(server).isEmpty)
    }
}
