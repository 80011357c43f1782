/// The options of a device with their values, for a backend that stores them itself.
///
///     var options = OptionList([
///         DeviceOption(
///             name: "gain", title: "Gain", help: "",
///             type: .integer(range: 1...9, step: nil), value: .integer(3))
///     ])
///     try options.set("gain", to: .integer(4))  // checks name, type and range
///     options["gain"]?.isActive = false
public struct OptionList: Hashable, Sendable {
    /// Every option with its present value, as ``CaptureDevice/options()`` returns them.
    public private(set) var all: [DeviceOption]

    /// A list of options with different names; of two options with the same name, only the first
    /// can be set.
    public init(_ options: [DeviceOption]) { all = options }

    /// The option with that name; nil when there is none, and setting it then does nothing.
    public subscript(name: String) -> DeviceOption? {
        get { all.first { $0.name == name } }
        set {
            guard let newValue, let index = all.firstIndex(where: { $0.name == name }) else {
                return
            }
            all[index] = newValue
        }
    }

    /// Checks and stores a value; a button stores none.
    ///
    /// - Returns: the value in the form that the option's type needs.
    /// - Throws: ``CaptureError``: `noSuchOption`; `invalidValue`, with the values that the option
    ///   accepts.
    @discardableResult
    public mutating func set(_ name: String, to value: OptionValue) throws(CaptureError)
        -> OptionValue
    {
        guard let index = all.firstIndex(where: { $0.name == name }) else {
            throw CaptureError(.noSuchOption, "no option is called '\(name)'")
        }
        let taken = try all[index].accepting(value)
        if all[index].type != .button { all[index].value = taken }
        return taken
    }
}
