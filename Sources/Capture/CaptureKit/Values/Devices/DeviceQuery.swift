/// The host's request for devices.
public struct DeviceQuery: Codable, Hashable, Sendable {
    /// True to list only devices that can be found immediately, without searching the network.
    public var quick: Bool

    /// A query for all devices, or only for those that are found immediately if `quick`.
    public init(quick: Bool = false) { self.quick = quick }
}
