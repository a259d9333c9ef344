//! Which diagrams a list, a review or an export is about.

use sqlx::{QueryBuilder, Sqlite};

use super::effective::fold;
use super::{BookId, DiagramState, PageId, SourceId, natural};
use crate::chess::{FlagCode, Severity};

/// A printed number, or a range of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NumberFilter {
    /// Just this number ("45", "1.16"); zeros in front do not matter.
    Exactly(String),
    /// From one number to another, both included, in natural order ("1.2" to "1.16").
    Range(String, String),
}

impl std::str::FromStr for NumberFilter {
    type Err = String;

    /// "45", "1.16", "40-60". A number that itself holds a dash cannot be part of a range.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        if text.is_empty() {
            return Err("a number is missing".to_owned());
        }
        match text.split_once('-').map(|(from, to)| (from.trim(), to.trim())) {
            Some((from, to)) if !from.is_empty() && !to.is_empty() && !to.contains('-') => {
                if natural::number_key(from) > natural::number_key(to) {
                    return Err(format!("the range {text:?} is empty"));
                }
                Ok(NumberFilter::Range(from.to_owned(), to.to_owned()))
            }
            _ => Ok(NumberFilter::Exactly(text.to_owned())),
        }
    }
}

/// Conditions that must all hold; those that are empty say nothing. Retired diagrams are never listed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    pub book: Option<BookId>,
    /// The book by its exact name.
    pub book_name: Option<String>,
    pub source: Option<SourceId>,
    pub page: Option<PageId>,
    /// Any of these.
    pub states: Vec<DiagramState>,
    /// Carries any of these flags, itself or (for page flags) its page.
    pub flags: Vec<FlagCode>,
    /// Carries a flag of at least this severity.
    pub severity: Option<Severity>,
    pub number: Option<NumberFilter>,
    /// Occurs in number, players, stipulation, caption or path, in any case.
    pub text: Option<String>,
}

impl Filter {
    /// Everything that waits for a person.
    pub fn needs_review() -> Filter {
        Filter { states: vec![DiagramState::NeedsReview], ..Filter::default() }
    }

    /// Everything an export takes unless told otherwise.
    pub fn exportable() -> Filter {
        let states = vec![DiagramState::Accepted, DiagramState::Approved, DiagramState::Corrected];
        Filter { states, ..Filter::default() }
    }

    /// Appends the conditions, for a query over `diagrams d`, `pages p`, `sources s` and `books b`.
    pub(super) fn push(&self, sql: &mut QueryBuilder<Sqlite>) {
        sql.push(" WHERE d.retired_at IS NULL");
        if let Some(book) = self.book {
            sql.push(" AND b.id = ").push_bind(book);
        }
        if let Some(name) = &self.book_name {
            sql.push(" AND b.name = ").push_bind(name.clone());
        }
        if let Some(source) = self.source {
            sql.push(" AND s.id = ").push_bind(source);
        }
        if let Some(page) = self.page {
            sql.push(" AND p.id = ").push_bind(page);
        }
        if !self.states.is_empty() {
            let mut list = sql.push(" AND d.state IN (").separated(", ");
            for &state in &self.states {
                list.push_bind(state);
            }
            sql.push(")");
        }
        if !self.flags.is_empty() {
            sql.push(
                " AND EXISTS (SELECT 1 FROM flags f WHERE (f.diagram_id = d.id OR f.page_id = p.id AND f.diagram_id IS NULL)
                  AND f.code IN (",
            );
            let mut list = sql.separated(", ");
            for code in &self.flags {
                list.push_bind(code.as_str());
            }
            sql.push("))");
        }
        if let Some(severity) = self.severity {
            let all = [Severity::Note, Severity::Doubt, Severity::Impossible];
            sql.push(" AND EXISTS (SELECT 1 FROM flags f WHERE f.diagram_id = d.id AND f.severity IN (");
            let mut list = sql.separated(", ");
            for severity in all.into_iter().filter(|other| *other >= severity) {
                list.push_bind(severity.as_str());
            }
            sql.push("))");
        }
        match &self.number {
            None => {}
            Some(NumberFilter::Exactly(number)) => {
                sql.push(" AND d.number_key = ").push_bind(natural::number_key(number));
            }
            Some(NumberFilter::Range(from, to)) => {
                sql.push(" AND d.number_key BETWEEN ").push_bind(natural::number_key(from));
                sql.push(" AND ").push_bind(natural::number_key(to));
            }
        }
        if let Some(text) = self.text.as_deref().map(str::trim).filter(|text| !text.is_empty()) {
            sql.push(" AND (instr(d.search, ").push_bind(fold(text)).push(") > 0");
            sql.push(" OR instr(s.search, ").push_bind(fold(text)).push(") > 0)");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_ranges() {
        assert_eq!("45".parse(), Ok(NumberFilter::Exactly("45".into())));
        assert_eq!(" 1.2 - 1.16 ".parse(), Ok(NumberFilter::Range("1.2".into(), "1.16".into())));
        assert_eq!("A-1-2".parse(), Ok(NumberFilter::Exactly("A-1-2".into())));
        assert_eq!("-".parse(), Ok(NumberFilter::Exactly("-".into())));
        assert!("60-40".parse::<NumberFilter>().is_err());
        assert!(" ".parse::<NumberFilter>().is_err());
    }
}
