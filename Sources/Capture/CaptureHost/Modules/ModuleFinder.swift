import CaptureKit
import Glibc
import UserFiles

/// Finds the manifests in the configured folders: `NAME.json` in each, and `backend.json` in the
/// folders within.
struct ModuleFinder {
    let folders: [String]
    let programFolder: String?
    /// Those of the folders whose backends nobody but the user and root may be able to change.
    var ownFolders: Set<String> = []

    /// Every broken module, and the first usable one of each id, in the order of the folders.
    func reports() -> [BackendReport] {
        var seenManifests: Set<String> = []
        var usable: Set<String> = []
        var reports: [BackendReport] = []
        let found = folders.flatMap { folder in manifests(in: folder).map { (folder, $0) } }
        for (folder, path) in found where seenManifests.insert(path).inserted {
            var report = Manifest.report(path: path, programFolder: programFolder)
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
        var paths: [String] = []
        for name in folderNames(folder) {
            let path = folder + "/" + name
            if name.hasSuffix(".json") {
                paths.append(path)
            } else if access(path + "/backend.json", F_OK) == 0 {
                paths.append(path + "/backend.json")
            }
        }
        return paths
    }
}
