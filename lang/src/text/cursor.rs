//! A place in a text, and the smallest pieces that can be read there.
//!
//! Invariants
//! - Spaces, line ends and comments (`;` to the end of the line) stand between any two pieces.
//! - An error is where the piece that was not expected begins.

use super::{ParseCause, ParseError};

pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
    line: u32,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Cursor<'a> {
        let mut cursor = Cursor { text, at: 0, line: 1 };
        cursor.skip();
        cursor
    }

    /// The place of the next piece.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// The line of the next piece, from 1.
    pub(super) fn line(&self) -> u32 {
        self.line
    }

    pub(super) fn error<T>(&self, at: usize, cause: ParseCause) -> Result<T, ParseError> {
        let before = &self.text[..at];
        let line = 1 + before.matches('\n').count() as u32;
        let column = 1 + before.rsplit('\n').next().unwrap_or("").chars().count() as u32;
        Err(ParseError { line, column, cause })
    }

    /// The error that something else was expected at the next piece.
    pub(super) fn expected<T>(&self, want: impl Into<String>) -> Result<T, ParseError> {
        let rest = self.rest();
        let length = match rest.find(|c: char| !is_word(c)) {
            Some(0) => rest.chars().next().map_or(0, char::len_utf8),
            Some(length) => length,
            None => rest.len(),
        };
        let found = match &rest[..length] {
            "" => "the end".into(),
            piece => format!("`{piece}`"),
        };
        self.error(self.at, ParseCause::Expected { want: want.into(), found })
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn advance(&mut self, length: usize) {
        self.line += self.rest()[..length].matches('\n').count() as u32;
        self.at += length;
    }

    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            self.advance(rest.len() - rest.trim_start().len());
            let rest = self.rest();
            if !rest.starts_with(';') {
                return;
            }
            self.advance(rest.find('\n').unwrap_or(rest.len()));
        }
    }

    /// Takes so many bytes and what separates them from the next piece.
    fn take(&mut self, length: usize) -> &'a str {
        let piece = &self.rest()[..length];
        self.advance(length);
        self.skip();
        piece
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.rest().is_empty()
    }

    pub(super) fn peek(&self, punctuation: char) -> bool {
        self.rest().starts_with(punctuation)
    }

    pub(super) fn eat(&mut self, punctuation: char) -> bool {
        let found = self.peek(punctuation);
        if found {
            self.take(punctuation.len_utf8());
        }
        found
    }

    pub(super) fn expect(&mut self, punctuation: char) -> Result<(), ParseError> {
        if self.eat(punctuation) { Ok(()) } else { self.expected(format!("`{punctuation}`")) }
    }

    /// The next word, not taken; empty where there is none.
    pub(super) fn peek_word(&self) -> &'a str {
        let rest = self.rest();
        if rest.starts_with(|c: char| c.is_ascii_digit()) {
            return "";
        }
        &rest[..rest.find(|c: char| !is_word(c)).unwrap_or(rest.len())]
    }

    pub(super) fn word(&mut self, want: &str) -> Result<&'a str, ParseError> {
        match self.peek_word() {
            "" => self.expected(want),
            word => Ok(self.take(word.len())),
        }
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.peek_word() == word;
        if found {
            self.take(word.len());
        }
        found
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Result<(), ParseError> {
        if self.eat_word(word) { Ok(()) } else { self.expected(format!("`{word}`")) }
    }

    /// The longest run of characters that `is_part` takes; may be empty.
    pub(super) fn run(&mut self, is_part: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        self.take(rest.find(|c: char| !is_part(c)).unwrap_or(rest.len()))
    }

    /// A decimal number without sign, perhaps with point and exponent, as written.
    pub(super) fn number(&mut self, want: &str) -> Result<&'a str, ParseError> {
        let rest = self.rest().as_bytes();
        let digits = |from: usize| {
            let rest = rest.get(from..).unwrap_or(&[]);
            rest.iter().take_while(|b| b.is_ascii_digit()).count()
        };
        let mut length = digits(0);
        if length == 0 {
            return self.expected(want);
        }
        if rest.get(length) == Some(&b'.') && digits(length + 1) > 0 {
            length += 1 + digits(length + 1);
        }
        if let Some(b'e' | b'E') = rest.get(length) {
            let sign = usize::from(matches!(rest.get(length + 1), Some(b'-' | b'+')));
            if digits(length + 1 + sign) > 0 {
                length += 1 + sign + digits(length + 1 + sign);
            }
        }
        Ok(self.take(length))
    }

    /// A decimal number of some integer type.
    pub(super) fn integer<T: std::str::FromStr>(&mut self, want: &str) -> Result<T, ParseError> {
        let at = self.at;
        let text = self.number(want)?;
        match text.parse() {
            Ok(number) => Ok(number),
            Err(_) => self.error(at, ParseCause::Number { text: text.into(), want: want.into() }),
        }
    }

    /// A hexadecimal number of up to 64 bits, with its `0x`.
    pub(super) fn hexadecimal(&mut self) -> Result<u64, ParseError> {
        let at = self.at;
        let text = self.run(|c| c.is_ascii_alphanumeric());
        match text.strip_prefix("0x").map(|digits| u64::from_str_radix(digits, 16)) {
            Some(Ok(bits)) => Ok(bits),
            Some(Err(_)) | None => {
                let (text, want) = (text.into(), "64 bits as `0x..`".into());
                self.error(at, ParseCause::Number { text, want })
            }
        }
    }

    /// A text in quotes, with Rust's escapes.
    pub(super) fn string(&mut self) -> Result<String, ParseError> {
        let start = self.at;
        if !self.peek('"') {
            return self.expected("a text in quotes");
        }
        let rest = self.rest();
        let mut chars = rest.char_indices().skip(1);
        let mut text = String::new();
        while let Some((i, c)) = chars.next() {
            match c {
                '"' => {
                    self.take(i + 1);
                    return Ok(text);
                }
                '\\' => match escape(&mut chars) {
                    Some(c) => text.push(c),
                    None => return self.error(start + i, ParseCause::Escape),
                },
                c => text.push(c),
            }
        }
        self.error(start, ParseCause::OpenText)
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The character that an escape stands for, behind its backslash.
fn escape(chars: &mut impl Iterator<Item = (usize, char)>) -> Option<char> {
    match chars.next()?.1 {
        'n' => Some('\n'),
        'r' => Some('\r'),
        't' => Some('\t'),
        '0' => Some('\0'),
        c @ ('\\' | '"' | '\'') => Some(c),
        'u' => {
            let digits: String = chars.map(|(_, c)| c).take_while(|&c| c != '}').collect();
            let digits = digits.strip_prefix('{')?;
            char::from_u32(u32::from_str_radix(digits, 16).ok()?)
        }
        _ => None,
    }
}
