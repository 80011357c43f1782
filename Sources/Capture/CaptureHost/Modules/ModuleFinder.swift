import CaptureKit
import Glibc
import UserFiles

/// Finds the manifests in the configured folders: `NAME.json` in each folder, and `backend.json`,
/// or another name, in each of its subfolders.
///
/// A path in the list may also lead to a manifest itself.
package struct ModuleFinder {
    let folders: [String]
    let programFolder: String?
    /// The folders whose modules are refused if anyone but the user and root can change them.
    var ownFolders: Set<String> = []
    /// The file name of a manifest in a subfolder.
    var fileName = "backend.json"
    /// The newest version of the modules' protocol that this host speaks.
    var newestProtocol = captureProtocolVersion
}

extension ModuleFinder {
    /// Finds modules of another kind in the usual folders of that kind, such as `readers`.
    ///
    /// - Parameters:
    ///   - kind: the kind of modules, which is the name of their folders.
    ///   - fileName: the file name of a manifest in a subfolder.
    ///   - environment: the environment to read.
    package init(
        kind: String, fileName: String, newestProtocol: Int, environment: [String: String]
    ) {
        let places = ModulePlaces(kind: kind, environment: environment)
        folders = places.folders
        ownFolders = Set([places.own].compactMap { $0 })
        programFolder = places.programFolder
        self.fileName = fileName
        self.newestProtocol = newestProtocol
    }

    /// Every unusable module, and the first usable one of each id, in the order of the folders.
    package func reports() -> [BackendReport] {
        var seenManifests: Set<String> = []
        var usable: Set<String> = []
        var reports: [BackendReport] = []
        let found = folders.flatMap { folder in manifests(in: folder).map { (folder, $0) } }
        for (folder, path) in found where seenManifests.insert(path).inserted {
            var report = Manifest.report(
                path: path, programFolder: programFolder, newestProtocol: newestProtocol)
            if ownFolders.contains(folder) { refuseUntrusted(&report) }
            if report.problem == nil && !usable.insert(report.id).inserted { continue }
            reports.append(report)
        }
        return reports
    }

    private func refuseUntrusted(_ report: inout BackendReport) {
        do {
            for file in [report.manifest, report.program].compactMap({ $0 }) {
                try UserFile(path: file).checkTrust()
            }
        } catch {
            report.problem = error.message
        }
    }

    private func manifests(in folder: String) -> [String] {
        if folder.hasSuffix(".json") { return [folder] }
        var paths: [String] = []
        for name in folderNames(folder) {
            let path = folder + "/" + name
            if name.hasSuffix(".json") {
                paths.append(path)
            } else if access(path + "/" + fileName, F_OK) == 0 {
                paths.append(path + "/" + fileName)
            }
        }
        return paths
    }
}
