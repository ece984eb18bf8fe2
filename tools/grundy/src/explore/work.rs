//! Limits the number of parallel answers, so that together they stay within `--memory`.

use anyhow::bail;
use grundy::MemoryLimit;

/// Memory for a request of at most one MiB and for its answer, in bytes.
const ON_THE_WAY: u64 = 8 << 20;
const CONNECTIONS: (u64, u64) = (8, 32);
/// The memory that must be available for each further parallel answer.
const LEAST_SHARE: u64 = 256 << 20;
const MOST_AT_WORK: u64 = 4;
const LEAST_MEMORY: u64 = 128 << 20;

/// The division of `--memory` among requests in transit, parallel answers and cached tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shares {
    pub(crate) connections: usize,
    pub(crate) at_work: usize,
    /// Memory for one answer. All cached tables together get half as much.
    pub(crate) each: MemoryLimit,
}

impl Shares {
    pub(crate) fn of(limit: MemoryLimit, threads: usize) -> anyhow::Result<Shares> {
        let memory = limit.bytes();
        if memory < LEAST_MEMORY {
            let least = LEAST_MEMORY >> 20;
            bail!("{limit} is too little memory to serve; raise --memory to {least}M or more");
        }
        let connections = (memory / 16 / ON_THE_WAY).clamp(CONNECTIONS.0, CONNECTIONS.1);
        let rest = memory - connections * ON_THE_WAY;
        let most = MOST_AT_WORK.min(threads as u64).max(1);
        let at_work = (rest / LEAST_SHARE).clamp(1, most);
        // There are `at_work` shares for answers, and half a share for cached tables.
        let each = MemoryLimit::new(rest / (2 * at_work + 1) * 2);
        Ok(Shares { connections: connections as usize, at_work: at_work as usize, each })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All shares together never exceed the limit.
    #[test]
    fn shares_are_within_the_whole() {
        for mib in [128, 129, 200, 512, 777, 1024, 4096, 65_536] {
            for threads in [1, 2, 3, 8, 128] {
                let memory = mib << 20;
                let shares = Shares::of(MemoryLimit::new(memory), threads).unwrap();
                let Shares { connections, at_work, each } = shares;
                let each = each.bytes();
                let all = connections as u64 * ON_THE_WAY + at_work as u64 * each + each / 2;
                assert!(all <= memory && all > memory - (1 << 20), "{mib} {threads}: {all}");
                assert!((8..=32).contains(&connections) && (1..=threads.min(4)).contains(&at_work));
                assert!(at_work == 1 || each >= LEAST_SHARE / 2, "{mib} {threads}: {each}");
            }
        }
        // 4096 - 32 * 8 = 3840 MiB are five half shares, so a share has 1536 MiB.
        let shares = Shares { connections: 32, at_work: 2, each: MemoryLimit::new(1536 << 20) };
        assert_eq!(Shares::of(MemoryLimit::new(4 << 30), 2).unwrap(), shares);
        assert!(
            Shares::of(MemoryLimit::new(64 << 20), 2)
                .unwrap_err()
                .to_string()
                .contains("--memory to 128M")
        );
    }
}
