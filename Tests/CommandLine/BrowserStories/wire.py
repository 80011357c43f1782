"""The network between a browser and a host, which can be disconnected and restored."""

import socket
import threading


class Wire:
    """Forwards connections to a port of a machine, this one by default, until the network is cut.
    """

    def __init__(self, port: int, machine: str = "127.0.0.1"):
        self.target = (machine, port)
        self.lock = threading.Lock()
        self.open: set[socket.socket] = set()
        self.is_cut = False
        self.door = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.door.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Cuts the network: open connections end, and new connections are closed immediately.
        """
        with self.lock:
            self.is_cut = True
            for one in self.open:
                self._end(one)

    def mend(self) -> None:
        """Restores the network."""
        with self.lock:
            self.is_cut = False

    @staticmethod
    def _end(one: socket.socket) -> None:
        try:
            one.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def _accept(self) -> None:
        while True:
            near, _ = self.door.accept()
            with self.lock:
                if self.is_cut:
                    near.close()
                    continue
                try:
                    far = socket.create_connection(self.target)
                except OSError:
                    near.close()
                    continue
                self.open |= {near, far}
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._carry, args=(one, other), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        try:
            while data := one.recv(65536):
                other.sendall(data)
        except OSError:
            pass
        self._end(other)
        with self.lock:
            self.open.discard(one)
        one.close()
