import BlockingWork
import Delivery
import ExpectedFailures
import Glibc
import GuardedFiles
import UserFiles

/// Copies an input that can be read only once, or only by this process, into a file of the job's
/// folder, and syncs it.
///
/// - Parameters:
///   - number: distinguishes the copies of a job.
///   - control: a stop ends the copying; the bytes so far stay.
/// - Throws: ``JobError`` `inputUnusable` when it can't be read, is empty or too large,
///   `spoolUnusable` when it can't be stored; `CancellationError` after a stop.
func spool(
    _ input: StreamedInput, _ number: Int, in folder: String, control: ScanControl
) async throws {
    let failure = await onOwnThread { () -> (any Error)? in
        let file: CInt
        do throws(GuardedFileError) {
            file = try GuardedFolder.folder(at: folder).create(OwnFiles.name(ofInput: number))
        } catch { return JobError.spool(folder, error) }
        defer { close(file) }
        let source = input.open()
        guard source >= 0 else { return JobError.unreadable(input, errno) }
        defer { if source != STDIN_FILENO { close(source) } }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var total = 0
        while true {
            var request = pollfd(fd: source, events: Int16(POLLIN), revents: 0)
            // Waits in short steps, so that a stop is noticed while nothing arrives.
            let ready = poll(&request, 1, 100)
            if control.isStopped { return CancellationError() }
            if ready == 0 { continue }
            let count = read(source, &buffer, buffer.count)
            if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
            guard count >= 0 else { return JobError.unreadable(input, errno) }
            if count == 0 { break }
            total += count
            guard total <= StreamedInput.most else {
                return JobError(
                    .inputUnusable,
                    "\(input.words) has more than \(StreamedInput.most >> 30) GiB. Save it as a file and import that."
                )
            }
            let failure = buffer[..<count].withUnsafeBytes { writeAll($0, to: file) }
            guard failure == 0 else { return JobError.spool(folder, failure) }
        }
        guard total > 0 else {
            return JobError(
                .inputUnusable,
                "\(input.words) is empty: pipe a picture or a PDF into it, as in `cat page.jpg | copystand import - -o page.pdf`."
            )
        }
        return fsync(file) == 0 ? nil : JobError.spool(folder, errno)
    }
    if let failure { throw failure }
}

/// Moves files into a job's folder.
///
/// - Throws: ``JobError`` `spoolUnusable`; the files that were moved already stay in the job's
///   folder.
func adopt(_ files: [AdoptedFile], in folder: String) throws(JobError) {
    do throws(GuardedFileError) {
        let own = try GuardedFolder.folder(at: folder)
        for (index, file) in files.enumerated() {
            let (source, name) = try GuardedFolder.above(file.path)
            let place = OwnFiles.name(ofUpload: index)
            let goal = file.name == nil ? own : try own.ownFolder(place)
            try goal.checkFile(file.name ?? place)
            _ = try source.move(name, to: goal, as: file.name ?? place)
        }
    } catch { throw .spool(folder, error) }
}

extension JobError {
    fileprivate static func unreadable(_ input: StreamedInput, _ number: Int32) -> JobError {
        JobError(
            .inputUnusable,
            "\(input.words) can't be read: \(String(cString: strerror(number))). Save its contents as a file and import that."
        )
    }
}

/// All bytes of a file; nil for an unreadable file.
package func readFile(_ path: String) -> [UInt8]? {
    let bytes = reportedLater { try GuardedFolder.readFile(at: path) }
    return bytes?.isEmpty == false ? bytes : nil
}
