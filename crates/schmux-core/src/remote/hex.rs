//! Bytes as hexadecimal digits: the one encoding that needs no program beyond
//! POSIX over there (`od`).

/// Reads digits; blanks and line ends between them don't count. `None` for
/// anything else, and for half a byte at the end.
pub fn decode(digits: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(digits.len() / 2);
    let mut half = None;
    for &digit in digits {
        if digit.is_ascii_whitespace() {
            continue;
        }
        let value = char::from(digit).to_digit(16)? as u8;
        match half.take() {
            None => half = Some(value),
            Some(high) => bytes.push(high << 4 | value),
        }
    }
    half.is_none().then_some(bytes)
}
