package import ScanService

/// The options to set for a device, in this order.
///
/// In JSON they are an object, `{"mode": "gray"}`. Objects have no order, so these options are set
/// in the order of their names.
package struct DeviceSettings: Codable, Sendable {
    package var list: [ScanOrder.Setting]

    package init(_ list: [ScanOrder.Setting]) { self.list = list }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.singleValueContainer().decode([String: String].self)
        list = values.sorted { $0.key < $1.key }.map { .init(option: $0.key, value: $0.value) }
    }

    /// Writes the options.
    ///
    /// If an option occurs twice, the last value counts.
    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(Dictionary(list.map { ($0.option, $0.value) }) { $1 })
    }
}
