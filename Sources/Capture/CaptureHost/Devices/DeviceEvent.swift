/// What a continuous listing reports.
public enum DeviceEvent: Hashable, Sendable {
    /// A device was found, or has come.
    case added(ListedDevice)
    /// What is known about a device that was added before has changed.
    case changed(ListedDevice)
    /// The device of this ``ListedDevice/id`` is not there any more.
    case removed(id: String)
    /// Something kept devices from being found.
    case problem(HostError)
    /// The backend of this id has reported everything for now.
    case answered(backend: String)
}
