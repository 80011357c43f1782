import Testing

@testable import Archive

@Suite("Documents that the archive already has", .everyHome) struct TwinTests {
    @Test("A document is recognized by all of its pictures, in order")
    func twin() throws {
        let folder = try TestFolder()
        let archive = try folder.open()
        let first = try archive.add("First", "a", "b")
        #expect(try archive.twin(of: first) == nil)
        try archive.add("Turned round", "b", "a")
        try archive.add("Shorter", "a")
        let longer = try archive.add("Longer", "a", "b", "c")
        #expect(try archive.twin(of: longer) == nil)
        let second = try archive.add("Second", "a", "b")
        #expect(try archive.twin(of: second) == first)
        let third = try archive.add("Third", "a", "b")
        #expect(try archive.twin(of: third) == first)
    }
}
