"""Tells, as JSON, which packages this Python finds, and whose files are not what was installed."""

import base64
import hashlib
import importlib.metadata
import json
import sys


def is_as_installed(file):
    if file.hash is None:
        return True
    try:
        digest = hashlib.new(file.hash.mode, file.locate().read_bytes()).digest()
    except OSError:
        return False
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode() == file.hash.value


packages = {}
altered = []
for package in importlib.metadata.distributions():
    packages[package.metadata["Name"]] = package.version
    altered += [str(file) for file in package.files or [] if not is_as_installed(file)]
packages = dict(sorted(packages.items()))
print(json.dumps({"python": sys.version.split()[0], "packages": packages, "altered": altered}))
