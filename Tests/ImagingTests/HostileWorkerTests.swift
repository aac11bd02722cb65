import AtelierProtocol
import Glibc
import Support
import Testing

@testable import Imaging

@Suite("A worker that has been taken over")
struct HostileWorkerTests {
  /// A worker that answers its first job with `messages`, writes nothing beside them, and leaves.
  private func worker(in directory: TemporaryDirectory, saying messages: String...) throws -> ImagingWorker {
    let path = directory.path("worker")
    let begun = #"{"jsonrpc":"2.0","method":"job/begun"}"#
    let script = ([begun] + messages).map { "printf '%s\\n' '\($0)'\n" }.joined()
    try ProgramFile.write("#!/bin/sh\nread line\n\(script)", at: path)
    return ImagingWorker(executable: path, clock: ManualClock().timer)
  }

  @Test(
    "a worker that has been taken over costs its job an error at most, whatever numbers it tells",
    arguments: HostileInput.numbers)
  func numbers(number: String) async throws {
    let directory = try TemporaryDirectory()
    let told = SharedState<[Double]>([])
    let info =
      #"{"format":"jpeg","width":\#(number),"height":\#(number),"orientation":\#(number),"hasAlpha":false,"#
      + #""bitsPerChannel":8,"colourModel":"rgb","metadata":{"exif":false,"location":false,"xmp":false,"iptc":false,"#
      + #""colourProfile":false},"bytes":\#(number)}"#
    let report = #"{"width":\#(number),"height":\#(number),"original":\#(info),"warnings":[]}"#
    let progress =
      #"{"jsonrpc":"2.0","method":"job/progress","params":{"step":"decoding","fraction":\#(number)}}"#
    for answer in [
      #"{"jsonrpc":"2.0","id":1,"result":{"report":\#(report),"outputBytes":\#(number)}}"#,
      #"{"jsonrpc":"2.0","id":1,"result":{"report":\#(report),"outputBytes":4}}"#,
      #"{"jsonrpc":"2.0","id":1,"error":{"code":\#(number),"message":"x","data":{"kind":"internal","details":{"n":\#(number)}}}}"#,
      #"{"jsonrpc":"2.0","id":\#(number),"result":{}}"#,
    ] {
      let worker = try worker(in: directory, saying: progress, answer)
      do {
        _ = try await worker.headshot([1, 2, 3], options: HeadshotJob(background: .casual)) { _, fraction in
          told.change { $0.append(fraction) }
        }
      } catch {
        #expect(error is ImagingError, "\(number): \(error)")
      }
      await worker.shutDown()
    }
    #expect(told.value.allSatisfy { (0...1).contains($0) }, "\(number)")
  }
}
