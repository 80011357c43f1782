import CaptureKit
import ExpectedFailures
import Glibc

/// Watches cameras come and go (`inotify` on the folders of nodes and of their names).
///
/// A node appears before its permissions and its lasting name do, so the list is compared once
/// nothing has moved for a while.
enum HotPlug {
    /// The time that the folders must stay unchanged before the cameras are listed again, in
    /// milliseconds.
    private static let rest: Int32 = 300

    /// The changes; the watch ends when the stream is dropped.
    static func changes(
        _ directory: CameraDirectory, own: @escaping @Sendable () -> Set<String>
    ) -> AsyncStream<DeviceChange>? {
        let raw = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard raw >= 0, let ends = ifSupported({ try OwnedDescriptor.socketPair() }) else {
            return nil
        }
        let watch = OwnedDescriptor(raw)
        let (stop, stopped) = ends
        return AsyncStream { continuation in
            // Dropping the stream closes one end of the pipe, which the thread notices at the other
            // end.
            continuation.onTermination = { _ in shutdown(stop.raw, Int32(SHUT_RDWR)) }
            startThread("cameras") {
                var known = Set(directory.entries(own: own()).map(\.descriptor))
                observe(directory.folder, watch)
                while wait(watch, stopped) {
                    // A folder of names disappears with the last name in it and appears with the
                    // first.
                    observe(directory.folder, watch)
                    let now = Set(directory.entries(own: own()).map(\.descriptor))
                    for change in difference(known, now) { continuation.yield(change) }
                    known = now
                }
                continuation.finish()
            }
        }
    }

    /// The changes from one list to the next, with removals first; a changed state is not reported.
    static func difference(
        _ before: Set<DeviceDescriptor>, _ now: Set<DeviceDescriptor>
    ) -> [DeviceChange] {
        let (old, new) = (Set(before.map(\.id)), Set(now.map(\.id)))
        return old.subtracting(new).sorted().map { .removed($0) }
            + now.filter { !old.contains($0.id) }.sorted { $0.id < $1.id }.map { .added($0) }
    }

    /// Watches the existing folders; watching one twice changes nothing.
    private static func observe(_ folder: CameraFolder, _ watch: OwnedDescriptor) {
        let mask = UInt32(IN_CREATE | IN_DELETE | IN_ATTRIB | IN_MOVED_TO | IN_MOVED_FROM)
        let parents = folder.links.map { link in
            link.lastIndex(of: "/").map { String(link[..<$0]) } ?? link
        }
        for path in [folder.nodes] + parents + folder.links {
            _ = inotify_add_watch(watch.raw, path, mask)
        }
    }

    /// Waits until cameras may have changed and no more changes arrive; false when no one listens
    /// anymore.
    private static func wait(_ watch: OwnedDescriptor, _ stopped: OwnedDescriptor) -> Bool {
        var isMoved = false
        while true {
            var files = [
                pollfd(fd: watch.raw, events: Int16(POLLIN), revents: 0),
                pollfd(fd: stopped.raw, events: Int16(POLLIN), revents: 0),
            ]
            let count = retried { poll(&files, 2, isMoved ? rest : -1) }
            if count < 0 || files[1].revents != 0 { return false }
            if count == 0 { return true }
            if concernsCameras(watch) { isMoved = true }
        }
    }

    /// Reads the events; true when one was about a node or a folder of names.
    private static func concernsCameras(_ watch: OwnedDescriptor) -> Bool {
        var concerns = false
        let size = 16_384
        withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { buffer in
            while case let count = read(watch.raw, buffer.baseAddress, size), count > 0 {
                var place = 0
                let header = MemoryLayout<inotify_event>.size
                while place + header <= count {
                    let length = Int(
                        buffer.loadUnaligned(fromByteOffset: place + 12, as: UInt32.self))
                    let name = buffer[(place + header)..<min(place + header + length, count)]
                        .prefix { $0 != 0 }
                    let isNode = name.starts(with: "video".utf8) || name.elementsEqual("v4l".utf8)
                    // In the folders of names, every entry is a camera.
                    if isNode || name.count > 16 || name.starts(with: "by-".utf8) {
                        concerns = true
                    }
                    place += header + length
                }
            }
        }
        return concerns
    }
}
