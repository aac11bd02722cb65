import Testing

@testable import Store

@Suite("Network file systems")
struct MountTableTests {
  let table = MountTable(
    mountinfo: """
      22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
      30 22 0:30 / /home rw,relatime shared:2 master:1 - nfs4 server:/home rw,vers=4.2
      31 30 0:31 / /home/anna/fast rw - xfs /dev/vdb rw
      32 22 0:32 / /mnt/my\\040disk rw - cifs //server/share rw
      33 22 0:33 / /mnt/ssh rw - fuse.sshfs me@there:/ rw
      34 22 0:34 / /mnt/crypt rw - fuse.gocryptfs /cipher rw
      35 22 0:35 / /covered rw - ext4 /dev/vdc rw
      36 22 0:36 / /covered rw - 9p share rw
      broken line
      """)

  @Test(
    "network file systems are told from local ones by the deepest mount that holds the path",
    arguments: [
      ("/", nil), ("/var/data", nil), ("/home", "nfs4"), ("/home/anna", "nfs4"), ("/homestead", nil),
      ("/home/anna/fast", nil), ("/home/anna/fast/data", nil), ("/home/anna/faster", "nfs4"),
      ("/mnt/my disk/data", "cifs"), ("/mnt/my", nil), ("/mnt/ssh/x", "fuse.sshfs"), ("/mnt/crypt/x", nil),
      ("/covered/x", "9p"),
    ] as [(String, String?)])
  func remote(path: String, type: String?) throws {
    let mount = try #require(table.mount(of: path))
    #expect(mount.isRemote == (type != nil), "\(mount)")
    if let type { #expect(mount.type == type) }
  }

  @Test("network file systems are refused with their name; where nothing is known, nothing is refused")
  func refused() throws {
    let directory = DataDirectory(path: "/")
    try directory.checkMount(table)
    try directory.checkMount(MountTable(mountinfo: ""))
    let error = #expect(throws: StoreError.self) {
      try directory.checkMount(MountTable(mountinfo: "30 22 0:30 / / rw - nfs4 server:/ rw"))
    }
    #expect(error?.kind == .networkFileSystem)
    #expect(error?.sentence.contains("nfs4") == true)
  }

  @Test("the table of this process can be read")
  func current() {
    #expect(MountTable.current().mount(of: "/")?.point == "/")
  }
}
