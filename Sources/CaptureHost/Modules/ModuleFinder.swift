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
        for name in names(in: folder) {
            let path = folder + "/" + name
            if name.hasSuffix(".json") {
                paths.append(path)
            } else if access(path + "/backend.json", F_OK) == 0 {
                paths.append(path + "/backend.json")
            }
        }
        return paths
    }

    private func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
                    String(cString: $0)
                }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }
}
