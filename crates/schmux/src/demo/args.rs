//! The command line of `schmux demo-agent`, and the manners that follow from it.
//!
//! `--habits` sets what Claude Code or Codex does; every single habit can be
//! set apart, so that a test can build the agent that it needs.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

pub use super::field::Habits;
pub use super::layout::Wrap;

/// A small agent that needs no key: for a first look at schmux, and for tests.
#[derive(Debug, Clone, Args)]
#[command(after_long_help = super::script::HELP)]
pub struct DemoArgs {
    /// Submitted as the first message
    pub prompt: Vec<String>,

    /// Use the alternate screen instead of printing into the scrollback
    #[arg(long)]
    pub fullscreen: bool,
    /// Play the scenes of this file (see below) instead of the built-in ones
    #[arg(long, value_name = "FILE")]
    pub script: Option<PathBuf>,
    /// Append what really happens to this file, as JSON lines
    #[arg(long, value_name = "FILE", env = "SCHMUX_DEMO_JOURNAL")]
    pub journal: Option<PathBuf>,
    /// How the state is signalled where SCHMUX_ENABLED=1
    #[arg(long, value_enum, default_value = "file")]
    pub signals: Signals,
    /// Signal nothing when the human interrupts or denies, as real agents do
    #[arg(long)]
    pub silent_interrupt: bool,
    /// Milliseconds between two words of a reply; 0 prints it at once
    #[arg(long, value_name = "MS", default_value_t = 35)]
    pub speed: u64,
    /// Ask at the start whether this directory is trusted
    #[arg(long)]
    pub trust_dialog: bool,
    /// Ring the terminal's bell when a dialog opens or a turn ends
    #[arg(long)]
    pub bell: bool,

    /// Whose habits the field, the dialogs and the titles have
    #[arg(long, value_enum, default_value = "claude", help_heading = "Habits")]
    pub habits: Habits,
    /// What a backslash before Enter does
    #[arg(long, value_enum, help_heading = "Habits")]
    pub backslash: Option<Backslash>,
    /// How long rows of the field are broken
    #[arg(long, value_enum, default_value = "word", help_heading = "Habits")]
    pub wrap: Wrap,
    /// A paste of so many lines becomes a placeholder; 0 is never
    #[arg(long, value_name = "N", help_heading = "Habits")]
    pub paste_lines: Option<usize>,
    /// A paste of so many characters becomes a placeholder; 0 is never
    #[arg(long, value_name = "N", default_value_t = 1101, help_heading = "Habits")]
    pub paste_chars: usize,
    /// What becomes of a pasted tab
    #[arg(long, value_enum, help_heading = "Habits")]
    pub paste_tabs: Option<Tabs>,
    /// What becomes of a pasted CRLF
    #[arg(long, value_enum, default_value = "double", help_heading = "Habits")]
    pub paste_crlf: Crlf,
    /// A pasted path of a picture becomes an attachment, shown as `[Image #1]`
    #[arg(long, help_heading = "Habits")]
    pub image_paste: bool,
    /// An Enter within so many milliseconds after text is not a submit
    #[arg(long, value_name = "MS", default_value_t = 0, help_heading = "Habits")]
    pub enter_guard: u64,
    /// What such an Enter is instead
    #[arg(long, value_enum, default_value = "newline", help_heading = "Habits")]
    pub enter_guard_does: GuardDoes,
    /// What becomes of a message that is submitted during the work
    #[arg(long, value_enum, help_heading = "Habits")]
    pub while_working: Option<WhileWorking>,
    /// Which letters choose in a dialog, besides the numbers
    #[arg(long, value_enum, help_heading = "Habits")]
    pub dialog_keys: Option<DialogKeys>,
    /// What a pasted single character does in a dialog
    #[arg(long, value_enum, default_value = "acts", help_heading = "Habits")]
    pub dialog_paste: DialogPaste,
    /// The terminal's title while a dialog is open
    #[arg(long, value_enum, help_heading = "Habits")]
    pub dialog_title: Option<DialogTitle>,
    /// The key that opens $VISUAL or $EDITOR on the field
    #[arg(long, value_enum, default_value = "ctrl-g", help_heading = "Habits")]
    pub editor_key: EditorKey,
    /// Hang for so many milliseconds before the editor opens
    #[arg(long, value_name = "MS", default_value_t = 0, help_heading = "Habits")]
    pub editor_delay: u64,
    /// What happens if the editor fails
    #[arg(long, value_enum, default_value = "keep", help_heading = "Habits")]
    pub editor_nonzero: EditorNonzero,
    /// What happens to newlines at the end of the editor's file
    #[arg(long, value_enum, help_heading = "Habits")]
    pub editor_newline: Option<EditorNewline>,
    /// What is drawn again after the editor
    #[arg(long, value_enum, default_value = "region", help_heading = "Habits")]
    pub editor_repaint: EditorRepaint,
    /// The editor key does nothing while completions are shown
    #[arg(long, help_heading = "Habits")]
    pub popup_blocks_editor: bool,
    /// How many presses of Ctrl-C on an empty field exit
    #[arg(long, value_enum, default_value = "twice", help_heading = "Habits")]
    pub ctrl_c: CtrlC,
    /// What Ctrl-Y does
    #[arg(long, value_enum, default_value = "yank", help_heading = "Habits")]
    pub ctrl_y: CtrlY,
    /// What Left does in an empty field
    #[arg(long, value_enum, default_value = "nothing", help_heading = "Habits")]
    pub left_on_empty: LeftOnEmpty,
    /// Whether a message with a leading slash is a command, known or not
    #[arg(long, value_enum, default_value = "command", help_heading = "Habits")]
    pub slash: Slash,
    /// Whether the terminal's cursor is seen, or hidden and drawn by the agent
    #[arg(long, value_enum, default_value = "shown", help_heading = "Habits")]
    pub cursor: Cursor,
    /// The dim text in an empty field; empty for none
    #[arg(long, value_name = "TEXT", help_heading = "Habits")]
    pub ghost: Option<String>,
    /// Show what was typed so many milliseconds late
    #[arg(long, value_name = "MS", default_value_t = 0, help_heading = "Habits")]
    pub echo_delay: u64,
    /// Lose the first N keys
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Habits")]
    pub eat_keys: usize,
}

/// A choice of the command line, where the names explain themselves.
macro_rules! choice {
    ($name:ident { $($variant:ident),+ }) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
        pub enum $name { $($variant),+ }
    };
}

choice!(Signals { File, Marker, None });
choice!(Backslash { Newline, Submits });
choice!(Tabs { Keep, Blanks });
choice!(Crlf { Double, One });
choice!(GuardDoes { Newline, Lost });
choice!(WhileWorking { Queue, Steer, Reject });
choice!(DialogKeys { Numbers, Yn });
choice!(DialogPaste { Acts, Inert });
choice!(DialogTitle { Idle, Action });
choice!(EditorKey { CtrlG, CtrlXCtrlE, None });
choice!(EditorNonzero { Keep, Take });
choice!(EditorNewline { StripOne, StripAll, Keep });
choice!(EditorRepaint { Region, Transcript, BlankIfUnchanged });
choice!(CtrlC { Once, Twice });
choice!(CtrlY { Yank, AutoApprove });
choice!(LeftOnEmpty { Nothing, View });
choice!(Slash { Command, Text });
choice!(Cursor { Shown, Drawn });

/// The arguments with every habit decided.
#[derive(Debug, Clone)]
pub(crate) struct Manners {
    pub(crate) habits: Habits,
    pub(crate) wrap: Wrap,
    pub(crate) backslash: Backslash,
    pub(crate) paste_lines: usize,
    pub(crate) paste_chars: usize,
    pub(crate) paste_tabs: Tabs,
    pub(crate) paste_crlf: Crlf,
    pub(crate) image_paste: bool,
    pub(crate) enter_guard: Duration,
    pub(crate) enter_guard_does: GuardDoes,
    pub(crate) while_working: WhileWorking,
    pub(crate) dialog_keys: DialogKeys,
    pub(crate) dialog_paste: DialogPaste,
    pub(crate) dialog_title: DialogTitle,
    pub(crate) editor_key: EditorKey,
    pub(crate) editor_nonzero: EditorNonzero,
    pub(crate) editor_newline: EditorNewline,
    pub(crate) popup_blocks_editor: bool,
    pub(crate) ctrl_c: CtrlC,
    pub(crate) ctrl_y: CtrlY,
    pub(crate) left_on_empty: LeftOnEmpty,
    pub(crate) slash: Slash,
    pub(crate) cursor: Cursor,
    pub(crate) ghost: String,
    pub(crate) eat_keys: usize,
    pub(crate) bell: bool,
    pub(crate) silent_interrupt: bool,
    pub(crate) trust_dialog: bool,
    pub(crate) word_pause: Duration,
    pub(crate) prompt: String,
}

impl Manners {
    pub(crate) fn new(args: &DemoArgs) -> Manners {
        let claude = args.habits == Habits::Claude;
        // What the two schools do (measured on both) where the command line says nothing.
        Manners {
            habits: args.habits,
            wrap: args.wrap,
            backslash: args.backslash.unwrap_or(if claude {
                Backslash::Newline
            } else {
                Backslash::Submits
            }),
            paste_lines: args.paste_lines.unwrap_or(if claude { 4 } else { 0 }),
            paste_chars: args.paste_chars,
            paste_tabs: args.paste_tabs.unwrap_or(if claude { Tabs::Blanks } else { Tabs::Keep }),
            paste_crlf: args.paste_crlf,
            image_paste: args.image_paste,
            enter_guard: Duration::from_millis(args.enter_guard),
            enter_guard_does: args.enter_guard_does,
            while_working: args.while_working.unwrap_or(if claude {
                WhileWorking::Queue
            } else {
                WhileWorking::Steer
            }),
            dialog_keys: args.dialog_keys.unwrap_or(if claude {
                DialogKeys::Numbers
            } else {
                DialogKeys::Yn
            }),
            dialog_paste: args.dialog_paste,
            dialog_title: args.dialog_title.unwrap_or(if claude {
                DialogTitle::Idle
            } else {
                DialogTitle::Action
            }),
            editor_key: args.editor_key,
            editor_nonzero: args.editor_nonzero,
            editor_newline: args.editor_newline.unwrap_or(if claude {
                EditorNewline::StripOne
            } else {
                EditorNewline::StripAll
            }),
            popup_blocks_editor: args.popup_blocks_editor,
            ctrl_c: args.ctrl_c,
            ctrl_y: args.ctrl_y,
            left_on_empty: args.left_on_empty,
            slash: args.slash,
            cursor: args.cursor,
            ghost: args
                .ghost
                .clone()
                .unwrap_or_else(|| "Try \"may I ask for permission?\"".to_owned()),
            eat_keys: args.eat_keys,
            bell: args.bell,
            silent_interrupt: args.silent_interrupt,
            trust_dialog: args.trust_dialog,
            word_pause: Duration::from_millis(args.speed),
            prompt: args.prompt.join(" "),
        }
    }
}
