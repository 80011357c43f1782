import CV4L2
import CaptureKit
import Glibc

/// Lists the cameras and finds the one with an id; its calls block.
struct CameraDirectory: Sendable {
    let folder: CameraFolder

    /// A camera that was found.
    struct Entry: Hashable, Sendable {
        var path: String
        var descriptor: DeviceDescriptor
    }

    /// Every camera, in the order of its nodes.
    ///
    /// - Parameter own: the paths of cameras that this process has open, which are busy for others
    ///   only.
    func entries(own: Set<String> = []) -> [Entry] {
        let links = folder.linkNames()
        var taken: Set<String> = []
        return folder.paths().compactMap { path in
            let real = folder.resolved(path) ?? path
            guard var descriptor = describe(path, isOwn: own.contains(real)) else { return nil }
            if let link = links[real] { descriptor.id = link }
            // Several nodes at the same place that have no udev name are distinguished by their
            // order.
            let name = descriptor.id
            var number = 2
            while !taken.insert(descriptor.id).inserted {
                descriptor.id = "\(name)-\(number)"
                number += 1
            }
            return Entry(path: path, descriptor: descriptor)
        }
    }

    /// The path of the node that an id means, which may itself be a path.
    ///
    /// - Throws: ``CaptureError`` `noSuchDevice`.
    func path(of id: String) throws(CaptureError) -> String {
        if id.hasPrefix("/") { return id }
        if let entry = entries().first(where: { $0.descriptor.id == id }) { return entry.path }
        throw CaptureError(
            .noSuchDevice, "There is no camera '\(id)'",
            advice: "Plug it in, or choose another one from: copystand devices")
    }

    /// The descriptor of a node; nil for a node that is not a camera.
    private func describe(_ path: String, isOwn: Bool) -> DeviceDescriptor? {
        do throws(CaptureError) {
            let node = try CameraNode(path: path)
            guard node.facts.isCamera else { return nil }
            var descriptor = CameraDirectory.descriptor(node.facts, path: path)
            descriptor.vendor = folder.fact("device/../manufacturer", of: path)
            descriptor.model = folder.fact("device/../product", of: path)
            descriptor.format =
                CameraSettings(ModeList.read(node.file.raw, type: node.type))?.summary
            descriptor.controls = CameraSettings.panel(of: node).names
            if !isOwn && node.isBusy {
                descriptor.state = .busy
                descriptor.advice = "Another program uses it. " + CameraFault.busyAdvice
            }
            return descriptor
        } catch {
            guard error.code == .permissionDenied else { return nil }
            // Of a camera with several nodes, the first sends the pictures. The others look the
            // same.
            guard folder.fact("index", of: path) ?? "0" == "0" else { return nil }
            return DeviceDescriptor(
                id: path, name: folder.fact("name", of: path) ?? path, kind: .camera,
                path: path, sources: ["camera"], state: .noPermission, advice: error.advice)
        }
    }

    /// The descriptor of a camera, without the facts that only the system or another request can
    /// give.
    static func descriptor(_ facts: CameraNode.Facts, path: String) -> DeviceDescriptor {
        let bus =
            if facts.bus.hasPrefix("usb-") {
                "USB"
            } else if facts.bus.hasPrefix("PCI:") {
                "PCI"
            } else {
                facts.bus
            }
        return DeviceDescriptor(
            id: facts.bus.isEmpty ? path : facts.bus, name: facts.card.isEmpty ? path : facts.card,
            kind: .camera, connection: bus.isEmpty ? nil : bus, path: path, sources: ["camera"])
    }
}
