import Documents
import Testing

@testable import Archive

/// Tests the stamp of an archive, which shows whether cached answers are still valid.
@Suite(.everyHome) struct StampTests {
    @Test("The stamp is the same until something changes, here or by another process")
    func changes() throws {
        let folder = try TestFolder()
        let archive = try folder.open()
        let other = try folder.open(.readWrite)
        let id = try archive.add("One", "one")
        let first = try archive.stamp()
        _ = try archive.documents()
        #expect(try archive.stamp() == first)
        try archive.perform([.setTitle("Two")], on: id)
        let second = try archive.stamp()
        #expect(second != first)
        try other.perform([.setTitle("Three")], on: id)
        #expect(try archive.stamp() != second)
    }
}
