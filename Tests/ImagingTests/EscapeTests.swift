import Glibc
import Support
import Testing

@Suite("A process confined like the worker")
struct EscapeTests {
  /// An attempt to escape, and how it ends.
  struct Row: Sendable {
    var attempt: String
    var outcome: ConfinementProbe.Outcome
    /// Whether Landlock refuses it as well, in every version.
    var byLandlock: Bool
    /// Whether any user can do it where nothing confines them: proves that the attempt is a real one.
    var isPossibleOtherwise: Bool

    init(
      _ attempt: String, _ outcome: ConfinementProbe.Outcome, byLandlock: Bool = false, isPossibleOtherwise: Bool = false
    ) {
      self.attempt = attempt
      self.outcome = outcome
      self.byLandlock = byLandlock
      self.isPossibleOtherwise = isPossibleOtherwise
    }
  }

  static let rows = [
    // Files
    Row("read_environment_of_host", .refused(EACCES), byLandlock: true, isPossibleOtherwise: true),
    Row("read_maps_of_host", .refused(EACCES), byLandlock: true),
    Row("open_memory_of_host", .refused(EACCES), byLandlock: true),
    Row("list_descriptors_of_host", .refused(EACCES), byLandlock: true),
    Row("read_program_of_host", .refused(EACCES), byLandlock: true),
    Row("find_program_of_host", .refused(EACCES), byLandlock: true),
    Row("read_state_of_host", .refused(ENODATA), byLandlock: true),
    Row("read_own_environment", .refused(EACCES), byLandlock: true),
    Row("read_key_file", .refused(EACCES), byLandlock: true, isPossibleOtherwise: true),
    Row("read_database", .refused(EACCES), byLandlock: true, isPossibleOtherwise: true),
    Row("read_passwd", .refused(EACCES), byLandlock: true, isPossibleOtherwise: true),
    Row("read_by_openat2", .refused(ENOSYS), byLandlock: true),
    Row("stat_key_file", .refused(EACCES)),
    Row("list_folder", .refused(EACCES), byLandlock: true, isPossibleOtherwise: true),
    Row("write_key_file", .refused(EACCES), byLandlock: true, isPossibleOtherwise: true),
    Row("create_file", .refused(EACCES), byLandlock: true, isPossibleOtherwise: true),
    Row("create_unnamed_file", .refused(EACCES), byLandlock: true),
    Row("truncate_file", .ended("truncate"), isPossibleOtherwise: true),
    Row("link_file", .ended("linkat"), byLandlock: true),
    Row("make_symbolic_link", .ended("symlinkat"), byLandlock: true),
    Row("make_folder", .ended("mkdirat"), byLandlock: true),
    Row("make_pipe", .ended("mknodat"), byLandlock: true),
    Row("change_mode", .ended("fchmodat")),
    Row("change_owner", .ended("fchownat")),
    Row("change_times", .ended("utimensat")),
    Row("set_attribute", .ended("setxattr")),
    Row("open_by_handle", .ended("open_by_handle_at")),
    Row("change_folder", .ended("chdir")),
    Row("change_root", .ended("chroot")),
    Row("rename_file", .ended("renameat2"), byLandlock: true, isPossibleOtherwise: true),
    Row("remove_file", .ended("unlinkat"), byLandlock: true),
    // Processes
    Row("trace_host", .ended("ptrace")),
    Row("read_memory_of_host", .ended("process_vm_readv")),
    Row("write_memory_of_host", .ended("process_vm_writev")),
    Row("hold_host", .ended("pidfd_open")),
    Row("take_descriptor_of_host", .ended("pidfd_getfd")),
    Row("signal_host", .ended("kill"), isPossibleOtherwise: true),
    Row("signal_thread_of_host", .ended("tgkill")),
    Row("queue_signal_to_host", .ended("rt_sigqueueinfo")),
    Row("read_limits_of_host", .ended("prlimit64")),
    Row("raise_own_limit", .refused(EPERM)),
    Row("start_process", .ended("clone"), isPossibleOtherwise: true),
    Row("start_process_by_clone3", .refused(ENOSYS)),
    Row("start_process_in_namespace", .ended("clone")),
    Row("run_program", .ended("execve"), byLandlock: true, isPossibleOtherwise: true),
    Row("run_program_in_memory", .ended("memfd_create")),
    Row("run_program_of_descriptor", .ended("execveat")),
    Row("map_code", .ended("mmap"), isPossibleOtherwise: true),
    Row("make_memory_code", .ended("mprotect")),
    // Networks
    Row("open_tcp_socket", .ended("socket"), isPossibleOtherwise: true),
    Row("open_udp_socket", .ended("socket")),
    Row("open_netlink_socket", .ended("socket")),
    Row("open_unix_socket", .ended("socket"), isPossibleOtherwise: true),
    Row("open_socket_pair", .ended("socketpair")),
    Row("connect_descriptor", .ended("connect")),
    Row("send_descriptor", .ended("sendmsg")),
    // The kernel's other interfaces
    Row("set_up_io_uring", .ended("io_uring_setup")),
    Row("handle_page_faults", .ended("userfaultfd")),
    Row("use_keys", .ended("keyctl")),
    Row("add_key", .ended("add_key")),
    Row("load_kernel_program", .ended("bpf")),
    Row("measure_performance", .ended("perf_event_open")),
    Row("open_file_system", .ended("fsopen")),
    Row("mount_file_system", .ended("mount")),
    Row("enter_namespace", .ended("setns")),
    Row("leave_namespace", .ended("unshare")),
    Row("share_memory", .ended("shmget")),
    Row("queue_messages", .ended("msgget")),
    Row("share_semaphores", .ended("semget")),
    Row("open_message_queue", .ended("mq_open")),
    Row("push_terminal_input", .refused(ENOTTY)),
    Row("show_memory", .ended("prctl"), isPossibleOtherwise: true),
    Row("survive_parent", .ended("prctl")),
    Row("regain_capabilities", .ended("capset")),
    Row("become_root", .ended("setuid")),
    Row("replace_filter", .ended("seccomp")),
    Row("survive_violations", .ended(nil), isPossibleOtherwise: true),
  ] + ofProcessor

  #if arch(x86_64)
    /// The processor's other ways to call the kernel.
    private static let ofProcessor = [Row("call_as_x32", .ended("1073741863")), Row("call_as_32_bit", .ended(nil))]
  #else
    private static let ofProcessor: [Row] = []
  #endif

  /// Whom to be: oneself and, where that is root, an ordinary user as well.
  static let users = Privilege.isRoot && Privilege.canBeDropped ? [[], Privilege.launcher] : [[]]

  @Test("a confined process escapes by none of the ways", arguments: users, [ConfinementProbe.Layers.all, .filter])
  func confined(launcher: [String], layers: ConfinementProbe.Layers) throws {
    let outcomes = try ConfinementProbe.outcomes(layers, launcher: launcher)
    #expect(Set(outcomes.keys) == Set(Self.rows.map(\.attempt)))
    for row in Self.rows { #expect(outcomes[row.attempt] == row.outcome, "\(row.attempt)") }
  }

  @Test("a confined process finds the file system closed even without the filter of system calls", arguments: users)
  func landlock(launcher: [String]) throws {
    let outcomes = try ConfinementProbe.outcomes(.landlock, launcher: launcher)
    // A kernel without Landlock has nothing to prove, and the kernel itself is asked.
    if try ConfinementProbe.offeredLandlock() == 0 {
      #expect(outcomes["read_key_file"] == .unconfined)
      return
    }
    for row in Self.rows where row.byLandlock {
      #expect(outcomes[row.attempt] == .refused(EACCES), "\(row.attempt)")
    }
  }

  @Test("a confined process can make the listed system calls, with the listed arguments, and none of any other number")
  func everyCall() throws {
    let (text, status) = try ConfinementProbe.run(["calls"])
    #expect(status == 0)
    let lines = text.split(separator: "\n")
    #expect(lines.count == 1, "\(text)")
    #expect(lines.last.flatMap { Int($0.dropFirst("tried ".count)) } ?? 0 > 1000, "\(text)")
    #expect(try ConfinementProbe.run(["own-signal"]).status == 0)
  }

  @Test("a process would escape if nothing confined it")
  func free() throws {
    let outcomes = try ConfinementProbe.outcomes(.none, launcher: Self.users.last ?? [])
    for row in Self.rows where row.isPossibleOtherwise { #expect(outcomes[row.attempt] == .escaped, "\(row.attempt)") }
  }
}
