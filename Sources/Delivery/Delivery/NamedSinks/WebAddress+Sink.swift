package import HTTPClient

extension WebAddress {
    /// Reads the address of a sink.
    ///
    /// - Parameter schemes: the allowed schemes; messages suggest the first one.
    /// - Throws: ``DeliveryError`` `invalidOption` for an invalid address, or one with a user name.
    package init(
        sink text: String, schemes: [String] = ["https", "http"]
    ) throws(DeliveryError) {
        do throws(Fault) {
            self = try WebAddress(text, schemes: schemes)
        } catch {
            throw DeliveryError(.invalidOption, error.message)
        }
    }
}
