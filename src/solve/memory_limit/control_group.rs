//! The memory limits of control groups (version 2): those of a container, or of a slice
//! or service of systemd.

use std::fs;
use std::path::{Component, Path};

/// Where control groups are mounted.
const MOUNT: &str = "/sys/fs/cgroup";

/// The bytes that the limits of this process's group and of the groups above it leave;
/// `None` without a limit.
pub fn free_memory() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    free_memory_of(Path::new(MOUNT), group_of(&groups))
}

/// The path of the group below the mount, from the text of `/proc/self/cgroup`; the root
/// if the text has no group of version 2, or one outside the mount.
fn group_of(text: &str) -> &Path {
    let group = text.lines().find_map(|line| line.strip_prefix("0::/"));
    let group = Path::new(group.unwrap_or_default());
    match group
        .components()
        .all(|c| matches!(c, Component::Normal(_)))
    {
        true => group,
        false => Path::new(""),
    }
}

/// The least that a limit on the way from a group to the root leaves.
fn free_memory_of(mount: &Path, group: &Path) -> Option<u64> {
    let groups = group.ancestors().map(|group| mount.join(group));
    groups.filter_map(|folder| free_memory_in(&folder)).min()
}

/// What the limit of one group leaves. File pages that were not used lately count as
/// used memory, but the system gives them back when it is needed.
fn free_memory_in(folder: &Path) -> Option<u64> {
    let number = |name| -> Option<u64> {
        let text = fs::read_to_string(folder.join(name)).ok()?;
        text.trim().parse().ok()
    };
    // Without a limit the first file contains 'max'.
    let (limit, used) = (number("memory.max")?, number("memory.current")?);
    let statistics = fs::read_to_string(folder.join("memory.stat")).unwrap_or_default();
    let mut lines = statistics.lines();
    let cached = lines.find_map(|line| line.strip_prefix("inactive_file ")?.parse().ok());
    let used = used.saturating_sub(cached.unwrap_or(0));
    Some(limit.saturating_sub(used))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_group_is_on_the_line_of_version_2() {
        for (text, group) in [
            ("0::/user.slice/krou.service\n", "user.slice/krou.service"),
            ("12:memory:/old\n0::/a b/c\n", "a b/c"),
            ("0::/\n", ""),
            ("12:memory:/old\n", ""),
            ("0::/../sibling\n", ""),
            ("0::relative\n", ""),
            ("", ""),
        ] {
            assert_eq!(group_of(text), Path::new(group), "{text:?}");
        }
    }

    #[test]
    fn the_tightest_limit_up_to_the_root_counts() {
        let mount = tempfile::tempdir().unwrap();
        let free = |group: &str| free_memory_of(mount.path(), Path::new(group));
        let set = |group: &str, limit: &str, used: &str| {
            let folder = mount.path().join(group);
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("memory.max"), limit).unwrap();
            fs::write(folder.join("memory.current"), used).unwrap();
        };
        // The root has no such files, and a container may not see its own group.
        assert_eq!(free("gone/service"), None);
        set("slice/service", "max\n", "10\n");
        assert_eq!(free("slice/service"), None);
        set("slice", "1000\n", "400\n");
        assert_eq!(free("slice/service"), Some(600));
        assert_eq!(free("slice/gone"), Some(600));
        assert_eq!(free(""), None);
        set("slice/service", "500\n", "10\n");
        assert_eq!(free("slice/service"), Some(490));
        set("slice", "1000\n", "1001\n");
        assert_eq!(free("slice/service"), Some(0));
        set("", "50\n", "1\n");
        assert_eq!(free("slice/other"), Some(0));
        assert_eq!(free("other"), Some(49));
        let statistics = "anon 7\ninactive_file 300\nactive_file 50\n";
        fs::write(mount.path().join("slice/service/memory.stat"), statistics).unwrap();
        set("slice", "1000\n", "100\n");
        set("slice/service", "500\n", "400\n");
        set("", "max\n", "1\n");
        assert_eq!(free("slice/service"), Some(400));
        set("", "50\n", "1\n");
        set("slice", "not a number", "");
        assert_eq!(free("slice"), Some(49));
    }
}
