/// Every kind of sink there is.
///
/// A new one is a file in `Sinks/` and a line here.
public enum SinkCatalog {
    /// The kinds, in the order in which they are listed.
    public static let kinds: [SinkKind] = [
        FileSink.kind
    ]

    /// The kind of that name.
    ///
    /// - Throws: ``DeliveryError`` `invalidOption`, with the nearest name.
    public static func kind(_ name: String) throws(DeliveryError) -> SinkKind {
        if let kind = kinds.first(where: { $0.name == name }) { return kind }
        throw DeliveryError(
            .invalidOption, unknownName(name, what: "kind of sink", kinds.map(\.name)))
    }
}
