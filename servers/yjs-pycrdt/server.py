"""The server of pycrdt-websocket behind Hypercorn, as its documentation has it: server.py SOCKET [STORE FOLDER WRITE_DELAY_MS]

STORE: sqlite or files, both of pycrdt-store; absent: in memory.
"""

import asyncio
import sys
from os.path import join
from urllib.parse import quote

from hypercorn import Config
from hypercorn.asyncio import serve
from pycrdt.store import FileYStore, SQLiteYStore, YDocNotFound
from pycrdt.websocket import ASGIServer, WebsocketServer, YRoom


def stores_in(name, folder, write_delay_ms):
    """Makes the store of a document, by the document's name."""
    kind = {"sqlite": SQLiteYStore, "files": FileYStore}[name]

    class Store(kind):
        db_path = join(folder, "documents.sqlite")
        # One disk for all documents.
        _disk = asyncio.Lock()

        async def write(self, data):
            if write_delay_ms == 0:
                return await super().write(data)
            async with self._disk:
                await asyncio.sleep(write_delay_ms / 1000)
                await super().write(data)

    return lambda document: Store(join(folder, quote(document, safe="")) if name == "files" else document)


class PatientServer(WebsocketServer):
    """Opens rooms one after the other: of two users who come to a new one at once, the second would wait for ever."""

    def __init__(self, store_of=None, **options):
        super().__init__(**options)
        self._opening = asyncio.Lock()
        self._store_of = store_of

    async def get_room(self, name):
        async with self._opening:
            if name in self.rooms or self._store_of is None:
                return await super().get_room(name)
            return await self._open_from_store(name)

    async def _open_from_store(self, name):
        store = self._store_of(name)
        # Until it is ready, it writes and passes on nothing: what comes from the store is there already.
        room = self.rooms[name] = YRoom(ready=False, ystore=store, log=self.log)
        await super().get_room(name)
        await store.started.wait()
        try:
            await store.apply_updates(room.ydoc)
        except YDocNotFound:
            pass
        room.ready = True
        await room.ydoc_observed.wait()
        return room


async def main(socket, *store):
    config = Config()
    config.bind = [f"unix:{socket}"]
    # What it says on stderr stands in the verdict where it fails: only what goes wrong.
    config.loglevel = "WARNING"
    if store:
        name, folder, write_delay_ms = store
        websocket_server = PatientServer(stores_in(name, folder, float(write_delay_ms)))
    else:
        # A document stays when its last user leaves: nothing else keeps it.
        websocket_server = PatientServer(auto_clean_rooms=False)
    async with websocket_server:
        await serve(ASGIServer(websocket_server), config, mode="asgi")


asyncio.run(main(*sys.argv[1:]))
