import CaptureHost

/// The devices that a listing has reported so far.
struct DeviceList {
    private var places: [String: Int] = [:]
    private var known: [String: ListedDevice] = [:]
    /// The problems, in order.
    private(set) var problems: [HostError] = []

    /// Handles an event of the listing; true when the devices have changed.
    mutating func take(_ event: DeviceEvent) -> Bool {
        switch event {
        case .added(let device), .changed(let device):
            if places[device.id] == nil { places[device.id] = places.count }
            known[device.id] = device
        case .removed(let id): known[id] = nil
        case .problem(let problem):
            problems.append(problem)
            return false
        case .answered: return false
        }
        return true
    }

    /// The devices by backend, and for each backend in the order of their arrival.
    var devices: [ListedDevice] {
        known.values.sorted {
            ($0.backend, places[$0.id] ?? 0) < ($1.backend, places[$1.id] ?? 0)
        }
    }

    /// The devices and problems.
    var listing: DeviceListing { DeviceListing(devices: devices, problems: problems) }
}
