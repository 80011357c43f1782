import Documents
import HTTPServer
import Testing

@testable import Archive
@testable import WebServer

@Suite struct KeptMediaTests {
    @Test(
        "A browser gets a kept file as a picture or a PDF, or as bytes that it does not show",
        arguments: [
            ("image/jpeg", "image/jpeg"), ("image/tiff", "image/tiff"),
            ("text/html", "application/octet-stream"),
            ("image/svg+xml", "application/octet-stream"),
            ("text/javascript", "application/octet-stream"), ("", "application/octet-stream"),
            ("image/jpeg\r\nSet-Cookie: a=b", "application/octet-stream"),
        ])
    func served(media: String, type: String) async throws {
        let setup = try ServerSetup(asks: false)
        defer { setup.remove() }
        let archive = try Archive(folder: setup.folder + "/archive", .create)
        let addition = try archive.begin(DocumentInfo(title: "A", created: 0))
        let file = Array("<form action=//evil.example>".utf8)
        try addition.add(
            NewPage(
                page: Page(
                    number: 1, width: 6, height: 8, resolution: 100,
                    provenance: Provenance(device: "d", label: "l")),
                image: file, media: media, thumbnail: nil))
        let id = try addition.finish()
        let hash = ImageHash(of: file).hexadecimal
        for path in [
            ["api", "v1", "images", hash],
            ["api", "v1", "documents", "\(id)", "pages", "1", "image"],
            ["api", "v1", "documents", "\(id)", "pages", "1", "thumbnail"],
        ] {
            let head = ServerSetup.head("GET", path, token: nil)
            let answer = await setup.server.respond(to: HTTPRequest(head: head, body: .bytes([])))
            #expect(answer.status == 200)
            let types = answer.headers.filter { $0.name == "Content-Type" }.map(\.value)
            #expect(types == [type], "\(path)")
        }
    }
}
