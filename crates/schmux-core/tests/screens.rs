//! What is read from the screens of real agents.
//!
//! `tests/screens/AGENT-VERSION/SCENE-COLSxROWS.screen` is a screen as tmux shows
//! it, with what the agent really did as its `truth`; `scripts/record-screens`
//! makes them. Each is read by its own agent's reader and by the generic one. The
//! scoreboard counts right, wrong and unknown; a wrong answer of high confidence
//! fails. `readings.txt` holds all that is read (`UPDATE_EXPECT=1` renews it).

// clippy's own exception for tests ends at functions that are not tests themselves.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use expect_test::expect_file;
use schmux_core::evidence::Confidence;
use schmux_core::nudgenik::extract;
use schmux_core::reading::{Case, Content, Library, Reading, Sight, TitleSays};
use schmux_core::screen::{Rows, Screen};

/// One recorded screen.
struct Recorded {
    agent: String,
    name: String,
    truth: String,
    title: String,
    screen: Screen,
    rows: Rows,
}

impl Recorded {
    /// The scene's name without the size.
    fn scene(&self) -> &str {
        let name = self.name.rsplit('/').next().unwrap_or(&self.name);
        name.rsplit_once('-').map_or(name, |(scene, _)| scene)
    }
}

#[test]
fn screens_of_real_agents_are_read_right() {
    let library = Library::embedded();
    let mut readings = String::new();
    let mut board = Board::new();
    let mut wrong = Vec::new();
    let mut last = String::new();
    for screen in recorded() {
        let own = library.reader(&screen.agent).read(&screen.rows, &screen.title);
        let generic = library.reader("generic").read(&screen.rows, &screen.title);
        if last != screen.agent {
            writeln!(readings, "\n# {}\n", screen.agent).unwrap();
            last.clone_from(&screen.agent);
        }
        describe(&mut readings, &screen, &own);
        for (reader, reading) in [(screen.agent.as_str(), &own), ("(generic)", &generic)] {
            let score = score(&screen.truth, reading);
            let cell = board.entry(reader.to_owned()).or_default();
            cell.entry(screen.truth.clone()).or_default()[score as usize] += 1;
            if score == Score::Wrong && reading.confidence == Confidence::High {
                wrong.push(format!("{}: {} read as {}", screen.name, screen.truth, line(reading)));
            }
            if std::env::var_os("SCREENS_VERBOSE").is_some() && score != Score::Right {
                println!(
                    "{score:?} by {reader}: {} is {}, read as {}",
                    screen.name,
                    screen.truth,
                    line(reading)
                );
            }
        }
    }
    let table = table(&board);
    println!("{table}");
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/screens");
    expect_file![here.join("readings.txt")].assert_eq(readings.trim_start());
    expect_file![here.join("scoreboard.txt")].assert_eq(&table);
    let document = fs::read_to_string(here.join("../../../../docs/states.md")).unwrap();
    assert!(document.contains(&table), "docs/states.md holds an old scoreboard");
    assert!(wrong.is_empty(), "wrong and sure of it:\n{}", wrong.join("\n"));
}

/// Every settled screen of hundreds of panes is read, so it has to be cheap: 200
/// microseconds in release. Here it may be a debug build on a loaded machine.
#[test]
fn reading_is_cheap() {
    const TIMES: u32 = 20;
    let library = Library::embedded();
    let (mut all, mut worst, mut count) = (Duration::ZERO, Duration::ZERO, 0);
    for screen in recorded() {
        let reader = library.reader(&screen.agent);
        let mut rows = Rows::default();
        let mut fastest = Duration::MAX;
        for _ in 0..TIMES {
            let start = Instant::now();
            rows.fill(&screen.screen);
            std::hint::black_box(reader.read(&rows, &screen.title));
            fastest = fastest.min(start.elapsed());
        }
        (all, worst, count) = (all + fastest, worst.max(fastest), count + 1);
    }
    let mean = all / count;
    println!("{count} screens: {} us on average, {} at worst", mean.as_micros(), worst.as_micros());
    assert!(mean < Duration::from_millis(2), "{mean:?} for one screen");
}

#[test]
fn the_last_answer_is_extracted_from_real_screens() {
    for (scene, said) in [
        ("finished", "The file is there."),
        ("answered", "Then I will change it."),
        // Some draw a list without its dots.
        ("long", "Line 69 of a long answer, do you want to proceed with step 69?"),
    ] {
        for screen in recorded().iter().filter(|screen| screen.scene() == scene) {
            let rows: Vec<&str> = (0..screen.rows.len()).map(|row| screen.rows.text(row)).collect();
            let found = extract(&rows);
            // A narrow terminal breaks lines within words.
            let dense = |text: &str| text.split_whitespace().collect::<String>();
            let answer = dense(&found.answer);
            assert!(answer.contains(&dense(said)), "{}: {:?}", screen.name, found.answer);
            assert!(!answer.contains("forshortcuts"), "{}: {:?}", screen.name, found.answer);
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Score {
    Right,
    Wrong,
    Unknown,
}

/// Whether a reading says what the agent really did.
fn score(truth: &str, reading: &Reading) -> Score {
    // A title that says "working" is evidence beside the screen: together they
    // are what the engine goes by.
    let says = match (&reading.sight, reading.title) {
        (Sight::Prompt | Sight::Error(_) | Sight::Unknown, TitleSays::Working) => "working",
        (Sight::Unknown | Sight::Working(_), TitleSays::Asking) => "dialog",
        (Sight::Prompt, _) => match reading.field.map(|field| field.content) {
            Some(Content::Draft | Content::Shell) => "draft",
            _ => "idle",
        },
        (sight, _) => sight.name(),
    };
    match (truth, says) {
        ("unknown", "unknown") => Score::Right,
        (_, "unknown") => Score::Unknown,
        // A draft that stands in an idle field: both are an idle agent.
        ("idle", "draft") | ("draft", "idle") => Score::Right,
        (truth, says) if truth == says => Score::Right,
        _ => Score::Wrong,
    }
}

fn line(reading: &Reading) -> String {
    let confidence = format!("{:?}", reading.confidence).to_lowercase();
    format!("{} ({confidence}, {}, title {:?})", reading.sight.name(), reading.why, reading.title)
}

fn describe(out: &mut String, screen: &Recorded, reading: &Reading) {
    let name = screen.name.split_once('/').map_or(screen.name.as_str(), |(_, name)| name);
    writeln!(out, "{name}: {}", line(reading)).unwrap();
    if let Some(field) = reading.field {
        writeln!(out, "  field {}..{} {:?}", field.first, field.last, field.content).unwrap();
    }
    match &reading.sight {
        Sight::Working(text) | Sight::Error(text) => writeln!(out, "  {text}").unwrap(),
        Sight::Dialog(dialog) => {
            let many = if dialog.multiple { ", several" } else { "" };
            writeln!(
                out,
                "  {}{many}: {:?} {:?}",
                dialog.kind.name(),
                dialog.title,
                dialog.question
            )
            .unwrap();
            for text in &dialog.body {
                writeln!(out, "    {text}").unwrap();
            }
            for (at, choice) in dialog.choices.iter().enumerate() {
                let mark = if dialog.selected == Some(at) { '>' } else { ' ' };
                let detail =
                    choice.detail.as_deref().map_or(String::new(), |text| format!(" ({text})"));
                writeln!(out, "  {mark} {}{detail} = {}", choice.label, choice.keys.join(" "))
                    .unwrap();
            }
        }
        _ => {}
    }
}

/// By reader and truth: how many were read right, wrong, and not at all.
type Board = BTreeMap<String, BTreeMap<String, [usize; 3]>>;

/// The truths in the order of the table.
const TRUTHS: [&str; 7] = ["idle", "draft", "working", "dialog", "error", "shell", "unknown"];

fn table(board: &Board) -> String {
    let mut out = format!("| reader | {} | all |\n", TRUTHS.join(" | "));
    writeln!(out, "|---|{}---|", "---|".repeat(TRUTHS.len())).unwrap();
    for (reader, truths) in board {
        assert!(truths.keys().all(|truth| TRUTHS.contains(&truth.as_str())), "{truths:?}");
        let count = |truth: &&str| cell(truths.get(*truth).copied().unwrap_or_default());
        let all = truths.values().fold([0; 3], |all, cell| [0, 1, 2].map(|at| all[at] + cell[at]));
        let cells: Vec<String> = TRUTHS.iter().map(count).collect();
        writeln!(out, "| {reader} | {} | {} |", cells.join(" | "), cell(all)).unwrap();
    }
    out
}

/// The number of those that were read right, and what became of the others.
fn cell([right, wrong, unknown]: [usize; 3]) -> String {
    let others = [(unknown, "unknown"), (wrong, "wrong")];
    let others = others.iter().filter(|(count, _)| *count > 0);
    let others: String = others.map(|(count, word)| format!(", {count} {word}")).collect();
    match (right, others.is_empty()) {
        (0, true) => String::new(),
        _ => format!("{right}{others}"),
    }
}

fn recorded() -> Vec<Recorded> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/screens");
    let mut paths: Vec<PathBuf> = fs::read_dir(&here)
        .expect("the screens are there")
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .flat_map(|directory| fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()))
        .filter(|path| path.extension().is_some_and(|kind| kind == "screen"))
        .collect();
    paths.sort();
    paths.iter().map(|path| parse(path)).collect()
}

fn parse(path: &Path) -> Recorded {
    let text = fs::read_to_string(path).unwrap();
    let case = Case::parse(&text).unwrap_or_else(|what| panic!("{}: {what}", path.display()));
    let directory = path.parent().unwrap().file_name().unwrap().to_str().unwrap();
    let library = Library::embedded();
    // `cursor-agent-1.0` is cursor-agent's.
    let is_its = |name: &&str| {
        directory.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    let agent = library.names().filter(is_its).max_by_key(|name| name.len());
    let scene = path.file_stem().unwrap().to_str().unwrap();
    let screen = case.screen();
    Recorded {
        agent: agent.unwrap_or("generic").to_owned(),
        name: format!("{directory}/{scene}"),
        truth: case.truth,
        title: case.title,
        rows: Rows::read(&screen),
        screen,
    }
}
