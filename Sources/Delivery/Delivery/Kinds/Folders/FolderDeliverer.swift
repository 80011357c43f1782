import ExpectedFailures
import Glibc

extension SinkDefinition.Kind {
    /// The kind of sink for files whose names are made from a template.
    public static let file = Self(
        "file", "writes to folders of this machine, and makes them as needed",
        reach: .folder,
        settings: [
            SinkSetting(
                .template, "the file's whole path, such as '/srv/scans/{year}/{title}.pdf'",
                isNeeded: true)
        ],
        example: .init("--template", "/srv/scans/{year}/{title}.pdf"),
        check: { (sink) throws(DeliveryError) in
            let template = sink.template ?? ""
            try NameTemplate(template).check()
            guard template.hasPrefix("/") else {
                throw DeliveryError(
                    .invalidOption,
                    "The template '\(template)' must begin at the root, such as '/home/ada/Scans/\(template)': a sink is used from any folder."
                )
            }
        }
    ) { (definition, _) throws(DeliveryError) in FolderDeliverer(definition: definition) }
}

/// Puts a document into folders under a name made from a template, for a named sink of the kind
/// `file`.
///
/// An existing file is never replaced: the next free name is used. The folders are made as
/// needed.
struct FolderDeliverer: Deliverer {
    let definition: SinkDefinition
    private static let mostNames = 10_000

    func attempt(
        _ item: inout OutboxItem, in folder: String,
        save: (OutboxItem) throws(DeliveryError) -> Void
    ) throws(DeliveryError) -> DeliveryAttempt {
        for (index, file) in item.files.enumerated() {
            // The file of an interrupted attempt may be gone.
            let path = item.progress["path \(index)"]
            if index < item.sentFiles, let path, asHint({ try fileHash(path) }) == file.sha256 {
                continue
            }
            do {
                item.progress["path \(index)"] = try copy(file, of: item, at: index, from: folder)
            } catch {
                let isTransient = error.code == .noSpace || error.code == .folderMissing
                return isTransient ? .later(error.message, after: nil) : .refused(error.message)
            }
            item.progress["sent"] = String(index + 1)
            try save(item)
        }
        let paths = item.files.indices.compactMap { item.progress["path \($0)"] }
        return .delivered(
            RemoteReceipt(
                locations: paths, files: paths.map { DeliveredFile(path: $0) ?? .missing($0) }))
    }

    private func copy(
        _ file: OutboxItem.File, of item: OutboxItem, at index: Int, from source: String
    ) throws(DeliveryError) -> String {
        let template = NameTemplate(definition.template ?? "")
        for counter in 1...Self.mostNames {
            let target = try template.name(of: file, in: item, at: index, counter: counter)
            let parts = target.split(separator: "/", omittingEmptySubsequences: false)
            let folder = parts.dropLast().joined(separator: "/")
            let name = String(parts.last ?? "")
            try makeFolders(folder)
            let place = try OutputFolder(
                path: folder.isEmpty ? "/" : folder, for: name, disk: .live)
            if try place.holds(name) {
                // A file with this name and the same bytes is this document, from an interrupted
                // attempt.
                if place.delivered(name) != nil, try fileHash(target) == file.sha256 {
                    return target
                }
                continue
            }
            let partial = try PartialFile(name, in: place)
            try partial.append(contentsOf: source + "/" + file.name)
            try partial.seal()
            guard try partial.place(as: name) else { continue }
            try place.sync()
            return target
        }
        throw DeliveryError(
            .alreadyExists, "\(Self.mostNames) names of the template '\(template.text)' are taken.")
    }

    private func makeFolders(_ path: String) throws(DeliveryError) {
        var made = ""
        for name in path.split(separator: "/") {
            made += "/" + name
            if mkdir(made, 0o777) == 0 {
                let above = made.lastIndex(of: "/").map { String(made[..<$0]) } ?? ""
                try OutputFolder(path: above.isEmpty ? "/" : above, for: made, disk: .live).sync()
            } else if errno != EEXIST {
                throw .disk(errno, "make", made, in: "")
            }
        }
    }

    func test() throws(DeliveryError) -> String {
        let values = NameTemplate.values(
            title: "Test", type: nil, created: 0, counter: 1, sink: "test")
        let path = try NameTemplate(definition.template ?? "").path(values)
        let folders = sequence(first: Self.above(path)) { $0.isEmpty ? nil : Self.above($0) }
            .map { $0.isEmpty ? "/" : $0 }
        let place = folders.first { access($0, F_OK) == 0 } ?? "/"
        _ = try OutputFolder(path: place, for: "a document", disk: .live)
        return place == folders[0]
            ? "'\(place)' can be written to"
            : "'\(place)' can be written to, and '\(folders[0])' will be made in it"
    }

    private static func above(_ path: String) -> String {
        String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }
}
