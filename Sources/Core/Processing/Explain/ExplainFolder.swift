import FoundationEssentials

/// A folder for an explanation: every page after each step, and the reason for each change.
///
/// Each page has a folder, such as `page-0001`, with `00-captured.png`, one picture per step
/// (`01-crop.png`; `02-split-1.png` for a picture with several pages), `report.txt` for people and
/// `report.json` for programs.
public struct ExplainFolder: Sendable {
    /// The folder's path.
    public let path: String

    /// Makes the folder.
    ///
    /// - Throws: ``ExplainError`` when the folder can't be made, or is not empty: pages of an
    ///   earlier run could be mistaken for new ones.
    public init(path: String) throws(ExplainError) {
        self.path = path
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
            guard try FileManager.default.contentsOfDirectory(atPath: path).isEmpty else {
                throw ExplainError(
                    message:
                        "The folder '\(path)' for the explanation is not empty. Name a new one.")
            }
        } catch let error as ExplainError {
            throw error
        } catch {
            throw ExplainError(
                message: "The folder '\(path)' for the explanation can't be used: \(error). "
                    + "Name one that can be created and written to.")
        }
    }
}

/// The error for an explanation that can't be written.
public struct ExplainError: Error, Hashable, Sendable {
    /// The failure and the advice, for people.
    public let message: String
}
