//! The description of the interface against what the server does.

use krou_answers::Code;
use serde_json::{Map, Value, json};

use crate::support::Server;

const GAME: &str = "start=0-2-0-1-0-1-2-1-0-0-1-1-20-19-S&moves=BaDbFc";
const BOARD: &str = "board=0,0,0,0,0,1,2,0,0,0,0,1";

/// The parameters in the query string of a documented method.
fn query_names(method: &Value) -> Vec<&str> {
    let parameters = method["parameters"].as_array().unwrap().iter();
    let of_query = parameters.filter(|parameter| parameter["in"] == "query");
    of_query
        .map(|parameter| parameter["name"].as_str().unwrap())
        .collect()
}

#[test]
fn the_document_has_every_parameter_and_code() {
    let server = Server::start();
    let document = server.get_ok("/api/v1/openapi.json");
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
    assert_eq!(document["info"]["version"], env!("CARGO_PKG_VERSION"));
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, documented) in methods.as_object().unwrap() {
            // The error of an unknown parameter names those that there are.
            let path = path.replace("{rules}", "awari").replace("{room}", "1");
            let address = format!("{path}?nonsense=1");
            let empty = "Content-Length: 0\r\n";
            let answer = server.request(&method.to_uppercase(), &address, empty);
            assert_eq!(answer.status, 400, "{path}");
            let error = answer.json()["error"].as_str().unwrap().to_owned();
            let names = match query_names(documented) {
                names if names.is_empty() => "none".to_owned(),
                names => names.join(", "),
            };
            let expected = format!("there is no parameter 'nonsense': this endpoint takes {names}");
            assert_eq!(error, expected, "{path}");
        }
    }
    let codes = &document["components"]["schemas"]["Code"]["enum"];
    assert_eq!(*codes, json!(Code::ALL));
}

/// Checks that an answer has this schema, and every object the fields that its schema names.
fn check(document: &Value, schema: &Value, answer: &Value) -> Result<(), String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let target = document.pointer(reference.trim_start_matches('#'));
        return check(document, target.ok_or(reference)?, answer);
    }
    let choices = ["anyOf", "oneOf"].map(|kind| schema[kind].as_array());
    if let Some(choices) = choices.into_iter().flatten().next() {
        let mut fits = choices.iter().map(|choice| check(document, choice, answer));
        return match fits.find(Result::is_ok) {
            Some(_) => Ok(()),
            None => Err(format!("{answer} is none of {}", json!(choices))),
        };
    }
    let types = &schema["type"];
    let kind = match answer {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let is_of_type = types == kind
        || types
            .as_array()
            .is_some_and(|all| all.contains(&json!(kind)));
    let words = schema["enum"].as_array();
    if !is_of_type || words.is_some_and(|words| !words.contains(answer)) {
        return Err(format!("{answer} is not {schema}"));
    }
    match answer {
        Value::Array(items) => items
            .iter()
            .try_for_each(|item| check(document, &schema["items"], item)),
        Value::Object(fields) => check_fields(document, schema, fields),
        _ => Ok(()),
    }
}

fn check_fields(
    document: &Value,
    schema: &Value,
    fields: &Map<String, Value>,
) -> Result<(), String> {
    for required in schema["required"].as_array().into_iter().flatten() {
        let name = required.as_str().unwrap();
        fields.get(name).ok_or(format!("{name} is missing"))?;
    }
    for (name, value) in fields {
        let others = schema["patternProperties"].as_object();
        let others = others.and_then(|patterns| patterns.values().next());
        let others = others.unwrap_or(&schema["additionalProperties"]);
        let field = schema["properties"].get(name).unwrap_or(others);
        check(document, field, value).map_err(|why| format!("{name}: {why}"))?;
    }
    Ok(())
}

#[test]
fn answers_have_the_fields_of_the_document() {
    let server = Server::start();
    let document = server.get_ok("/api/v1/openapi.json");
    for (endpoint, query) in [
        ("rulesets", ""),
        ("version", ""),
        ("{rules}", BOARD),
        ("{rules}", "fen=0-0-0-0-0-1-2-0-0-0-0-1-22-22-S"),
        ("{rules}/tablebase", "fen=0-0-0-0-0-1-2-0-0-0-0-1-22-22-S"),
        ("{rules}/probe", BOARD),
        ("{rules}/probe", "board=4,4,4,4,4,4,4,4,4,4,4,4"),
        ("{rules}/value", BOARD),
        ("{rules}/moves", BOARD),
        ("{rules}/mainline", BOARD),
        ("{rules}/sowings", BOARD),
        ("{rules}/game", GAME),
        ("{rules}/position", GAME),
        (
            "{rules}/reply",
            "opponent=perfect&start=0-0-0-0-0-1-2-0-0-0-0-1-22-22-S",
        ),
    ] {
        let path = format!("/api/v1/{endpoint}");
        let address = format!("{}?{query}", path.replace("{rules}", "awari"));
        let answer = server.get_ok(&address);
        let content = &document["paths"][&path]["get"]["responses"]["200"]["content"];
        let schema = &content["application/json"]["schema"];
        assert_eq!(check(&document, schema, &answer), Ok(()), "{address}");
    }
}

#[test]
fn texts_events_and_health_have_the_fields_of_the_document() {
    let server = Server::start();
    let document = server.get_ok("/api/v1/openapi.json");
    let text = "[South \"Ama\"] 1. C f! (1… a { no }) 2. F { good }";
    let import = server.post("/api/v1/ogn", text).json();
    assert_ne!(import["remarks"], json!([]));
    let schemas = &document["components"]["schemas"];
    assert_eq!(check(&document, &schemas["ImportAnswer"], &import), Ok(()));
    let health = server.get_ok("/health");
    assert_eq!(check(&document, &schemas["HealthAnswer"], &health), Ok(()));
    let room = json!({
        "token": "0123456789abcdef0123456789abcdef",
        "side": "north",
        "clock": {"minutes": 1, "seconds": 0},
    });
    let room = server.post("/api/v1/awari/rooms", &room.to_string()).json();
    assert_eq!(check(&document, &schemas["SeatAnswer"], &room), Ok(()));
    for (endpoint, query) in [("analysis", "depth=2"), ("review", GAME)] {
        let path = format!("/api/v1/{{rules}}/{endpoint}");
        let content = &document["paths"][&path]["get"]["responses"]["200"]["content"];
        let kinds = content["text/event-stream"]["schema"]["oneOf"].as_array();
        let kinds = kinds.unwrap();
        let events = server.events(&format!("/api/v1/awari/{endpoint}?{query}"));
        for (name, data) in events {
            let mut kinds = kinds.iter().map(|kind| &kind["properties"]);
            let kind = kinds.find(|kind| kind["event"]["const"] == json!(name));
            let schema = &kind.unwrap()["data"]["contentSchema"];
            assert_eq!(check(&document, schema, &data), Ok(()), "{name}");
        }
    }
}
