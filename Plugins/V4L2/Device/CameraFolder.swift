import CaptureKit
import Glibc

/// The folder of camera nodes, and the names that survive unplugging.
struct CameraFolder: Hashable, Sendable {
    /// The folder of the nodes `video0`, `video1` and so on.
    var nodes = "/dev"
    /// The folders of links to nodes, the best names first, as udev makes them.
    var links = ["/dev/v4l/by-id", "/dev/v4l/by-path"]
    /// The system's facts about each node.
    var system = "/sys/class/video4linux"
    /// The folder of the nodes of input devices.
    var inputs = "/dev/input"

    /// The system's own folders, or one whose nodes come from somewhere else.
    init(nodes: String? = nil) {
        guard let nodes else { return }
        self.nodes = nodes
        links = [nodes + "/v4l/by-id", nodes + "/v4l/by-path"]
        system = nodes + "/class"
        inputs = nodes + "/input"
    }

    /// The paths of the nodes, in the order of their numbers.
    func paths() -> [String] {
        folderNames(nodes).compactMap { name in
            name.hasPrefix("video") ? Int(name.dropFirst("video".count)) : nil
        }
        .sorted().map { "\(nodes)/video\($0)" }
    }

    /// The names of the links that lead to each node, the best for each.
    func linkNames() -> [String: String] {
        var found: [String: String] = [:]
        for folder in links.reversed() {
            for name in folderNames(folder).reversed() {
                if let target = resolved("\(folder)/\(name)") { found[target] = name }
            }
        }
        return found
    }

    /// The first line of a file about a node, such as its `name`.
    func fact(_ name: String, of path: String) -> String? {
        let node = path.split(separator: "/").last.map(String.init) ?? path
        guard let file = fopen("\(system)/\(node)/\(name)", "re") else { return nil }
        defer { fclose(file) }
        var line = [UInt8](repeating: 0, count: 256)
        let count = fread(&line, 1, line.count, file)
        let text = line.prefix(count).prefix { $0 != 10 }
        return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
    }

    /// The path without links in it.
    func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
