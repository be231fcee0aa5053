//! A link as a QR code in the terminal, for a phone's camera.

use qrcode::render::unicode::Dense1x2;
use qrcode::{EcLevel, QrCode};

/// Of the colour cube: themes have colours of their own for the first sixteen, and a light
/// one may well show "bright white" dark.
const BLACK_ON_WHITE: &str = "\x1b[38;5;16;48;5;231m";

/// The code, with the quiet zone that cameras need. Dark on light, whatever the
/// terminal's colours are, because not every camera reads the opposite. None for a text that is too long.
pub(super) fn code(text: &str) -> Option<String> {
    // A screen has no scratches: the lowest level of repair gives the smallest code.
    let code = QrCode::with_error_correction_level(text, EcLevel::L).ok()?;
    let drawn =
        code.render::<Dense1x2>().dark_color(Dense1x2::Dark).light_color(Dense1x2::Light).build();
    let lines = drawn.lines().map(|line| format!("{BLACK_ON_WHITE}{line}\x1b[m\n"));
    Some(lines.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_fits_a_terminal() {
        let link = format!("https://192.168.178.123:7337/?token={}", "a".repeat(64));
        let code = code(&link).unwrap();
        let widest =
            code.lines().map(|line| line.chars().filter(|c| "█▀▄ ".contains(*c)).count()).max();
        assert!(widest.unwrap() <= 60 && code.lines().count() <= 30, "{code}");
        assert!(super::code(&"x".repeat(5000)).is_none());
    }
}
