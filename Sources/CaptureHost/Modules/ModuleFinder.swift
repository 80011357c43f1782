import CaptureKit
import Glibc

/// Finds the manifests in the configured folders: `NAME.json` in each, and `backend.json` in the folders within.
struct ModuleFinder {
    let folders: [String]
    let programFolder: String?

    /// Every broken module, and the first usable one of each id, in the order of the folders.
    func reports() -> [BackendReport] {
        var seenManifests: Set<String> = []
        var usable: Set<String> = []
        var reports: [BackendReport] = []
        for path in folders.flatMap(manifests) where seenManifests.insert(path).inserted {
            let report = Manifest.report(path: path, programFolder: programFolder)
            if report.problem == nil && !usable.insert(report.id).inserted { continue }
            reports.append(report)
        }
        return reports
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
