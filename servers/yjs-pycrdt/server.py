"""The server of pycrdt-websocket behind Hypercorn, as its documentation has it, in memory: server.py HOST:PORT"""

import asyncio
import sys

from hypercorn import Config
from hypercorn.asyncio import serve
from pycrdt.websocket import ASGIServer, WebsocketServer


async def main(address):
    config = Config()
    config.bind = [address]
    # A document stays when its last user leaves: nothing else keeps it.
    websocket_server = WebsocketServer(auto_clean_rooms=False)
    async with websocket_server:
        await serve(ASGIServer(websocket_server), config, mode="asgi")


asyncio.run(main(sys.argv[1]))
