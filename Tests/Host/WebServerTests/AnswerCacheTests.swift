import Archive
import Documents
import FoundationEssentials
import Testing

@testable import WebServer

/// Tests answers that are cached until the archive changes.
@Suite struct AnswerCacheTests {
    private final class Folder {
        let path = "/tmp/copystand-answers-\(UInt64.random(in: 0 ... .max))"
        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    @Test("An answer is made once until something changes, and then again")
    func kept() throws {
        let folder = Folder()
        let archive = try Archive(folder: folder.path, .create)
        let stamp = try archive.stamp()
        let cache = AnswerCache()
        var made = 0
        func ask(_ question: String, _ stamp: ArchiveStamp) -> [UInt8] {
            cache.answer(question, at: stamp) {
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
            _ = cache.answer("\(question)", at: stamp) {
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
