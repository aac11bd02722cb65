import Encodings
import Imaging
import JSON
import POSIX

/// The configuration file as it was read: its values, and its text, in which a fault is located.
struct ConfigurationSource: Sendable {
  /// All defaults, where there is no file.
  var file = ConfigurationFile()
  /// The path of the file; nil where there is none.
  private(set) var path: String?
  private var lines = JSONLines([])

  /// No file: the defaults.
  init() {}

  /// The file that the options or the environment name, or the defaults.
  /// - Throws: ``ConfigurationFailure``; `CommandFailure` when the path is not UTF-8.
  init(_ settings: CommonSettings) async throws {
    if let path = try settings.config ?? ForeignText.path(inVariable: "ATELIER_CONFIG") {
      try await self.init(path: path)
    } else {
      self.init()
    }
  }

  /// - Throws: ``ConfigurationFailure`` that says where the fault is.
  init(path: String) async throws {
    try self.init(try await Self.bytes(of: path), path: path)
  }

  /// - Parameter bytes: the content of the file at `path`.
  /// - Throws: ``ConfigurationFailure`` that says where the fault is.
  init(_ bytes: [UInt8], path: String) throws {
    self.path = path
    var bytes = bytes
    do throws(SavedText.OtherEncoding) {
      bytes = try SavedText.withoutMark(bytes)
    } catch {
      throw ConfigurationFailure(sentence: "The configuration file cannot be read: “\(path)” \(error.problem)")
    }
    lines = JSONLines(bytes)
    do {
      file = try JSONValueDecoder(unknownMembers: .reject)
        .decode(ConfigurationFile.self, from: try JSONValue(parsing: bytes))
    } catch let error as JSONSyntaxError {
      throw failure(at: lines.position(at: error.offset), error.message)
    } catch let error as JSONDecodingFailure {
      throw failure(at: lines.position(of: error.path), error.message)
    }
  }

  /// The content of a configuration file.
  /// - Throws: ``ConfigurationFailure`` when it cannot be read.
  static func bytes(of path: String) async throws -> [UInt8] {
    do {
      return try await PhotoFile.read(path, maximumBytes: 1 << 20)
    } catch let error as ImagingError {
      // Its sentences about folders and devices are about a photo.
      let status = try? FileStatus(path: path, followingLinks: true)
      let reason = status?.isRegularFile == false ? "“\(path)” is no file. Name the file." : error.message
      throw ConfigurationFailure(sentence: "The configuration file cannot be read: \(reason)")
    }
  }

  /// Whether a service could start with the values of the file, and use them all.
  /// - Throws: ``ConfigurationFailure`` for the first that it could not use.
  func check() async throws {
    _ = try await locatingFaults { try await $0.engineConfiguration() }
    _ = try await locatingFaults { try $0.store?.server() }
    _ = try await locatingFaults { try ProviderAssembly($0) }
    _ = try await locatingFaults { try $0.artifacts?.bucket() }
    try await locatingFaults { try await $0.pictures?.checkWatermark($0.workerOptions) }
  }

  /// Runs `work`, which uses the values of the file.
  /// - Throws: ``ConfigurationFailure`` in place of a ``ConfigurationFault``.
  func locatingFaults<Value>(_ work: (ConfigurationFile) async throws -> Value) async throws -> Value {
    do {
      return try await work(file)
    } catch let fault as ConfigurationFault {
      throw failure(at: lines.position(of: fault.pointer), "\(fault.pointer) \(fault.problem)")
    }
  }

  private func failure(at position: JSONLines.Position, _ sentence: String) -> ConfigurationFailure {
    ConfigurationFailure(sentence: "\(path ?? ""):\(position.line):\(position.column): \(sentence)", reason: sentence)
  }
}

/// A value in the configuration file that cannot be used.
struct ConfigurationFault: Error, Equatable {
  /// The path of the member in the file, such as `queue/attempts`.
  var member: String
  /// What is wrong with it, phrased to follow the member: "must be from 1 to 100."
  var problem: String

  init(_ member: String, _ problem: String) {
    (self.member, self.problem) = (member, problem)
  }

  /// The member as a JSON Pointer (RFC 6901).
  var pointer: String { "/" + member }
}

/// A configuration file that cannot be used: one sentence with the file, the line, the column and the member.
struct ConfigurationFailure: Error, Equatable {
  var sentence: String
  /// The sentence without the place.
  var reason: String

  init(sentence: String, reason: String? = nil) {
    self.sentence = sentence
    self.reason = reason ?? sentence
  }
}
