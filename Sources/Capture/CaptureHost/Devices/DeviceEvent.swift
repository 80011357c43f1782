/// An event of a continuous listing.
public enum DeviceEvent: Hashable, Sendable {
    /// A device was found.
    case added(ListedDevice)
    /// A device that was added before has a new description.
    case changed(ListedDevice)
    /// The device with this ``ListedDevice/id`` is gone.
    case removed(id: String)
    /// Something kept devices from being found.
    case problem(HostError)
    /// The backend with this id has reported all its devices for now.
    case answered(backend: String)
}
