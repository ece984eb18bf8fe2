//! The state of the process at its start: its limits, and its standard output.
#![allow(unsafe_code)]

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Returns the system's limit for the memory of this process, in bytes.
#[cfg(unix)]
pub(crate) fn address_space() -> u64 {
    use rustix::process::{Resource, getrlimit};
    let limits = [Resource::As, Resource::Data].map(|of| getrlimit(of).current);
    limits.into_iter().flatten().min().unwrap_or(u64::MAX)
}

#[cfg(not(unix))]
pub(crate) fn address_space() -> u64 {
    u64::MAX
}

/// Returns the least limit of the control groups of this process, in bytes. Containers and
/// schedulers such as Slurm set these limits, and the system kills a process that exceeds them.
pub(crate) fn group_memory() -> u64 {
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let limits = groups.lines().filter_map(|line| {
        let (kinds, path) = line.split_once(':')?.1.split_once(':')?;
        let (root, file) = match kinds {
            "" => ("/sys/fs/cgroup", "memory.max"),
            "memory" => ("/sys/fs/cgroup/memory", "memory.limit_in_bytes"),
            _ => return None,
        };
        // A limit of a group holds for the groups below it. In a container some of these folders
        // may be hidden. A file without a number sets no limit.
        let above = Path::new(path.trim_start_matches('/')).ancestors();
        let limit = |group| fs::read_to_string(Path::new(root).join(group).join(file)).ok();
        above.filter_map(limit).filter_map(|text| text.trim().parse::<u64>().ok()).min()
    });
    limits.min().unwrap_or(u64::MAX)
}

/// Makes all threads share one arena of the allocator if the system limits the memory. By default
/// glibc reserves 64 MiB of addresses for each thread, which may exceed the limit at any time. Call
/// this before any thread starts.
pub(crate) fn share_one_arena() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    if address_space() < u64::MAX {
        // SAFETY: `mallopt` of glibc has this signature, and accepts any numbers.
        unsafe extern "C" {
            safe fn mallopt(parameter: i32, value: i32) -> i32;
        }
        const M_ARENA_MAX: i32 = -8;
        mallopt(M_ARENA_MAX, 1);
    }
}

static STDOUT_WAS_CLOSED: AtomicBool = AtomicBool::new(false);

/// True if standard output was closed when the process started, as by `>&-` in a shell.
pub(crate) fn stdout_was_closed() -> bool {
    STDOUT_WAS_CLOSED.load(Ordering::Relaxed)
}

/// Looks at standard output before the runtime of Rust starts, which opens /dev/null in its place.
#[cfg(unix)]
extern "C" fn look_at_stdout() {
    let is_closed = rustix::io::fcntl_getfd(rustix::stdio::stdout()).is_err();
    STDOUT_WAS_CLOSED.store(is_closed, Ordering::Relaxed);
}

// SAFETY: the loader calls the functions in this section before `main`, in C's calling convention.
// This one makes one system call, and needs no part of Rust's runtime.
#[cfg(unix)]
#[used]
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
#[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
static AT_START: extern "C" fn() = look_at_stdout;
