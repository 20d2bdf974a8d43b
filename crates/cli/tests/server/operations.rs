//! What operators see: health, metrics, versions, the log, and damaged tables.

use std::fs;

use serde_json::{Value, json};

use crate::support::Server;

const BOARD: &str = "/api/v1/awari?board=0,0,0,0,0,1,2,0,0,0,0,1";

#[test]
fn health_and_version_name_program_and_tables() {
    let server = Server::with_tables(&[
        "--seeds 2 --distance --codec raw",
        "--seeds 1 --rules abapa",
    ]);
    assert_eq!(server.get_ok("/health"), json!({"status": "ok"}));
    let answer = server.get_ok("/api/v1/version");
    assert_eq!(answer["version"], env!("CARGO_PKG_VERSION"));
    let tables = answer["tables"].as_array().unwrap();
    let rules: Vec<&Value> = tables.iter().map(|tables| &tables["rules"]).collect();
    assert_eq!(rules, ["awari", "abapa"]);
    // Layers without a file have the built-in tables.
    assert_eq!(
        (&tables[0]["highest"], &tables[1]["highest"]),
        (&json!(9), &json!(9))
    );
    let layers = tables[0]["layers"].as_array().unwrap();
    let third = &layers[4];
    assert_eq!(
        (&third["seeds"], &third["kind"]),
        (&json!(2), &json!("value"))
    );
    assert_eq!(third["codec"], "raw");
    // Equal tables have equal hashes, others have not.
    let mut hashes: Vec<&str> = layers.iter().map(|l| l["hash"].as_str().unwrap()).collect();
    assert!(hashes.iter().all(|hash| hash.len() == 16));
    let same = Server::with_tables(&["--seeds 2 --distance --codec raw"]);
    assert_eq!(same.get_ok("/api/v1/version")["tables"][0], tables[0]);
    let count = hashes.len();
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), count);
}

#[test]
fn metrics_count_requests_by_endpoint() {
    let server = Server::start();
    server.get_ok(BOARD);
    server.get_ok(BOARD);
    server.get("/awari?board=1");
    server.get("/no/such/endpoint");
    server.request("BREW", BOARD, "");
    let response = server.get("/metrics");
    assert_eq!(response.status, 200);
    assert!(response.headers["content-type"].starts_with("application/openmetrics-text"));
    for line in [
        r#"krou_requests_total{endpoint="/api/v1/{rules}",method="GET",status="200"} 2"#,
        r#"krou_requests_total{endpoint="/api/v1/{rules}",method="other",status="405"} 1"#,
        r#"krou_requests_total{endpoint="/{rules}",method="GET",status="400"} 1"#,
        r#"krou_requests_total{endpoint="none",method="GET",status="404"} 1"#,
        r#"krou_request_duration_seconds_count{endpoint="/api/v1/{rules}"} 3"#,
        r#"krou_highest_layer{rules="awari"} 9"#,
        r#"krou_running{kind="analysis"} 0"#,
        r#"krou_refused_total{kind="query"} 0"#,
        "krou_refused_connections_total 0",
    ] {
        assert!(
            response.body.lines().any(|found| found == line),
            "{line}: {}",
            response.body
        );
    }
}

#[cfg(unix)]
#[test]
fn every_request_is_logged_on_request() {
    // The command line, which names an address, counts before variables.
    let server = Server::after(
        "export KROU_SERVE_LOG=info KROU_SERVE_LISTEN=nowhere KROU_SERVE_QUEUE_TIME=",
    );
    server.get_ok(BOARD);
    server.get("/awari?board=%1b%5b2J");
    let log = server.log();
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(lines.len(), 2, "{log}");
    assert!(
        lines[0].contains(" INFO request{client=\"127.0.0.1\" method=GET"),
        "{log}"
    );
    assert!(
        lines[0].contains(BOARD) && lines[0].contains("status=200 ms="),
        "{log}"
    );
    assert!(lines[1].contains("status=400"), "{log}");
    // The time comes first, in UTC.
    assert!(
        lines[0].as_bytes()[0].is_ascii_digit() && lines[0][..30].contains('Z'),
        "{log}"
    );
}

#[test]
fn log_lines_can_be_json() {
    let server = Server::with_options(&["--log=info", "--log-format=json"]);
    server.get_ok(BOARD);
    let line: Value = serde_json::from_str(&server.log()).unwrap();
    assert_eq!(
        (&line["level"], &line["status"]),
        (&json!("INFO"), &json!(200))
    );
    assert_eq!(line["span"]["address"], BOARD);
    assert_eq!(line["span"]["client"], "127.0.0.1");
}

/// Damage that is found when the server starts.
#[test]
fn damaged_tables_are_reported_and_the_others_served() {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir(home.path().join("tables")).unwrap();
    let mut build = crate::program::krou_in(home.path());
    build.args(["build", "--rules", "awale", "--seeds", "4"]);
    assert_eq!(crate::program::run(&mut build).code, Some(0));
    for seeds in ["02", "03"] {
        let file = home.path().join(format!("tables/awale-{seeds}.value.krou"));
        fs::write(file, "not a table").unwrap();
    }
    let server = Server::in_folder(home);
    let reports = server.first_lines();
    for seeds in ["02", "03"] {
        let file = format!("awale-{seeds}.value.krou");
        let lines: Vec<_> = reports.iter().filter(|line| line.contains(&file)).collect();
        assert_eq!(lines.len(), 1, "{reports:?}");
        assert!(lines[0].starts_with("krou: warning: "), "{reports:?}");
    }
    let answer = server.get("/awale?board=1,1,0,0,0,0,0,0,0,0,0,1");
    assert_eq!((answer.status, &answer.json()["missing"]), (404, &json!(3)));
    server.get_ok("/awale?board=1,0,0,0,0,0,0,0,0,0,0,0");
}
