import HTTPServer

/// The web page's files, which are part of the program.
struct PageFiles {
    private struct File {
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

    private static let files: [File] = [
        ("about.js", PackageResources.about_js),
        ("appearance.js", PackageResources.appearance_js),
        ("archive.css", PackageResources.archive_css),
        ("archive.js", PackageResources.archive_js),
        ("bulk.js", PackageResources.bulk_js),
        ("capture.css", PackageResources.capture_css),
        ("cards.js", PackageResources.cards_js),
        ("changes.js", PackageResources.changes_js),
        ("copystand.webmanifest", PackageResources.copystand_webmanifest),
        ("cutting.js", PackageResources.cutting_js),
        ("deviceoptions.js", PackageResources.deviceoptions_js),
        ("devices.css", PackageResources.devices_css),
        ("devices.js", PackageResources.devices_js),
        ("document.css", PackageResources.document_css),
        ("document.js", PackageResources.document_js),
        ("dom.js", PackageResources.dom_js),
        ("drawings.js", PackageResources.drawings_js),
        ("entries.js", PackageResources.entries_js),
        ("field.js", PackageResources.field_js),
        ("film.js", PackageResources.film_js),
        ("finding.js", PackageResources.finding_js),
        ("forms.css", PackageResources.forms_css),
        ("frame.js", PackageResources.frame_js),
        ("grid.js", PackageResources.grid_js),
        ("help.js", PackageResources.help_js),
        ("host-de.json", PackageResources.host_de_json),
        ("host-es.json", PackageResources.host_es_json),
        ("host-fr.json", PackageResources.host_fr_json),
        ("host.js", PackageResources.host_js),
        ("icon-180.png", PackageResources.icon_180_png),
        ("icon-512.png", PackageResources.icon_512_png),
        ("icon.svg", PackageResources.icon_svg),
        ("icons.js", PackageResources.icons_js),
        ("index.html", PackageResources.index_html),
        ("jobs.js", PackageResources.jobs_js),
        ("known.js", PackageResources.known_js),
        ("listing.js", PackageResources.listing_js),
        ("live.js", PackageResources.live_js),
        ("main.js", PackageResources.main_js),
        ("memory.js", PackageResources.memory_js),
        ("merging.js", PackageResources.merging_js),
        ("more.js", PackageResources.more_js),
        ("offline.js", PackageResources.offline_js),
        ("options.js", PackageResources.options_js),
        ("out.js", PackageResources.out_js),
        ("page.css", PackageResources.page_css),
        ("pageview.js", PackageResources.pageview_js),
        ("parting.js", PackageResources.parting_js),
        ("pdf.js", PackageResources.pdf_js),
        ("preview.js", PackageResources.preview_js),
        ("profile.js", PackageResources.profile_js),
        ("proposal.js", PackageResources.proposal_js),
        ("reading.js", PackageResources.reading_js),
        ("region.js", PackageResources.region_js),
        ("rescan.js", PackageResources.rescan_js),
        ("results.js", PackageResources.results_js),
        ("review.css", PackageResources.review_css),
        ("sample.js", PackageResources.sample_js),
        ("saving.js", PackageResources.saving_js),
        ("scan.js", PackageResources.scan_js),
        ("scanform.js", PackageResources.scanform_js),
        ("section.js", PackageResources.section_js),
        ("sending.js", PackageResources.sending_js),
        ("settings.css", PackageResources.settings_css),
        ("settings.js", PackageResources.settings_js),
        ("shared.js", PackageResources.shared_js),
        ("sheet.js", PackageResources.sheet_js),
        ("shell.css", PackageResources.shell_css),
        ("shortcuts.js", PackageResources.shortcuts_js),
        ("signin.js", PackageResources.signin_js),
        ("sinks.js", PackageResources.sinks_js),
        ("steps.js", PackageResources.steps_js),
        ("stream.js", PackageResources.stream_js),
        ("streams.js", PackageResources.streams_js),
        ("strip.js", PackageResources.strip_js),
        ("tokens.js", PackageResources.tokens_js),
        ("tools.js", PackageResources.tools_js),
        ("watching.js", PackageResources.watching_js),
        ("words-de.json", PackageResources.words_de_json),
        ("words-en.json", PackageResources.words_en_json),
        ("words-es.json", PackageResources.words_es_json),
        ("words-fr.json", PackageResources.words_fr_json),
        ("words.js", PackageResources.words_js),
        ("zip.js", PackageResources.zip_js),
    ].map { File(name: $0.0, type: types[endingOf($0.0)] ?? "", bytes: $0.1) }

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
