//! The memory limits of control groups: those of a container, or of a slice or service of
//! systemd. Both versions of them are looked at, since a system may use both.

use std::fs;
use std::path::{Component, Path};

/// Where a version of control groups has the memory of a group. The files are those of the
/// kernel's documentation, `cgroup-v1/memory` and `cgroup-v2`.
struct Version {
    mount: &'static str,
    limit: &'static str,
    /// Where the system begins to slow processes down, if this version has that.
    high: Option<&'static str>,
    used: &'static str,
    /// The name on the line of `memory.stat` with the file pages that were not used lately.
    cached: &'static str,
    /// Whether the fields `number:controllers:` of a line of `/proc/self/cgroup` belong to it.
    is_line: fn(number: &str, controllers: &str) -> bool,
}

const VERSIONS: [Version; 2] = [
    Version {
        mount: "/sys/fs/cgroup/memory",
        limit: "memory.limit_in_bytes",
        high: None,
        used: "memory.usage_in_bytes",
        cached: "total_inactive_file ",
        is_line: |_, controllers| controllers.split(',').any(|name| name == "memory"),
    },
    Version {
        mount: "/sys/fs/cgroup",
        limit: "memory.max",
        high: Some("memory.high"),
        used: "memory.current",
        cached: "inactive_file ",
        is_line: |number, controllers| number == "0" && controllers.is_empty(),
    },
];

/// The bytes that the limits of this process's group and of the groups above it leave;
/// `None` without a limit.
pub fn free_memory() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let free = |version: &Version| {
        version.free_memory_of(Path::new(version.mount), version.group_of(&groups))
    };
    VERSIONS.iter().filter_map(free).min()
}

impl Version {
    /// The path of the group below the mount, from the text of `/proc/self/cgroup`; the root
    /// if the text has no group of this version, or one outside the mount.
    fn group_of<'t>(&self, text: &'t str) -> &'t Path {
        let group = text.lines().find_map(|line| {
            let (number, rest) = line.split_once(':')?;
            let (controllers, group) = rest.split_once(':')?;
            (self.is_line)(number, controllers).then(|| group.strip_prefix('/'))?
        });
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
    fn free_memory_of(&self, mount: &Path, group: &Path) -> Option<u64> {
        let groups = group.ancestors().map(|group| mount.join(group));
        groups
            .filter_map(|folder| self.free_memory_in(&folder))
            .min()
    }

    /// What the limit of one group leaves. File pages that were not used lately count as
    /// used memory, but the system gives them back when it is needed.
    fn free_memory_in(&self, folder: &Path) -> Option<u64> {
        let number = |name| -> Option<u64> {
            let text = fs::read_to_string(folder.join(name)).ok()?;
            text.trim().parse().ok()
        };
        // Without a limit, the file contains 'max' in version 2, and a number beyond all
        // memory in version 1.
        let limits = [Some(self.limit), self.high].into_iter().flatten();
        let limits = limits.filter_map(number);
        let (limit, used) = (limits.min()?, number(self.used)?);
        let statistics = fs::read_to_string(folder.join("memory.stat")).unwrap_or_default();
        let mut lines = statistics.lines();
        let cached = lines.find_map(|line| line.strip_prefix(self.cached)?.parse().ok());
        let used = used.saturating_sub(cached.unwrap_or(0));
        Some(limit.saturating_sub(used))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_version_has_a_line_for_its_group() {
        for (text, [old, new]) in [
            (
                "0::/user.slice/krou.service\n",
                ["", "user.slice/krou.service"],
            ),
            ("12:memory:/old\n0::/a b/c\n", ["old", "a b/c"]),
            ("3:cpu,memory,pids:/a:b\n1:name=memory:/c\n", ["a:b", ""]),
            ("0::/\n", ["", ""]),
            ("12:memory:/\n", ["", ""]),
            ("4:memory:/../sibling\n0::/../sibling\n", ["", ""]),
            ("4:memory:relative\n0::relative\n", ["", ""]),
            ("4:memory\n0:\n\n:", ["", ""]),
            ("", ["", ""]),
        ] {
            let found = VERSIONS.each_ref().map(|version| version.group_of(text));
            assert_eq!(found, [old, new].map(Path::new), "{text:?}");
        }
    }

    #[test]
    fn the_tightest_limit_up_to_the_root_counts() {
        for (version, unlimited) in VERSIONS.iter().zip(["9223372036854771712\n", "max\n"]) {
            let mount = tempfile::tempdir().unwrap();
            let free = |group: &str| {
                let free = version.free_memory_of(mount.path(), Path::new(group));
                free.filter(|&free| free < 1 << 62)
            };
            let set = |group: &str, limit: &str, used: &str| {
                let folder = mount.path().join(group);
                fs::create_dir_all(&folder).unwrap();
                fs::write(folder.join(version.limit), limit).unwrap();
                fs::write(folder.join(version.used), used).unwrap();
            };
            // The root has no such files, and a container may not see its own group.
            assert_eq!(free("gone/service"), None);
            set("slice/service", unlimited, "10\n");
            assert_eq!(free("slice/service"), None);
            set("slice", "1000\n", "400\n");
            assert_eq!(free("slice/service"), Some(600));
            assert_eq!(free("slice/gone"), Some(600));
            assert_eq!(free(""), None);
            set("slice/service", "500\n", "10\n");
            assert_eq!(free("slice/service"), Some(490));
            if let Some(high) = version.high {
                let file = mount.path().join("slice/service").join(high);
                fs::write(&file, "300\n").unwrap();
                assert_eq!(free("slice/service"), Some(290));
                fs::remove_file(&file).unwrap();
            }
            set("slice", "1000\n", "1001\n");
            assert_eq!(free("slice/service"), Some(0));
            set("", "50\n", "1\n");
            assert_eq!(free("slice/other"), Some(0));
            assert_eq!(free("other"), Some(49));
            let statistics = format!("anon 7\n{}300\nactive_file 50\n", version.cached);
            fs::write(mount.path().join("slice/service/memory.stat"), statistics).unwrap();
            set("slice", "1000\n", "100\n");
            set("slice/service", "500\n", "400\n");
            set("", unlimited, "1\n");
            assert_eq!(free("slice/service"), Some(400));
            set("", "50\n", "1\n");
            set("slice", "not a number", "");
            assert_eq!(free("slice"), Some(49));
        }
    }
}
