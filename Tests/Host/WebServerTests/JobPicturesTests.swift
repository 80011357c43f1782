import Testing

@testable import WebServer

/// The thumbnails of captured pages.
@Suite struct JobPicturesTests {
    @Test("A picture is found by its job and number, and a new one in its place has another serial")
    func found() {
        let pictures = JobPictures()
        pictures.keep([1], of: "a", 1)
        pictures.keep([2], of: "b", 1)
        #expect(pictures.picture(of: "a", 1)?.bytes == [1])
        #expect(pictures.picture(of: "b", 1)?.bytes == [2])
        #expect(pictures.picture(of: "a", 2) == nil)
        let before = pictures.picture(of: "a", 1)?.serial
        pictures.keep([3], of: "a", 1)
        #expect(pictures.picture(of: "a", 1)?.bytes == [3])
        #expect(pictures.picture(of: "a", 1)?.serial != before)
    }

    @Test("The oldest pictures are dropped if there are too many bytes; the latest always stays")
    func limit() {
        let pictures = JobPictures(limit: 100)
        for number in 1...50 { pictures.keep([UInt8](repeating: 0, count: 10), of: "a", number) }
        let kept = (1...50).filter { pictures.picture(of: "a", $0) != nil }
        #expect(kept == Array((51 - kept.count)...50))
        #expect((5...10).contains(kept.count))
        // A replacement does not count twice.
        for _ in 1...50 { pictures.keep([UInt8](repeating: 0, count: 10), of: "b", 1) }
        #expect(pictures.picture(of: "b", 1) != nil)
        #expect(pictures.picture(of: "a", 50) != nil)
    }
}
