"""PostgreSQL servers that a test may kill, and the way to one that it may cut."""

from __future__ import annotations

import itertools
import os
import shutil
import socket
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import Any, List, Optional


def tools() -> Optional[Path]:
    """The programs that POSTGRESQL_PROGRAMS names, or those of the newest PostgreSQL of this machine; None without one."""
    if named := os.environ.get("POSTGRESQL_PROGRAMS"):
        return Path(named)
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return found[-1].parent if found else None


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Cluster:
    """A server of its own, on loopback. Its files outlive a kill -9 of all its processes."""

    SETTINGS = ["fsync=off", "shared_buffers=64MB", "autovacuum_naptime=5s", "max_wal_size=2GB", "wal_keep_size=256MB"]

    def __init__(self, standby_of: Optional[Cluster] = None, listens: str = "127.0.0.1") -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="atelier-cluster-"))
        self.port = free_port()
        self.data = self.folder / "data"
        self.listens = listens
        # The server refuses to run as root.
        if os.getuid() == 0:
            shutil.chown(self.folder, "postgres")
        if standby_of is None:
            self.do("initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        else:
            source = f"host=127.0.0.1 port={standby_of.port} user=postgres application_name=standby"
            self.do("pg_basebackup", "-D", self.data, "-R", "-X", "stream", "-c", "fast", "--no-sync", "-d", source)

    def do(self, program: str, *words: Any) -> None:
        directory = tools()
        assert directory is not None
        command = [str(directory / program), *map(str, words)]
        if os.getuid() == 0:
            command = ["runuser", "-u", "postgres", "--", *command]
        done = subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert done.returncode == 0, f"{program}: {done.stdout}"

    def start(self, *settings: str) -> None:
        if (self.folder / "server.key").exists():
            files = {"ssl_key_file": "server.key", "ssl_cert_file": "server.crt"}
            settings += ("ssl=on", *(f"{name}={self.folder / file}" for name, file in files.items()))
        where = [f"listen_addresses={self.listens}", f"port={self.port}", f"unix_socket_directories={self.folder}"]
        options = " ".join(f"-c {each}" for each in [*where, *self.SETTINGS, *settings])
        self.do("pg_ctl", "-D", self.data, "-w", "-t", 60, "-l", self.folder / "log", "-o", options, "start")

    def stop(self) -> None:
        """As a crash: nothing is finished, and the next start recovers."""
        self.do("pg_ctl", "-D", self.data, "-m", "immediate", "stop")

    def encrypt(self, address: str) -> Path:
        """Lets machines in from elsewhere, which must verify the server at this address.
        :return: the certificate to verify it with"""
        key, certificate = self.folder / "server.key", self.folder / "server.crt"
        self.do_openssl(
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-days",
            2,
            "-subj",
            "/CN=atelier",
            "-addext",
            f"subjectAltName=IP:{address}",
            "-keyout",
            key,
            "-out",
            certificate,
        )
        if os.getuid() == 0:
            shutil.chown(key, "postgres")
        key.chmod(0o600)
        with (self.data / "pg_hba.conf").open("a") as rules:
            rules.write("hostssl all all samenet trust\n")
        return certificate

    def do_openssl(self, *words: Any) -> None:
        subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True)

    def promote(self) -> None:
        self.do("pg_ctl", "-D", self.data, "-w", "promote")

    def remove(self) -> None:
        if not self.folder.exists():
            return
        try:
            self.stop()
        except AssertionError:
            # It does not run.
            pass
        shutil.rmtree(self.folder, ignore_errors=True)

    def connect(self, database: str = "postgres") -> Any:
        import psycopg

        return psycopg.connect(host="127.0.0.1", port=self.port, user="postgres", dbname=database, autocommit=True)

    def ask(self, statement: str, database: str = "postgres") -> List[Any]:
        with self.connect(database) as connection:
            answer = connection.execute(statement)
            return answer.fetchall() if answer.description else []


class Cable:
    """A machine at the end of a cable that can be pulled: a network namespace, which only root can make."""

    ADDRESS = "10.213.7.1"
    NUMBERS = itertools.count()

    def __init__(self) -> None:
        # The name of the last one may be in use for a moment after its end.
        self.name = f"at{os.getpid() % 100_000}x{next(self.NUMBERS)}"
        inside = ("ip", "netns", "exec", self.name)
        self.launcher = inside
        self.do("ip", "netns", "add", self.name)
        self.do("ip", "link", "add", f"{self.name}a", "type", "veth", "peer", "name", f"{self.name}b", "netns", self.name)
        self.do("ip", "addr", "add", f"{self.ADDRESS}/24", "dev", f"{self.name}a")
        self.do("ip", "link", "set", f"{self.name}a", "up")
        self.do(*inside, "ip", "addr", "add", "10.213.7.2/24", "dev", f"{self.name}b")
        self.plug()

    @staticmethod
    def do(*words: str) -> None:
        subprocess.run(words, check=True, capture_output=True)

    @classmethod
    def is_possible(cls) -> bool:
        try:
            cls().remove()
        except (OSError, subprocess.CalledProcessError):
            return False
        return True

    def plug(self) -> None:
        self.do(*self.launcher, "ip", "link", "set", f"{self.name}b", "up")

    def pull(self) -> None:
        """Nothing comes through any more, and nobody is told."""
        self.do(*self.launcher, "ip", "link", "set", f"{self.name}b", "down")

    def remove(self) -> None:
        subprocess.run(["ip", "netns", "del", self.name], check=False, capture_output=True)


class Proxy:
    """Passes on what is said between processes and a server, until a connection is cut after one of its messages."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self.listener.getsockname()[1])
        self.lock = threading.Lock()
        #: After how many more messages to the server the connection is cut that carries the last of them.
        self.left: Optional[int] = None
        self.cuts = 0
        threading.Thread(target=self.accept, daemon=True).start()

    def cut_after(self, messages: int) -> None:
        with self.lock:
            self.left = messages

    def close(self) -> None:
        self.listener.close()

    def accept(self) -> None:
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            try:
                server = socket.create_connection(("127.0.0.1", self.cluster.port))
            except OSError:
                client.close()
                continue
            for each in (client, server):
                each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self.to_server, args=(client, server), daemon=True).start()
            threading.Thread(target=self.to_client, args=(server, client), daemon=True).start()

    def must_cut(self) -> bool:
        with self.lock:
            if self.left is None:
                return False
            self.left -= 1
            if self.left > 0:
                return False
            self.left = None
            self.cuts += 1
            return True

    def to_server(self, client: socket.socket, server: socket.socket) -> None:
        # The first message has no letter before its length.
        buffer, letters = b"", 0
        try:
            while True:
                some = client.recv(65_536)
                if not some:
                    break
                buffer += some
                while len(buffer) >= letters + 4:
                    end = letters + int.from_bytes(buffer[letters : letters + 4], "big")
                    if len(buffer) < end:
                        break
                    server.sendall(buffer[:end])
                    buffer, letters = buffer[end:], 1
                    if self.must_cut():
                        return
        except OSError:
            pass
        finally:
            self.end(client, server)

    def to_client(self, server: socket.socket, client: socket.socket) -> None:
        try:
            while True:
                some = server.recv(65_536)
                if not some:
                    break
                client.sendall(some)
        except OSError:
            pass
        finally:
            self.end(client, server)

    @staticmethod
    def end(*sockets: socket.socket) -> None:
        for each in sockets:
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            each.close()
