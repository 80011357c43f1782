import HTTPServer
import WebPage

extension PageFiles {
    /// The policy allows only content from the host itself, and no frame around the page.
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    /// The page at `/`, and each file under its path; `run` changes with every
    /// start of the host.
    static func routes(run: String) -> [Route] {
        all.map { file in
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
