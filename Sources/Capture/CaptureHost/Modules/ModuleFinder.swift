import CaptureKit
import Glibc
import UserFiles

/// Finds the manifests in the configured folders: `NAME.json` in each, and `backend.json`, or
/// another name, in the folders within.
///
/// Among the folders may be a manifest itself.
package struct ModuleFinder {
    let folders: [String]
    let programFolder: String?
    /// The folders whose modules are refused if anyone but the user and root could change them.
    var ownFolders: Set<String> = []
    /// The name of a manifest in a folder of its own.
    var fileName = "backend.json"
    /// The newest version of their protocol that this host speaks.
    var newestProtocol = captureProtocolVersion

    /// Finds modules of another sort in the usual folders of that sort, such as `readers`.
    ///
    /// - Parameters:
    ///   - kind: the sort of modules, as their folders are called.
    ///   - fileName: the name of a manifest in a folder of its own.
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

    /// Finds backends.
    init(folders: [String], programFolder: String?, ownFolders: Set<String> = []) {
        self.folders = folders
        self.programFolder = programFolder
        self.ownFolders = ownFolders
    }

    /// Every broken module, and the first usable one of each id, in the order of the folders.
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
