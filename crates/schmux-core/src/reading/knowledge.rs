//! What is known of one agent's screen: a file of `agents/`, checked and compiled.
//!
//! The files' words are documented in `agents/README.md`. Every part is optional:
//! what a file leaves out isn't looked for.

use serde::Deserialize;

use super::field::{Caret, Frame};
use super::pattern::{Pattern, Written, any_in};
use super::{DialogKind, TitleSays};
use crate::evidence::Confidence;
use crate::signal::aside::Aside;

/// Reads the screens of one agent.
#[derive(Debug, Clone)]
pub struct Reader {
    pub name: String,
    /// The versions whose screens were recorded.
    pub seen: Vec<String>,
    /// Where the knowledge is from if it wasn't seen.
    pub documented: Option<String>,
    /// Whether its screen is looked at at all.
    pub reads: bool,
    /// How sure its own shapes are.
    pub(super) confidence: Confidence,
    pub(super) field: FieldKnown,
    pub(super) work: Work,
    pub(super) error: Errors,
    pub(super) title: Titles,
    pub(super) aside: Option<Spoken>,
    pub(super) dialog: Dialogs,
}

#[derive(Debug, Clone)]
pub(super) struct FieldKnown {
    pub glyphs: Vec<String>,
    pub shell: Vec<String>,
    pub frame: Frame,
    pub caret: Caret,
    /// How many rows above the glyph the rule may be.
    pub lead: usize,
}

#[derive(Debug, Clone)]
pub(super) struct Work {
    pub above: Vec<Pattern>,
    pub below: Vec<Pattern>,
    pub bare: Vec<Pattern>,
    pub skip: Vec<Pattern>,
    pub reach: usize,
    pub shown: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Errors {
    pub rows: Vec<Pattern>,
    pub except: Vec<Pattern>,
    pub stop: Vec<Pattern>,
    pub reach: usize,
}

#[derive(Debug, Clone)]
pub(super) struct Titles {
    working: Vec<Pattern>,
    idle: Vec<Pattern>,
    asking: Vec<Pattern>,
}

/// What it tells its terminal by an OSC sequence of its own.
#[derive(Debug, Clone)]
pub(super) struct Spoken {
    osc: u16,
    meanings: Vec<(Aside, Vec<Pattern>)>,
}

#[derive(Debug, Clone)]
pub(super) struct Dialogs {
    pub marks: Vec<char>,
    pub shapes: Vec<Shape>,
    pub digits: Digits,
    pub hints: Vec<Pattern>,
    /// Rows of buttons, and questions that a letter answers.
    pub rows: Vec<Pattern>,
    pub kinds: Vec<(DialogKind, Vec<Pattern>)>,
}

/// How the choices of a dialog are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Shape {
    /// `❯ 1. Yes` and the others below it.
    Numbered,
    /// `❯ Yes` and the others below it, without numbers.
    Marked,
    /// `Yes   No` in one row, one of them on another background.
    Buttons,
    /// `Proceed? (y/n)` and the cursor behind it.
    Confirm,
}

/// What a digit does in a dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Digits {
    /// It chooses at once.
    Choose,
    /// It moves the selection; Enter chooses.
    Move,
    #[default]
    Nothing,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Document {
    name: String,
    #[serde(default)]
    seen: Vec<String>,
    #[serde(default)]
    documented: Option<String>,
    #[serde(default)]
    read: Option<bool>,
    #[serde(default)]
    confidence: Option<Confidence>,
    #[serde(default)]
    field: FieldPart,
    #[serde(default)]
    work: WorkPart,
    #[serde(default)]
    error: ErrorPart,
    #[serde(default)]
    title: TitlePart,
    #[serde(default)]
    aside: Option<AsidePart>,
    #[serde(default)]
    dialog: DialogPart,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct FieldPart {
    glyphs: Vec<String>,
    shell: Vec<String>,
    frame: Frame,
    caret: Caret,
    lead: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct WorkPart {
    above: Vec<Written>,
    below: Vec<Written>,
    bare: Vec<Written>,
    skip: Vec<Written>,
    reach: Option<usize>,
    shown: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ErrorPart {
    rows: Vec<Written>,
    except: Vec<Written>,
    stop: Vec<Written>,
    reach: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct TitlePart {
    working: Vec<Written>,
    idle: Vec<Written>,
    asking: Vec<Written>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AsidePart {
    osc: u16,
    #[serde(default)]
    working: Vec<Written>,
    #[serde(default)]
    idle: Vec<Written>,
    #[serde(default)]
    done: Vec<Written>,
    #[serde(default)]
    asking: Vec<Written>,
    #[serde(default)]
    failed: Vec<Written>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct DialogPart {
    marks: Vec<char>,
    shapes: Vec<Shape>,
    digits: Digits,
    hints: Vec<Written>,
    rows: Vec<Written>,
    permission: Vec<Written>,
    question: Vec<Written>,
    plan: Vec<Written>,
    trust: Vec<Written>,
    login: Vec<Written>,
    menu: Vec<Written>,
}

/// How many rows above the field a working line is looked for: a spinner, a tip,
/// a list of tasks and a queued message fit into it.
const REACH: usize = 14;

impl Reader {
    /// Reads a file; the error says what is wrong with it.
    pub(super) fn parse(text: &str) -> Result<Reader, String> {
        let document: Document = toml::from_str(text).map_err(|error| error.to_string())?;
        Reader::compile(document).map_err(|error| error.to_string())
    }

    fn compile(document: Document) -> Result<Reader, regex::Error> {
        let Document {
            name,
            seen,
            documented,
            read,
            confidence,
            field,
            work,
            error,
            title,
            aside,
            dialog,
        } = document;
        Ok(Reader {
            name,
            seen,
            documented,
            reads: read.unwrap_or(true),
            confidence: confidence.unwrap_or(Confidence::High),
            field: FieldKnown {
                glyphs: field.glyphs,
                shell: field.shell,
                frame: field.frame,
                caret: field.caret,
                lead: field.lead.unwrap_or(1),
            },
            work: Work {
                above: all(&work.above)?,
                below: all(&work.below)?,
                bare: all(&work.bare)?,
                skip: all(&work.skip)?,
                reach: work.reach.unwrap_or(REACH),
                shown: work.shown,
            },
            error: Errors {
                rows: all(&error.rows)?,
                except: all(&error.except)?,
                stop: all(&error.stop)?,
                reach: error.reach.unwrap_or(REACH),
            },
            title: Titles {
                working: all(&title.working)?,
                idle: all(&title.idle)?,
                asking: all(&title.asking)?,
            },
            aside: aside.map(AsidePart::compile).transpose()?,
            dialog: dialog.compile()?,
        })
    }

    /// The number of the OSC sequence by which it tells its state, if it does.
    pub fn osc(&self) -> Option<u16> {
        self.aside.as_ref().map(|aside| aside.osc)
    }

    /// What it says by these words in that sequence.
    pub fn aside(&self, words: &str) -> Option<Aside> {
        let meanings = &self.aside.as_ref()?.meanings;
        meanings.iter().find(|(_, patterns)| any_in(patterns, words)).map(|(says, _)| *says)
    }

    pub fn title_says(&self, title: &str) -> TitleSays {
        if any_in(&self.title.asking, title) {
            TitleSays::Asking
        } else if any_in(&self.title.working, title) {
            TitleSays::Working
        } else if any_in(&self.title.idle, title) {
            TitleSays::Idle
        } else {
            TitleSays::Nothing
        }
    }
}

impl FieldKnown {
    /// Whether a mode that is written in the field is the shell's.
    pub fn is_shell_mode(&self, mode: &str) -> bool {
        self.shell.iter().any(|name| mode.starts_with(name.as_str()))
    }
}

impl AsidePart {
    fn compile(self) -> Result<Spoken, regex::Error> {
        Ok(Spoken {
            osc: self.osc,
            meanings: vec![
                (Aside::Failed, all(&self.failed)?),
                (Aside::Asking, all(&self.asking)?),
                (Aside::Done, all(&self.done)?),
                (Aside::Working, all(&self.working)?),
                (Aside::Idle, all(&self.idle)?),
            ],
        })
    }
}

impl DialogPart {
    fn compile(self) -> Result<Dialogs, regex::Error> {
        Ok(Dialogs {
            marks: self.marks,
            shapes: self.shapes,
            digits: self.digits,
            hints: all(&self.hints)?,
            rows: all(&self.rows)?,
            // In this order: a permission is asked in the words of a question.
            kinds: vec![
                (DialogKind::Trust, all(&self.trust)?),
                (DialogKind::Login, all(&self.login)?),
                (DialogKind::Plan, all(&self.plan)?),
                (DialogKind::Permission, all(&self.permission)?),
                (DialogKind::Menu, all(&self.menu)?),
                (DialogKind::Question, all(&self.question)?),
            ],
        })
    }
}

fn all(written: &[Written]) -> Result<Vec<Pattern>, regex::Error> {
    written.iter().map(Pattern::compile).collect()
}
