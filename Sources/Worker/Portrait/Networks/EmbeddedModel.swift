import CEmbedded
import Glibc
import TFLite

/// The embedded networks (`CEmbedded/models/NOTICE`). Tests compare them with the digests of those that this code was
/// written for.
enum EmbeddedModel: String, CaseIterable {
  case faceDetection = "face_detection_short_range"
  case faceLandmark = "face_landmark"
  case poseSegmentation = "pose_segmentation"
  case salience = "u2netp"
  case selfieSegmentation = "selfie_segmentation"

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
  /// - Throws: ``PortraitError/modelsUnusable(_:)`` when it cannot be run.
  func load(cores: Int = 1) throws(PortraitError) -> Interpreter {
    do throws(ModelError) {
      return try Interpreter(model: bytes, cores: cores)
    } catch {
      throw .modelsUnusable(error.message)
    }
  }

  /// Gives up the pages of the executable that only the model is in: it is not read again, or from the file.
  private static func copy(_ model: embedded_file) -> [UInt8] {
    // Both addresses delimit one object of the binary's read-only data, which lives as long as the process.
    let bytes = UnsafeRawBufferPointer(start: model.bytes, count: model.size)
    let copy = Array(bytes)
    guard let begin = bytes.baseAddress else { return copy }
    let page = sysconf(Int32(_SC_PAGESIZE))
    let first = begin.alignedUp(toMultipleOf: page)
    let count = first.distance(to: (begin + model.size).alignedDown(toMultipleOf: page))
    // Nothing can be written there, so that what is read again is the same.
    if count > 0 { madvise(UnsafeMutableRawPointer(mutating: first), count, MADV_DONTNEED) }
    return copy
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
