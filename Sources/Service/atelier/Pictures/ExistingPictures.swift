import AtelierProtocol
import Imaging
import POSIX
import Store

/// What is in the folders for the pictures already.
extension PictureDestination {
  /// The extensions that a picture may have.
  private static let extensions = ImageFormat.allCases.map(\.fileExtension)

  /// Whether the pictures of a job are there under their first names.
  /// - Parameter photos: how many photos have the same name, and pictures of the same names therefore.
  func hasPictures(of job: PictureJob, amongPhotos photos: Int) -> Bool {
    guard let folder = folder(for: job), job.photoPath != nil else { return false }
    let views: [String?] = job.request.isMultiAngle ? View.allCases.map(\.rawValue) : [nil]
    let count = job.request.isMultiAngle ? photos : photos * job.request.pictureCount
    return views.allSatisfy { view in
      let stem = stem(of: job, view: view, generation: nil)
      return (1...max(1, count)).allSatisfy { number in
        let name = OutputDirectory.numbered(stem, number)
        return Self.extensions.contains { Self.isThere("\(folder)/\(name).\($0)") }
      }
    }
  }

  /// Chooses the name of a job's picture before it is made, as far as it is known then: of one picture, whose format the
  /// command decides.
  /// - Parameters:
  ///   - format: the picture's; nil when only the provider knows it.
  ///   - sha256: that of the picture, if it comes from history: a file with these bytes stands for it.
  ///   - taken: the paths of the jobs before, to which this one is added.
  /// - Returns: the number of the first name to try, and the absolute path; nil when it is not known.
  func choosePath(
    for job: PictureJob, as format: ImageFormat?, sha256: String?, taken: inout Set<String>
  ) -> (number: Int, path: String?) {
    if case .file(let file) = self { return (1, Self.absolute(file.path)) }
    guard let folder = folder(for: job), job.photoPath != nil, job.request.pictureCount == 1, let format else {
      return (1, nil)
    }
    let stem = stem(of: job, view: nil, generation: nil)
    for number in 1...10_000 {
      let path = "\(folder)/\(OutputDirectory.numbered(stem, number)).\(format.fileExtension)"
      let isFree = !Self.isThere(path) && !taken.contains(path)
      guard isFree || sha256 != nil && Self.digest(of: path) == sha256 else { continue }
      taken.insert(path)
      return (number, Self.absolute(path))
    }
    return (1, nil)
  }

  private static func isThere(_ path: String) -> Bool { (try? FileStatus(path: path)) != nil }

  private static func digest(of path: String) -> String? { (try? FileSystem.read(path)).map(StoredArtifact.digest) }

  /// The path from the root on; nil where the working directory has none.
  private static func absolute(_ path: String) -> String? {
    if path.hasPrefix("/") { return path }
    guard let directory = (try? ForeignText.workingDirectory()) ?? nil else { return nil }
    let relative = path.hasPrefix("./") ? path.dropFirst(2) : path[...]
    return directory == "/" ? "/\(relative)" : "\(directory)/\(relative)"
  }
}
