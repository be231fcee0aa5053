//! Figures and their table, and the little statistics they need.

use std::fmt::Write;

/// One line of the table.
pub struct Figure {
    pub what: String,
    pub ours: String,
    pub beside: String,
    pub ratio: Option<f64>,
    pub target: String,
    /// Nothing where there is no target.
    pub met: Option<bool>,
}

impl Figure {
    /// A figure whose ratio to what stands beside it must not exceed `limit`.
    pub fn at_most(what: &str, ours: String, beside: String, ratio: f64, limit: f64) -> Figure {
        Figure {
            what: what.to_owned(),
            ours,
            beside,
            ratio: Some(ratio),
            target: format!("≤ {limit}"),
            met: Some(ratio <= limit),
        }
    }

    /// A figure that stands for itself.
    pub fn plain(what: &str, ours: String, target: &str, met: bool) -> Figure {
        Figure {
            what: what.to_owned(),
            ours,
            beside: String::new(),
            ratio: None,
            target: target.to_owned(),
            met: Some(met),
        }
    }

    pub fn failed(what: &str, error: &anyhow::Error) -> Figure {
        Figure::plain(what, format!("could not be measured: {error}"), "", false)
    }

    fn verdict(&self) -> &'static str {
        match self.met {
            Some(true) => "ok",
            Some(false) => "**miss**",
            None => "",
        }
    }

    pub fn line(&self) -> String {
        let ratio = self.ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}"));
        let cells = [&self.what, &self.ours, &self.beside, &ratio, &self.target];
        format!("| {} | {} |", cells.map(|cell| cell.replace('|', "/")).join(" | "), self.verdict())
    }
}

pub fn table(figures: &[Figure]) -> String {
    let mut out = String::from(
        "| figure | schmux | beside it | ratio | target | |\n|---|---|---|---|---|---|\n",
    );
    for figure in figures {
        let _ = writeln!(out, "{}", figure.line());
    }
    out
}

/// Samples of one quantity.
#[derive(Default)]
pub struct Samples(Vec<f64>);

impl Samples {
    pub fn push(&mut self, sample: f64) {
        self.0.push(sample);
    }

    pub fn extend(&mut self, others: Samples) {
        self.0.extend(others.0);
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The value below which this share (0 to 1) of the samples lies.
    pub fn quantile(&self, share: f64) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let index = (share * sorted.len().saturating_sub(1) as f64).round() as usize;
        sorted.get(index).copied().unwrap_or(f64::NAN)
    }

    pub fn median(&self) -> f64 {
        self.quantile(0.5)
    }
}

impl FromIterator<f64> for Samples {
    fn from_iter<I: IntoIterator<Item = f64>>(samples: I) -> Samples {
        Samples(samples.into_iter().collect())
    }
}

pub fn ms(seconds: f64) -> String {
    format!("{:.2} ms", seconds * 1e3)
}
