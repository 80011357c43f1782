import CaptureHost
import Conformance
import Testing

/// A fault of the test backend, and the check that detects the fault.
struct FaultCase: Sendable, CustomTestStringConvertible {
    var fault: String
    /// The only check that fails.
    var fails: String
    /// Adapts a run to a fault that hangs: it waits only briefly, because there will be no answer.
    var tune: @Sendable (inout ConformanceRun) -> Void = { _ in }

    var testDescription: String { "\(fault) fails \(fails)" }

    init(
        _ fault: String, _ fails: String,
        _ tune: @escaping @Sendable (inout ConformanceRun) -> Void = { _ in }
    ) {
        self.fault = fault
        self.fails = fails
        self.tune = tune
    }

    /// The checks that are run: all except those that start separate processes.
    ///
    /// These are run only for the faults of their groups, since starting Python about thirty times
    /// for each fault takes minutes.
    var checks: [ConformanceCheck] {
        let costly: Set = ["exit", "endurance", "clients"]
        let own = fails.prefix { $0 != "." }
        return ConformanceCheck.all.filter {
            costly.contains(String(own)) || !costly.contains($0.group)
        }
    }

    /// All faults.
    static let all: [FaultCase] = messages + devices + options + captures + ends

    private static let messages = [
        FaultCase("silent", "hello.answers") { $0.deadlines.hello = .seconds(1) },
        FaultCase("nameless", "hello.version"), FaultCase("copiesVersion", "hello.newer-host"),
        FaultCase("refusesUnknownHello", "hello.unknown-fields"),
        FaultCase("onlyOffsets", "hello.capabilities"),
        FaultCase("staysByHand", "hello.by-hand") { $0.deadlines.hello = .seconds(10) },

        FaultCase("oneAtATime", "clients.two"),
        FaultCase("acceptsUnknownVerb", "message.unknown-verb"),
        FaultCase("fullStop", "message.error"),
        FaultCase("refusesUnknownField", "message.unknown-field"),
        FaultCase("takesVerbsAsWritten", "message.escapes"),
        FaultCase("asciiOnly", "message.unicode"), FaultCase("shortLines", "message.long"),
        FaultCase("wholeReads", "message.pieces"),
        FaultCase("threeAtOnce", "message.together") { $0.deadlines.devices = .seconds(5) },
        FaultCase("diesOfUnknownEvent", "message.unknown-event"),
        FaultCase("answersTwice", "message.one-answer"),
        FaultCase("answersUnasked", "message.asked-only"),
        FaultCase("answersOpenTwice", "message.once-each"),
        FaultCase("answersOptionsTwice", "message.once-each"),
        FaultCase("answersSetTwice", "message.once-each"),
        FaultCase("answersCaptureTwice", "message.once-each"),
        FaultCase("answersCancelTwice", "message.once-each"),
        FaultCase("answersCloseTwice", "message.once-each"),
        FaultCase("strayAfterOpen", "message.no-stray"),
        FaultCase("strayAfterOptions", "message.no-stray"),
        FaultCase("strayAfterSet", "message.no-stray"),
        FaultCase("strayAfterCapture", "message.no-stray"),
        FaultCase("strayAfterCancel", "message.no-stray"),
        FaultCase("strayAfterClose", "message.no-stray"),
        FaultCase("diesOfGarbage", "nonsense.garbage"), FaultCase("diesOfZeros", "nonsense.zeros"),
        FaultCase("diesOfUTF8", "nonsense.utf8"), FaultCase("diesOfNoObject", "nonsense.no-object"),
        FaultCase("diesOfCut", "nonsense.cut"), FaultCase("diesOfDepth", "nonsense.deep"),
        FaultCase("diesOfEndless", "nonsense.endless"), FaultCase("diesOfTypes", "nonsense.types"),
        FaultCase("diesOfNumbers", "nonsense.numbers"),
        FaultCase("diesOfMissing", "nonsense.missing"),
    ]

    private static let devices = [
        FaultCase("hangsAtDevices", "devices.answers") { $0.deadlines.devices = .seconds(5) },
        FaultCase("listsSlowly", "devices.prompt") { $0.promptness = .milliseconds(500) },
        FaultCase("badKind", "devices.form"), FaultCase("doubleDevice", "devices.unique"),
        FaultCase("manyDevices", "devices.count"), FaultCase("newNames", "devices.stable"),
        FaultCase("quickExtra", "devices.quick"), FaultCase("noAdvice", "devices.advice"),
        FaultCase("wordlessProblem", "devices.problems"), FaultCase("badEvent", "devices.events"),
        FaultCase("hangsAtOpen", "open.answers") { $0.deadlines.open = .seconds(5) },
        FaultCase("hangsAtClose", "close.answers") { $0.deadlines.close = .seconds(5) },
        FaultCase("opensOnce", "open.again"), FaultCase("describesAnother", "open.describes"),
        FaultCase("brokenSecond", "open.each"), FaultCase("opensUnknown", "open.unknown"),
        FaultCase("opensStrange", "open.strange"), FaultCase("sameHandle", "open.twice"),
        FaultCase("takesAnyHandle", "open.unknown-handle"),
        FaultCase("takesClosedHandle", "close.handle"),
    ]

    private static let options = [
        FaultCase("hangsAtOptions", "options.answers") { $0.deadlines.options = .seconds(5) },
        FaultCase("badOption", "options.form"), FaultCase("doubleOption", "options.unique"),
        FaultCase("beyondRange", "options.values"), FaultCase("badDefault", "options.defaults"),
        FaultCase("buttonValue", "options.button"), FaultCase("writableSensor", "options.sensor"),
        FaultCase("numberAsPath", "options.host-path"),
        FaultCase("unsteady", "options.steady"), FaultCase("wordless", "options.words"),
        FaultCase("unitless", "options.common"), FaultCase("ownWords", "options.common"),
        FaultCase("hangsAtSet", "set.answers") { $0.deadlines.options = .seconds(5) },
        FaultCase("setsUnknown", "set.unknown"), FaultCase("refusesLowest", "set.takes"),
        FaultCase("substitutes", "set.takes"),
        FaultCase("tellsAnother", "set.tells"), FaultCase("silentReload", "set.reload"),
        FaultCase("refusesButton", "set.button"), FaultCase("clampsRange", "set.range"),
        FaultCase("takesAnyChoice", "set.choice"), FaultCase("takesAnyType", "set.type"),
        FaultCase("takesLongText", "set.length"), FaultCase("offStep", "set.step"),
        FaultCase("setsReadOnly", "set.read-only"), FaultCase("setsInactive", "set.inactive"),
        FaultCase("setsInactiveLater", "set.inactive"),
        FaultCase("harmfulRefusal", "set.harmless"),
    ]

    private static let captures = [
        FaultCase("deafWhileRows", "capture.meanwhile-rows") { $0.deadlines.options = .seconds(1) },
        FaultCase("finishesFirst", "cancel.prompt") { $0.cancelPromptness = .seconds(1) },
        FaultCase("stoppedClock", "live.times"),
        FaultCase("milliseconds", "live.times"), FaultCase("endlessLive", "live.limit"),
        FaultCase("noPage", "capture.page"), FaultCase("wrongNumber", "capture.order"),
        FaultCase("expectsNone", "capture.announces"), FaultCase("oddOrigin", "capture.facts"),
        FaultCase("wideStride", "capture.stride"),
        FaultCase("fewerRows", "capture.rows"), FaultCase("badOriginal", "capture.original"),
        FaultCase("garbageOriginal", "capture.original"),
        FaultCase("falseOriginal", "capture.original"),
        FaultCase("badWord", "capture.text"), FaultCase("unknownSource", "capture.source"),
        FaultCase("fallingProgress", "capture.progress"),
        FaultCase("capturesOnce", "capture.again"),
        FaultCase("early", "capture.waits"), FaultCase("busyWhileWaiting", "capture.meanwhile"),
        FaultCase("alwaysFree", "capture.busy"),
        FaultCase("impatient", "capture.slow-host") { $0.slowness = .seconds(3) },
        FaultCase("oneMore", "capture.limit"), FaultCase("takesAnyLimit", "capture.no-limit"),
        FaultCase("stubborn", "capture.refused"), FaultCase("colorTorn", "capture.formats"),
        FaultCase("alwaysGray", "capture.as-set"), FaultCase("oneResolution", "capture.as-set"),
        FaultCase("openTorn", "capture.unknown-height"), FaultCase("endsEmpty", "capture.empty"),
        FaultCase("wrongEmptyCode", "capture.empty"),
        FaultCase("noInline", "buffer.inline"), FaultCase("shortInline", "buffer.bytes"),
        FaultCase("bigPieces", "buffer.pieces"), FaultCase("missingRow", "buffer.rows"),
        FaultCase("missingLastRow", "buffer.rows"), FaultCase("narrowRows", "buffer.rows"),
        FaultCase("growsFile", "buffer.size"), FaultCase("ignoresOffset", "buffer.offset"),
        FaultCase("writesLate", "buffer.after-done"),
        FaultCase("keepsFiles", "buffer.closed") { $0.deadlines.close = .seconds(1) },
        FaultCase("diesOfStale", "buffer.stale"), FaultCase("brokenLive", "live.offered"),
        FaultCase("heightless", "live.announces"), FaultCase("wrongLive", "live.order"),
        FaultCase("tornLive", "live.whole"), FaultCase("garbageLive", "live.whole"),
        FaultCase("moreLive", "live.limit"),
        FaultCase("backInTime", "live.times"), FaultCase("earlyLive", "live.waits"),
        FaultCase("sendsDropped", "live.drop"),
        FaultCase("deafLive", "live.stop") { $0.deadlines.cancel = .seconds(5) },
    ]

    private static let ends = [
        FaultCase("deafAtOnce", "cancel.at-once") { $0.deadlines.cancel = .seconds(5) },
        FaultCase("deafWaiting", "cancel.waiting") { $0.deadlines.cancel = .seconds(5) },
        FaultCase("deafGranted", "cancel.granted") { $0.deadlines.cancel = .seconds(5) },
        FaultCase("deafMidPage", "cancel.mid-page") { $0.deadlines.cancel = .seconds(5) },
        FaultCase("deafBetween", "cancel.between") { $0.deadlines.cancel = .seconds(5) },
        FaultCase("ignoresLateCancel", "cancel.late") { $0.deadlines.cancel = .seconds(5) },
        FaultCase("ignoresSecondCancel", "cancel.twice") { $0.deadlines.cancel = .seconds(5) },
        FaultCase("ignoresUnknownCancel", "cancel.unknown") { $0.deadlines.cancel = .seconds(5) },
        FaultCase("wrongCancelCode", "cancel.code"), FaultCase("talksOn", "cancel.silent"),
        FaultCase("stuckAfterCancel", "cancel.again"),
        FaultCase("deafClose", "close.capturing") { $0.deadlines.close = .seconds(5) },
        FaultCase("exitsWithError", "exit.idle"), FaultCase("crashesAtExit", "exit.idle"),
        // The check waits as long as a start may take.
        FaultCase("staysEarly", "exit.early") {
            ($0.deadlines.hello, $0.deadlines.exit) = (.seconds(20), .seconds(5))
        },
        FaultCase("staysHalf", "exit.half") { $0.deadlines.exit = .seconds(5) },
        FaultCase("staysCut", "exit.cut") { $0.deadlines.exit = .seconds(5) },
        FaultCase("staysOpen", "exit.open") { $0.deadlines.exit = .seconds(5) },
        FaultCase("staysWaiting", "exit.waiting") { $0.deadlines.exit = .seconds(5) },
        FaultCase("staysMidPage", "exit.mid-page") { $0.deadlines.exit = .seconds(5) },
        FaultCase("leaksDescriptors", "endurance.descriptors"),
        FaultCase("leaksMemory", "endurance.memory") { $0.rounds = 40 },
        FaultCase("noisy", "endurance.output"), FaultCase("closesOutput", "endurance.log"),
        FaultCase("stealsDevice", "clients.same-device"),
        FaultCase("leavesLock", "clients.killed"),
    ]
}
