/// The options of a device with their values, for a backend that keeps them itself.
///
///     var options = OptionList([
///         DeviceOption(
///             name: "gain", title: "Gain", help: "",
///             type: .integer(range: 1...9, step: nil), value: .integer(3))
///     ])
///     try options.set("gain", to: .integer(4))  // checks name, type and range
///     options["gain"]?.isActive = false
public struct OptionList: Hashable, Sendable {
    /// Every option with its value now, as ``CaptureDevice/options()`` answers them.
    public private(set) var all: [DeviceOption]

    /// A list of options, whose names must differ; of two that are called the same only the first
    /// can be set.
    public init(_ options: [DeviceOption]) { all = options }

    /// The option of that name; nil when there is none, in which case setting it does nothing.
    public subscript(name: String) -> DeviceOption? {
        get { all.first { $0.name == name } }
        set {
            guard let newValue, let index = all.firstIndex(where: { $0.name == name }) else {
                return
            }
            all[index] = newValue
        }
    }

    /// Keeps a value once it is checked; a button keeps none.
    ///
    /// - Returns: the value in the form that the option's type asks for.
    /// - Throws: ``CaptureError``: `noSuchOption`; `invalidValue`, which says what the option
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
