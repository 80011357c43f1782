import HTTPServer

/// The web page's files, which are part of the program.
struct PageFiles {
    private struct File {
        var name: String
        var type: String
        var bytes: [UInt8]
        /// The same compressed, for browsers that take it: a quarter of it on the wire.
        let packed: [UInt8]?

        init(name: String, type: String, bytes: [UInt8]) {
            (self.name, self.type, self.bytes) = (name, type, bytes)
            packed = gzipped(bytes)
        }
    }

    private static let files: [File] =
        [
            File(
                name: "index.html", type: "text/html; charset=utf-8",
                bytes: PackageResources.index_html),
            File(name: "icon.svg", type: "image/svg+xml", bytes: PackageResources.icon_svg),
            File(
                name: "words-en.json", type: "application/json",
                bytes: PackageResources.words_en_json),
            File(
                name: "words-de.json", type: "application/json",
                bytes: PackageResources.words_de_json),
            File(
                name: "host-de.json", type: "application/json",
                bytes: PackageResources.host_de_json),
        ]
        + [
            ("main", PackageResources.main_js), ("words", PackageResources.words_js),
            ("dom", PackageResources.dom_js),
            ("host", PackageResources.host_js), ("scan", PackageResources.scan_js),
            ("jobs", PackageResources.jobs_js), ("live", PackageResources.live_js),
            ("film", PackageResources.film_js),
            ("devices", PackageResources.devices_js),
            ("drawings", PackageResources.drawings_js), ("archive", PackageResources.archive_js),
            ("document", PackageResources.document_js), ("grid", PackageResources.grid_js),
            ("sheet", PackageResources.sheet_js), ("cutting", PackageResources.cutting_js),
            ("reading", PackageResources.reading_js), ("known", PackageResources.known_js),
            ("merging", PackageResources.merging_js),
            ("signin", PackageResources.signin_js), ("strip", PackageResources.strip_js),
            ("settings", PackageResources.settings_js),
            ("profile", PackageResources.profile_js),
            ("field", PackageResources.field_js), ("memory", PackageResources.memory_js),
            ("options", PackageResources.options_js),
            ("deviceoptions", PackageResources.deviceoptions_js),
            ("parting", PackageResources.parting_js), ("pdf", PackageResources.pdf_js),
            ("frame", PackageResources.frame_js), ("region", PackageResources.region_js),
            ("help", PackageResources.help_js),
            ("preview", PackageResources.preview_js),
            ("saving", PackageResources.saving_js), ("listing", PackageResources.listing_js),
            ("entries", PackageResources.entries_js), ("cards", PackageResources.cards_js),
            ("scanform", PackageResources.scanform_js), ("sending", PackageResources.sending_js),
            ("watching", PackageResources.watching_js), ("steps", PackageResources.steps_js),
            ("section", PackageResources.section_js), ("sinks", PackageResources.sinks_js),
            ("tokens", PackageResources.tokens_js),
        ].map { File(name: $0.0 + ".js", type: "text/javascript; charset=utf-8", bytes: $0.1) }
        + [
            ("page", PackageResources.page_css), ("forms", PackageResources.forms_css),
            ("review", PackageResources.review_css), ("capture", PackageResources.capture_css),
            ("devices", PackageResources.devices_css),
            ("settings", PackageResources.settings_css),
            ("archive", PackageResources.archive_css),
        ].map { File(name: $0.0 + ".css", type: "text/css; charset=utf-8", bytes: $0.1) }

    /// Only content from the host itself is shown or run, and no one may put the page into a frame.
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    /// The page at `/`, and each file under its name; `run` changes with every start of the host.
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
