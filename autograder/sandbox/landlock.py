"""An adapter to py-landlock: one ruleset, built in the base process and entered by each worker.

Read-only on the library folders, nothing writable but /dev/null. Landlock does not cover UDP,
stat or chmod: seccomp does.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

import py_landlock
from py_landlock import AccessFs, AccessNet, Scope, landlock_sys
from py_landlock.abi import get_supported_fs, get_supported_net, get_supported_scope

from autograder.sandbox.libraries import moved_up


class Ruleset:
    """Everything that is handled is denied, but for reading under `readable`.

    Raises:
        py_landlock.LandlockError: this kernel has no Landlock.
    """

    def __init__(self, readable: Iterable[str]) -> None:
        version = landlock_sys.get_abi_version()
        self.abi = int(version)
        self._handled = get_supported_fs(version)
        attributes = landlock_sys.RulesetAttr()
        attributes.handled_access_fs = int(self._handled)
        attributes.handled_access_net = int(
            get_supported_net(version) & (AccessNet.BIND_TCP | AccessNet.CONNECT_TCP)
        )
        attributes.scoped = int(
            get_supported_scope(version) & (Scope.ABSTRACT_UNIX_SOCKET | Scope.SIGNAL)
        )
        self.fd = landlock_sys.RulesetFd(moved_up(landlock_sys.create_ruleset(attributes)))
        for path in readable:
            self._allow(path, AccessFs.READ_FILE | AccessFs.READ_DIR)
        self._allow("/dev/null", AccessFs.READ_FILE | AccessFs.WRITE_FILE)
        self._allow("/dev/urandom", AccessFs.READ_FILE)

    def _allow(self, path: str, access: AccessFs) -> None:
        try:
            descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except FileNotFoundError:
            return  # not every system has every library folder
        try:
            if not os.path.isdir(path):  # READ_DIR on a plain file is EINVAL
                access &= ~AccessFs.READ_DIR
            rule = landlock_sys.PathBeneathAttr()
            rule.allowed_access = int(access & self._handled)
            rule.parent_fd = descriptor
            landlock_sys.add_rule(self.fd, rule)
        finally:
            os.close(descriptor)

    def enter(self) -> None:
        """Confine this process, for good; `no_new_privs` must be set."""
        landlock_sys.restrict_self(self.fd, None)
        os.close(self.fd)


LandlockError = py_landlock.LandlockError
