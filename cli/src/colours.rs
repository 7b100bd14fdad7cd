//! How words stand out on a terminal; what is piped is plain.

use anstyle::{AnsiColor, Color, Style};

const fn of(colour: AnsiColor) -> Style {
    Style::new().fg_color(Some(Color::Ansi(colour)))
}

/// Heads of tables, and names.
pub(crate) const BOLD: Style = Style::new().bold();
/// What is wrong.
pub(crate) const RED: Style = of(AnsiColor::Red).bold();
/// What is right.
pub(crate) const GREEN: Style = of(AnsiColor::Green);
/// What is to be known.
pub(crate) const YELLOW: Style = of(AnsiColor::Yellow);
