// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)]
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
    .executable(name: "gemini-simulator", targets: ["gemini-simulator"]),
    .library(name: "JSONRPC", targets: ["JSONRPC"]),
    .library(name: "TFLite", targets: ["TFLite"]),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-asn1", from: "1.7.0"),
    .package(url: "https://github.com/apple/swift-certificates", from: "1.21.0"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
  ],
  targets: [
    // The house, from the door down. Imports go down only.
    .executableTarget(
      name: "atelier",
      dependencies: [
        "Server", "Engine", "Store", "Imaging", "Providers", "Credentials", "Receipts", "CurlHTTP", "AtelierProtocol",
        "JSONRPC", "CMalloc",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    .target(
      name: "Server",
      dependencies: ["Engine", "AtelierProtocol", "JSONRPC", .product(name: "Logging", package: "swift-log")],
      swiftSettings: strict),
    .target(
      name: "Engine",
      dependencies: [
        "Store", "Templates", "Imaging", "Providers", "Credentials", "Receipts", "AtelierProtocol", "JSONRPC",
        .product(name: "Crypto", package: "swift-crypto"),
      ], swiftSettings: strict),
    .target(
      name: "Store",
      dependencies: [
        "AtelierProtocol", "JSONRPC", "CEmptyDatabase",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      swiftSettings: strict),
    .target(
      name: "Providers", dependencies: ["CurlHTTP", "Credentials", "Imaging", "AtelierProtocol", "JSONRPC"],
      swiftSettings: strict),
    .target(
      name: "Receipts",
      dependencies: [
        "AtelierProtocol", "JSONRPC",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
      ], swiftSettings: strict),
    .target(
      name: "Templates", dependencies: ["CTemplates", "Imaging", "AtelierProtocol", "JSONRPC"], swiftSettings: strict),
    .target(name: "CEmptyDatabase", cSettings: [.headerSearchPath("database")]),
    .target(name: "CTemplates", cSettings: [.headerSearchPath("library")]),
    .target(name: "Credentials", dependencies: ["AtelierProtocol", "JSONRPC"], swiftSettings: strict),
    .target(name: "CurlHTTP", dependencies: ["CCurl"], swiftSettings: strict),
    .target(name: "CCurl"),
    .target(name: "Imaging", dependencies: ["AtelierProtocol", "JSONRPC"], swiftSettings: strict),
    .target(name: "AtelierProtocol", dependencies: ["JSONRPC"], swiftSettings: strict),
    .target(name: "JSONRPC", swiftSettings: strict),
    .systemLibrary(name: "CMalloc"),

    // The worker: untrusted pixels, libvips and the three networks.
    .executableTarget(
      name: "atelier-imaging", dependencies: ["CVips", "Portrait", "Imaging", "AtelierProtocol", "JSONRPC"],
      swiftSettings: strict),
    .target(name: "Portrait", dependencies: ["TFLite", "CModels"], swiftSettings: optimised),
    .target(name: "TFLite", swiftSettings: optimised),
    .target(name: "CModels", cSettings: [.headerSearchPath("models")]),
    .target(
      name: "CVips", cSettings: [.unsafeFlags(glibHeaders)],
      linkerSettings: ["vips", "gobject-2.0", "glib-2.0"].map { .linkedLibrary($0) }),

    // What answers instead of the cloud: tests, benchmarks, trying without a key. Nothing that ships depends on it.
    .target(
      name: "GeminiSimulator",
      dependencies: [
        "JSONRPC",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      swiftSettings: optimised),
    .executableTarget(
      name: "gemini-simulator",
      dependencies: [
        "GeminiSimulator", "JSONRPC", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: strict),

    // What `make bench` runs besides the executables: the store beside plain SQLite.
    .executableTarget(
      name: "ledger-benchmark",
      dependencies: ["Store", "AtelierProtocol", .product(name: "GRDBSQLite", package: "GRDB.swift")],
      path: "Benchmarks/Ledger", swiftSettings: strict),

    // Tests, a folder a module; Conformance and Faults run the built executables.
    .target(name: "Support", dependencies: ["JSONRPC", "SystemCalls"], path: "Tests/Support", swiftSettings: strict),
    .target(name: "SystemCalls", path: "Tests/SystemCalls"),
    .testTarget(name: "JSONRPCTests", dependencies: ["JSONRPC", "Support"], swiftSettings: strict),
    .testTarget(
      name: "AtelierProtocolTests", dependencies: ["AtelierProtocol", "JSONRPC", "Support"], swiftSettings: strict),
    .testTarget(name: "TFLiteTests", dependencies: ["TFLite", "Support"], swiftSettings: strict),
    .testTarget(name: "PortraitTests", dependencies: ["Portrait", "Support"], swiftSettings: strict),
    .testTarget(
      name: "ImagingTests",
      dependencies: ["Imaging", "Portrait", "CVips", "AtelierProtocol", "JSONRPC", "Support", "atelier-imaging"],
      swiftSettings: strict),
    .testTarget(name: "CurlHTTPTests", dependencies: ["CurlHTTP", "Support"], swiftSettings: strict),
    .testTarget(
      name: "GeminiSimulatorTests", dependencies: ["GeminiSimulator", "JSONRPC", "Support", "gemini-simulator"],
      swiftSettings: strict),
    .testTarget(
      name: "CredentialsTests", dependencies: ["Credentials", "AtelierProtocol", "JSONRPC", "Support"],
      swiftSettings: strict),
    .testTarget(
      name: "TemplatesTests", dependencies: ["Templates", "AtelierProtocol", "JSONRPC", "Support"],
      swiftSettings: strict),
    .testTarget(
      name: "ReceiptsTests",
      dependencies: [
        "Receipts", "AtelierProtocol", "JSONRPC", "Support",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
      ], swiftSettings: strict),
    .testTarget(
      name: "ProvidersTests",
      dependencies: [
        "Providers", "CurlHTTP", "Credentials", "GeminiSimulator", "Imaging", "AtelierProtocol", "JSONRPC", "Support",
      ], swiftSettings: strict),
    .testTarget(
      name: "StoreTests",
      dependencies: [
        "Store", "AtelierProtocol", "JSONRPC", "Support", .product(name: "GRDB", package: "GRDB.swift"),
      ], swiftSettings: strict),
    .target(
      name: "TestHouse",
      dependencies: [
        "Server", "Engine", "Store", "Providers", "Credentials", "Imaging", "AtelierProtocol", "JSONRPC",
        "Support", .product(name: "Logging", package: "swift-log"),
      ],
      path: "Tests/TestHouse", swiftSettings: strict),
    .testTarget(
      name: "EngineTests",
      dependencies: [
        "Engine", "Store", "Templates", "Providers", "Imaging", "AtelierProtocol", "Support", "TestHouse", "atelier-imaging",
        .product(name: "GRDB", package: "GRDB.swift"),
      ], swiftSettings: strict),
    .testTarget(
      name: "ServerTests",
      dependencies: [
        "Server", "Engine", "Providers", "AtelierProtocol", "JSONRPC", "TestHouse", "atelier-imaging",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "Conformance",
      dependencies: [
        "Engine", "Imaging", "Providers", "CurlHTTP", "JSONRPC", "Store", "Support", "TestHouse", "atelier",
        "atelier-imaging",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "Faults",
      dependencies: [
        "JSONRPC", "AtelierProtocol", "Store", "GeminiSimulator", "Support", "atelier", "atelier-imaging",
        .product(name: "GRDB", package: "GRDB.swift"),
      ], swiftSettings: strict),
  ]
)
