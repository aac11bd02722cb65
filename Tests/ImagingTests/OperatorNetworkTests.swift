import AtelierProtocol
import CEmbedded
import Glibc
import Support
import Testing

@testable import Imaging
@testable import Portrait

@Suite("Networks of the operator in the worker", .serialized)
struct OperatorNetworkTests {
  private let directory: TemporaryDirectory
  private let catalogue: NetworkCatalogue
  private let lines = Record<String>()

  init() throws {
    directory = try TemporaryDirectory()
    catalogue = NetworkCatalogue(path: directory.path("models"))
  }

  private static func network(
    _ model: [UInt8], name: String = "own", role: OperatorNetwork.Role = .vote, output: OperatorNetwork.Output = .person
  ) -> OperatorNetwork {
    OperatorNetwork(
      name: name, role: role, inputSide: PersonModel.side, values: .unit, output: output,
      sha256: SHA256.hexDigest(of: model), bytes: model.count, licence: "CC0-1.0", source: "made for a test")
  }

  private func worker(_ executable: String? = nil) throws -> ImagingWorker {
    ImagingWorker(
      executable: try executable ?? ImagingWorker.locate(), networks: catalogue, clock: ManualClock().timer,
      log: { [lines] in lines.append($0) })
  }

  private static let job = HeadshotJob(background: .white, format: .png, wantsMatte: true)

  /// The matte of the portrait.
  private func matte(_ worker: ImagingWorker) async throws -> [UInt8] {
    let made = try await worker.headshot(try Fixture.portrait("grace_hopper.jpg"), options: Self.job)
    return try #require(made.matte).bytes
  }

  /// How much of the picture is the person, 0…255.
  private func part(_ matte: [UInt8]) throws -> Double {
    let levels = try GrayPixels(png: matte)
    let sum = stride(from: 0, to: 1024, by: 8).reduce(0) { sum, y in
      sum + stride(from: 0, to: 1024, by: 8).reduce(0) { $0 + Int(levels[$1, y]) }
    }
    return Double(sum) / (128 * 128)
  }

  @Test("a trial says what is wrong with a network, or how it looks", arguments: [
    (PersonModel.of(constant: 0.5), .person, nil, ""),
    (PersonModel.of(constant: 0.5, channelsFirst: true), .person, nil, ""),
    (PersonModel.of(constant: 5), .logOdds, nil, ""),
    (PersonModel.of(weights: [[1, 0, 0], [0, 1, 0]], constants: [0, 0]), .classes, nil, ""),
    (PersonModel.of(constant: 5), .person, .wrongValues, "numbers from 5.0 to 5.0"),
    (PersonModel.of(constant: .nan), .person, .wrongValues, "what are no numbers"),
    (PersonModel.of(constant: 0.5), .classes, .wrongShape, "[1, 64, 64, 1]"),
    (PersonModel.of(weights: [[1, 0, 0], [0, 1, 0]], constants: [0, 0]), .person, .wrongShape, "[1, 64, 64, 2]"),
    (PersonModel.ofNumbers, .person, .wrongShape, "[1, 10]"),
    (PersonModel.withUnknownOperator, .person, .unsupportedOperator, "150 GELU"),
    ([1, 2, 3], .person, .notTFLite, "does not begin like"),
    (Array(PersonModel.of(constant: 0.5).dropLast(900)), .person, .notTFLite, "no TensorFlow Lite model"),
  ] as [([UInt8], OperatorNetwork.Output, NetworkRefusal.Kind?, String)])
  func trial(model: [UInt8], output: OperatorNetwork.Output, kind: NetworkRefusal.Kind?, said: String) async throws {
    let worker = try worker()
    let finding = try await worker.trial(of: Self.network(model, output: output), model: model)
    #expect(finding.refusal?.kind == kind, "\(finding)")
    #expect(finding.refusal?.sentence.contains(said) ?? true, "\(finding)")
    #expect((finding.inputSide == PersonModel.side) == (kind == nil) && (finding.milliseconds != nil) == (kind == nil))
    var other = Self.network(model, output: output)
    other.sha256 = String(repeating: "0", count: 64)
    #expect(try await worker.trial(of: other, model: model).refusal?.kind == .checksumDiffers)
    await worker.shutDown()
  }

  @Test("a vote changes the matte from the next headshot on, in the worker that runs, and its removal changes it back")
  func votes() async throws {
    let worker = try worker()
    let plain = try await matte(worker)
    let process = await worker.processIdentifier
    var parts: [Double] = []
    for constant in [0, 1] as [Float] {
      let model = PersonModel.of(constant: constant)
      try catalogue.add(Self.network(model), model: model, replaces: true)
      parts.append(try part(try await matte(worker)))
    }
    let before = try part(plain)
    #expect(parts[0] < before && before < parts[1], "\(parts), \(before)")
    _ = try catalogue.remove("own")
    #expect(try await matte(worker) == plain)
    #expect(await worker.processIdentifier == process)
    #expect(lines.events.isEmpty, "\(lines.events)")
    await worker.shutDown()
  }

  @Test("the network that is built in can be an operator's, and makes the matte alone")
  func alone() async throws {
    let file = embedded_selfie_segmentation()
    let model = Array(UnsafeBufferPointer(start: file.bytes, count: file.size))
    let worker = try worker()
    let plain = try await matte(worker)
    try catalogue.add(Self.network(model, role: .matte), model: model)
    let other = try await matte(worker)
    #expect(other != plain)
    let (before, after) = (try GrayPixels(png: plain), try GrayPixels(png: other))
    let places = (0..<64).flatMap { y in (0..<64).map { ($0 * 16 + 8, y * 16 + 8) } }
    let agreeing = places.count { (before[$0.0, $0.1] > 127) == (after[$0.0, $0.1] > 127) }
    #expect(agreeing > places.count * 97 / 100, "\(agreeing) of \(places.count)")
    #expect(lines.events.isEmpty, "\(lines.events)")
    await worker.shutDown()
  }

  @Test("a network that fails on a photo costs its own voice only, and is told once")
  func failing() async throws {
    let worker = try worker()
    let plain = try await matte(worker)
    // On the picture of a trial it stays just below what is allowed.
    let model = PersonModel.of(red: 1.13, constant: 0)
    #expect(try await worker.trial(of: Self.network(model), model: model).refusal == nil)
    try catalogue.add(Self.network(model), model: model)
    for _ in 0..<2 { #expect(try await matte(worker) == plain) }
    #expect(lines.events.count == 1 && lines.events[0].contains("“own” is not used"), "\(lines.events)")
    await worker.shutDown()
  }

  @Test("a model or an entry that was damaged is told once, and headshots are made without it")
  func damaged() async throws {
    let worker = try worker()
    let plain = try await matte(worker)
    let model = PersonModel.of(constant: 1)
    try catalogue.add(Self.network(model), model: model)
    try directory.write("models/\(SHA256.hexDigest(of: model)).tflite", [1, 2, 3])
    try directory.write("models/broken.json", Array("{".utf8))
    for _ in 0..<2 { #expect(try await matte(worker) == plain) }
    #expect(lines.events.count == 2, "\(lines.events)")
    #expect(lines.events.contains { $0.contains("broken.json") } && lines.events.contains { $0.contains("SHA-256") })
    await worker.shutDown()
  }

  @Test("a network with which the worker ends is left out, and the headshot is made by another worker", arguments: [
    "worker/networks", "image/headshot",
  ])
  func crashing(method: String) async throws {
    let model = PersonModel.of(constant: 1)
    try catalogue.add(Self.network(model), model: model)
    // Ends at the job if it was given a network before, or is given one.
    let path = directory.path("worker")
    let answer = #"printf '{"jsonrpc":"2.0","id":%d,"#
    try ProgramFile.write(
      """
      #!/bin/sh
      id=0; has=no
      while read -r line; do
        id=$((id + 1))
        echo '{"jsonrpc":"2.0","method":"job/begun"}'
        case "$line" in
          *worker/networks*)
            [ \(method) = worker/networks ] && kill -KILL $$
            has=yes; \(answer)"result":{"report":{"findings":[]},"outputBytes":0}}\\n' $id;;
          *)
            [ $has = yes ] && kill -KILL $$
            \(answer)"error":{"code":-32000,"message":"No face.","data":{"kind":"no_face_found"}}}\\n' $id;;
        esac
      done
      """, at: path)
    let worker = try worker(path)
    for _ in 0..<2 {
      let error = try await #require(throws: ImagingError.self) {
        try await worker.headshot([1, 2, 3], options: Self.job)
      }
      #expect(error.kind == .noFaceFound, "\(error)")
    }
    #expect(lines.events.count == 1 && lines.events[0].contains("“own”"), "\(lines.events)")
    await worker.shutDown()
  }

  @Test("a network is not left out because the worker was shut down while it was given it", .timeLimit(.minutes(1)))
  func shutDown() async throws {
    let model = PersonModel.of(constant: 1)
    try catalogue.add(Self.network(model), model: model)
    let path = directory.path("worker")
    // Begins the first job, and says no more.
    try ProgramFile.write(
      """
      #!/bin/sh
      read -r line
      echo '{"jsonrpc":"2.0","method":"job/begun"}'
      : > \(directory.path("begun"))
      exec sleep 1000
      """, at: path)
    let worker = try worker(path)
    let job = Task { try await worker.headshot([1, 2, 3], options: Self.job) }
    while access(directory.path("begun"), F_OK) != 0 { await Task.yield() }
    await worker.shutDown()
    await #expect(throws: CancellationError.self) { try await job.value }
    #expect(lines.events.isEmpty, "\(lines.events)")
    #expect(await worker.operatorNetworks().count == 1)
  }
}
