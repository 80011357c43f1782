/// How far a page has come.
public struct PageProgress: Hashable, Sendable {
    /// What is being done with a page.
    public enum Stage: String, Hashable, Sendable, CaseIterable {
        /// Its steps run.
        case processing
        /// Its text is read.
        case reading
        /// It is ready; it comes out once the pages before it have.
        case done
    }

    /// The page's place in the job, from 1.
    public let page: Int
    /// What is being done with it.
    public let stage: Stage

    /// A page's progress.
    public init(page: Int, stage: Stage) {
        self.page = page
        self.stage = stage
    }
}
