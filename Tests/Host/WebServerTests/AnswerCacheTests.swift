import Archive
import Documents
import FoundationEssentials
import HTTPServer
import Testing

@testable import WebServer

/// Tests answers that are cached until the archive changes.
@Suite struct AnswerCacheTests {
    private final class Folder {
        let path = "/tmp/copystand-answers-\(UInt64.random(in: 0 ... .max))"
        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    private func question(
        _ path: [String], _ query: KeyValuePairs<String, String> = [:], by user: ArchiveUser? = nil
    ) -> ArchiveQuestion {
        let head = HTTPRequestHead(
            method: "GET", path: path, query: query.map { (name: $0.key, value: $0.value) })
        var call = Call(request: HTTPRequest(head: head), parameters: [:])
        if let user { call.user = user }
        return ArchiveQuestion(call)
    }

    @Test("Questions that are written alike are different questions")
    func alike() {
        let questions: [ArchiveQuestion] = [
            question(["documents"], ["tag": "x", "type": "other"]),
            question(["documents"], ["tag": "x\ntype=other"]),
            question(["documents"], ["tag=x": "", "type": "other"]),
            question(["documents\ntag=x"], ["type": "other"]),
            question(["documents", "1"]), question(["documents/1"]),
            question(["documents"], ["tag": "\u{C5}"]),
            question(["documents"], ["tag": "\u{212B}"]),
            question(["documents"], ["tag": "A\u{30A}"]),
            question(["documents"], by: ArchiveUser(name: "ada", station: "", sees: .own)),
            question(["documents"], by: ArchiveUser(name: nil, station: "", sees: .own)),
            question(["documents"], by: ArchiveUser(name: "ada", station: "", sees: .all)),
        ]
        #expect(Set(questions).count == questions.count)
        #expect(question(["documents"], ["tag": "x"]) == question(["documents"], ["tag": "x"]))
    }

    @Test("An answer is made once until something changes, and then again")
    func kept() throws {
        let folder = Folder()
        let archive = try Archive(folder: folder.path, .create)
        let stamp = try archive.stamp()
        let cache = AnswerCache()
        var made = 0
        func ask(_ question: String, _ stamp: ArchiveStamp) -> [UInt8] {
            cache.answer(self.question([question]), at: stamp) {
                made += 1
                return Array("\(question) \(made)".utf8)
            }
        }
        #expect(ask("a", stamp) == Array("a 1".utf8))
        #expect(ask("a", stamp) == Array("a 1".utf8))
        #expect(ask("b", stamp) == Array("b 2".utf8))
        let other = try Archive(folder: folder.path, .readWrite)
        let addition = try other.begin(DocumentInfo(title: "New", created: 0))
        try addition.add(
            NewPage(
                page: Page(
                    number: 1, width: 1, height: 1, resolution: 1,
                    provenance: Provenance(device: "test:device", label: nil)),
                image: [1], media: "image/jpeg"))
        _ = try addition.finish()
        let later = try archive.stamp()
        #expect(later != stamp)
        #expect(ask("b", later) == Array("b 3".utf8))
        // An outdated answer that arrives late does not replace the current one.
        #expect(ask("a", stamp) == Array("a 4".utf8))
        #expect(ask("a", later) != Array("a 4".utf8))
    }

    @Test("Entries that are too large are not kept, and small ones are evicted")
    func limits() throws {
        let folder = Folder()
        let stamp = try Archive(folder: folder.path, .create).stamp()
        let cache = AnswerCache(limit: 800)
        var made = 0
        func ask(_ question: Int, _ size: Int) {
            _ = cache.answer(self.question(["\(question)"]), at: stamp) {
                made += 1
                return [UInt8](repeating: 0, count: size)
            }
        }
        for _ in 0..<2 { ask(0, 101) }
        #expect(made == 2)
        for number in 1...9 { ask(number, 100) }
        ask(9, 100)
        #expect(made == 11)
        ask(1, 100)
        #expect(made == 12)
    }
}
