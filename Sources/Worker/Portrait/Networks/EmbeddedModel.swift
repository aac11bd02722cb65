import CEmbedded
import TFLite

/// The embedded networks and their digests (`CEmbedded/models/NOTICE`).
enum EmbeddedModel: String, CaseIterable {
  case faceDetection = "face_detection_short_range"
  case faceLandmark = "face_landmark"
  case poseSegmentation = "pose_segmentation"
  case salience = "u2netp"
  case selfieSegmentation = "selfie_segmentation"

  /// The SHA-256 of the model that this code was written for.
  var digest: String {
    switch self {
    case .faceDetection: "bbff11cebd1eb27a1e004cae0b0e63ec8c551cbf34a4451148b4908b8db3eca8"
    case .faceLandmark: "1055cb9d4a9ca8b8c688902a3a5194311138ba256bcc94e336d8373a5f30c814"
    case .poseSegmentation: "30ce767efb9e540e2119864c117e60b0692fdb37d7bb8cf733fec1f19392bee4"
    case .salience: "b0c82484ecbbd4734358ae52339b19a6d5003d76c143c8bb047a10666eb474fb"
    case .selfieSegmentation: "9ee168ec7c8f2a16c56fe8e1cfbc514974cbbb7e434051b455635f1bd1462f5c"
    }
  }

  /// A copy of the model's bytes.
  var bytes: [UInt8] {
    switch self {
    case .faceDetection: Self.copy(embedded_face_detection())
    case .faceLandmark: Self.copy(embedded_face_landmark())
    case .poseSegmentation: Self.copy(embedded_pose_segmentation())
    case .salience: Self.copy(embedded_u2netp())
    case .selfieSegmentation: Self.copy(embedded_selfie_segmentation())
    }
  }

  /// An interpreter for this model.
  /// - Parameter cores: how many work on each step.
  /// - Throws: ``PortraitError/modelsUnusable(_:)`` when the bytes are not the ones known.
  func load(cores: Int = 1) throws(PortraitError) -> Interpreter {
    try Self.load(bytes, digest: digest, name: rawValue, cores: cores)
  }

  static func load(
    _ bytes: [UInt8], digest: String, name: String, cores: Int = 1
  ) throws(PortraitError) -> Interpreter {
    guard SHA256.hexDigest(of: bytes) == digest else {
      throw .modelsUnusable("\(name) is not the model this version was built with.")
    }
    do throws(ModelError) {
      return try Interpreter(model: bytes, cores: cores)
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
