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
    let read = |path: &Path| fs::read_to_string(path).ok();
    group_limit(&read(Path::new("/proc/self/cgroup")).unwrap_or_default(), read)
}

/// Returns the least limit of control groups, from the list of the groups of a process. `read`
/// returns the text of a file, if it exists.
fn group_limit(groups: &str, read: impl Fn(&Path) -> Option<String>) -> u64 {
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
        let limit = |group| read(&Path::new(root).join(group).join(file));
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts are those of Linux. A group above may have a smaller limit than its groups, and
    /// groups of other kinds do not matter.
    #[test]
    fn the_least_limit_of_the_groups_is_found() {
        let files = [
            ("/sys/fs/cgroup/job/memory.max", "2000\n"),
            ("/sys/fs/cgroup/job/step/memory.max", "max\n"),
            ("/sys/fs/cgroup/job/task/memory.max", "1000\n"),
            ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
            ("/sys/fs/cgroup/memory/docker/memory.limit_in_bytes", "3000\n"),
        ];
        let limit = |groups: &str| {
            group_limit(groups, |path| {
                let found = files.iter().find(|(name, _)| Path::new(name) == path);
                found.map(|(_, text)| (*text).to_owned())
            })
        };
        assert_eq!(limit("0::/job/step\n"), 2000);
        assert_eq!(limit("0::/job/task\n"), 1000);
        assert_eq!(limit("0::/\n"), u64::MAX);
        assert_eq!(limit("11:cpu:/docker\n4:memory:/docker\n"), 3000);
        assert_eq!(limit("4:memory:/docker\n0::/job\n"), 2000);
        assert_eq!((limit(""), limit("no groups\n")), (u64::MAX, u64::MAX));
    }
}
