package import ScanService

extension ScanOrder {
    /// The order for a request; settings that the request leaves open have their defaults.
    ///
    /// The outputs of the document are set later.
    package init(_ request: ScanRequest, from sources: [String]) {
        self.init(
            sources: sources, outputs: [], profile: request.profile ?? "document",
            settings: request.settings?.list ?? [], limit: request.pages,
            stepChanges: (request.steps ?? [:]).sorted { $0.key < $1.key }.map {
                "\($0.key)=\($0.value)"
            },
            omittedSteps: request.omittedSteps ?? [], languages: request.languages ?? [],
            title: request.title)
        common = request.common ?? CommonSettings()
        waitsForPaper = request.waitsForPaper ?? false
        asksForMore = request.asksForMore ?? false
        pdf = request.pdf?.order ?? PDFOrder()
        pageTimeout = request.pageTimeout
        splitAt = request.splitAt ?? []
        splitPages = request.splitPages ?? .auto
    }
}
