import JobOptions

extension TimeText {
    /// As ``seconds(_:)``, as a duration.
    static func duration(_ text: String) -> Duration? { seconds(text).map { .seconds($0) } }
}
