// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error),
]
/// The pixel loops are unusable without optimisation, so they keep it in debug builds as well; tests stay fast.
let optimised = strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]

// Where Debian keeps GLib's headers, which those of libvips include. Asking pkg-config for them would do, but SwiftPM
// warns of flags in its answer that it does not pass on.
#if arch(arm64)
  let debianArchitecture = "aarch64-linux-gnu"
#else
  let debianArchitecture = "x86_64-linux-gnu"
#endif
let glibHeaders = ["-I/usr/include/glib-2.0", "-I/usr/lib/\(debianArchitecture)/glib-2.0/include"]

let package = Package(
  name: "atelier",
  products: [
    .executable(name: "atelier", targets: ["atelier"]),
    .executable(name: "atelier-imaging", targets: ["atelier-imaging"]),
    .executable(name: "atelier-web", targets: ["atelier-web"]),
    .executable(name: "gemini-simulator", targets: ["gemini-simulator"]),
    .library(name: "AtelierClient", targets: ["AtelierClient", "AtelierProtocol"]),
    .library(name: "AtelierProtocol", targets: ["AtelierProtocol"]),
    .library(name: "JSONRPC", targets: ["JSONRPC", "JSON"]),
    .library(name: "TFLite", targets: ["TFLite"]),
  ],
  // Exact versions; packaging/dependencies.txt has those of the packages that these depend on as well.
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/vapor/jwt-kit", exact: "5.7.1"),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-asn1", exact: "1.7.4"),
    .package(url: "https://github.com/apple/swift-certificates", exact: "1.21.1"),
    .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    // Without its traits: it would bring all of Foundation along.
    .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
  ],
  targets: [
    // The service, from the executable down. Imports go down only.
    .executableTarget(
      name: "atelier",
      dependencies: [
        "Server", "MCP", "Engine", "PlaceLists", "Store", "Templates", "Imaging", "Providers", "Credentials",
        "Receipts", "Identities",
        "CurlHTTP", "ObjectStorage", "AtelierProtocol", "Localization", "JSONRPC", "JSON", "POSIX", "Encodings", "CProcess",
        "CConfinement", "CEmbedded", "CommandArguments",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Sources/Service/atelier", swiftSettings: strict),
    .target(
      name: "Server",
      dependencies: [
        "Engine", "AtelierProtocol", "Localization", "CEmbedded", "JSONRPC", "JSON", "POSIX",
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Sources/Service/Server", swiftSettings: strict),
    .target(
      name: "MCP",
      dependencies: [
        "Engine", "Imaging", "AtelierProtocol", "Localization", "JSONRPC", "JSON", "POSIX", "Encodings",
        .product(name: "Crypto", package: "swift-crypto"),
      ], path: "Sources/Service/MCP", swiftSettings: strict),
    .target(
      name: "Engine",
      dependencies: [
        "Store", "Templates", "Imaging", "Providers", "CurlHTTP", "Credentials", "Receipts", "Identities",
        "AtelierProtocol", "Localization",
        "JSON", "POSIX", "Encodings", .product(name: "Crypto", package: "swift-crypto"),
      ], path: "Sources/Service/Engine", swiftSettings: strict),
    .target(
      name: "Store",
      dependencies: [
        "CPostgres", "ObjectStorage", "AtelierProtocol", "Localization", "JSON", "POSIX", "Encodings",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      path: "Sources/Service/Store", swiftSettings: strict),
    .target(
      name: "Providers",
      dependencies: ["CurlHTTP", "Credentials", "Imaging", "AtelierProtocol", "Localization", "JSON", "Encodings"],
      path: "Sources/Service/Providers", swiftSettings: strict),
    .target(
      name: "Receipts",
      dependencies: [
        "AtelierProtocol", "Localization", "JSON", "Encodings",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
        .product(name: "JWTKit", package: "jwt-kit"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
      ], path: "Sources/Service/Receipts", swiftSettings: strict),
    .target(
      name: "Identities",
      dependencies: [
        "CurlHTTP", "AtelierProtocol", "Localization", "JSON", "Encodings", "POSIX",
        .product(name: "JWTKit", package: "jwt-kit"),
      ], path: "Sources/Service/Identities", swiftSettings: strict),
    .target(
      name: "Templates", dependencies: ["CEmbedded", "Imaging", "AtelierProtocol", "JSON", "POSIX", "Encodings"],
      path: "Sources/Service/Templates", swiftSettings: strict),
    .target(
      name: "Credentials",
      dependencies: ["ObjectStorage", "AtelierProtocol", "Localization", "JSON", "POSIX", "Encodings"],
      path: "Sources/Service/Credentials", swiftSettings: strict),
    .target(
      name: "CurlHTTP", dependencies: ["POSIX", "Encodings", "CCurl"],
      path: "Sources/Base/CurlHTTP", swiftSettings: strict),
    .target(name: "CCurl", path: "Sources/Base/CCurl"),
    .target(name: "CPostgres", path: "Sources/Base/CPostgres"),
    // Buckets of any S3-compatible object storage; knows nothing of pictures.
    .target(
      name: "ObjectStorage",
      dependencies: ["CurlHTTP", "Encodings", "POSIX", .product(name: "Crypto", package: "swift-crypto")],
      path: "Sources/Base/ObjectStorage", swiftSettings: strict),
    .target(
      name: "Imaging",
      dependencies: [
        "PictureFiles", "AtelierProtocol", "Localization", "JSONRPC", "JSON", "POSIX", "Encodings", "CConfinement",
      ],
      path: "Sources/Worker/Imaging", swiftSettings: strict),
    .target(
      name: "AtelierProtocol", dependencies: ["Localization", "JSONRPC", "JSON", "Encodings"],
      path: "Sources/Protocol/AtelierProtocol", swiftSettings: strict),
    // Lists of places that people bring along: for the command line and for hosts.
    .target(
      name: "PlaceLists", dependencies: ["AtelierProtocol", "Encodings"], path: "Sources/Protocol/PlaceLists",
      swiftSettings: strict),
    .target(
      name: "JSONRPC", dependencies: ["JSON", "POSIX", "Encodings"],
      path: "Sources/Base/JSONRPC", swiftSettings: strict),
    // What all of them stand on: JSON, bytes as text, the operating system.
    .target(name: "JSON", dependencies: ["Encodings"], path: "Sources/Base/JSON", swiftSettings: strict),
    .target(name: "Encodings", path: "Sources/Base/Encodings", swiftSettings: strict),
    // How picture files are put together; nothing is decoded.
    .target(name: "PictureFiles", path: "Sources/Base/PictureFiles", swiftSettings: strict),
    // Sentences for people, and the languages they can be read in.
    .target(
      name: "Localization", dependencies: ["JSON", "CEmbedded"],
      path: "Sources/Base/Localization", swiftSettings: strict),
    .target(name: "POSIX", dependencies: ["Encodings"], path: "Sources/Base/POSIX", swiftSettings: strict),
    // How the command lines are read; on the argument parser, for both executables.
    .target(
      name: "CommandArguments",
      dependencies: ["JSON", .product(name: "ArgumentParser", package: "swift-argument-parser")],
      path: "Sources/Base/CommandArguments", swiftSettings: strict),
    .target(name: "CProcess", path: "Sources/Base/CProcess"),
    .target(name: "CConfinement", path: "Sources/Worker/CConfinement"),
    // Files that are part of the executables: networks, hairstyles, the protocol's documents.
    .target(
      name: "CEmbedded", path: "Sources/Base/CEmbedded",
      cSettings: ["models", "pictures", "hairstyles", "languages", "../../../protocol"].map { .headerSearchPath($0) }),

    // The worker: untrusted pixels, libvips and the three networks.
    .executableTarget(
      name: "atelier-imaging",
      dependencies: [
        "CVips", "CConfinement", "CEmbedded", "Portrait", "Imaging", "PictureFiles", "AtelierProtocol", "Localization",
        "JSONRPC", "JSON", "POSIX",
      ],
      path: "Sources/Worker/atelier-imaging", swiftSettings: optimised),
    .target(
      name: "Portrait", dependencies: ["TFLite", "Localization", "CEmbedded"],
      path: "Sources/Worker/Portrait", swiftSettings: optimised),
    .target(
      name: "TFLite", dependencies: ["CMatrixProduct"], path: "Sources/Worker/TFLite", swiftSettings: optimised),
    .target(
      name: "CMatrixProduct", path: "Sources/Worker/CMatrixProduct",
      cSettings: [.unsafeFlags(["-O2"], .when(configuration: .debug))]),
    .target(
      name: "CVips", path: "Sources/Worker/CVips",
      cSettings: [.unsafeFlags(glibHeaders), .unsafeFlags(["-O2"], .when(configuration: .debug))],
      linkerSettings: ["vips", "gobject-2.0", "glib-2.0"].map { .linkedLibrary($0) }),

    // The library for hosts in Swift. It uses nothing of the service but the protocol.
    .target(
      name: "AtelierClient",
      dependencies: ["AtelierProtocol", "PictureFiles", "JSONRPC", "JSON", "POSIX", "Encodings", "Localization"],
      path: "clients/swift/Sources/AtelierClient", swiftSettings: strict),
    .executableTarget(
      name: "swift-headshot", dependencies: ["AtelierClient"], path: "clients/swift/Examples/headshot",
      swiftSettings: strict),
    .executableTarget(
      name: "swift-readme-examples", dependencies: ["AtelierClient"], path: "clients/swift/Examples/readme",
      swiftSettings: strict),

    // The web host: a program beside the service, on the client for Swift.
    .executableTarget(
      name: "atelier-web",
      dependencies: [
        "WebHost", "CommandArguments", "CProcess", .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "clients/web/Sources/atelier-web", swiftSettings: strict),
    .target(
      name: "WebHost",
      dependencies: [
        "AtelierClient", "PlaceLists", "CWebPages", "CEmbedded", "Localization", "JSON", "POSIX", "Encodings",
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "clients/web/Sources/WebHost", swiftSettings: strict),
    // The pages as bytes of the executable.
    .target(
      name: "CWebPages", path: "clients/web/Sources/CWebPages", cSettings: [.headerSearchPath("../../pages")]),

    // What answers instead of the cloud: tests, benchmarks, trying without a key. Nothing that ships depends on it.
    .target(
      name: "GeminiSimulator",
      dependencies: [
        "JSON", "Encodings", "CZlib",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      path: "Sources/Simulators/GeminiSimulator", resources: [.embedInCode("Resources")],
      swiftSettings: optimised),
    .systemLibrary(name: "CZlib", path: "Sources/Simulators/CZlib"),
    .target(
      name: "SimulatedShops",
      dependencies: [
        "Receipts", "AtelierProtocol", "JSON", "Encodings", "POSIX",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
      ], path: "Sources/Simulators/SimulatedShops", swiftSettings: strict),
    .target(
      name: "SimulatedIssuers",
      dependencies: [
        "AtelierProtocol", "JSON", "Encodings", "POSIX",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
      ], path: "Sources/Simulators/SimulatedIssuers", swiftSettings: strict),
    .executableTarget(
      name: "gemini-simulator",
      dependencies: [
        "GeminiSimulator", "SimulatedShops", "SimulatedIssuers", "AtelierProtocol", "JSON", "POSIX", "CProcess",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], path: "Sources/Simulators/gemini-simulator", swiftSettings: strict),

    // What `make schema` runs: writes the documents in protocol/ from the types, their doc comments and the examples.
    .target(
      name: "ProtocolDocuments", dependencies: ["AtelierProtocol", "Localization", "JSON"],
      path: "Sources/Tools/ProtocolDocuments", swiftSettings: strict),
    .executableTarget(
      name: "protocol-documents",
      dependencies: ["ProtocolDocuments", .product(name: "ArgumentParser", package: "swift-argument-parser")],
      path: "Sources/Tools/protocol-documents", swiftSettings: strict),

    // What `make bench` runs besides the executables: the store beside plain SQLite.
    .executableTarget(
      name: "ledger-benchmark",
      dependencies: ["Store", "AtelierProtocol", .product(name: "GRDBSQLite", package: "GRDB.swift")],
      path: "Benchmarks/Ledger", swiftSettings: strict),
    // Likewise the client for Swift beside lines written by hand.
    .executableTarget(
      name: "client-benchmark", dependencies: ["AtelierClient", "POSIX"], path: "Benchmarks/Client", swiftSettings: strict),
    // Likewise the networks and the headshot without the worker around them.
    .executableTarget(
      name: "portrait-benchmark", dependencies: ["Portrait", "TFLite", "CEmbedded"], path: "Benchmarks/Portrait",
      swiftSettings: strict),

    .testTarget(
      name: "WebHostTests",
      dependencies: [
        "WebHost", "AtelierClient", "CommandArguments", "JSON", "POSIX", "Encodings", "Support", "atelier-web",
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      path: "clients/web/tests/WebHostTests", swiftSettings: strict),

    // Tests, a folder a module; ExecutableTests and Faults run the built executables.
    .target(
      name: "Support",
      dependencies: ["ObjectStorage", "CurlHTTP", "AtelierProtocol", "Encodings", "JSON", "POSIX", "SystemCalls"],
      path: "Tests/Support", swiftSettings: strict),
    .target(name: "SystemCalls", path: "Tests/SystemCalls"),
    .executableTarget(name: "confinement-probe", dependencies: ["CConfinement"], path: "Tests/ConfinementProbe"),
    // One of several processes that share a database, for Tests/SharedLedger.
    .executableTarget(
      name: "ledger-worker", dependencies: ["Store", "AtelierProtocol"], path: "Tests/SharedLedger/Worker",
      swiftSettings: strict),
    // The rules of style; optimised, for it reads every file.
    .testTarget(name: "TidyTests", swiftSettings: optimised),
    .testTarget(name: "EncodingsTests", dependencies: ["Encodings", "Support"], swiftSettings: strict),
    // Optimised, for it reads every source file.
    .testTarget(name: "LocalizationTests", dependencies: ["Localization", "JSON"], swiftSettings: optimised),
    .testTarget(name: "POSIXTests", dependencies: ["POSIX", "Support"], swiftSettings: strict),
    .testTarget(name: "JSONTests", dependencies: ["JSON", "Encodings", "Support"], swiftSettings: strict),
    .testTarget(
      name: "JSONRPCTests", dependencies: ["JSONRPC", "JSON", "POSIX", "Encodings", "Support"], swiftSettings: strict),
    .testTarget(
      name: "AtelierProtocolTests", dependencies: ["AtelierProtocol", "Localization", "JSON", "Encodings", "Support"],
      swiftSettings: strict),
    .testTarget(
      name: "ProtocolDocumentsTests", dependencies: ["ProtocolDocuments", "AtelierProtocol", "JSON", "Support"],
      swiftSettings: strict),
    .testTarget(name: "PlaceListsTests", dependencies: ["PlaceLists", "AtelierProtocol"], swiftSettings: strict),
    .testTarget(name: "TFLiteTests", dependencies: ["TFLite", "CMatrixProduct", "Support"], swiftSettings: strict),
    .testTarget(name: "PortraitTests", dependencies: ["Portrait", "Localization", "Support"], swiftSettings: optimised),
    .testTarget(
      name: "ImagingTests",
      dependencies: [
        "Imaging", "PictureFiles", "Portrait", "Localization", "CVips", "CEmbedded", "AtelierProtocol", "JSON", "POSIX",
        "Encodings", "Support",
        "atelier-imaging",
        "confinement-probe",
      ],
      swiftSettings: strict),
    .testTarget(name: "CurlHTTPTests", dependencies: ["CurlHTTP", "CCurl", "Support"], swiftSettings: strict),
    .testTarget(
      name: "ObjectStorageTests", dependencies: ["ObjectStorage", "CurlHTTP", "Encodings", "POSIX", "Support"],
      exclude: ["requirements.txt"], swiftSettings: strict),
    .testTarget(
      name: "GeminiSimulatorTests",
      dependencies: ["GeminiSimulator", "JSON", "POSIX", "Encodings", "Support", "gemini-simulator"],
      swiftSettings: strict),
    .testTarget(
      name: "CredentialsTests", dependencies: ["Credentials", "ObjectStorage", "AtelierProtocol", "POSIX", "Support"],
      swiftSettings: strict),
    .testTarget(
      name: "TemplatesTests", dependencies: ["Templates", "AtelierProtocol", "Support"],
      swiftSettings: strict),
    .testTarget(
      name: "ReceiptsTests",
      dependencies: [
        "Receipts", "SimulatedShops", "AtelierProtocol", "JSON", "Encodings", "Support",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
      ], swiftSettings: strict),
    .testTarget(
      name: "IdentitiesTests",
      dependencies: [
        "Identities", "SimulatedIssuers", "GeminiSimulator", "CurlHTTP", "AtelierProtocol", "JSON", "Encodings", "POSIX",
        "Support",
      ], swiftSettings: strict),
    .testTarget(
      name: "ProvidersTests",
      dependencies: [
        "Providers", "CurlHTTP", "Credentials", "GeminiSimulator", "Imaging", "AtelierProtocol", "Localization", "JSON",
        "Encodings",
        "Support",
      ], swiftSettings: strict),
    .testTarget(
      name: "StoreTests",
      dependencies: [
        "Store", "ObjectStorage", "CurlHTTP", "AtelierProtocol", "Localization", "JSON", "POSIX", "Support",
        "StatementCounting",
        .product(name: "GRDB", package: "GRDB.swift"),
      ], swiftSettings: strict),
    .target(
      name: "StatementCounting", dependencies: ["Store"], path: "Tests/StatementCounting", swiftSettings: strict),
    .target(
      name: "ServiceFixture",
      dependencies: [
        "Server", "Engine", "Store", "Providers", "CurlHTTP", "Credentials", "Imaging", "AtelierProtocol", "JSONRPC", "JSON",
        "Support", .product(name: "Logging", package: "swift-log"),
      ],
      path: "Tests/ServiceFixture", swiftSettings: strict),
    .testTarget(
      name: "EngineTests",
      dependencies: [
        "JSON", "Encodings", "POSIX", "Engine", "Store", "Receipts", "Templates", "Providers", "CurlHTTP", "Imaging",
        "AtelierProtocol", "Localization", "Support", "StatementCounting", "ServiceFixture", "atelier-imaging",
        .product(name: "GRDB", package: "GRDB.swift"),
      ], swiftSettings: strict),
    .testTarget(
      name: "ServerTests",
      dependencies: [
        "Server", "Engine", "Providers", "AtelierProtocol", "Localization", "JSONRPC", "JSON", "Encodings", "ServiceFixture",
        "atelier-imaging",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "MCPTests",
      dependencies: [
        "MCP", "Engine", "Store", "Providers", "AtelierProtocol", "Localization", "JSONRPC", "JSON", "Encodings", "Support",
        "StatementCounting",
        "ServiceFixture",
        "atelier-imaging",
      ],
      exclude: ["transcripts"], swiftSettings: strict),
    .testTarget(
      name: "ExecutableTests",
      dependencies: [
        "Server", "Engine", "Receipts", "Identities", "Imaging", "Providers", "CurlHTTP", "JSONRPC", "JSON", "Encodings",
        "POSIX", "Store", "CommandArguments",
        "Support", "ServiceFixture", "GeminiSimulator", "SimulatedIssuers", "AtelierProtocol", "atelier", "atelier-imaging",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "AtelierClientTests",
      dependencies: [
        "AtelierClient", "AtelierProtocol", "PictureFiles", "JSONRPC", "JSON", "POSIX", "Encodings", "Localization",
        "GeminiSimulator", "Support", "atelier", "atelier-imaging", "swift-headshot", "swift-readme-examples",
      ],
      path: "clients/swift/Tests/AtelierClientTests", swiftSettings: strict),
    .testTarget(
      name: "Faults",
      dependencies: [
        "JSON", "AtelierProtocol", "Store", "POSIX", "GeminiSimulator", "Support", "atelier", "atelier-imaging",
        "confinement-probe", .product(name: "GRDB", package: "GRDB.swift"),
      ], swiftSettings: strict),
  ]
)
