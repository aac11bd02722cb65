import AtelierProtocol
import Imaging
import JSONRPC
import Portrait

extension ImagingError {
  init(_ error: PortraitError) {
    switch error {
    case .modelsUnusable, .malformedImage, .cancelled:
      self.init(
        .internal, "The on-device headshot does not work in this installation. Please reinstall Atelier.",
        details: ["reason": .string(error.message)])
    case .noFace, .faceCutOff:
      self.init(.noFaceFound, error.message)
    case .faceTooSmall(let pixels):
      self.init(.noFaceFound, error.message, details: ["facePixels": .number(JSONNumber(pixels))])
    case .severalFaces(let count):
      self.init(.noFaceFound, error.message, details: ["faces": .number(JSONNumber(count))])
    case .cannotTurnHead:
      self.init(.unsupportedByProvider, error.message)
    }
  }
}
