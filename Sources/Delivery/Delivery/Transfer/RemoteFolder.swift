/// A folder of a service, in which documents get names of their own and nothing is ever replaced.
protocol RemoteFolder {
    /// The state of a name.
    func look(_ name: String, for file: OutboxItem.File) throws(Obstacle) -> RemoteName
    /// Puts a file there as a whole.
    ///
    /// - Parameter mark: of the document, for names while it is on its way.
    /// - Returns: false when the name was used meanwhile.
    func put(
        _ path: String, _ file: OutboxItem.File, as name: String, mark: String
    ) throws(Obstacle) -> Bool
    /// Removes a file.
    func remove(_ name: String) throws(Obstacle)
    /// The place of a file, for people.
    func place(of name: String) -> String
    /// Keeps the connection for the next document; called after a success.
    func keep()
    /// True if a name is reserved with an empty file first, which an interrupted try leaves behind.
    var reservesNames: Bool { get }
    /// The name that an earlier try had reserved, or was about to; nil for none.
    func remember(reserved name: String?)
}

extension RemoteFolder {
    func keep() {}
    var reservesNames: Bool { false }
    func remember(reserved name: String?) {}
}

/// The state of a name.
enum RemoteName: Hashable {
    case nothing
    /// The file there has our bytes, from a try whose answer was lost.
    case ours
    case other
}

/// Delivers documents into a folder of a service.
struct RemoteFolderDeliverer: Deliverer {
    let definition: SinkDefinition
    let open: @Sendable () throws(DeliveryError) -> any RemoteFolder
    private static let mostNames = 1000
    /// The maximum number of files that are sent in one try to a server that then refuses the name.
    static let mostRefusals = 10

    func attempt(
        _ item: inout OutboxItem, in folder: String,
        save: (OutboxItem) throws(DeliveryError) -> Void
    ) throws(DeliveryError) -> DeliveryAttempt {
        let remote = try open()
        remote.remember(reserved: item.progress["reserved"])
        for (index, file) in item.files.enumerated().dropFirst(item.sentFiles) {
            do {
                item.progress["place"] = try put(
                    file, of: &item, at: index, from: folder, in: remote, save: save)
                item.progress["reserved"] = nil
            } catch let obstacle as Obstacle {
                return obstacle.attempt
            } catch {
                return .refused((error as? DeliveryError)?.message ?? "\(error)")
            }
            item.progress["sent"] = String(index + 1)
            try save(item)
        }
        remote.keep()
        return .delivered(RemoteReceipt(location: item.progress["place"] ?? ""))
    }

    private func put(
        _ file: OutboxItem.File, of item: inout OutboxItem, at index: Int, from folder: String,
        in remote: any RemoteFolder, save: (OutboxItem) throws(DeliveryError) -> Void
    ) throws -> String {
        let template = definition.nameTemplate
        var refusals = 0
        for counter in 1...Self.mostNames {
            let name = try template.name(of: file, in: item, at: index, counter: counter)
            switch try remote.look(name, for: file) {
            case .ours: return remote.place(of: name)
            case .other: continue
            case .nothing:
                let path = folder + "/" + file.name
                if remote.reservesNames, item.progress["reserved"] != name {
                    item.progress["reserved"] = name
                    try save(item)
                }
                if try remote.put(path, file, as: name, mark: "\(item.id)-\(index + 1)") {
                    return remote.place(of: name)
                }
                // The answer to a rename may have been lost: the file under this name may be
                // ours.
                if try remote.look(name, for: file) == .ours { return remote.place(of: name) }
                refusals += 1
                guard refusals < Self.mostRefusals else {
                    throw Obstacle(
                        .later(
                            "\(remote.place(of: "")) refused \(refusals) names that seemed to be free, the last being '\(name)'. Check that files may be renamed there",
                            after: nil))
                }
            }
        }
        throw Obstacle(
            .refused("\(Self.mostNames) names of the template '\(template.text)' are taken"))
    }

    /// Writes a small file and removes it.
    func test() throws(DeliveryError) -> String {
        let remote = try open()
        let probe = try Probe()
        do {
            let name = "copystand-test-\(probe.mark).txt"
            _ = try remote.put(probe.path, probe.file, as: name, mark: probe.mark)
            try remote.remove(name)
            return "a small file was written to \(remote.place(of: "")) and removed"
        } catch {
            throw error.error
        }
    }
}
