import HTTPServer

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

    private static let files: [File] = [
        ("archive/archive.js", PackageResources.archive_js),
        ("archive/arriving.js", PackageResources.arriving_js),
        ("archive/bulk.js", PackageResources.bulk_js),
        ("archive/finding.js", PackageResources.finding_js),
        ("archive/results.js", PackageResources.results_js),
        ("archive/way.js", PackageResources.way_js),
        ("copystand.webmanifest", PackageResources.copystand_webmanifest),
        ("details/cards.js", PackageResources.cards_js),
        ("details/entries.js", PackageResources.entries_js),
        ("details/history.js", PackageResources.history_js),
        ("details/known.js", PackageResources.known_js),
        ("devices/deviceoptions.js", PackageResources.deviceoptions_js),
        ("devices/devices.js", PackageResources.devices_js),
        ("devices/options.js", PackageResources.options_js),
        ("document/cutting.js", PackageResources.cutting_js),
        ("document/document.js", PackageResources.document_js),
        ("document/grid.js", PackageResources.grid_js),
        ("document/merging.js", PackageResources.merging_js),
        ("document/pageview.js", PackageResources.pageview_js),
        ("document/proposal.js", PackageResources.proposal_js),
        ("document/reading.js", PackageResources.reading_js),
        ("document/rescan.js", PackageResources.rescan_js),
        ("document/saving.js", PackageResources.saving_js),
        ("document/tools.js", PackageResources.tools_js),
        ("icon-180.png", PackageResources.icon_180_png),
        ("icon-512.png", PackageResources.icon_512_png),
        ("icon.svg", PackageResources.icon_svg),
        ("index.html", PackageResources.index_html),
        ("live/film.js", PackageResources.film_js),
        ("live/live.js", PackageResources.live_js),
        ("live/region.js", PackageResources.region_js),
        ("live/watching.js", PackageResources.watching_js),
        ("main.js", PackageResources.main_js),
        ("offline.js", PackageResources.offline_js),
        ("parts/dom.js", PackageResources.dom_js),
        ("parts/drawings.js", PackageResources.drawings_js),
        ("parts/field.js", PackageResources.field_js),
        ("parts/frame.js", PackageResources.frame_js),
        ("parts/icons.js", PackageResources.icons_js),
        ("parts/listing.js", PackageResources.listing_js),
        ("parts/memory.js", PackageResources.memory_js),
        ("parts/out.js", PackageResources.out_js),
        ("parts/pdf.js", PackageResources.pdf_js),
        ("parts/sheet.js", PackageResources.sheet_js),
        ("parts/strip.js", PackageResources.strip_js),
        ("parts/zip.js", PackageResources.zip_js),
        ("scan/adding.js", PackageResources.adding_js),
        ("scan/deliveries.js", PackageResources.deliveries_js),
        ("scan/jobs.js", PackageResources.jobs_js),
        ("scan/parting.js", PackageResources.parting_js),
        ("scan/place.js", PackageResources.place_js),
        ("scan/preview.js", PackageResources.preview_js),
        ("scan/scan.js", PackageResources.scan_js),
        ("scan/scanform.js", PackageResources.scanform_js),
        ("scan/sending.js", PackageResources.sending_js),
        ("scan/shared.js", PackageResources.shared_js),
        ("scan/shortcuts.js", PackageResources.shortcuts_js),
        ("settings/about.js", PackageResources.about_js),
        ("settings/appearance.js", PackageResources.appearance_js),
        ("settings/copy.js", PackageResources.copy_js),
        ("settings/profile.js", PackageResources.profile_js),
        ("settings/sample.js", PackageResources.sample_js),
        ("settings/section.js", PackageResources.section_js),
        ("settings/settings.js", PackageResources.settings_js),
        ("settings/sinks.js", PackageResources.sinks_js),
        ("settings/steps.js", PackageResources.steps_js),
        ("settings/tokens.js", PackageResources.tokens_js),
        ("shell/help.js", PackageResources.help_js),
        ("shell/host.js", PackageResources.host_js),
        ("shell/more.js", PackageResources.more_js),
        ("shell/signin.js", PackageResources.signin_js),
        ("shell/stream.js", PackageResources.stream_js),
        ("shell/streams.js", PackageResources.streams_js),
        ("shell/tabs.js", PackageResources.tabs_js),
        ("styles/archive.css", PackageResources.archive_css),
        ("styles/capture.css", PackageResources.capture_css),
        ("styles/devices.css", PackageResources.devices_css),
        ("styles/document.css", PackageResources.document_css),
        ("styles/forms.css", PackageResources.forms_css),
        ("styles/page.css", PackageResources.page_css),
        ("styles/review.css", PackageResources.review_css),
        ("styles/settings.css", PackageResources.settings_css),
        ("styles/shell.css", PackageResources.shell_css),
        ("views.js", PackageResources.views_js),
        ("words/changes.js", PackageResources.changes_js),
        ("words/host-de.json", PackageResources.host_de_json),
        ("words/host-es.json", PackageResources.host_es_json),
        ("words/host-fr.json", PackageResources.host_fr_json),
        ("words/words-de.json", PackageResources.words_de_json),
        ("words/words-en.json", PackageResources.words_en_json),
        ("words/words-es.json", PackageResources.words_es_json),
        ("words/words-fr.json", PackageResources.words_fr_json),
        ("words/words.js", PackageResources.words_js),
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
