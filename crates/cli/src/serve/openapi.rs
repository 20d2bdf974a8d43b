//! The description of the interface (`OpenAPI` 3.1), from the descriptions of its endpoints and
//! the types of their answers.

use krou_answers::{
    Access, Body, Cost, Description, ErrorAnswer, Form, Parameter, Shape, Values, narrow,
};
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use serde_json::{Map, Value, json};

use super::table_endpoints::HealthAnswer;

/// Its own address.
pub const PATH: &str = "/api/v1/openapi.json";

const RULES: Parameter =
    Parameter::text("rules", "A named ruleset, or four choices joined by '+'.")
        .with_example("awari");

const ROOM: Parameter =
    Parameter::text("room", "The id of a room.").with_example("0123456789abcdef");

/// Why requests fail: the status, its name in the document, and what it means.
const FAILURES: [(u16, &str, &str); 9] = [
    (
        400,
        "BadRequest",
        "An invalid board, move or parameter, or the game is over.",
    ),
    (
        403,
        "Forbidden",
        "The page of another site asks, or the host is not one of the server's.",
    ),
    (
        404,
        "NotFound",
        "An unknown endpoint or ruleset, or no table.",
    ),
    (
        405,
        "Method",
        "The endpoint does not have this method; the header Allow lists those that it has.",
    ),
    (413, "TooLong", "The body is too long."),
    (414, "AddressTooLong", "The address is too long."),
    (
        500,
        "Fault",
        "A damaged table or a fault of the server; its log has the details.",
    ),
    (503, "Busy", "Too many requests at the same time."),
    (504, "Timeout", "The request took too long."),
];

/// `/health`, for operators.
pub fn health() -> Description {
    Description {
        access: Access::Own,
        cost: Cost::Nothing,
        details: "While the server stops, the same answer has the status 503.",
        answer: Form::json::<HealthAnswer>(),
        ..Description::new("health", "Whether the server takes requests")
    }
}

/// `/metrics`, for operators.
pub fn metrics() -> Description {
    Description {
        access: Access::Own,
        cost: Cost::Nothing,
        answer: Form::text("application/openmetrics-text; version=1.0.0; charset=utf-8"),
        ..Description::new("metrics", "Metrics for Prometheus")
    }
}

/// The document about these endpoints, each at its address, and about itself.
pub fn document<'d>(endpoints: impl Iterator<Item = (&'d str, &'d Description)>) -> Value {
    let mut schemas = Schemas::default();
    let mut paths = Map::new();
    for (path, description) in endpoints {
        paths.insert(path.to_owned(), schemas.path(description));
    }
    let own = Description {
        name: "openapi",
        cost: Cost::Nothing,
        answer: Form::json::<Map<String, Value>>(),
        ..Description::new("openapi.json", "This document")
    };
    paths.insert(PATH.to_owned(), schemas.path(&own));
    let failures =
        FAILURES.map(|(status, name, about)| (name.to_owned(), schemas.failure(status, about)));
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "krou",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Exact values of oware boards, games and searches.",
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "security": [],
        "paths": paths,
        "components": {
            "responses": Map::from_iter(failures),
            "schemas": schemas.definitions(),
        },
    })
}

/// The schemas that the document refers to: a body need not have all fields of its type, and
/// an answer has them all.
struct Schemas {
    answers: SchemaGenerator,
    bodies: SchemaGenerator,
}

impl Default for Schemas {
    fn default() -> Schemas {
        let settings = || {
            SchemaSettings::draft2020_12().with(|settings| {
                settings.definitions_path = "/components/schemas".into();
                settings
                    .transforms
                    .push(Box::new(RecursiveTransform(narrow)));
            })
        };
        Schemas {
            answers: settings().for_serialize().into_generator(),
            bodies: settings().for_deserialize().into_generator(),
        }
    }
}

impl Schemas {
    fn definitions(&mut self) -> Map<String, Value> {
        let mut all = self.bodies.take_definitions(true);
        all.extend(self.answers.take_definitions(true));
        all.sort_keys();
        all
    }

    /// The methods of an address.
    fn path(&mut self, endpoint: &Description) -> Value {
        let name = endpoint.name;
        match &endpoint.body {
            Body::None => json!({"get": self.operation(name, endpoint, None)}),
            Body::Required(body) => json!({"post": self.operation(name, endpoint, Some(body))}),
            Body::Optional(body) => json!({
                "get": self.operation(name, endpoint, None),
                "post": self.operation(&format!("{name}Annotated"), endpoint, Some(body)),
            }),
        }
    }

    fn operation(&mut self, name: &str, endpoint: &Description, body: Option<&Form>) -> Value {
        let mut operation = Map::new();
        operation.insert("operationId".to_owned(), name.into());
        let summary = match (&endpoint.body, body) {
            (Body::Optional(_), Some(_)) => {
                format!("{}, with what the body adds", endpoint.summary)
            }
            _ => endpoint.summary.to_owned(),
        };
        operation.insert("summary".to_owned(), summary.into());
        if !endpoint.details.is_empty() {
            operation.insert("description".to_owned(), endpoint.details.into());
        }
        let of_path = [RULES, ROOM];
        let of_path = of_path
            .iter()
            .filter(|parameter| endpoint.path.contains(&format!("{{{}}}", parameter.name)))
            .map(in_path);
        let query = endpoint.parameters.iter().map(in_query);
        let parameters: Vec<Value> = of_path.chain(query).collect();
        operation.insert("parameters".to_owned(), parameters.into());
        if let Some(body) = body {
            let content = content(&mut self.bodies, body);
            let is_required = matches!(endpoint.body, Body::Required(_));
            let body = json!({"required": is_required, "content": content});
            operation.insert("requestBody".to_owned(), body);
        }
        let content = content(&mut self.answers, &endpoint.answer);
        let answer = json!({"description": "The answer.", "content": content});
        let failures = FAILURES
            .iter()
            .filter(|(status, ..)| can_fail(endpoint, body.is_some(), *status))
            .map(|(status, name, _)| {
                let response = json!({"$ref": format!("#/components/responses/{name}")});
                (status.to_string(), response)
            });
        let mut responses: Map<String, Value> = [("200".to_owned(), answer.clone())]
            .into_iter()
            .chain(failures)
            .collect();
        // Monitors read the same answer while the server stops.
        if name == "health" {
            responses.insert("503".to_owned(), answer);
        }
        operation.insert("responses".to_owned(), responses.into());
        operation.into()
    }

    fn failure(&mut self, status: u16, about: &str) -> Value {
        let content = content(&mut self.answers, &Form::json::<ErrorAnswer>());
        let mut response = json!({"description": about, "content": content});
        if status == 503 {
            response["headers"] = json!({"retry-after": {"schema": {"type": "integer"}}});
        }
        response
    }
}

/// Whether a request can fail with this status.
fn can_fail(endpoint: &Description, has_body: bool, status: u16) -> bool {
    match status {
        403 => endpoint.access == Access::Guarded || has_body,
        413 => has_body,
        404 | 500 | 503 | 504 => endpoint.cost != Cost::Nothing,
        _ => true,
    }
}

fn in_path(parameter: &Parameter) -> Value {
    let mut described = in_query(parameter);
    described["in"] = "path".into();
    described["schema"]["minLength"] = 1.into();
    described
}

fn in_query(parameter: &Parameter) -> Value {
    let schema = match parameter.values {
        Values::Text { default: None } => json!({"type": "string"}),
        Values::Text { default } => json!({"type": "string", "default": default}),
        Values::Letters { most } => {
            json!({"type": "string", "maxLength": most, "pattern": "^[A-Fa-f]*$"})
        }
        Values::Words(words) => json!({"type": "string", "enum": words()}),
        Values::Number {
            least,
            most,
            default,
        } => {
            let mut schema = json!({"type": "integer", "minimum": least, "maximum": most});
            if let Some(default) = default {
                schema["default"] = default.into();
            }
            schema
        }
    };
    let mut described = json!({
        "name": parameter.name,
        "in": "query",
        "required": parameter.is_required,
        "description": parameter.about,
        "schema": schema,
    });
    if let Some(example) = parameter.example {
        described["example"] = example.into();
    }
    described
}

/// A body or an answer by its media type.
fn content(generator: &mut SchemaGenerator, form: &Form) -> Value {
    match form {
        Form::Json(shape) => json!({"application/json": {"schema": (shape.schema)(generator)}}),
        Form::Text { media, example } => {
            let mut described = json!({"schema": {"type": "string"}});
            if let Some(example) = example {
                described["example"] = (*example).into();
            }
            json!({*media: described})
        }
        Form::Events(events) => {
            let events = events
                .iter()
                .map(|(name, shape)| event(generator, name, shape));
            let events: Vec<Value> = events.collect();
            json!({"text/event-stream": {"schema": {"oneOf": events}}})
        }
    }
}

fn event(generator: &mut SchemaGenerator, name: &str, shape: &Shape) -> Value {
    json!({
        "type": "object",
        "properties": {
            "event": {"type": "string", "const": name},
            "data": {
                "type": "string",
                "description": "JSON.",
                "contentMediaType": "application/json",
                "contentSchema": (shape.schema)(generator),
            },
        },
        "required": ["event", "data"],
    })
}
