"""A TCP proxy that injects faults: it can slow, stall, cut, half-close or silently drop connections. Loopback only."""
import asyncio
import threading

CHUNK = 16 * 1024
# A server detects a dead connection after this time, as by a keepalive; its client never does.
HEARD_AFTER_S = 40


class Link:
    """One link to a server. Its state applies to open connections and to new ones."""

    def __init__(self, name, listen, target):
        self.name, self.listen, self.target = name, listen, target
        # Delay of each piece, in seconds.
        self.delay = 0.0
        # While cleared nothing is read: the sender's window fills, and then it waits.
        self.flows = asyncio.Event()
        self.flows.set()
        self.open = True
        self.writers = {}
        # Writers of connections that have gone silent.
        self.dead = set()

    async def serve(self, reader, writer):
        if not self.open:
            return self.reset(writer)
        try:
            away, onward = await asyncio.open_connection(*self.target)
        except OSError:
            return self.reset(writer)
        self.writers[writer] = onward
        try:
            await asyncio.gather(self.pump(reader, onward), self.pump(away, writer))
        except asyncio.CancelledError:
            # The proxy is shutting down.
            pass
        finally:
            self.writers.pop(writer, None)
            self.dead -= {writer, onward}
            writer.close()
            onward.close()

    async def pump(self, reader, writer):
        try:
            while True:
                await self.flows.wait()
                piece = await reader.read(CHUNK)
                # A stall that began during the delay also holds back this piece.
                await self.flows.wait()
                if self.delay:
                    await asyncio.sleep(self.delay)
                if writer in self.dead:
                    # Neither data nor the end is forwarded.
                    return await self.never()
                if not piece:
                    break
                writer.write(piece)
                await writer.drain()
            if writer.can_write_eof():
                writer.write_eof()
        except (OSError, RuntimeError):
            if writer in self.dead:
                return await self.never()
            writer.transport.abort()

    @staticmethod
    async def never():
        await asyncio.get_running_loop().create_future()

    @staticmethod
    def reset(writer):
        writer.transport.abort()

    def cut(self):
        """Cuts every connection, and refuses new ones until restored."""
        self.open = False
        for near, far in list(self.writers.items()):
            self.reset(near)
            self.reset(far)

    def half_close(self):
        """The server sees its clients close their side; the clients see nothing."""
        for far in list(self.writers.values()):
            try:
                if far.can_write_eof():
                    far.write_eof()
            except (OSError, RuntimeError):
                self.reset(far)

    def die(self):
        """Every open connection goes silent forever, as in a failover; new ones work."""
        for near, far in list(self.writers.items()):
            self.dead |= {near, far}
            asyncio.get_running_loop().call_later(HEARD_AFTER_S, self.reset, far)

    def slow(self, seconds):
        self.delay = seconds

    def stall(self):
        self.flows.clear()

    def mend(self):
        self.open, self.delay = True, 0.0
        self.flows.set()


class Proxy:
    """All links, in a separate thread."""

    def __init__(self):
        self.loop = asyncio.new_event_loop()
        self.links = {}
        self.thread = threading.Thread(target=self.loop.run_forever, name="proxy", daemon=True)
        self.thread.start()

    def add(self, name, port, target):
        async def start():
            # asyncio objects belong to the loop in which they are created.
            link = Link(name, port, target)
            await asyncio.start_server(link.serve, "127.0.0.1", port)
            return link

        self.links[name] = asyncio.run_coroutine_threadsafe(start(), self.loop).result(10)

    def tell(self, name, what, *words):
        """Applies `what` to a link, and waits until it is done."""

        async def act():
            getattr(self.links[name], what)(*words)

        asyncio.run_coroutine_threadsafe(act(), self.loop).result(10)

    def stop(self):
        async def end():
            for link in self.links.values():
                link.cut()
            others = asyncio.all_tasks() - {asyncio.current_task()}
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)

        asyncio.run_coroutine_threadsafe(end(), self.loop).result(10)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(5)
