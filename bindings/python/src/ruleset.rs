//! The class `Ruleset`, and arguments that name one.

use std::str::FromStr;

use krou::rules::{Choices, UnknownWord};
use krou_answers::RulesetFields;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use crate::errors::RulesetError;

/// A game with all its choices.
///
/// A name such as ``"awari"``, or the text of any ruleset, chooses one; single choices
/// change it. They exist in the oware family only: ``grand_slam`` is ``"forced"``,
/// ``"nothing"``, ``"illegal"`` or ``"all"``, ``feeding`` is ``"required"`` or
/// ``"penalty"``, ``leftovers`` is ``"owner"`` or ``"nobody"``, and ``endless`` is
/// ``"even"``, ``"nobody"``, ``"by-side"`` or ``"open"``. Rulesets are immutable and hashable.
///
/// >>> import krou
/// >>> krou.Ruleset("abapa").endless
/// 'by-side'
/// >>> krou.Ruleset("awari", endless="by-side")
/// Ruleset('awale')
/// >>> str(krou.Ruleset("awari", leftovers="nobody"))
/// 'oware+forced+required+nobody+even'
#[pyclass(frozen, eq, hash, module = "krou")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ruleset(pub krou::Ruleset);

/// An argument that is a ruleset or names one.
#[derive(Clone, Copy, Debug)]
pub struct RulesArg(pub krou::Ruleset);

impl RulesArg {
    /// The ruleset of an argument with the default `awari`.
    pub fn or_default(rules: Option<RulesArg>) -> krou::Ruleset {
        rules.map_or_else(krou::Ruleset::default, |rules| rules.0)
    }
}

impl<'py> FromPyObject<'_, 'py> for RulesArg {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<RulesArg> {
        if let Ok(rules) = object.cast::<Ruleset>() {
            return Ok(RulesArg(rules.get().0));
        }
        match object.cast::<PyString>() {
            Ok(name) => parse(&name.to_cow()?).map(RulesArg),
            Err(_) => Err(PyTypeError::new_err(format!(
                "rules must be a name or a krou.Ruleset, not {}",
                object.get_type().name()?
            ))),
        }
    }
}

fn parse(name: &str) -> PyResult<krou::Ruleset> {
    name.parse()
        .map_err(|error: krou::rules::UnknownRuleset| RulesetError::new_err(error.to_string()))
}

/// The choice that a word names.
fn choose<C: FromStr<Err = UnknownWord>>(word: Option<&str>) -> PyResult<Option<C>> {
    let choice = word.map(|word| {
        let choice = word.parse();
        choice.map_err(|error| RulesetError::new_err(format!("{error}, not '{word}'")))
    });
    choice.transpose()
}

#[pymethods]
impl Ruleset {
    #[new]
    #[pyo3(
        signature = (name = None, *, grand_slam = None, feeding = None, leftovers = None, endless = None),
        text_signature = "(name='awari', *, grand_slam=None, feeding=None, leftovers=None, endless=None)"
    )]
    fn new(
        name: Option<RulesArg>,
        grand_slam: Option<&str>,
        feeding: Option<&str>,
        leftovers: Option<&str>,
        endless: Option<&str>,
    ) -> PyResult<Ruleset> {
        let mut choices = Choices::default();
        choices.grand_slam = choose(grand_slam)?;
        choices.feeding = choose(feeding)?;
        choices.leftovers = choose(leftovers)?;
        choices.endless = choose(endless)?;
        let rules = RulesArg::or_default(name).with_choices(&choices);
        rules
            .map(Ruleset)
            .map_err(|error| RulesetError::new_err(error.to_string()))
    }

    /// The names of all named rulesets, the default first.
    ///
    /// >>> import krou
    /// >>> krou.Ruleset.names()[:3]
    /// ['awari', 'awale', 'abapa']
    #[staticmethod]
    fn names() -> Vec<&'static str> {
        krou::Ruleset::NAMED.iter().map(|&(name, _)| name).collect()
    }

    /// The name; ``None`` for a combination of choices without one.
    #[getter]
    fn name(&self) -> Option<&'static str> {
        self.0.name()
    }

    /// The family: ``"oware"`` or ``"stores"``.
    #[getter]
    fn family(&self) -> &'static str {
        RulesetFields::new(self.0).family
    }

    /// What a grand slam does; ``None`` in the store family.
    #[getter]
    fn grand_slam(&self) -> Option<&'static str> {
        RulesetFields::new(self.0).grand_slam
    }

    /// What a move does that leaves the opponent without seeds; ``None`` in the store
    /// family.
    #[getter]
    fn feeding(&self) -> Option<&'static str> {
        RulesetFields::new(self.0).feeding
    }

    /// Who takes the seeds of a terminal position; ``None`` in the store family.
    #[getter]
    fn leftovers(&self) -> Option<&'static str> {
        RulesetFields::new(self.0).leftovers
    }

    /// What endless play is worth; ``None`` in the store family.
    #[getter]
    fn endless(&self) -> Option<&'static str> {
        RulesetFields::new(self.0).endless
    }

    /// Whether boards have bounds, because endless play is worth no single number.
    #[getter]
    fn has_bounds(&self) -> bool {
        self.0.has_bounds()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Ruleset('{}')", self.0)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Ruleset>) -> PyResult<Bound<'py, PyTuple>> {
        let arguments = (slf.get().0.to_string(),);
        (slf.get_type(), arguments).into_pyobject(slf.py())
    }
}
