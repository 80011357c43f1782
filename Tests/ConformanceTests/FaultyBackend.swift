import FoundationEssentials
import Glibc

/// A backend in Python that keeps the protocol but for one fault, as a program in a folder of its own.
final class FaultyBackend {
    /// What it does wrong.
    enum Fault: String, CaseIterable, Sendable {
        case none
        case silent, anotherVersion, copiesVersion, refusesUnknownFields, staysByHand
        case diesOfUnknownVerb, acceptsUnknownVerb, refusesUnknownField, takesVerbsAsWritten,
            shortLines, diesOfUnknownEvent, answersTwice
        case doubleDevice, quickExtra, noAdvice
        case opensAnything, opensOnce, takesAnyHandle
        case doubleOption, writableSensor, setsAnything, exitsWithError
    }

    let program: String
    private let folder: String

    init(_ fault: Fault) throws {
        var template = Array("/tmp/copystand-conformance-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        program = folder + "/backend"
        let text = Self.text.replacing("FAULT = ''", with: "FAULT = '\(fault.rawValue)'")
        try Data(text.utf8).write(to: URL(filePath: folder + "/backend.py"))
        // Written by another process: a child that a test of this one starts at this moment would keep it open for writing, and then the
        // kernel refuses to run the file as a program.
        let copy = popen("install -m 700 '\(folder)/backend.py' '\(program)'", "re")
        guard let copy, pclose(copy) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private static let text = """
        #!/usr/bin/python3
        import json, os, socket, sys, time
        FAULT = ''
        try: link = socket.socket(fileno=3)
        except OSError:
            if FAULT == 'staysByHand': sys.exit(0)
            sys.exit(2)
        stream = link.makefile('rb')
        isOpen, wasOpen = False, False

        def send(**fields): link.sendall(json.dumps(fields).encode() + b'\\n')
        def fail(number, code): send(answer=number, error={'code': code, 'message': 'no ' + code})

        device = {'id': 'one', 'name': 'One', 'kind': 'scanner', 'sources': ['flatbed'], 'state': 'ready'}
        option = {'name': 'paper', 'title': 'Paper', 'help': 'Paper is there.', 'type': {'kind': 'toggle'}, 'isActive': True,
                  'isReadOnly': True, 'isAdvanced': False, 'value': True, 'sensor': 'paper'}

        while True:
            line = stream.readline()
            if not line: sys.exit(1 if FAULT == 'exitsWithError' else 0)
            if FAULT == 'shortLines' and len(line) > 500000: os._exit(9)
            if FAULT == 'takesVerbsAsWritten' and b'\\\\u00' in line:
                fail(json.loads(line)['request'], 'unsupported')
                continue
            message = json.loads(line)
            if 'request' not in message:
                if FAULT == 'diesOfUnknownEvent': os._exit(9)
                continue
            number, verb = message['request'], message['verb']
            if verb == 'hello':
                if FAULT == 'silent': continue
                if FAULT == 'refusesUnknownFields' and 'later' in message:
                    fail(number, 'unsupported')
                    continue
                version = 2 if FAULT == 'anotherVersion' else message['protocol'] if FAULT == 'copiesVersion' else 1
                send(answer=number, protocol=version, name='Faulty', version='1', capabilities=[])
            elif verb == 'devices':
                if FAULT == 'refusesUnknownField' and 'later' in message and len(line) < 1000:
                    fail(number, 'unsupported')
                    continue
                devices = [device]
                if FAULT == 'doubleDevice': devices = [device, device]
                if FAULT == 'quickExtra' and message.get('quick'): devices = [device, {**device, 'id': 'two'}]
                if FAULT == 'noAdvice': devices = [device, {**device, 'id': 'two', 'state': 'offline'}]
                send(answer=number, devices=devices)
                if FAULT == 'answersTwice': send(answer=number, devices=devices)
            elif verb == 'open':
                if message['device'] != 'one' and FAULT != 'opensAnything': fail(number, 'noSuchDevice')
                elif FAULT == 'opensOnce' and wasOpen: fail(number, 'busy')
                else:
                    isOpen = wasOpen = True
                    send(answer=number, handle=1)
            elif verb in ('options', 'set', 'close') and not (isOpen and message['handle'] == 1) and FAULT != 'takesAnyHandle':
                fail(number, 'closed')
            elif verb == 'options':
                options = [option]
                if FAULT == 'doubleOption': options = [option, option]
                if FAULT == 'writableSensor': options = [{**option, 'isReadOnly': False}]
                send(answer=number, options=options)
            elif verb == 'set':
                if FAULT == 'setsAnything': send(answer=number, options=[option])
                else: fail(number, 'noSuchOption')
            elif verb == 'close':
                isOpen = False
                send(answer=number)
            elif FAULT == 'diesOfUnknownVerb': os._exit(9)
            elif FAULT == 'acceptsUnknownVerb': send(answer=number)
            else: fail(number, 'unsupported')

        """
}
