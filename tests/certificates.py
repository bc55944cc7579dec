"""Certificates for tests, made as they are needed."""

from __future__ import annotations

import subprocess
from pathlib import Path


def certified(folder: Path, *names: str) -> tuple[Path, Path]:
    """A certificate of the loopback and of more names, which is its own authority, and its key."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    known = ",".join(("IP:127.0.0.1", "DNS:localhost", *(f"DNS:{name}" for name in names)))
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    command += ["-nodes", "-days", "2", "-subj", "/CN=localhost"]
    command += ["-addext", f"subjectAltName={known}"]
    command += ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, check=True, capture_output=True)
    return certificate, key
