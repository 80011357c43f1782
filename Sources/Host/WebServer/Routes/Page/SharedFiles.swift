import HTTPServer

/// `/share/{key}`: confirms to the page that the browser itself began a share.
///
/// The page's worker stores shared files and leads here, because a browser reveals only to the
/// host who began a navigation. A sharing program knows no key, so the address in the answer is
/// proof.
struct SharedFiles {
    static let route = Route(
        "GET", "/share/{key}", needs: .open, group: "Page",
        "Leads to the page that shows shared files, if the browser itself comes here",
        answers: [.init(status: 303, summary: "The page", type: nil)], problems: [403],
        work: { call in
            let key = call["key"]
            guard call.request.head.header("Sec-Fetch-Site") == "none", isKey(key) else {
                throw Problem(
                    403, "foreign-origin",
                    detail:
                        "A page of another site may not share files with this host. Share them from the menu of the program that has them."
                )
            }
            return HTTPResponse(status: 303, headers: [("Location", "/#scan/shared/" + key)])
        })

    /// True for a time, a hyphen and a UUID, which is what the page's worker makes.
    private static func isKey(_ text: String) -> Bool {
        text.utf8.count < 64 && text.utf8.allSatisfy { "0123456789abcdef-".utf8.contains($0) }
    }
}
