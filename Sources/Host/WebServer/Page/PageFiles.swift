import HTTPServer
import ProgramFiles

/// The web page's files, which are part of the program.
struct PageFiles {
    private struct File {
        /// The path below `Page/files`.
        var name: String
        var type: String
        var bytes: [UInt8]
        /// The compressed file, for browsers that support it: a quarter of the size on the wire.
        let packed: [UInt8]?

        init(name: String, type: String, bytes: [UInt8]) {
            (self.name, self.type, self.bytes) = (name, type, bytes)
            packed = gzipped(bytes)
        }
    }

    private static let files = ProgramFiles.below("Sources/Host/WebServer/Page/files").map {
        File(name: $0.path, type: types[endingOf($0.path)] ?? "", bytes: $0.bytes)
    }

    private static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "css": "text/css; charset=utf-8", "json": "application/json", "svg": "image/svg+xml",
        "png": "image/png", "webmanifest": "application/manifest+json",
    ]

    private static func endingOf(_ name: String) -> String {
        String(name.split(separator: ".").last ?? "")
    }

    /// The policy allows only content from the host itself, and no frame around the page.
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    /// The page at `/`, and each file under its path below `Page/files`; `run` changes with every
    /// start of the host.
    static func routes(run: String) -> [Route] {
        files.map { file in
            Route(
                "GET", file.name == "index.html" ? "/" : "/" + file.name, needs: .open,
                group: "Page",
                "A file of the web page",
                answers: [
                    .init(status: 200, summary: "The file", type: file.type),
                    .init(status: 304, summary: "It is the same as before", type: nil),
                ],
                work: { call in
                    let head = call.request.head
                    let packed = acceptsGzip(head.header("Accept-Encoding")) ? file.packed : nil
                    let tag = packed == nil ? "\"\(run)\"" : "\"\(run)-gzip\""
                    var headers: [(name: String, value: String)] = [
                        ("ETag", tag), ("Cache-Control", "no-cache"), ("Vary", "Accept-Encoding"),
                        ("Content-Security-Policy", policy),
                        // A page that opens this one in a window can't reach into it.
                        ("Cross-Origin-Opener-Policy", "same-origin"),
                    ]
                    if head.header("If-None-Match") == tag {
                        return HTTPResponse(status: 304, headers: headers)
                    }
                    if packed != nil { headers.append(("Content-Encoding", "gzip")) }
                    return HTTPResponse(
                        status: 200, headers: [("Content-Type", file.type)] + headers,
                        body: .bytes(packed ?? file.bytes))
                })
        }
    }
}
