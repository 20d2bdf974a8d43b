//! Splits a text into tags and words.

use super::error::ReadGameError;
use super::saved_game::is_tag_char;

/// The rest of the text, and the line it begins on.
pub(super) struct Scanner<'t> {
    text: &'t str,
    rest: &'t str,
    pub line: usize,
    /// The comments and variations since they were last taken, each with its brackets.
    remarks: Vec<String>,
}

impl<'t> Scanner<'t> {
    pub fn new(text: &'t str) -> Scanner<'t> {
        // Some editors start a text with a byte order mark.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Scanner {
            text,
            rest: text,
            line: 1,
            remarks: Vec::new(),
        }
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.rest = &self.rest[c.len_utf8()..];
        self.line += usize::from(c == '\n');
        Some(c)
    }

    /// Takes all characters up to the first that does not match.
    fn take_while(&mut self, matches: impl Fn(char) -> bool) -> &'t str {
        let end = self.rest.find(|c| !matches(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        self.line += taken.matches('\n').count();
        taken
    }

    fn skip_whitespace(&mut self) {
        self.take_while(char::is_whitespace);
    }

    fn skip_line(&mut self) {
        self.take_while(|c| c != '\n');
        self.next();
    }

    /// Skips to the next line that begins with a tag. In the tags of a game, this is one
    /// after its moves.
    pub fn skip_game(&mut self, is_in_tags: bool) {
        self.skip_line();
        while is_in_tags && self.rest.starts_with('[') {
            self.skip_line();
        }
        while !self.rest.is_empty() && !self.rest.starts_with('[') {
            self.skip_line();
        }
    }

    /// Takes a tag after comments: its name, value and line; `None` if there is none.
    pub fn tag(&mut self) -> Result<Option<(String, String, usize)>, ReadGameError> {
        self.skip_comments()?;
        let line = self.line;
        if self.peek() != Some('[') {
            return Ok(None);
        }
        let tag = self.bracketed_tag().ok_or(ReadGameError::Tag { line })?;
        Ok(Some((tag.0, tag.1, line)))
    }

    fn bracketed_tag(&mut self) -> Option<(String, String)> {
        self.next();
        self.skip_whitespace();
        let name = self.take_while(is_tag_char);
        self.skip_whitespace();
        self.next().filter(|&c| c == '"' && !name.is_empty())?;
        let mut value = String::new();
        loop {
            match self.next()? {
                '"' => break,
                '\\' if matches!(self.peek(), Some('"' | '\\')) => value.extend(self.next()),
                // A long value may be written on several lines.
                '\n' => value.push(' '),
                '\r' => {}
                c if c.is_control() && c != '\t' => return None,
                c => value.push(c),
            }
        }
        self.skip_whitespace();
        self.next().filter(|&c| c == ']')?;
        Some((name.to_owned(), value))
    }

    /// Takes the next word after all comments and variations, with its line; `None` at
    /// the end of the text and before a tag.
    pub fn word(&mut self) -> Result<Option<(&'t str, usize)>, ReadGameError> {
        self.skip_comments()?;
        let line = self.line;
        if matches!(self.peek(), None | Some('[')) {
            return Ok(None);
        }
        // An unpaired bracket is a word too, but not a move.
        let from = self.rest;
        self.next();
        self.take_while(|c| !c.is_whitespace() && !",;{}()".contains(c));
        let length = from.len() - self.rest.len();
        Ok(Some((&from[..length], line)))
    }

    /// Whether nothing is left.
    pub fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    /// The comments and variations since the last call, in the order of the text.
    pub fn take_remarks(&mut self) -> Vec<String> {
        std::mem::take(&mut self.remarks)
    }

    /// Skips what is no move and no tag: whitespace, comments, variations and lines that begin
    /// with `%`. Comments and variations are kept as remarks.
    fn skip_comments(&mut self) -> Result<(), ReadGameError> {
        loop {
            self.take_while(|c| c.is_whitespace() || c == ',');
            let from = self.rest;
            let before = &self.text[..self.text.len() - from.len()];
            match self.peek() {
                Some('{') => self.comment()?,
                Some('(') => self.variation()?,
                Some(';') => {
                    self.skip_line();
                    let end = from.len() - self.rest.len();
                    let comment = from[1..end].trim().replace('}', ")");
                    self.remarks.push(format!("{{ {comment} }}"));
                    continue;
                }
                Some('%') if before.is_empty() || before.ends_with('\n') => {
                    self.skip_line();
                    continue;
                }
                _ => return Ok(()),
            }
            let end = from.len() - self.rest.len();
            self.remarks.push(from[..end].to_owned());
        }
    }

    /// Skips a comment in braces, which cannot be nested.
    fn comment(&mut self) -> Result<(), ReadGameError> {
        let line = self.line;
        self.take_while(|c| c != '}');
        match self.next() {
            Some(_) => Ok(()),
            None => Err(ReadGameError::Unclosed { line, open: '{' }),
        }
    }

    /// Whether the text is one variation.
    pub fn is_variation(&mut self) -> bool {
        self.peek() == Some('(') && self.variation().is_ok() && self.is_at_end()
    }

    /// Skips a variation with all comments and variations inside.
    fn variation(&mut self) -> Result<(), ReadGameError> {
        let line = self.line;
        let mut open = 0_usize;
        loop {
            match self.peek() {
                None => return Err(ReadGameError::Unclosed { line, open: '(' }),
                Some('{') => {
                    self.comment()?;
                    continue;
                }
                Some(';') => {
                    self.skip_line();
                    continue;
                }
                Some('(') => open += 1,
                Some(')') => open -= 1,
                Some(_) => {}
            }
            self.next();
            if open == 0 {
                return Ok(());
            }
        }
    }
}
