import AtelierProtocol
import Imaging
import POSIX
import Providers

extension ConfigurationFile {
  /// How pictures are shown, and what photos for passports may be called.
  struct Pictures: Codable, Sendable, Equatable {
    /// The path of the PNG that is drawn over small pictures where a host asks for it; a relative one begins where the
    /// service was started.
    var watermark: String?
    /// Sizes of photos for passports, besides the built-in ones or in place of them.
    var passportSizes: [PassportPreset]?
  }
}

extension ConfigurationFile.Pictures {
  /// The built-in sizes of photos for passports, and the operator's.
  /// - Throws: ``ConfigurationFault`` for one that cannot be used.
  func passportTable() throws -> PassportTable {
    for (index, preset) in (passportSizes ?? []).enumerated() {
      if let (member, expected) = PassportTable.fault(of: preset) {
        throw ConfigurationFault("pictures/passportSizes/\(index)/\(member)", "must be \(expected).")
      }
    }
    return PassportTable(adding: passportSizes ?? [])
  }
}

extension ConfigurationFile.Pictures {
  private static let member = "pictures/watermark"

  /// The watermark's file, checked as far as that goes without decoding it; nil if none is named.
  /// - Throws: ``ConfigurationFault`` for a file that cannot be used.
  func watermarkFile() async throws -> WatermarkFile? {
    guard let path = watermark else { return nil }
    let bytes = try await Self.bytes(of: path)
    do throws(WatermarkFile.Problem) {
      return try WatermarkFile(bytes)
    } catch {
      throw ConfigurationFault(Self.member, error.phrase(path))
    }
  }

  private static func bytes(of path: String) async throws -> [UInt8] {
    do {
      return try await PhotoFile.read(path, maximumBytes: WatermarkFile.maximumBytes)
    } catch let error as ImagingError {
      if error.kind == .imageTooLarge { throw ConfigurationFault(member, WatermarkFile.Problem.tooLarge.phrase(path)) }
      // Its sentences about what is no file are about a photo.
      let status = try? FileStatus(path: path, followingLinks: true)
      let reason = status?.isRegularFile == true ? error.message : "“\(path)” is none that can be reached."
      throw ConfigurationFault(member, "must be the path of a file: \(reason)")
    }
  }

  /// Decodes the watermark, in a worker of its own. A worker that does not work says nothing about the file.
  /// - Throws: ``ConfigurationFault`` for one that cannot be used, also if it cannot be decoded.
  func checkWatermark(_ options: WorkerOptions) async throws {
    guard let path = watermark, let file = try await watermarkFile(), let executable = try? ImagingWorker.locate() else {
      return
    }
    let worker = ImagingWorker(executable: executable, options: options)
    let isDamaged: Bool
    do {
      try await worker.check(file)
      isDamaged = false
    } catch {
      isDamaged = (error as? ImagingError)?.kind == .invalidImage
    }
    await worker.shutDown()
    if isDamaged { throw ConfigurationFault(Self.member, WatermarkFile.Problem.damaged.phrase(path)) }
  }
}

extension WatermarkFile.Problem {
  /// What is wrong, phrased to follow the member.
  fileprivate func phrase(_ path: String) -> String {
    let sides = WatermarkFile.sides
    switch self {
    case .tooLarge: return "must be the path of a file of at most 1 MB."
    case .notPNG: return "must be the path of a PNG, which “\(path)” is not."
    case .wrongSides(let width, let height):
      return "must be the path of a PNG with sides of \(sides.lowerBound) to \(sides.upperBound) pixels, "
        + "not of \(width) × \(height)."
    case .opaque: return "must be the path of a PNG with transparency: an opaque one would hide the picture."
    case .damaged: return "must be the path of a PNG that can be read: “\(path)” is damaged or incomplete."
    }
  }
}
