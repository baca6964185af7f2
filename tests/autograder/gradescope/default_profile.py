"""What Docker lets root do in a container by default: capabilities, system calls, files of /proc.

It imitates moby 24 with runc 1.1: the fourteen capabilities, the allow list of system calls for
them, and no no_new_privs. It knows no AppArmor or SELinux profile (Docker adds one where the host
has it). Newer releases of moby also refuse io_uring.
"""

from __future__ import annotations

import ctypes
import errno
import platform

import pyseccomp

CAPABILITIES = {
    "chown": 0,
    "dac_override": 1,
    "fowner": 3,
    "fsetid": 4,
    "kill": 5,
    "setgid": 6,
    "setuid": 7,
    "setpcap": 8,
    "net_bind_service": 10,
    "net_raw": 13,
    "sys_chroot": 18,
    "mknod": 27,
    "audit_write": 29,
    "setfcap": 31,
}
CAPABILITY_MASK = sum(1 << number for number in CAPABILITIES.values())
LANDLOCK = "landlock_create_ruleset landlock_add_rule landlock_restrict_self".split()
ALLOWED = """
    accept accept4 access adjtimex alarm bind brk capget capset chdir chmod chown chown32 chroot
    clock_adjtime clock_adjtime64 clock_getres clock_getres_time64 clock_gettime clock_gettime64
    clock_nanosleep clock_nanosleep_time64 close close_range connect copy_file_range creat dup dup2
    dup3 epoll_create epoll_create1 epoll_ctl epoll_ctl_old epoll_pwait epoll_pwait2 epoll_wait
    epoll_wait_old eventfd eventfd2 execve execveat exit exit_group faccessat faccessat2 fadvise64
    fadvise64_64 fallocate fanotify_mark fchdir fchmod fchmodat fchown fchown32 fchownat fcntl
    fcntl64 fdatasync fgetxattr flistxattr flock fork fremovexattr fsetxattr fstat fstat64
    fstatat64 fstatfs fstatfs64 fsync ftruncate ftruncate64 futex futex_time64 futex_waitv
    futimesat get_robust_list get_thread_area getcpu getcwd getdents getdents64 getegid getegid32
    geteuid geteuid32 getgid getgid32 getgroups getgroups32 getitimer getpeername getpgid getpgrp
    getpid getppid getpriority getrandom getresgid getresgid32 getresuid getresuid32 getrlimit
    getrusage getsid getsockname getsockopt gettid gettimeofday getuid getuid32 getxattr
    inotify_add_watch inotify_init inotify_init1 inotify_rm_watch io_cancel io_destroy io_getevents
    io_pgetevents io_pgetevents_time64 io_setup io_submit io_uring_enter io_uring_register
    io_uring_setup ioctl ioprio_get ioprio_set ipc kill lchown lchown32 lgetxattr link linkat
    listen listxattr llistxattr _llseek lremovexattr lseek lsetxattr lstat lstat64 madvise
    membarrier memfd_create memfd_secret mincore mkdir mkdirat mknod mknodat mlock mlock2 mlockall
    mmap mmap2 mprotect mq_getsetattr mq_notify mq_open mq_timedreceive mq_timedreceive_time64
    mq_timedsend mq_timedsend_time64 mq_unlink mremap msgctl msgget msgrcv msgsnd msync munlock
    munlockall munmap name_to_handle_at nanosleep newfstatat _newselect open openat openat2 pause
    pidfd_open pidfd_send_signal pipe pipe2 pkey_alloc pkey_free pkey_mprotect poll ppoll
    ppoll_time64 prctl pread64 preadv preadv2 prlimit64 process_mrelease process_vm_readv
    process_vm_writev pselect6 pselect6_time64 ptrace pwrite64 pwritev pwritev2 read readahead
    readlink readlinkat readv recv recvfrom recvmmsg recvmmsg_time64 recvmsg remap_file_pages
    removexattr rename renameat renameat2 restart_syscall rmdir rseq rt_sigaction rt_sigpending
    rt_sigprocmask rt_sigqueueinfo rt_sigreturn rt_sigsuspend rt_sigtimedwait
    rt_sigtimedwait_time64 rt_tgsigqueueinfo sched_get_priority_max sched_get_priority_min
    sched_getaffinity sched_getattr sched_getparam sched_getscheduler sched_rr_get_interval
    sched_rr_get_interval_time64 sched_setaffinity sched_setattr sched_setparam sched_setscheduler
    sched_yield seccomp select semctl semget semop semtimedop semtimedop_time64 send sendfile
    sendfile64 sendmmsg sendmsg sendto set_robust_list set_thread_area set_tid_address setfsgid
    setfsgid32 setfsuid setfsuid32 setgid setgid32 setgroups setgroups32 setitimer setpgid
    setpriority setregid setregid32 setresgid setresgid32 setresuid setresuid32 setreuid setreuid32
    setrlimit setsid setsockopt setuid setuid32 setxattr shmat shmctl shmdt shmget shutdown
    sigaltstack signalfd signalfd4 sigprocmask sigreturn socketcall socketpair splice stat stat64
    statfs statfs64 statx symlink symlinkat sync sync_file_range syncfs sysinfo tee tgkill time
    timer_create timer_delete timer_getoverrun timer_gettime timer_gettime64 timer_settime
    timer_settime64 timerfd_create timerfd_gettime timerfd_gettime64 timerfd_settime
    timerfd_settime64 times tkill truncate truncate64 ugetrlimit umask uname unlink unlinkat utime
    utimensat utimensat_time64 utimes vfork vmsplice wait4 waitid waitpid write writev
""".split()
OF_MACHINE = {  # machine: its other architectures, and the calls that only they have
    "x86_64": ((pyseccomp.Arch.X86, pyseccomp.Arch.X32), ["arch_prctl", "modify_ldt"]),
    "aarch64": (
        (pyseccomp.Arch.ARM,),
        """arm_fadvise64_64 arm_sync_file_range sync_file_range2 breakpoint cacheflush
        set_tls""".split(),
    ),
}
YOUNGER = range(450, 512)  # than any call of the list: runc says that the kernel lacks them
NAMESPACES = 0x7E020000  # every CLONE_NEW… flag but CLONE_NEWTIME
PERSONALITIES = (0x0, 0x8, 0x20000, 0x20008, 0xFFFFFFFF)
AF_VSOCK = 40

READ_ONLY = "/proc/bus /proc/fs /proc/irq /proc/sys /proc/sysrq-trigger".split()
MASKED = """
    /proc/acpi /proc/asound /proc/kcore /proc/keys /proc/latency_stats /proc/sched_debug /proc/scsi
    /proc/timer_list /proc/timer_stats /sys/firmware
""".split()

PR_CAPBSET_READ, PR_CAPBSET_DROP = 23, 24
CAPABILITY_VERSION_3 = 0x20080522
LIBC = ctypes.CDLL(None, use_errno=True)


def checked(result: int, what: str) -> int:
    """The result of a call into the C library; a failed one raises."""
    if result < 0:
        raise OSError(ctypes.get_errno(), f"{what}: {errno.errorcode.get(ctypes.get_errno())}")
    return result


def system_call_filters(*, landlock: bool) -> list[pyseccomp.SyscallFilter]:
    """The filters, to be loaded in this order by a process that may still do everything.

    Args:
        landlock: False answers its three calls as a kernel without Landlock does.
    """
    others, calls = OF_MACHINE[platform.machine()]
    allow, lacks = pyseccomp.ALLOW, pyseccomp.ERRNO(errno.ENOSYS)
    rules = pyseccomp.SyscallFilter(pyseccomp.ERRNO(errno.EPERM))
    rules.set_attr(pyseccomp.Attr.CTL_NNP, 0)
    for other in others:
        rules.add_arch(other)
    for name in ALLOWED + calls:
        _add(rules, allow, name)
    for name in LANDLOCK:
        _add(rules, allow if landlock else lacks, name)
    _add(rules, allow, "socket", pyseccomp.Arg(0, pyseccomp.NE, AF_VSOCK))
    _add(rules, allow, "clone", pyseccomp.Arg(0, pyseccomp.MASKED_EQ, NAMESPACES, 0))
    _add(rules, lacks, "clone3")
    for persona in PERSONALITIES:
        _add(rules, allow, "personality", pyseccomp.Arg(0, pyseccomp.EQ, persona))
    return [rules, _younger_calls(lacks)]


def _add(rules: pyseccomp.SyscallFilter, action: int, name: str, *arguments: pyseccomp.Arg) -> None:
    if (
        pyseccomp.resolve_syscall(pyseccomp.system_arch(), name) != -1
    ):  # -1: this library knows none
        rules.add_rule(action, name, *arguments)


def _younger_calls(lacks: int) -> pyseccomp.SyscallFilter:
    """A filter of its own: libseccomp translates no unknown number for a second architecture.

    Of two errors the one of the filter that was loaded last is given.
    """
    rules = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
    rules.set_attr(pyseccomp.Attr.CTL_NNP, 0)
    rules.set_attr(pyseccomp.Attr.ACT_BADARCH, pyseccomp.ALLOW)
    for number in YOUNGER:
        rules.add_rule(lacks, number)
    return rules


def keep_default_capabilities() -> None:
    """Give up, for good, every capability that Docker does not leave to root."""
    there = (n for n in range(64) if LIBC.prctl(PR_CAPBSET_READ, n, 0, 0, 0) >= 0)
    for number in set(there) - set(CAPABILITIES.values()):
        checked(LIBC.prctl(PR_CAPBSET_DROP, number, 0, 0, 0), f"drop capability {number}")
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    kept = (ctypes.c_uint32 * 6)(CAPABILITY_MASK, CAPABILITY_MASK, 0, 0, 0, 0)  # none inheritable
    checked(LIBC.capset(header, kept), "capset")
