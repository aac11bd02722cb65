import Testing

/// State is owned by actors; a lock is an exception that needs a reason.
enum Locks {
  private static let exceptions = Exceptions(reasons: [
    "AtelierClient/ServiceListener.swift": "a connection's handler, called synchronously on the reader's thread",
    "AtelierClient/ServiceLog.swift": "read on a thread of its own, looked at by tasks",
    "AtelierClient/Subscriptions.swift": "told on the reader's thread, in order of arrival",
    "AtelierClient/WaitableState.swift": "changed on the reader's thread and by synchronous calls, waited for by tasks",
    "CurlHTTP/Loop/TransferQueue.swift": "hands orders from tasks to the transfer thread, which is no task",
    "Engine/LazyStore.swift": "who is told of what was recovered is set before the actor runs",
    "Engine/Leaving.swift": "a signal goes on to a stage while the actors may be busy",
    "Engine/Queue/SendingRecord.swift": "providers report from their own threads that a request is being sent",
    "Engine/Accepting/ArrivingKeys.swift": "keys are noted as requests arrive, before any task of theirs runs",
    "GeminiSimulator/GeminiSimulator.swift": "several may ask it to stop, and share one end",
    "GeminiSimulator/HTTP/Responder.swift": "shared by the threads of the event loops",
    "GeminiSimulator/Journal/Journal.swift": "written by the threads of the event loops",
    "GeminiSimulator/Pictures/Picture.swift": "a cache for all connections, filled at first use",
    "GeminiSimulator/Scenario/Scenario.swift": "shared by the threads of the event loops",
    "Imaging/Worker/ConfinementViolation.swift": "told from any thread, by a synchronous call",
    "Imaging/Worker/Outcome.swift": "set from any thread while tasks wait for it",
    "Imaging/Worker/WorkerListener.swift": "a connection's handler, called synchronously on the reader's thread",
    "JSONRPC/Connection/": "the reader's thread answers a cancel ahead of every task",
    "JSONRPC/Transport/StdioTransport.swift": "shared by the reader's and the writer's thread",
    "MCP/Calls/CallProgress.swift": "called synchronously while the engine decides, ahead of its answer",
    "MCP/Calls/CostConfirmation.swift": "makes the key at its first use, from a synchronous call",
    "MCP/Calls/OpenQuestions.swift": "calls join and leave a question from synchronous handlers",
    "MCP/MCPService.swift": "changed on the reader's thread, in order of arrival",
    "ObjectStorage/Bucket+Putting.swift": "what one request has shown of the server holds for all others",
    "ObjectStorage/BucketBreaker.swift": "requests of all tasks ask and tell, which must not wait",
    "POSIX/Monitor.swift": "what threads wait with",
    "POSIX/OpenFileLimit.swift": "a limit of the whole process, which a fork must see as it is",
    "POSIX/Promise.swift": "set on one thread, waited for on another",
    "POSIX/RenewableSecret.swift": "asked for on threads that may block, by several at once",
    "POSIX/SharedTask.swift": "whoever comes shares the task or begins it, in one step, whatever actor they are on",
    "POSIX/SpawnedProcess.swift": "a process id must not be signalled while another thread reaps it",
    "POSIX/StandardError.swift": "log lines come from every thread and must not wait",
    "POSIX/StandardOutput.swift": "whole lines, from any thread",
    "POSIX/SystemLimits.swift": "where threads are scarce there is none for a task",
    "POSIX/TerminationSignals.swift": "a signal handler may touch nothing but an atomic value",
    "POSIX/ThreadPool.swift": "starts the threads at their first use, from any thread",
    "Providers/Cloud/ReceivedExchange.swift": "told on the transfer thread",
    "Providers/Cloud/UploadReport.swift": "called on the transfer thread",
    "Server/HostConnection.swift": "the host may die before the handler of its death is known",
    "Server/HostNotifier.swift": "called synchronously while the engine decides, ahead of its answer",
    "Server/Service.swift": "changed on the reader's thread, in order of arrival",
    "Store/Engines/PostgreSQL/": "connections have threads of their own, and are closed on others",
    "Store/Engines/SQLite/": "connections, the writer and the waits for it have threads of their own",
    "Store/Files/Bucket/ArtifactCache.swift": "counts what was kept, from every thread for files",
    "Store/Files/Bucket/BucketReach.swift": "every thread and task that stores something notes when",
    "Store/Files/Bucket/BucketVersions.swift": "every thread and task that stores something looks at it",
    "Store/Files/Bucket/OwnRemovals.swift": "looked at in transactions, on the writer's thread",
    "Store/Files/FolderSync.swift": "the threads that sync folders note what failed",
    "Store/Health/LedgerMonitor.swift": "the audit runs on a thread of its own",
    "Store/Health/StoreCondition.swift": "every write notes its outcome, on the writer's thread as well",
    "Store/Ledger/Store+Credits.swift": "carries what was read out of a transaction that is undone",
    "Store/Processes/ProcessLock.swift": "renewed on one thread while others compare it",
    "Store/SQL/WriteQueue.swift": "changes queue on any thread, and the writer's thread takes them",
    "Store/Store.swift": "counters and flags that synchronous functions and the writer's thread change",
    "WebHost/Admission/OneTimeLink.swift": "is used up in the moment in which it is compared",
    "WebHost/Configuration/SecretFile.swift": "read again on any thread, and a fault is told once",
    "WebHost/Counters.swift": "counted by every request, also where nothing may wait",
    "WebHost/Interface/OpenStreams.swift": "a stream that ends gives its place back in a synchronous call",
    "WebHost/Security/Connections.swift": "counted where connections begin and end, on threads of the network",
    "WebHost/Services/Turns.swift": "a cancelled task gives up its turn in a synchronous call",
    "WebHost/WebHost.swift": "the port is known once the host listens, and set once",
    "atelier-imaging/IdleWatch.swift": "the worker is threads only: it computes",
    "atelier-imaging/JobQueue.swift": "the worker is threads only: it computes",
    "atelier/Commands/SilentTerminal.swift": "a signal must restore the terminal's echo at any moment",
    "atelier/Commands/PlacesCommand.swift": "the handler of a signal notes which one it was",
    "atelier/Commands/WatchCommand.swift": "the handler of a signal notes which one it was",
    "atelier/Pictures/PictureSession.swift": "the handler of a signal notes which one it was",
    "atelier/Pictures/ProgressDisplay.swift": "progress is told from any thread, by a synchronous call",
    "atelier/StdioService.swift": "set by callbacks that are synchronous, read at the end of the process",
    "atelier/TaskThreads.swift": "what the tasks themselves run on",
  ])

  private static let names = ["Mutex", "NSLock", "pthread_mutex", "Atomic<", "Atomic("]

  static func faults(in files: [TextFile]) -> [Fault] {
    exceptions.faults(
      in: files, naming: names,
      remedy: "let an actor own the state; if a lock is needed, list the file with the reason in Locks.swift")
  }
}

@Suite("Locks")
struct LocksTests {
  @Test("a lock stands only in the files that are listed with a reason")
  func repository() {
    expectNone(Locks.faults(in: Repository.current.sources))
  }

  @Test("a lock in another file is found, and in a comment is none")
  func examples() {
    let file = TextFile(path: "Sources/A/B.swift", lines: ["// A Mutex would do.", "let state = Mutex(0)"])
    #expect(Locks.faults(in: [file]).filter { $0.path == file.path }.map(\.line) == [2])
  }
}
