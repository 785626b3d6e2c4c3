"""A PostgreSQL of our own, where its programs are installed."""

import os
import shutil
import subprocess
from pathlib import Path


def program(name):
    places = sorted(map(str, Path("/usr/lib/postgresql").glob("*/bin")), reverse=True)
    return shutil.which(name) or shutil.which(name, path=os.pathsep.join([*places, "/opt/homebrew/bin"]))


class Server:
    """A PostgreSQL of our own, on a socket in a folder of its own: no port, no network."""

    def __init__(self, folder):
        self.folder = folder
        # It refuses to run as root.
        self.before = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        self.run("initdb", "-A", "trust", "-U", "assay", "-E", "UTF8", "--locale=C.UTF-8", "-N")
        self.start()

    def run(self, name, *args):
        command = [*self.before, program(name), "-D", f"{self.folder}/data", *args]
        done = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
            timeout=60,
            cwd=self.folder,
            text=True,
        )
        assert done.returncode == 0, done.stdout

    def start(self):
        log, options = f"{self.folder}/log", f"-c listen_addresses='' -k {self.folder} -c fsync=off"
        self.run("pg_ctl", "-w", "-l", log, "-o", options, "start")

    def stop(self):
        self.run("pg_ctl", "-w", "-m", "immediate", "stop")

    def database(self, name):
        subprocess.run(
            [program("createdb"), "-h", self.folder, "-U", "assay", name],
            check=True,
            capture_output=True,
            timeout=60,
        )
        return f"postgresql://assay:s3cret@/{name}?host={self.folder}"
