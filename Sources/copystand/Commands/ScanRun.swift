/// Runs `scan` and `import`: from the device or the files to the delivered documents.
///
/// The task is cancelled by the first Ctrl-C.
func runScan(_ arguments: ScanArguments) async -> ExitCode {
    arguments.console.warn("copystand: scanning is not connected in this build.")
    return .usage
}
