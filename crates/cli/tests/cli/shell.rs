//! Completions and manual pages name every command.

use crate::support::{call, call_in, words};

const COMMANDS: [&str; 6] = ["probe", "moves", "build", "verify", "engine", "info"];

#[test]
fn completions_name_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = call(&["completions", shell]).success();
        for command in COMMANDS {
            assert!(script.contains(command), "{shell}: {command}");
        }
        // elvish and powershell complete no values of options.
        if ["bash", "fish", "zsh"].contains(&shell) {
            assert!(script.contains("awale-info"), "{shell}: rulesets");
        }
    }
    assert!(call(&["completions", "csh"]).error().contains("bash"));
}

#[test]
fn manual_pages_describe_every_command() {
    let home = tempfile::tempdir().unwrap();
    call_in(home.path(), &words("man --out share/man1")).success();
    let page = |name: &str| {
        let file = home.path().join("share/man1").join(name);
        std::fs::read_to_string(file).unwrap()
    };
    let program = page("krou.1");
    for command in COMMANDS {
        assert!(
            program.contains(&format!("krou\\-{command}(1)")),
            "{command}"
        );
        let page = page(&format!("krou-{command}.1"));
        for section in ["OPTIONS", "EXAMPLES", "EXIT STATUS", "ENVIRONMENT", "FILES"] {
            assert!(page.contains(section), "{command}: {section}");
        }
    }
}

#[test]
fn common_options_have_short_forms() {
    let home = tempfile::tempdir().unwrap();
    let line = "build -s 3 -r abapa -d here -t 1 -m 1G";
    assert_eq!(call_in(home.path(), &words(line)).code, Some(0));
    let board = "1 0 0 0 0 0 0 0 0 0 0 1";
    let short = ["probe", "-j", "-r", "abapa", "-d", "here", board];
    let long = [
        "probe", "--json", "--rules", "abapa", "--dir", "here", board,
    ];
    let answer = call_in(home.path(), &short).success();
    assert_eq!(answer, call_in(home.path(), &long).success());
}
