import CEmbedded
import TFLite

/// The embedded networks and their digests (`CEmbedded/models/NOTICE`).
enum EmbeddedModel: String, CaseIterable {
  case faceDetection = "face_detection_short_range"
  case faceLandmark = "face_landmark"
  case selfieSegmentation = "selfie_segmentation"

  /// The SHA-256 of the model that this code was written for.
  var digest: String {
    switch self {
    case .faceDetection: "bbff11cebd1eb27a1e004cae0b0e63ec8c551cbf34a4451148b4908b8db3eca8"
    case .faceLandmark: "1055cb9d4a9ca8b8c688902a3a5194311138ba256bcc94e336d8373a5f30c814"
    case .selfieSegmentation: "9ee168ec7c8f2a16c56fe8e1cfbc514974cbbb7e434051b455635f1bd1462f5c"
    }
  }

  /// A copy of the model's bytes.
  var bytes: [UInt8] {
    switch self {
    case .faceDetection: Self.copy(embedded_face_detection())
    case .faceLandmark: Self.copy(embedded_face_landmark())
    case .selfieSegmentation: Self.copy(embedded_selfie_segmentation())
    }
  }

  /// An interpreter for this model.
  /// - Throws: ``PortraitError/modelsUnusable(_:)`` when the bytes are not the ones known.
  func load() throws(PortraitError) -> Interpreter {
    try Self.load(bytes, digest: digest, name: rawValue)
  }

  static func load(_ bytes: [UInt8], digest: String, name: String) throws(PortraitError) -> Interpreter {
    guard SHA256.hexDigest(of: bytes) == digest else {
      throw .modelsUnusable("\(name) is not the model this version was built with.")
    }
    do throws(ModelError) {
      return try Interpreter(model: bytes)
    } catch {
      throw .modelsUnusable(error.message)
    }
  }

  // Both addresses delimit one object of the binary's read-only data, which lives as long as the process.
  private static func copy(_ model: embedded_file) -> [UInt8] {
    Array(UnsafeBufferPointer(start: model.bytes, count: model.size))
  }
}

extension Interpreter {
  /// Runs the network. A failure can only mean that it is not the expected network.
  func outputs(for input: [Float]) throws(PortraitError) -> [[Float]] {
    do throws(ModelError) {
      return try run(input)
    } catch {
      throw .modelsUnusable(error.message)
    }
  }
}
