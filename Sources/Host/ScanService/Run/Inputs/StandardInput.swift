import BlockingWork
import Delivery
import Glibc

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
    let path = folder + "/" + OwnFiles.name(ofInput: number)
    let failure = await onOwnThread { () -> (any Error)? in
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { return JobError.spool(folder, errno) }
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
            var written = 0
            while written < count {
                let step = buffer.withUnsafeBytes {
                    write(file, $0.baseAddress?.advanced(by: written), count - written)
                }
                guard step > 0 else { return JobError.spool(folder, errno) }
                written += step
            }
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
    for (index, file) in files.enumerated() {
        let place = OwnFiles.path(ofUpload: index, file, in: folder)
        if let name = file.name { mkdir(String(place.dropLast(name.count + 1)), 0o700) }
        guard rename(file.path, place) == 0 else {
            throw .spool(folder, String(cString: strerror(errno)))
        }
    }
}

extension JobError {
    fileprivate static func spool(_ folder: String, _ number: Int32) -> JobError {
        .spool(folder, String(cString: strerror(number)))
    }

    fileprivate static func unreadable(_ input: StreamedInput, _ number: Int32) -> JobError {
        JobError(
            .inputUnusable,
            "\(input.words) can't be read: \(String(cString: strerror(number))). Save its contents as a file and import that."
        )
    }
}

/// All bytes of a file; nil for an unreadable file.
func readFile(_ path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_size > 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var done = 0
    while done < bytes.count {
        let rest = bytes.count - done
        let count = bytes.withUnsafeMutableBytes {
            read(file, $0.baseAddress?.advanced(by: done), rest)
        }
        guard count > 0 else { return nil }
        done += count
    }
    return bytes
}
