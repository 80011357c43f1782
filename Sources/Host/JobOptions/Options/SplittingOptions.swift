import Recognition

/// The options that split one stack into several documents.
enum SplittingOptions {
    static let all = [declaration(of: .splitAt), declaration(of: .splitPages)]
}

extension JobOption<[String]> {
    /// The rules for splitting the batch into documents, in the form of `SplitRule`; empty for the
    /// profile's rules.
    public static var splitAt: Self {
        Self(
            "splitAt", .texts, usual: [], reach: .everyone,
            rule: .init(problem: "split-rule-wrong", expectation: SplitRule.expectation) { text in
                do throws(SplitRuleError) { _ = try SplitRule(text) } catch { return error.clause }
                return nil
            },
            argument: JobOptionArgument(
                name: "split-at", value: "MARK", commands: [.scan, .import, .watch, .watchFolder],
                help: """
                    Begin a new document at every separator ('copystand separator' makes the \
                    sheets), at every patch-t sheet of other programs, or at every page with a \
                    barcode whose text matches this regular expression, such as 'ASN\\d+'. In -o, \
                    {name} stands for what the barcode says, or its group (?P<name>…), and {n} for \
                    the document's number; without either, the number comes before the extension.
                    """,
                completion: "split-marks"))
    }
}

/// The treatment of the pages at which a stack is split.
public enum SplitPages: String, JobOptionChoice {
    /// Sheets are left out; a page with a matching barcode stays in the document that begins with
    /// it.
    case auto
    /// Sheets stay too, each as the first page of the document after it.
    case keep
    /// Pages with a matching barcode are left out too.
    case drop
}

extension JobOption<SplitPages> {
    /// The treatment of the pages at which the batch is split.
    public static var splitPages: Self {
        Self(
            "splitPages", usual: .auto, reach: .everyone,
            argument: JobOptionArgument(
                name: "split-page", value: "WHAT",
                commands: [.scan, .import, .watch, .watchFolder, .resume],
                help: """
                    What to do with the pages at which a stack is split: auto leaves out separator \
                    sheets and keeps other pages in the document they begin, keep keeps the sheets \
                    too, drop leaves out all of them.
                    """,
                otherHelp: [
                    .resume: """
                    What to do with the pages at which the stack is split, instead of the job's \
                    own rule: keep adds each separator sheet as the first page of the document \
                    after it.
                    """
                ]))
    }
}
