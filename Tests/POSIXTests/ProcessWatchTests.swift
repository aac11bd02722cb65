import Glibc
import Testing

@testable import POSIX

@Suite("Watching the host")
struct HostWatchTests {
  /// A process that ends when its standard input does.
  private static func spawn() throws -> (process: pid_t, input: Int32) {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO)
    var process: pid_t = 0
    let name = strdup("cat")
    defer { free(name) }
    try #require(posix_spawn(&process, "/bin/cat", &actions, nil, [name, nil], environ) == 0)
    close(ends[0])
    return (process, ends[1])
  }

  @Test("a process watch tells when it ends")
  func ends() async throws {
    let (process, input) = try Self.spawn()
    let died = Promise<Void>()
    let watch = try ProcessWatch(processID: process) { died.fulfil(()) }
    #expect(died.current == nil)
    close(input)
    #expect(await died.value() != nil)
    withExtendedLifetime(watch) {}
    waitpid(process, nil, 0)
  }

  @Test("a process watch cannot watch one that is not there, which is not the same as dead")
  func none() throws {
    let (process, input) = try Self.spawn()
    close(input)
    waitpid(process, nil, 0)
    let died = Promise<Void>()
    // Beyond the highest number there can be, as one of another machine may be.
    for number in [process, Int32.max] {
      #expect(try ProcessWatch(processID: number) { died.fulfil(()) } == nil)
    }
    #expect(died.current == nil)
  }

  @Test("a process watch refuses numbers that name no process", arguments: [0, -1, Int32.min])
  func invalid(number: Int32) {
    #expect(throws: SystemError.self) { try ProcessWatch(processID: number) {} }
  }

  @Test("a process watch tells nothing once it is stopped, or while the parent lives")
  func stopped() async throws {
    let (process, input) = try Self.spawn()
    let died = Promise<Void>()
    let watch = try #require(try ProcessWatch(processID: process) { died.fulfil(()) })
    watch.stop()
    let parent = try ProcessWatch.parent { died.fulfil(()) }
    // Seen together with the stop, or after it: the stop wins.
    close(input)
    waitpid(process, nil, 0)
    parent?.stop()
    #expect(died.current == nil)
  }
}
