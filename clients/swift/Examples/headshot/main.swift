import AtelierClient
import Dispatch

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Makes a headshot of the photo at the given path: progress on standard error, the path of the picture on standard output.
/// Ctrl-C cancels it.
func makeHeadshot(of photo: String) async throws {
  try await withStudio { studio in
    let headshot = studio.generate(Generate(recipe: .headshot, image: .path(photo)))

    // Ctrl-C is for this program alone: the service is in a process group of its own.
    signal(SIGINT, SIG_IGN)
    let interrupts = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    interrupts.setEventHandler { headshot.cancel() }
    interrupts.resume()
    defer { interrupts.cancel() }

    for try await progress in headshot.progress {
      write("\(Int(progress.overall * 100)) %  \(progress.message)", to: STDERR_FILENO)
    }
    let result = try await headshot.result
    write(result.state == .cancelled ? "Cancelled." : try result.path, to: STDOUT_FILENO)
  }
}

func write(_ line: String, to descriptor: Int32) {
  let bytes = Array("\(line)\n".utf8)
  _ = write(descriptor, bytes, bytes.count)
}

guard let photo = CommandLine.arguments.dropFirst().first else {
  write("Usage: headshot PHOTO", to: STDERR_FILENO)
  exit(64)
}
do {
  try await makeHeadshot(of: photo)
} catch let error as AtelierError {
  write(error.message, to: STDERR_FILENO)
  exit(1)
}
