import Documents
import Imaging

/// Runs a picture's steps one after another; once a step finds several pages in it, the steps after that on each of them.
struct StepRunner: Sendable {
    let steps: [any ProcessingStep]
    let target: Profile.Target
    let clock: any Clock<Duration>
    let isCancelled: CancellationFlag
    let explainer: PageExplainer?
    let letters: LetterShapes
    let trial: TrialReading
    /// True when the pages' text is read once the steps are done.
    let isReadNext: Bool

    /// The pages in the picture, in the order they are read; at least one.
    ///
    /// - Parameter text: what the picture brought along; it goes where the steps move its pixels.
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
            var further: [Raster] = []
            do {
                let outcome = try steps[index].run(on: input)
                report.summary = outcome.summary
                report.changed = outcome.isChanged
                report.measurements = outcome.measurements
                report.found = outcome.found
                page.image = outcome.image
                page.move(by: outcome.movement, name: declaration.title)
                if outcome.isChanged {
                    page.legible =
                        type(of: steps[index]).isForTheEye(of: input.image)
                        ? page.legible ?? input.image : nil
                }
                page.isBlank = page.isBlank || outcome.isBlank
                page.isUnproven = page.isUnproven || outcome.isUnproven
                further = outcome.furtherPages
                if outcome.isChanged {
                    page.isChanged = true
                    input = self.input(outcome.image, facts: input.facts)
                } else {
                    input = input.replacingResolution(outcome.image.resolution)
                }
            } catch {
                let reason = explanation(of: error)
                report.summary = "left: \(reason)"
                page.problems.append(
                    "The step '\(declaration.name)' failed and left the page as it was: \(reason)")
            }
            report.milliseconds = start.milliseconds
            page.steps.append(report)
            guard further.isEmpty else {
                return parts([page.image] + further, of: page, after: index, input.facts)
            }
            explainer?.took(report, page)
        }
        return [page]
    }

    private func parts(
        _ images: [Raster], of page: ProcessedPage, after index: Int, _ facts: PictureFacts
    ) -> [ProcessedPage] {
        images.enumerated().flatMap { number, image in
            var part = page
            part.image = image
            part.parts.append(ProcessedPage.Part(number: number + 1, of: images.count))
            if let report = page.steps.last { explainer?.took(report, part) }
            return run(
                from: index + 1,
                on: input(image, facts: facts), part)
        }
    }

    private func input(_ image: Raster, corners: Quad? = nil, facts: PictureFacts) -> StepInput {
        StepInput(
            image: image, target: target, corners: corners, facts: facts, letters: letters,
            trial: trial, isReadNext: isReadNext)
    }
}

extension ProcessedPage {
    /// Moves the text that the page brought along to where its pixels went; where nobody can say, it is left out.
    fileprivate mutating func move(by movement: PixelMovement, name: String) {
        guard let own = text else { return }
        switch movement {
        case .none: return
        case .by(let map): text = own.moved(by: map, width: image.width, height: image.height)
        case .unknown:
            text = nil
            problems.append(
                "The page's own text was left out, because '\(name)' moves letters in a way that can't be followed."
            )
        }
    }
}
