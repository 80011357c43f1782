import Testing

@testable import WebServer

/// The files of the web page that the host serves.
@Suite struct PageFilesTests {
    @Test("Every file in the page's folder is served at its path, and no other one")
    func allServed() throws {
        let paths = Set(PageFiles.routes(run: "1").map { "/" + $0.path.joined(separator: "/") })
        let expected = try PageFolder.files().map { $0 == "index.html" ? "/" : "/" + $0 }
        #expect(paths == Set(expected))
    }
}
