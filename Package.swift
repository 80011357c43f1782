// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Every target is built the same way: strict concurrency, imports that do not leak, warnings as
/// errors.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// For modules that compute much, such as over every pixel.
///
/// In debug mode, tests would need four times as long. Swift's run-time checks stay on with it.
let optimized = settings + [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// For modules that only arrange the work of others, and for tests.
///
/// Optimizing takes the compiler five times as long, and nobody notices the result.
let unoptimized =
    settings + [
        .unsafeFlags(["-Onone"], .when(configuration: .release))
    ]

/// The places of the modules that are built so, or the beginnings of their places.
let arranging = [
    "CommandLine/", "Capture/Conformance", "Host/HostClient", "Host/JobOptions", "Host/Listings",
    "Host/LiveCapture",
    "Host/ScannerSharing", "Host/ScanService", "Host/ServiceDiscovery", "Host/WebServer",
    "Host/WebPage", "Host/Workers",
]

/// The README of a target's folder, which is no source; none where there is none.
func readme(_ path: String) -> [String] {
    FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/\(path)/README.md")
        ? ["README.md"] : []
}

/// A module of ours, by its place below Sources: group and name.
func module(_ place: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [])
    -> Target
{
    .target(
        name: name(of: place), dependencies: dependencies, path: "Sources/\(place)",
        exclude: exclude + readme("Sources/\(place)"),
        swiftSettings: arranging.contains(where: place.hasPrefix)
            ? unoptimized
            : ["Basics/HTTPClient", "Core/", "Delivery/"].contains(where: place.hasPrefix)
                ? optimized : settings)
}

/// The tests of a module, by their place below Tests.
func tests(
    _ place: String, _ dependencies: [Target.Dependency], exclude: [String] = [],
    resources: [Resource] = [], linkerSettings: [LinkerSetting] = []
) -> Target {
    .testTarget(
        name: name(of: place), dependencies: dependencies, path: "Tests/\(place)",
        exclude: exclude, resources: resources, swiftSettings: unoptimized,
        linkerSettings: linkerSettings)
}

/// A C or C++ target of our own.
func system(
    _ name: String, dependencies: [Target.Dependency] = [], exclude: [String] = [],
    isOptimized: Bool = false, linkerSettings: [LinkerSetting] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/System/\(name)", exclude: exclude,
        cSettings: isOptimized ? [.unsafeFlags(["-O2"], .when(configuration: .debug))] : [],
        linkerSettings: linkerSettings)
}

/// The last part of a place.
func name(of place: String) -> String { place.split(separator: "/").last.map(String.init) ?? place }

/// With COPYSTAND_PROGRAMS_ONLY=1 the package has neither tests nor what only they need, so that
/// one `swift build` makes all programs.
let programsOnly = Context.environment["COPYSTAND_PROGRAMS_ONLY"] == "1"

/// Links Swift's own libraries into the programs that users get.
///
/// `--static-swift-stdlib` would also change how modules are compiled, and tests could not use
/// them: the testing library is a dynamic one.
let standalone: [LinkerSetting] =
    programsOnly
    ? [
        .unsafeFlags([
            "-static-stdlib", "-l_FoundationCShims", "-l_FoundationCollections",
            "-lswiftSynchronization",
        ])
    ] : []

/// A backend program: its code as a library, so that tests run it in-process, and a one-line main.
///
/// - Parameters:
///   - standIns: targets whose functions take the place of those of libraries in the program.
///   - functions: the names of these functions.
func backend(
    _ name: String, program: String, _ dependencies: [Target.Dependency],
    standIns: [Target.Dependency] = [], showing functions: [String] = []
) -> [Target] {
    [
        .target(
            name: "\(name)Backend", dependencies: ["CaptureKit"] + dependencies,
            path: "Plugins/\(name)",
            exclude: ["Program", "backend.json"] + readme("Plugins/\(name)"),
            swiftSettings: optimized),
        .executableTarget(
            name: program,
            dependencies: ["CaptureKit", .target(name: "\(name)Backend")] + standIns,
            path: "Plugins/\(name)/Program", swiftSettings: settings,
            linkerSettings: shown(functions) + standalone),
    ]
}

/// A system library; without `pkgConfig` where its flags are refused by Swift and not needed by the
/// compiler.
func systemLibrary(_ name: String, pkgConfig: String? = nil, apt: String) -> Target {
    .systemLibrary(
        name: name, path: "Sources/System/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

/// Exports functions of a program, so that libraries call them instead of their own.
func shown(_ names: [String]) -> [LinkerSetting] {
    names.isEmpty
        ? []
        : [.unsafeFlags(names.flatMap { ["-Xlinker", "--export-dynamic-symbol=\($0)"] })]
}

/// The programs, and what they are made of.
let programTargets: [Target] =
    [
        // C libraries
        systemLibrary("CLeptonica", pkgConfig: "lept", apt: "libleptonica-dev"),
        systemLibrary("CTurboJPEG", pkgConfig: "libturbojpeg", apt: "libturbojpeg0-dev"),
        systemLibrary("CWebP", pkgConfig: "libwebp", apt: "libwebp-dev"),
        systemLibrary("CTesseract", pkgConfig: "tesseract", apt: "libtesseract-dev"),
        systemLibrary("CTIFF", pkgConfig: "libtiff-4", apt: "libtiff-dev"),
        systemLibrary("CHEIF", pkgConfig: "libheif", apt: "libheif-dev"),
        systemLibrary("CGIF", pkgConfig: "libgif", apt: "libgif-dev"),
        systemLibrary("COpenJPEG", pkgConfig: "libopenjp2", apt: "libopenjp2-7-dev"),
        systemLibrary("CJXL", apt: "libjxl-dev"),
        systemLibrary("CRaw", apt: "libraw-dev"),
        systemLibrary("CLittleCMS", pkgConfig: "lcms2", apt: "liblcms2-dev"),
        systemLibrary("CExif", pkgConfig: "libexif", apt: "libexif-dev"),
        systemLibrary("CQPDF", pkgConfig: "libqpdf", apt: "libqpdf-dev"),
        systemLibrary("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
        systemLibrary("CNettle", pkgConfig: "nettle", apt: "nettle-dev"),
        systemLibrary("CSANE", pkgConfig: "sane-backends", apt: "libsane-dev"),
        systemLibrary("CV4L2", pkgConfig: "libv4lconvert", apt: "libv4l-dev"),
        systemLibrary("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
        systemLibrary("CGnuTLS", pkgConfig: "gnutls", apt: "libgnutls28-dev"),
        systemLibrary("CMicroHTTPD", pkgConfig: "libmicrohttpd", apt: "libmicrohttpd-dev"),
        system("CPosix"),
        system("CProgramFiles"),
        // The linker exports these functions without flags, because the C library has them too.
        // CaptureKit is for packages elsewhere, so nothing below it may have unsafe flags.
        system("CFileNames"),
        system("CCurl"),
        system("CPostgreSQL"),
        system("CSMB"),
        system("CExpat"),
        system("CAvahi"),
        system("CVideo"),
        system(
            "CPictureWriter",
            linkerSettings: [.linkedLibrary("jpeg"), .linkedLibrary("png16")]),
        system("CPNGReader", linkerSettings: [.linkedLibrary("png16")]),
        system("CJPEGReader", linkerSettings: [.linkedLibrary("jpeg")]),
        system("CPDFWriter", dependencies: ["CQPDF"]),
        system(
            "CPDFReader",
            linkerSettings: [
                "mupdf", "mupdf-third", "mujs", "gumbo", "openjp2", "jbig2dec", "jpeg", "freetype",
                "harfbuzz", "crypto", "z", "m",
            ].map { .linkedLibrary($0) }),
        system("CZXing", linkerSettings: [.linkedLibrary("ZXing")]),
        system("CRE2", linkerSettings: [.linkedLibrary("re2")]),
        system(
            "CPageNetwork", exclude: ["card-network.weights", "page-network.weights"],
            isOptimized: true),
        system("CSignNetwork", exclude: ["signs.weights"], isOptimized: true),
        system("CLinePictures", dependencies: ["CLeptonica"]),
        system("COneThread"),
        system("CDeferredCancel"),
        system(
            "CRequestGuard", dependencies: ["CGnuTLS"],
            linkerSettings: shown(["recv", "gnutls_record_recv"])),

        // The modules
        module("Basics/BlockingWork"),
        module("Basics/Clocks"),
        module("Basics/ExpectedFailures"),
        module("Basics/FileNames", ["CFileNames", "ExpectedFailures"]),
        module("Basics/ProgramFiles", ["CProgramFiles"]),
        module("Basics/Suggestions"),
        module("Basics/UserFiles", ["CPosix"]),
        module("Basics/GuardedFiles", ["FileNames", "UserFiles"]),
        module("Basics/TemporaryFolders", ["FileNames", "GuardedFiles", "UserFiles"]),
        module("Basics/Hashing", ["CNettle"]),
        module(
            "Basics/HTTPClient",
            ["CCurl", "FileNames", "GuardedFiles", "Hashing", "ExpectedFailures"]),
        module("Capture/CaptureKit", ["CPosix", "FileNames", "Suggestions", "ExpectedFailures"]),
        module("Capture/Processes", ["CaptureKit", "CPosix", "FileNames"]),
        module(
            "Capture/CaptureHost",
            [
                "BlockingWork", "CaptureKit", "Clocks", "CPosix", "FileNames", "GuardedFiles",
                "Processes", "Suggestions", "UserFiles", "ExpectedFailures",
            ]),
        module(
            "Capture/Conformance",
            [
                "BlockingWork", "CaptureKit", "CaptureHost", "CPosix", "CTurboJPEG", "Processes",
                "ExpectedFailures",
            ]),
        module("Core/ColorProfiles", ["CLittleCMS"]),
        module("Core/Imaging", ["ColorProfiles", "CLeptonica", "CTurboJPEG"]),
        module("Core/Documents", ["FileNames"]),
        module("Core/Detection", ["Imaging", "CPageNetwork", "CZlib"]),
        module(
            "Core/Recognition",
            [
                "Imaging", "Documents", "FileNames", "Suggestions", "CZXing", "CSignNetwork",
                "CRE2", "ExpectedFailures",
            ]),
        module(
            "Core/Readers",
            [
                "BlockingWork", "CaptureHost", "CaptureKit", "Recognition", "Imaging", "Documents",
                "CPosix", "FileNames", "Processes", "Suggestions", "UserFiles", "ExpectedFailures",
            ]),
        .target(
            name: "TextEngine",
            dependencies: ["CaptureKit", "Recognition", "CTesseract", "CLeptonica", "CPosix"],
            path: "Sources/Core/TextEngine", exclude: ["Program"], swiftSettings: settings),
        .executableTarget(
            name: "copystand-recognizer",
            dependencies: ["TextEngine", "CLinePictures", "COneThread"],
            path: "Sources/Core/TextEngine/Program", swiftSettings: settings,
            linkerSettings: shown([
                "pixWriteMem", "GOMP_parallel", "GOMP_parallel_sections", "GOMP_sections_next",
                "GOMP_sections_end_nowait",
            ]) + standalone),
        module(
            "Core/Processing",
            [
                "Clocks", "Imaging", "Detection", "Recognition", "Documents", "FileNames",
                "ProgramFiles", "Suggestions", "UserFiles", "ExpectedFailures",
            ],
            exclude: ["Profiles/BuiltIn"]),
        module("Delivery/PostgreSQL", ["CPostgreSQL"]),
        module(
            "Delivery/Archive",
            [
                "Documents", "FileNames", "GuardedFiles", "Hashing", "Suggestions", "CSQLite",
                "PostgreSQL", "UserFiles", "WorkQueue", "ExpectedFailures",
            ]),
        module("Delivery/WorkQueue", ["PostgreSQL", "ExpectedFailures"]),
        .target(
            name: "SMBAccess", dependencies: ["CSMB"], path: "Sources/Delivery/SMBAccess",
            exclude: ["Program"], swiftSettings: settings),
        .executableTarget(
            name: "copystand-smb", dependencies: ["SMBAccess"],
            path: "Sources/Delivery/SMBAccess/Program", swiftSettings: settings,
            linkerSettings: standalone),
        module(
            "Delivery/Delivery",
            [
                "Archive", "CaptureKit", "SMBAccess", "ColorProfiles", "Documents",
                "FileNames", "GuardedFiles", "Hashing", "HTTPClient", "Imaging", "CPDFWriter",
                "CPictureWriter", "CTIFF", "CCurl", "CPosix", "Processes", "Suggestions",
                "TemporaryFolders", "UserFiles", "ExpectedFailures",
            ]),
        module(
            "Host/LiveCapture",
            [
                "BlockingWork", "CaptureKit", "CaptureHost", "Detection", "GuardedFiles", "Imaging",
                "Processing", "Clocks", "ExpectedFailures",
            ]),
        module("Host/JobOptions", ["Recognition"]),
        module(
            "Host/ScanService",
            [
                "JobOptions", "BlockingWork", "CaptureKit", "CaptureHost", "FileNames",
                "GuardedFiles", "Imaging", "LiveCapture",
                "Detection", "Documents", "Recognition", "Processing", "Archive", "Delivery",
                "TemporaryFolders", "UserFiles", "WorkQueue", "ExpectedFailures",
            ]),
        module(
            "Host/Workers",
            [
                "Archive", "BlockingWork", "CaptureHost", "Clocks", "Delivery", "Documents",
                "ExpectedFailures", "FileNames", "Imaging", "PostgreSQL", "Processing",
                "Recognition", "ScanService", "WorkQueue",
            ]),
        module(
            "Host/HTTPServer",
            [
                "BlockingWork", "CMicroHTTPD", "CGnuTLS", "CRequestGuard", "UserFiles",
                "ExpectedFailures",
            ]),
        module(
            "Host/Listings",
            [
                "JobOptions", "ScanService", "CaptureHost", "CaptureKit", "Archive", "Delivery",
                "Detection", "LiveCapture", "Documents", "FileNames", "Imaging", "Suggestions",
                "ExpectedFailures",
            ]),
        module(
            "Host/WebPage", ["CZlib", "ProgramFiles"],
            exclude: ["files", "package.json", "sample.jpg"]),
        module(
            "Host/WebServer",
            [
                "HTTPServer", "JobOptions", "Listings", "ScannerSharing", "ScanService", "Workers",
                "CaptureHost", "CaptureKit", "Hashing", "LiveCapture",
                "Delivery", "Processing", "Documents", "Archive", "FileNames", "GuardedFiles",
                "Recognition", "BlockingWork", "Imaging", "ProgramFiles", "Suggestions",
                "TemporaryFolders", "UserFiles", "WebPage", "Clocks", "ExpectedFailures",
            ]),
        module("Host/ESCL", ["CExpat"]),
        module("Host/ServiceDiscovery", ["CAvahi"]),
        module(
            "Host/ScannerSharing",
            [
                "BlockingWork", "ESCL", "HTTPServer", "JobOptions", "LiveCapture", "ScanService",
                "CaptureHost", "CaptureKit", "Clocks", "Delivery", "Documents", "Imaging",
                "ProgramFiles", "UserFiles", "CPictureWriter", "ExpectedFailures",
            ], exclude: ["icon.png"]),
        module("Host/HostClient", ["Clocks", "HTTPClient", "ExpectedFailures"]),
        module("CommandLine/CommandLine", ["FileNames", "Suggestions"]),
        .executableTarget(
            name: "copystand",
            dependencies: [
                "CommandLine", "HostClient", "WebServer", "HTTPServer", "JobOptions", "Listings",
                "LiveCapture", "ScanService", "ScannerSharing", "ServiceDiscovery", "Workers",
                "CaptureKit", "CaptureHost", "Conformance", "Detection", "Imaging", "Processes",
                "Processing", "Readers", "Recognition", "Delivery", "Archive", "Documents",
                "BlockingWork", "Clocks", "FileNames", "GuardedFiles", "CPosix", "ProgramFiles",
                "TemporaryFolders", "UserFiles", "ExpectedFailures",
            ],
            path: "Sources/CommandLine/copystand",
            exclude: ["Paddle", "README.md"],
            swiftSettings: unoptimized, linkerSettings: standalone),
    ]
    + backend(
        "FileImport", program: "copystand-backend-file",
        [
            "CTIFF", "CWebP", "CHEIF", "CExif", "CPDFReader", "CPNGReader", "CJPEGReader",
            "CGIF", "COpenJPEG", "CJXL", "CRaw", "CVideo", "BlockingWork", "ColorProfiles",
            "FileNames", "ExpectedFailures",
        ])
    + backend(
        "SANE", program: "copystand-backend-sane",
        [
            "CNettle", "CPosix", "CSANE", "Hashing", "TemporaryFolders", "UserFiles",
            "ExpectedFailures",
        ],
        standIns: ["CDeferredCancel"],
        showing: ["pthread_setcanceltype"])
    + backend(
        "V4L2", program: "copystand-backend-v4l2",
        ["BlockingWork", "CV4L2", "CTurboJPEG", "ExpectedFailures"])
    + backend(
        "Virtual", program: "copystand-backend-virtual",
        ["BlockingWork", "CLeptonica", "CTurboJPEG", "FileNames", "ExpectedFailures"])

/// The tests, and programs that only they and benchmarks start.
let testTargets: [Target] = [
    .target(
        name: "ContractSupport", dependencies: ["CaptureHost", "CaptureKit"],
        path: "Tests/Capture/ContractSupport", swiftSettings: unoptimized),
    .executableTarget(
        name: "detector-bench", dependencies: ["Detection", "Imaging"],
        path: "Tests/Benchmarks/DetectorBench", swiftSettings: settings),
    .executableTarget(
        name: "copystand-backend-fake", dependencies: ["CaptureKit", "ContractSupport"],
        path: "Tests/Capture/FakeProgram", swiftSettings: unoptimized),
    // The backend of files, which crashes, hangs or fills its memory when a file's name asks
    // for it.
    .executableTarget(
        name: "copystand-backend-faulty-files",
        dependencies: ["CaptureKit", "FileImportBackend"],
        path: "Tests/Backends/FaultyImport", swiftSettings: unoptimized),
    // A host of its own for each faulty backend, which it must survive.
    .executableTarget(
        name: "hostile-host-for-tests",
        dependencies: ["CaptureHost", "CaptureKit", "ContractSupport"],
        path: "Tests/Capture/HostileHost", swiftSettings: unoptimized),
    // A backend that attacks from within its sandbox, and a host of its own for it.
    .executableTarget(
        name: "sandbox-attacker-for-tests", path: "Tests/Capture/SandboxAttacker"),
    .executableTarget(
        name: "sandbox-host-for-tests", dependencies: ["CaptureKit", "CPosix", "Processes"],
        path: "Tests/Capture/SandboxHost", swiftSettings: unoptimized),
    // What Scripts/bench backends measures.
    .executableTarget(
        name: "capture-bench", dependencies: ["CaptureHost", "CaptureKit"],
        path: "Tests/Benchmarks/CaptureBench", swiftSettings: settings),
    .executableTarget(
        name: "capture-bench-backend", dependencies: ["CaptureKit"],
        path: "Tests/Benchmarks/CaptureBenchBackend", swiftSettings: settings),
    // A camera without hardware; Tests/Backends/PreloadCamera is the same for programs that are
    // started with it.
    .target(name: "CameraModel", path: "Tests/Backends/CameraModel"),
    .executableTarget(
        name: "fuse-camera-for-tests", dependencies: ["CameraModel"],
        path: "Tests/Backends/FuseCamera"),
    tests("Capture/CaptureKitTests", ["CaptureKit"]),
    tests("Capture/ProcessesTests", ["Processes", "CaptureKit"]),
    tests(
        "Capture/CaptureHostTests",
        [
            "CaptureHost", "CaptureKit", "ContractSupport", "Processes", "copystand-backend-fake",
            "hostile-host-for-tests", "sandbox-attacker-for-tests", "sandbox-host-for-tests",
        ]),
    tests(
        "Backends/VirtualBackendTests",
        [
            "VirtualBackend", "FileNames", "CaptureKit", "CaptureHost", "ContractSupport",
            "Processes", "copystand-backend-virtual", "CTurboJPEG",
        ]),
    tests(
        "Backends/FileImportBackendTests",
        [
            "FileImportBackend", "FileNames", "CaptureKit", "CaptureHost", "ContractSupport",
            "copystand-backend-file", "CTurboJPEG", "CTIFF", "CLeptonica", "CHEIF", "CQPDF",
        ],
        exclude: ["Fixtures/missing-plane.mkv"]),
    tests(
        "Backends/SANEBackendTests",
        [
            "SANEBackend", "CSANE", "CPosix", "CaptureKit", "CaptureHost", "ContractSupport",
            "CDeferredCancel", "Processes", "copystand-backend-sane",
        ],
        exclude: ["Support/fault.c", "Support/escl_server.py"],
        linkerSettings: shown(["pthread_setcanceltype"])),
    tests(
        "Backends/V4L2BackendTests",
        [
            "V4L2Backend", "CV4L2", "CaptureKit", "CaptureHost", "Conformance",
            "ContractSupport", "copystand-backend-v4l2", "fuse-camera-for-tests", "CTurboJPEG",
        ]),
    tests("Core/ColorProfilesTests", ["ColorProfiles"]),
    tests("Core/ImagingTests", ["Imaging"]),
    tests(
        "Core/DetectionTests",
        ["Detection", "Imaging", "CPageNetwork"],
        exclude: ["Fixtures"]),
    tests(
        "Core/RecognitionTests",
        [
            "Readers", "Recognition", "TextEngine", "CaptureHost", "CaptureKit", "Imaging",
            "Documents", "CLeptonica", "CLinePictures", "COneThread", "copystand-recognizer",
        ],
        exclude: [
            "Fixtures/make_codes.py", "Fixtures/make_two_languages.py",
            "Support/reader_relay.py",
        ],
        resources: [
            .embedInCode("Fixtures/barcodes.png"), .embedInCode("Fixtures/two-languages.png"),
        ]),
    tests(
        "Core/ProcessingTests",
        ["Processing", "Detection", "Imaging", "Documents", "Recognition"],
        exclude: ["Fixtures/make_letter.py"],
        resources: [.embedInCode("Fixtures/letter.png")]),
    tests("Core/DocumentsTests", ["Documents"]),
    .executableTarget(
        name: "archive-program-for-tests", dependencies: ["Archive", "Documents"],
        path: "Tests/Delivery/ArchiveProgram", swiftSettings: unoptimized),
    .executableTarget(
        name: "queue-program-for-tests", dependencies: ["PostgreSQL", "WorkQueue"],
        path: "Tests/Delivery/QueueProgram", swiftSettings: unoptimized),
    tests(
        "Delivery/ArchiveTests",
        [
            "Archive", "BlockingWork", "Delivery", "Documents", "FileNames", "PostgreSQL",
            "WorkQueue", "CSQLite", "archive-program-for-tests", "queue-program-for-tests",
        ],
        exclude: ["Support/postgresql.sh"]),
    tests(
        "Delivery/DeliveryTests",
        [
            "Delivery", "Archive", "ColorProfiles", "Hashing", "HTTPClient", "Imaging",
            "FileNames", "Documents", "CTIFF", "copystand-smb",
        ],
        exclude: [
            "Support/peer.py", "Support/chromium.py", "Support/mail_server.py",
            "Support/ftp_server.py", "Support/object_store.py", "Support/nextcloud.py",
            "Support/fault_proxy.py", "Support/open_services.py",
        ]),
    tests("Basics/BlockingWorkTests", ["BlockingWork"]),
    tests("Basics/ClocksTests", ["Clocks"]),
    tests("Basics/ExpectedFailuresTests", ["ExpectedFailures"]),
    tests("Basics/FileNamesTests", ["FileNames"]),
    tests("Basics/TemporaryFoldersTests", ["TemporaryFolders"]),
    tests("Basics/HTTPClientTests", ["HTTPClient"]),
    tests("Basics/ProgramFilesTests", ["ProgramFiles"]),
    tests("Basics/SuggestionsTests", ["Suggestions"]),
    .executableTarget(
        name: "settings-program-for-tests", dependencies: ["UserFiles"],
        path: "Tests/Basics/SettingsProgram", swiftSettings: unoptimized),
    tests("Basics/GuardedFilesTests", ["FileNames", "GuardedFiles"]),
    tests("Basics/UserFilesTests", ["UserFiles", "CPosix", "settings-program-for-tests"]),
    tests("CommandLine/CommandLineTests", ["CommandLine", "FileNames"]),
    tests(
        "Capture/ConformanceTests",
        [
            "Conformance", "CaptureHost", "ContractSupport", "copystand-backend-file",
            "copystand-backend-sane", "copystand-backend-v4l2", "copystand-backend-virtual",
        ],
        exclude: ["faulty.py"]),
    tests("Host/HostClientTests", ["HostClient", "HTTPClient"]),
    tests("Host/ESCLTests", ["ESCL"]),
    tests("Host/ServiceDiscoveryTests", ["ServiceDiscovery"]),
    tests(
        "Host/ScannerSharingTests",
        [
            "ScannerSharing", "ESCL", "CaptureHost", "CaptureKit", "ContractSupport",
            "Delivery",
            "Documents", "HTTPServer", "Imaging", "Processing", "Recognition", "ScanService",
            "VirtualBackend",
        ]),
    tests("Host/HTTPServerTests", ["HTTPServer", "CGnuTLS"]),
    tests("Host/JobOptionsTests", ["JobOptions"]),
    tests("Host/WebPageTests", ["WebPage"]),
    tests(
        "Host/WebServerTests",
        [
            "Archive", "WebServer", "HTTPServer", "JobOptions", "ScannerSharing", "ScanService",
            "CaptureHost", "CaptureKit", "Delivery", "WebPage", "Workers",
            "Documents", "FileNames", "Processing", "Readers", "Recognition",
        ]),
    tests("Host/LiveCaptureTests", ["LiveCapture", "CaptureHost", "CaptureKit"]),
    tests(
        "Host/ScanServiceTests",
        [
            "ScanService", "LiveCapture", "Archive", "CaptureHost", "CaptureKit", "ContractSupport",
            "Delivery", "JobOptions",
            "Detection", "Documents", "FileImportBackend", "Imaging", "Processing",
            "Recognition",
            "VirtualBackend",
        ]),
    tests(
        "CommandLine/EndToEndTests",
        [
            "copystand", "copystand-recognizer", "copystand-backend-file",
            "copystand-backend-virtual", "copystand-backend-faulty-files",
        ]),
    tests(
        "CommandLine/ProgramTests",
        [
            "CommandLine", "Delivery", "FileNames", "HTTPServer", "JobOptions", "Listings",
            "Processes", "ScanService", "WebServer", "copystand", "copystand-recognizer",
            "copystand-backend-file",
            "copystand-backend-sane", "copystand-backend-v4l2", "copystand-backend-virtual",
            "fuse-camera-for-tests",
        ],
        exclude: [
            "Support/hostile_host.py", "Support/giants.py", "Support/hostile_proxy.py",
            "Support/edges.py",
            "Support/persisted_edges.py", "Support/option_edges.py", "Support/clock_edges.py",
            "Support/clock.c",
            "Support/wire_edges.py",
            "Support/edge_backend.py", "Support/two_networks.sh", "Support/zeroconf_look.py",
            "Support/photographed_page.py", "Support/host_key.py", "Support/station.py",
            "Support/workers.py", "Support/slow_reader.py", "Support/places.py",
            "Support/leaks.py", "Support/killed_watch.py",
            "Fixtures",
        ]),
]

let package = Package(
    name: "copystand",
    products: [
        .library(name: "CaptureKit", targets: ["CaptureKit"]),
        .executable(name: "copystand", targets: ["copystand"]),
        .executable(name: "copystand-recognizer", targets: ["copystand-recognizer"]),
        .executable(name: "copystand-smb", targets: ["copystand-smb"]),
        .executable(name: "copystand-backend-file", targets: ["copystand-backend-file"]),
        .executable(name: "copystand-backend-sane", targets: ["copystand-backend-sane"]),
        .executable(name: "copystand-backend-v4l2", targets: ["copystand-backend-v4l2"]),
        .executable(name: "copystand-backend-virtual", targets: ["copystand-backend-virtual"]),
    ],
    targets: programsOnly ? programTargets : programTargets + testTargets,
    cxxLanguageStandard: .cxx17
)
