"""The server of pycrdt-websocket behind Hypercorn, as its documentation has it, in memory: server.py SOCKET"""

import asyncio
import sys

from hypercorn import Config
from hypercorn.asyncio import serve
from pycrdt.websocket import ASGIServer, WebsocketServer


class PatientServer(WebsocketServer):
    """Opens rooms one after the other: of two users who come to a new one at once, the second would wait for ever."""

    def __init__(self, **options):
        super().__init__(**options)
        self._opening = asyncio.Lock()

    async def get_room(self, name):
        async with self._opening:
            return await super().get_room(name)


async def main(socket):
    config = Config()
    config.bind = [f"unix:{socket}"]
    # What it says on stderr stands in the verdict where it fails: only what goes wrong.
    config.loglevel = "WARNING"
    # A document stays when its last user leaves: nothing else keeps it.
    websocket_server = PatientServer(auto_clean_rooms=False)
    async with websocket_server:
        await serve(ASGIServer(websocket_server), config, mode="asgi")


asyncio.run(main(sys.argv[1]))
