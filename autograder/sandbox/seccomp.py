"""An adapter to pyseccomp: the system calls that student code has no business with.

Refusals are errors, not kills, so that a clumsy but honest program gets a Python exception. A
filter cannot see what a pointer points to: Landlock guards the file names.
"""

from __future__ import annotations

import contextlib
import errno

import pyseccomp

_DENIED = """
    flock fadvise64 readahead preadv2 mincore sync syncfs
    fork vfork execve execveat socket connect bind listen accept accept4 sendto sendmsg sendmmsg
    ptrace process_vm_readv process_vm_writev kcmp kill tkill tgkill rt_sigqueueinfo
    rt_tgsigqueueinfo io_setup bpf userfaultfd perf_event_open keyctl add_key request_key mount
    umount2 pivot_root chroot unshare setns name_to_handle_at open_by_handle_at shmget shmat shmctl
    msgget msgsnd msgrcv msgctl semget semop semctl semtimedop mq_open mq_unlink memfd_create
    personality setpriority ioprio_set sched_setaffinity sched_setscheduler sched_setparam
    sched_setattr migrate_pages move_pages uselib acct swapon swapoff reboot syslog init_module
    finit_module delete_module kexec_load kexec_file_load quotactl fanotify_init inotify_init
    inotify_init1 ioperm iopl modify_ldt symlink symlinkat link linkat mknod mknodat setsid setpgid
    creat mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 truncate ftruncate chmod
    fchmod fchmodat chown fchown lchown fchownat setxattr lsetxattr fsetxattr removexattr
    lremovexattr fremovexattr utime utimes utimensat futimesat fallocate setuid setgid setreuid
    setregid setresuid setresgid setgroups setfsuid setfsgid capset vhangup settimeofday
    clock_settime adjtimex clock_adjtime sethostname setdomainname seccomp
""".split()

# Numbered alike on all architectures, and refused by number: libseccomp may be older than the
# kernel and know no name. Among them clone3 (libc falls back to clone, seen below) and openat2
# (its flags are behind a pointer), pidfd_open, io_uring_setup, memfd_secret, fchmodat2, setxattrat.
_YOUNG = range(424, 512)
_YOUNG_HARMLESS = {
    436,  # close_range
    439,  # faccessat2
    441,  # epoll_pwait2
    453,  # map_shadow_stack
    462,  # mseal
}
_CLONE_THREAD = 0x10000
_INT = 0xFFFFFFFF  # the kernel reads these arguments as an int: the upper half is noise
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE = 1, 4
# A signal without kill(2): the kernel sends it to the descriptor's owner when something moves.
# Locks and leases on a library file are seen by other workers, and hold their opens up.
_FCNTL_OWNER = (8, 15, 10)  # F_SETOWN, F_SETOWN_EX, F_SETSIG
_FCNTL_LOCKS = (5, 6, 7, 36, 37, 38, 1024, 1026)  # F_GETLK … F_OFD_SETLKW, F_SETLEASE, F_NOTIFY
# Waking who waits on a page that is shared, as a library's is: workers would hear each other. The
# kernel wakes whoever waits for a thread's end.
_FUTEX_PRIVATE_OR_WHAT = 0xFF  # the bit 0x80, beside the operation
_FUTEX_WAKES = (1, 3, 4, 5, 7, 10, 12)  # WAKE, REQUEUE … WAKE_OP, UNLOCK_PI, WAKE_BITSET, …_PI
_IOCTL_OWNER = (0x8901, 0x8902, 0x5452)  # FIOSETOWN, SIOCSPGRP, FIOASYNC
_WRITING = ((3, 1), (3, 2), (3, 3), (0x40, 0x40), (0x200, 0x200))  # WRONLY, RDWR, CREAT, TRUNC
_CTL_OPTIMIZE, _BINARY_TREE = 8, 2


def build_filter(*, deny_every_open: bool) -> pyseccomp.SyscallFilter:
    """The filter, ready to be loaded by each worker.

    Args:
        deny_every_open: no file at all may be opened: secrecy where nothing else guards files.
    """
    refuse, argument = pyseccomp.ERRNO(errno.EPERM), pyseccomp.Arg
    rules = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
    with contextlib.suppress(OSError):  # libseccomp before 2.5 has no such attribute
        rules.set_attr(_CTL_OPTIMIZE, _BINARY_TREE)
    for name in _DENIED:
        _deny(rules, refuse, name)
    for number in _YOUNG:
        if number not in _YOUNG_HARMLESS:
            rules.add_rule(pyseccomp.ERRNO(errno.ENOSYS), number)
    _deny(rules, refuse, "clone", argument(0, pyseccomp.MASKED_EQ, _CLONE_THREAD, 0))
    _deny(rules, refuse, "prlimit64", argument(0, pyseccomp.NE, 0))
    for option in (_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE):
        _deny(rules, refuse, "prctl", argument(0, pyseccomp.MASKED_EQ, _INT, option))
    for command in (*_FCNTL_OWNER, *_FCNTL_LOCKS):
        _deny(rules, refuse, "fcntl", argument(1, pyseccomp.MASKED_EQ, _INT, command))
    for wake in _FUTEX_WAKES:
        _deny(
            rules, refuse, "futex", argument(1, pyseccomp.MASKED_EQ, _FUTEX_PRIVATE_OR_WHAT, wake)
        )
    for request in _IOCTL_OWNER:
        _deny(rules, refuse, "ioctl", argument(1, pyseccomp.MASKED_EQ, _INT, request))
    for name, at in (("open", 1), ("openat", 2)):
        if deny_every_open:
            _deny(rules, pyseccomp.ERRNO(errno.EACCES), name)
            continue
        for mask, value in _WRITING:
            _deny(
                rules,
                pyseccomp.ERRNO(errno.EROFS),
                name,
                argument(at, pyseccomp.MASKED_EQ, mask, value),
            )
    return rules


def _deny(
    rules: pyseccomp.SyscallFilter, action: int, name: str, *arguments: pyseccomp.Arg
) -> None:
    if pyseccomp.resolve_syscall(pyseccomp.system_arch(), name) < 0:
        return  # not on this architecture, or younger than this libseccomp
    rules.add_rule(action, name, *arguments)
