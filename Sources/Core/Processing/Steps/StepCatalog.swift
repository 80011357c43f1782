/// All steps, in the order that suits most pages.
///
/// A new step needs a file in a folder beside this file, a new kind of record a file in `Extractors/`,
/// and each a line here.
public enum StepCatalog {
    private static let steps: [any ProcessingStep.Type] = [
        ItemsStep.self,
        FacingPagesStep.self,
        CropStep.self,
        EdgesStep.self,
        BlankStep.self,
        OrientationStep.self,
        DeskewStep.self,
        UncurlStep.self,
        LabelStep.self,
        BarcodesStep.self,
        LightStep.self,
        EnhanceStep.self,
        DespeckleStep.self,
        ColorStep.self,
        BinarizeStep.self,
    ]

    /// The kinds of records, whose steps need a page's text and run after the reading.
    private static let extractors: [any Extractor.Type] = [
        EntriesExtractor.self,
        SerialExtractor.self,
        ReceiptExtractor.self,
        CardExtractor.self,
    ]

    /// The declarations of all steps: names, help and options.
    public static var declarations: [StepDeclaration] {
        steps.map { $0.declaration } + extractors.map { $0.declaration }
    }

    /// The declaration of the step with that name; nil when there is none.
    public static func declaration(of name: String) -> StepDeclaration? {
        declarations.first { $0.name == name }
    }

    /// A profile's step; nil when the catalog has none with that name.
    static func step(_ step: Profile.Step) -> (any ProcessingStep)? {
        steps.first { $0.declaration.name == step.name }?.init(step.settings)
    }

    /// A profile's step that runs after the reading; nil when the catalog has none with that name.
    static func extractor(_ step: Profile.Step) -> (any Extractor)? {
        extractors.first { $0.declaration.name == step.name }?.init(step.settings)
    }

    /// True if the step with that name runs after the reading.
    static func needsText(_ name: String) -> Bool {
        extractors.contains { $0.declaration.name == name }
    }

    /// The parts of extractors that run once for a document, each with its step's name, in the
    /// order of the findings.
    static var documentExtractions: [(step: String, extraction: DocumentExtraction)] {
        extractors.compactMap { kind in kind.ofDocuments.map { (kind.declaration.name, $0) } }
    }
}
