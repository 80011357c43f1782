import CaptureKit
import Glibc

// --- Which cameras there are ---

/// A camera's name and address.
struct Place: Hashable {
    var id: String
    var address: String

    var descriptor: DeviceDescriptor {
        DeviceDescriptor(
            id: id, name: "Network camera \(id)", kind: .camera, connection: address,
            sources: ["camera"])
    }

    /// The user's cameras: lines of a name, a space and an address.
    static func all() -> [Place] {
        let folder = variable("XDG_CONFIG_HOME") ?? (variable("HOME") ?? "") + "/.config"
        guard let file = fopen(folder + "/netcam.txt", "r") else { return [] }
        defer { fclose(file) }
        var places: [Place] = []
        var line: UnsafeMutablePointer<CChar>?
        var room = 0
        defer { free(line) }
        while getline(&line, &room, file) > 0, let line {
            let words = String(cString: line).split(whereSeparator: \.isWhitespace)
            if words.count == 2, words[0].first != "#" {
                places.append(Place(id: String(words[0]), address: String(words[1])))
            }
        }
        return places
    }

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}

// --- The backend ---

struct Cameras: CaptureBackend {
    func devices(_ query: DeviceQuery) async throws -> [DeviceDescriptor] {
        var found: [DeviceDescriptor] = []
        for place in Place.all() {
            var device = place.descriptor
            do {
                if !query.quick { _ = try await fetch(place.address) }
            } catch let error as CaptureError where error.code == .offline {
                device.state = .offline
                device.advice = error.advice
            }
            found.append(device)
        }
        return found
    }

    func open(_ id: String) async throws -> any CaptureDevice {
        if id.hasPrefix("http://") || id.hasPrefix("https://") {
            return Camera(Place(id: id, address: id))
        }
        guard let place = Place.all().first(where: { $0.id == id }) else {
            throw CaptureError(
                .noSuchDevice, "no camera is called '\(id)'",
                advice: "Add a line with its name and address to netcam.txt.")
        }
        return Camera(place)
    }

    // --- Cameras that come and go ---

    func changes() async -> AsyncStream<DeviceChange>? {
        AsyncStream { changes in
            let task = Task {
                var known = Place.all()
                while (try? await Task.sleep(for: .seconds(1))) != nil {
                    let now = Place.all()
                    for place in known where !now.contains(place) {
                        changes.yield(.removed(place.id))
                    }
                    for place in now where !known.contains(place) {
                        changes.yield(.added(place.descriptor))
                    }
                    known = now
                }
            }
            changes.onTermination = { _ in task.cancel() }
        }
    }
}
