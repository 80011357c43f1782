import HTTPServer
import Testing
import WebPage

@testable import WebServer

/// The files of the web page that the host serves.
@Suite struct PageFilesTests {
    @Test("Every file in the page's folder is served at its path, and no other one")
    func allServed() throws {
        let paths = Set(PageFiles.routes(run: "1").map { "/" + $0.path.joined(separator: "/") })
        let expected = try PageFolder.files().map { $0 == "index.html" ? "/" : "/" + $0 }
        #expect(paths == Set(expected))
    }

    @Test(
        "Shared files are shown only if the browser itself comes with them",
        arguments: [
            ("none", "1700000000000-0a1b2c3d-1111-4222-8333-444455556666", 303),
            ("cross-site", "1-a", 403), ("same-site", "1-a", 403), ("same-origin", "1-a", 403),
            (nil, "1-a", 403), ("none", "1-a/../..", 403), ("none", "<x>", 403), ("none", "ü", 403),
            ("none", String(repeating: "a", count: 64), 403),
        ] as [(String?, String, Int)])
    func shared(_ site: String?, _ key: String, _ status: Int) async throws {
        let setup = try ServerSetup()
        defer { setup.remove() }
        let head = HTTPRequestHead(
            method: "GET", path: ["share", key],
            headers: [("Host", "localhost")] + (site.map { [("Sec-Fetch-Site", $0)] } ?? []))
        let answer = await setup.server.respond(to: HTTPRequest(head: head))
        let place = answer.headers.first { $0.name == "Location" }?.value
        #expect(answer.status == status)
        #expect(place == (status == 303 ? "/#scan/shared/" + key : nil))
    }
}
