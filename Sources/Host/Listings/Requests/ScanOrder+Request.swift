package import ScanService

extension ScanOrder {
    /// The order for a request; settings that the request leaves open have their defaults.
    ///
    /// The outputs of the document are set later.
    package init(_ request: ScanRequest, from sources: [String]) {
        self.init(
            sources: sources, outputs: [], profile: request.profile ?? "document",
            settings: request.settings?.list ?? [],
            stepChanges: (request.steps ?? [:]).sorted { $0.key < $1.key }.map {
                "\($0.key)=\($0.value)"
            },
            omittedSteps: request.omittedSteps ?? [])
        common = request.common ?? CommonSettings()
        pdf = request.pdf?.order ?? PDFOrder()
        options = request.options
    }
}
