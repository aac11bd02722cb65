import AtelierProtocol
import Glibc
import JSON
import JSONRPC
import Localization
import POSIX

/// Why a picture could not be read, prepared or made: the service's one error type.
public typealias ImagingError = AtelierError

extension ImagingError {
  /// The error as the worker sends it: with all of its sentence, because the worker does not know who reads it.
  public var response: ResponseError {
    ResponseError(
      code: kind.code, message: sentence.stored, data: ["kind": .string(kind.rawValue), "details": .object(details)])
  }

  /// The error in a worker's response.
  init(_ response: ResponseError) {
    if let name = response.data?["kind"]?.string, let kind = ErrorKind(rawValue: name) {
      self.init(kind, Sentence(stored: response.message), details: response.data?["details"]?.object ?? [:])
    } else {
      self.init(
        .internal, ImagingWorker.unusable, hint: "The imaging worker does not fit this version. Reinstall Atelier.",
        details: ["workerCode": .number(JSONNumber(response.code))])
    }
  }
}

extension ImagingWorker {
  /// What is said to a person while the worker cannot be used.
  static let unusable: Sentence = "Photos cannot be worked on at the moment. Please try again later."
  private static let notStarted: String =
    "The imaging worker could not be started. Reinstall Atelier, or run `atelier doctor` to see what is missing."

  static func timedOut(_ deadline: Duration) -> ImagingError {
    let milliseconds = deadline.wholeMilliseconds
    return ImagingError(
      .timedOut, "The picture took too long to work on. Please try a smaller one.",
      details: ["deadlineMs": .number(JSONNumber(milliseconds))])
  }

  static func crashed(_ failure: WorkerFailure) -> ImagingError {
    guard case .endedDuringJob(let end) = failure else {
      return ImagingError(
        .internal, unusable,
        hint: "The imaging worker gave an answer that makes no sense. Reinstall Atelier, or run `atelier doctor`.")
    }
    var error = end.isFromOutside ? stopped : ImagingError.undecodable
    error.details = end.details
    return error
  }

  /// The error for a worker that something other than its picture ended, such as a system short of memory.
  private static let stopped = ImagingError(
    .overloaded, hint: "The imaging worker was stopped from outside, perhaps because memory is short.", retryAfterMs: 1000)

  static func confinedTooLittle(_ confinement: WorkerConfinement, minimum: MinimumConfinement) -> ImagingError {
    let missing = confinement.seccomp ? "Landlock" : "a filter of system calls"
    return ImagingError(
      .internal, unusable,
      hint: "This system does not give the imaging worker \(missing), which imaging.minimumConfinement demands. "
        + "Use a kernel that has it, or lower the minimum in the configuration.",
      details: [
        "minimumConfinement": .string(minimum.rawValue), "seccomp": .bool(confinement.seccomp),
        "landlockAbi": .number(JSONNumber(confinement.landlockAbi)),
      ])
  }

  static func notStarted(_ end: WorkerEnd) -> ImagingError {
    if end.isFromOutside { return crashed(.endedDuringJob(end)) }
    return ImagingError(.internal, unusable, hint: notStarted, details: end.details)
  }

  static func notStarted(_ error: any Error) -> ImagingError {
    var details: JSONObject = [:]
    if let error = error as? SystemError {
      details["errno"] = .number(JSONNumber(Int(error.code)))
      if error.isOutOfDescriptors {
        return ImagingError(
          .overloaded, hint: AtelierError.tooManyOpenFilesHint, retryAfterMs: 1000, details: details)
      }
      if error.code == EAGAIN {
        return ImagingError(
          .overloaded,
          hint: "The system allows too few threads for work on pictures. Allow this user more processes and threads "
            + "(ulimit -u), or end other programs.", retryAfterMs: 1000, details: details)
      }
    }
    return ImagingError(.internal, unusable, hint: notStarted, details: details)
  }
}

extension ImagingError {
  /// `image_too_large` for a picture of too many bytes, with the remedy if there is one.
  /// - Parameter subject: what is too large, at the beginning of a sentence.
  public static func tooLarge(
    _ subject: Sentence, bytes: Int, maximumBytes: Int, details: JSONObject = [:]
  ) -> ImagingError {
    var details = details
    details["bytes"] = .number(JSONNumber(bytes))
    details["maxBytes"] = .number(JSONNumber(maximumBytes))
    let error = ImagingError(
      .imageTooLarge, "\(subject) has \(ByteCount(bytes)), at most \(ByteCount(maximumBytes)) are accepted.",
      details: details)
    if bytes <= PrepareJob.maximumInputBytes { return error.remediedByPreparation }
    var final = error
    final.sentence = error.sentence.followed(by: chooseSmaller)
    return final
  }

  private static let chooseSmaller: Sentence = "Please choose a smaller photo."

  /// The same error of a picture that `image/prepare` makes fit, which its hint and its details say.
  var remediedByPreparation: ImagingError {
    var error = self
    error.sentence = sentence.followed(by: Self.chooseSmaller)
    error.hint = "\(ImagePrepare.method) makes the picture fit."
    error.details["remedy"] = .string(ImagePrepare.method)
    return error
  }
}

extension WorkerEnd {
  /// Whether another process ended the worker: a fault of its own raises other signals.
  fileprivate var isFromOutside: Bool {
    switch self {
    case .killed(SIGKILL), .killed(SIGTERM), .killed(SIGINT), .killed(SIGHUP), .killed(SIGQUIT): true
    default: false
    }
  }

  fileprivate var details: JSONObject {
    switch self {
    case .exited(let status): ["exitStatus": .number(JSONNumber(Int(status)))]
    case .killed(let signal): ["signal": .number(JSONNumber(Int(signal)))]
    }
  }
}

extension ImagingError {
  /// The readable formats, as text.
  static let readableFormats: Sentence = "JPEG, PNG, WebP, HEIC or AVIF"

  /// The error for content that is not a readable picture; nil for content that is.
  public init?(refusing content: RecognisedContent) {
    switch content {
    case .picture:
      return nil
    case .empty:
      self.init(.invalidImage, "The picture is empty. Please choose another photo.")
    case .other(let name):
      self.init(
        .unsupportedImage,
        "This is \(Sentence(template: name)), not a photo Atelier can read. Please use \(Self.readableFormats).",
        details: ["recognisedAs": .string(name)])
    case .unknown:
      self.init(.unsupportedImage, "This is not a picture Atelier knows. Please use \(Self.readableFormats).")
    }
  }

  /// The error for a picture that ended its decoder.
  static let undecodable = ImagingError(
    .invalidImage, Sentence("The picture could not be read: its decoder failed on it.").followed(by: saveAgain))

  /// What helps with a file that one program wrote so that another cannot read it.
  static let saveAgain: Sentence = "Please open it in a photo application and save it again, or choose another."

  /// The error for a picture whose file is truncated, or not as it was written.
  public static let unreadable = ImagingError(
    .invalidImage,
    "The picture could not be read: it is damaged or incomplete. "
      + "Please open it in a photo application and save it again, or choose another.")
}
