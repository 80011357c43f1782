/// Steps that undo each other, or that make another step useless.
enum StepContradictions {
    /// The mistakes in the order of `steps`, each with the place of the wrong step.
    static func found(in steps: [Profile.Step]) -> [(index: Int, reason: String)] {
        var found: [(Int, String)] = []
        let names = steps.map(\.name)
        if let black = steps.firstIndex(where: makesBilevel) {
            let useless = ["light", "enhance", "color"]
            for index in names.indices where index > black && useless.contains(names[index]) {
                found.append(
                    (
                        index,
                        "'\(names[index])' can do nothing with the black and white picture that '\(names[black])' makes before it; "
                            + "put it first, or remove one of them"
                    ))
            }
        }
        if let deskew = names.firstIndex(of: "deskew"),
            let turn = names.firstIndex(of: "orientation"), turn > deskew
        {
            found.append(
                (
                    turn,
                    "'orientation' must come before 'deskew', which straightens only lines that run across"
                ))
        }
        if let items = names.firstIndex(of: "items"),
            let book = names.firstIndex(of: "facing-pages")
        {
            found.append(
                (
                    max(items, book),
                    "'items' and 'facing-pages' both split the picture, each in its own way; remove one of them"
                ))
        }
        if let first = names.firstIndex(where: StepCatalog.needsText),
            let late = names.indices.last(where: { !StepCatalog.needsText(names[$0]) }),
            late > first
        {
            found.append(
                (
                    first,
                    "'\(names[first])' needs the page's text, which is read after '\(names[late])'; put it last"
                ))
        }
        return found
    }

    private static func makesBilevel(_ step: Profile.Step) -> Bool {
        step.name == "binarize"
            || step.name == "color" && step.settings.values["mode"] == .choice("bilevel")
    }
}
