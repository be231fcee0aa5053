//! Answers about recordings, for the API. Files are read on threads for that.

use std::path::PathBuf;

use schmux_core::fleet::{Entry, What as Happened};
use schmux_core::ids::SessionId;
use schmux_core::replay::{Cast, Head, Mark, Reason, Record, Version, What};
use schmux_core::time::Moment;

use super::reader::{Index, Place};
use super::shelf;
use crate::app::App;
use crate::http::error::Failure;
use crate::store::HistoryQuery;
use crate::wire::{
    self, Activity, CastQuery, FramesQuery, Gap, GapReason, HistoryEntry, Recording, Replay,
    ReplayFrame, ReplayFrames,
};

/// What a browser plays in a blink.
const USUAL_PART: u32 = 1 << 20;
const LARGEST_PART: u32 = 8 << 20;

/// As many stretches as a time line has pixels.
const MOST_STRETCHES: usize = 2000;

/// A thousand signals are more than anyone looks through on one time line; the newest count.
const MOST_MARKS: usize = 2000;
const MARKS_AT_ONCE: u32 = 1000;

/// All recordings, the last one to change first.
pub async fn list(app: &App) -> Result<Vec<Recording>, Failure> {
    app.replays.recorder.flush().await;
    let dir = app.replays.dir.clone();
    let read = move || -> std::io::Result<Vec<(SessionId, Index)>> {
        let sessions = shelf::sessions(&dir)?;
        Ok(sessions.into_iter().map(|id| (id.clone(), Index::read(&dir, &id))).collect())
    };
    let found = blocking(read).await?.map_err(|error| {
        Failure::internal(format!("can't read {}: {error}", app.replays.dir.display()))
    })?;
    let mut all: Vec<Recording> =
        found.iter().filter_map(|(id, index)| recording(app, id, index)).collect();
    all.sort_by_key(|recording| std::cmp::Reverse(recording.to));
    Ok(all)
}

/// An overview of one.
pub async fn overview(app: &App, name: &str) -> Result<Replay, Failure> {
    let (id, index) = index(app, name).await?;
    let recording = recording(app, &id, &index).ok_or_else(|| nothing(&id))?;
    let marks = history(app, &id, Moment(recording.from), Moment(recording.to)).await?;
    Ok(Replay {
        activity: activity(&index),
        gaps: gaps(&index),
        marks: marks.iter().map(wire::history_entry).collect::<Vec<HistoryEntry>>(),
        recording,
    })
}

/// A part of one, in whole chunks.
pub async fn frames(app: &App, name: &str, query: FramesQuery) -> Result<ReplayFrames, Failure> {
    let after = query.after.as_deref().map(place).transpose()?;
    let limit = u64::from(query.limit.unwrap_or(USUAL_PART).min(LARGEST_PART));
    let to = Moment(query.to.unwrap_or(i64::MAX));
    let (_, index) = index(app, name).await?;
    blocking(move || {
        let mut number = match after {
            Some(place) => index.after(place),
            None => index.begin_at(Moment(query.from.unwrap_or(i64::MIN))),
        };
        let mut answer = ReplayFrames::default();
        let mut size = 0;
        while let Some((place, head)) = index.chunks.get(number) {
            if head.first >= to {
                return answer;
            }
            let records = index.records(number).into_iter().filter(|record| record.at < to);
            answer.frames.extend(records.map(frame));
            size += u64::from(head.length);
            number += 1;
            if size >= limit && number < index.chunks.len() {
                answer.next = Some(format!("{}:{}", place.segment, place.offset));
                return answer;
            }
        }
        answer
    })
    .await
}

/// One as an asciicast, in pieces of some kB.
pub async fn cast(
    app: &App,
    name: &str,
    query: CastQuery,
) -> Result<(SessionId, impl Iterator<Item = String> + Send + 'static), Failure> {
    let version = match query.version.unwrap_or(2) {
        2 => Version::Two,
        3 => Version::Three,
        other => {
            return Err(Failure::bad_request(
                "bad_version",
                format!("there is no asciicast version {other} here"),
            )
            .advice("ask for 2 or 3"));
        }
    };
    let (id, index) = index(app, name).await?;
    let Some((first, last)) = index.span() else { return Err(nothing(&id)) };
    let from = Moment(query.from.unwrap_or(i64::MIN)).max(first);
    let to = Moment(query.to.unwrap_or(i64::MAX)).min(Moment(last.0 + 1));
    let marks = history(app, &id, from, to).await?.iter().filter_map(mark).collect();
    let title = app.session(id.as_str()).ok().and_then(|session| session.nickname);
    let title = title.unwrap_or_else(|| id.to_string());
    let mut cast = Cast::new(version, title, from, query.idle, marks);
    let mut number = index.begin_at(from);
    let mut ended = false;
    let pieces = std::iter::from_fn(move || {
        if ended {
            return None;
        }
        let more = index.chunks.get(number).is_some_and(|(_, head)| head.first < to);
        if !more {
            ended = true;
            return Some(cast.end());
        }
        let records = index.records(number);
        number += 1;
        Some(records.iter().filter(|r| r.at < to).map(|record| cast.add(record)).collect())
    });
    Ok((id, pieces))
}

/// A session's recording, whether the session is still there or not.
async fn index(app: &App, name: &str) -> Result<(SessionId, Index), Failure> {
    app.replays.recorder.flush().await;
    let id = match app.session(name) {
        Ok(session) => session.id,
        // Of one that was disposed the id is all that is left.
        Err(failure) => {
            let id = SessionId::new(name).map_err(|_| failure.clone())?;
            let known = shelf::sessions(&app.replays.dir).unwrap_or_default();
            known.contains(&id).then_some(id).ok_or(failure)?
        }
    };
    let (dir, wanted): (PathBuf, SessionId) = (app.replays.dir.clone(), id.clone());
    let index = blocking(move || Index::read(&dir, &wanted)).await?;
    Ok((id, index))
}

fn nothing(id: &SessionId) -> Failure {
    Failure::not_found("not_recorded", format!("nothing is recorded of {id}"))
        .advice("see [replay] in config.toml: recording may be off, or its limits too low")
}

fn recording(app: &App, id: &SessionId, index: &Index) -> Option<Recording> {
    let (from, to) = index.span()?;
    let fleet = app.fleet.borrow();
    let session = fleet.session(id);
    Some(Recording {
        session_id: id.to_string(),
        target: session.map(|session| session.target.clone()),
        nickname: session.and_then(|session| session.nickname.clone()),
        from: from.0,
        to: to.0,
        bytes: index.bytes,
    })
}

fn activity(index: &Index) -> Vec<Activity> {
    let heads = index.chunks.iter().map(|(_, head)| head);
    let mut all: Vec<Activity> = heads
        .map(|head| Activity { from: head.first.0, to: head.last.0, bytes: head.length.into() })
        .collect();
    // Neighbours become one until there are few enough.
    while all.len() > MOST_STRETCHES {
        all = all
            .chunks(2)
            .map(|pair| Activity {
                from: pair[0].from,
                to: pair[pair.len() - 1].to,
                bytes: pair.iter().map(|stretch| stretch.bytes).sum(),
            })
            .collect();
    }
    all
}

fn gaps(index: &Index) -> Vec<Gap> {
    let mut found = Vec::new();
    let mut before: Option<&Head> = None;
    for (_, head) in &index.chunks {
        if let Some(before) = before {
            let reason = before.gap.or(head.is_fresh.then_some(Reason::Away));
            found.extend(reason.map(|reason| Gap {
                from: before.last.0,
                to: head.first.0,
                reason: reason.into(),
            }));
        }
        before = Some(head);
    }
    found
}

/// What happened to a session in a span of time, without the changes of mind
/// about its state: those are many.
async fn history(
    app: &App,
    session: &SessionId,
    from: Moment,
    to: Moment,
) -> Result<Vec<Entry>, Failure> {
    let mut after = 0;
    let mut found = Vec::new();
    loop {
        let query = HistoryQuery {
            after: Some(after),
            session: Some(session.clone()),
            limit: MARKS_AT_ONCE,
        };
        let page = app.store.history(query).await.map_err(crate::hub::HubError::from)?;
        let Some(last) = page.last() else { break };
        after = last.number;
        let is_wanted = |entry: &Entry| {
            entry.at >= from && entry.at <= to && !matches!(entry.what, Happened::Record { .. })
        };
        found.extend(page.into_iter().filter(is_wanted));
    }
    found.drain(..found.len().saturating_sub(MOST_MARKS));
    Ok(found)
}

/// What is worth a mark in a cast.
fn mark(entry: &Entry) -> Option<Mark> {
    let label = match &entry.what {
        Happened::Signal { state, message, .. } => match message.is_empty() {
            true => state.to_string(),
            false => format!("{state}: {message}"),
        },
        Happened::Message { .. } => "message".to_owned(),
        _ => return None,
    };
    Some(Mark { at: entry.at, label })
}

fn frame(record: Record) -> ReplayFrame {
    let at = record.at.0;
    let text = |data: Vec<u8>| match String::from_utf8(data) {
        Ok(text) => text,
        Err(bad) => String::from_utf8_lossy(bad.as_bytes()).into_owned(),
    };
    match record.what {
        What::Keyframe(size, data) => {
            ReplayFrame::Keyframe { at, cols: size.cols, rows: size.rows, data: text(data) }
        }
        What::Output(data) => ReplayFrame::Output { at, data: text(data) },
        What::Gap(reason) => ReplayFrame::Gap { at, reason: reason.into() },
    }
}

fn place(text: &str) -> Result<Place, Failure> {
    let parse = || {
        let (segment, offset) = text.split_once(':')?;
        Some(Place { segment: segment.parse().ok()?, offset: offset.parse().ok()? })
    };
    parse().ok_or_else(|| {
        Failure::bad_request("bad_after", format!("{text:?} is not where an answer ended"))
            .advice("give the `next` of the answer before, or leave `after` out")
    })
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Failure> {
    tokio::task::spawn_blocking(work).await.map_err(|error| Failure::internal(error.to_string()))
}

impl From<Reason> for GapReason {
    fn from(reason: Reason) -> GapReason {
        match reason {
            Reason::Flood => GapReason::Flood,
            Reason::Behind => GapReason::Behind,
            Reason::Away => GapReason::Away,
        }
    }
}
