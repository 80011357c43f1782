import Clocks
import Documents
import Imaging

/// Runs a picture's steps one after another; when a step finds several pages in the picture, the
/// next steps run on each of them.
struct StepRunner: Sendable {
    let steps: [any ProcessingStep]
    let target: Profile.Target
    let clock: any Clock<Duration>
    let isCancelled: CancellationFlag
    let explainer: PageExplainer?
    let letters: OrientationFinder
    let trial: TrialReading
    /// True when the pages' text is read after the steps.
    let isReadNext: Bool

    /// The pages in the picture, in reading order; at least one.
    ///
    /// - Parameter text: the picture's own text, which moves with the picture's pixels.
    func run(
        on captured: Raster, corners: Quad?, text: PageText? = nil, isTextPartial: Bool = false,
        facts: PictureFacts
    ) -> [ProcessedPage] {
        explainer?.begin(with: captured)
        var page = ProcessedPage(
            image: captured, text: text, steps: [], problems: [], isChanged: false)
        page.isTextPartial = isTextPartial
        return run(from: 0, on: input(captured, corners: corners, facts: facts), page)
    }

    private func run(
        from first: Int, on given: StepInput, _ begun: ProcessedPage
    ) -> [ProcessedPage] {
        var page = begun
        var input = given
        for index in first..<steps.count where !isCancelled.isSet {
            let declaration = type(of: steps[index]).declaration
            let start = Stopwatch(clock)
            var report = StepReport(
                name: declaration.name, summary: "", changed: false, milliseconds: 0)
            var further: [PicturePart] = []
            let unparted = page
            do {
                let outcome = try steps[index].run(on: input)
                report.summary = outcome.summary
                report.changed = outcome.isChanged
                report.measurements = outcome.measurements
                report.found = outcome.found
                page.image = outcome.image
                page.move(by: outcome.movement, from: input.image, name: declaration.title)
                page.isCut =
                    page.isCut || (outcome.isChanged && type(of: steps[index]).cutsPictures)
                if outcome.isChanged {
                    page.legible =
                        type(of: steps[index]).isSkippedForReading
                        ? page.legible ?? input.image : nil
                }
                page.isBlank = page.isBlank || outcome.isBlank
                page.isUnproven = page.isUnproven || outcome.isUnproven
                further = outcome.furtherPages
                if outcome.isChanged {
                    page.isChanged = true
                    if let turn = outcome.turn, page.turn == nil, !page.isRemade {
                        page.turn = turn
                    } else if !type(of: steps[index]).isCosmetic {
                        page.isRemade = true
                    }
                    input = self.input(outcome.image, facts: input.facts)
                } else {
                    input = input.replacingResolution(outcome.image.resolution)
                }
            } catch {
                let reason = explanation(of: error)
                report.summary = "unchanged: \(reason)"
                page.problems.append(
                    "The step '\(declaration.name)' failed and left the page as it was: \(reason)")
            }
            report.milliseconds = start.milliseconds
            page.steps.append(report)
            guard further.isEmpty else {
                return parts(further, besides: page, of: unparted, after: index, input)
            }
            explainer?.record(report, page)
        }
        return [page]
    }

    /// The pages that a step found in a picture, each processed by the next steps.
    ///
    /// - Parameters:
    ///   - further: the pages after the first.
    ///   - first: the first page, with the step's report.
    ///   - whole: the page before the step.
    private func parts(
        _ further: [PicturePart], besides first: ProcessedPage, of whole: ProcessedPage,
        after index: Int, _ input: StepInput
    ) -> [ProcessedPage] {
        let name = type(of: steps[index]).declaration.title
        let others = further.map { found in
            var part = first
            (part.image, part.text, part.path) = (found.image, whole.text, whole.path)
            part.problems = whole.problems
            part.move(by: found.movement, from: input.image, name: name)
            return part
        }
        let pages = [first] + others
        return pages.enumerated().flatMap { number, page in
            var part = page
            part.parts.append(ProcessedPage.Part(number: number + 1, of: pages.count))
            if let report = page.steps.last { explainer?.record(report, part) }
            return run(from: index + 1, on: self.input(part.image, facts: input.facts), part)
        }
    }

    private func input(_ image: Raster, corners: Quad? = nil, facts: PictureFacts) -> StepInput {
        StepInput(
            image: image, target: target, corners: corners, facts: facts, letters: letters,
            trial: trial, isReadNext: isReadNext)
    }
}

extension ProcessedPage {
    /// Moves the page's own text with the pixels; if their movement is unknown, the text is left
    /// out.
    ///
    /// - Parameters:
    ///   - old: the picture before the step.
    ///   - name: the step that moved the pixels, for people.
    fileprivate mutating func move(by movement: PixelMovement, from old: Raster, name: String) {
        path = path.then(movement, from: old, to: image)
        guard let own = text else { return }
        switch movement {
        case .none: return
        case .by(let map): text = own.moved(by: map, width: image.width, height: image.height)
        case .unknown:
            text = nil
            problems.append(
                "The page's own text was left out, because '\(name)' moves letters in a way that words can't follow."
            )
        }
    }
}
