//! Which letters and figurines mean which man, by language.

use shakmaty::Role;

/// Letters (or groups of letters) of the men in printed moves. Figurines are always understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PieceLetters(Vec<(String, Role)>);

/// King, queen, rook, bishop, knight, pawn by language (ISO 639-1), as chess federations and books
/// print them; a pawn's letter is hardly ever printed before a move.
const LANGUAGES: &[(&str, [&str; 6])] = &[
    ("bg", ["Ц", "Д", "Т", "О", "К", "П"]),
    ("ca", ["R", "D", "T", "A", "C", "P"]),
    ("cs", ["K", "D", "V", "S", "J", "P"]),
    ("da", ["K", "D", "T", "L", "S", "B"]),
    ("de", ["K", "D", "T", "L", "S", "B"]),
    ("el", ["Ρ", "Β", "Π", "Α", "Ι", "Σ"]),
    ("en", ["K", "Q", "R", "B", "N", "P"]),
    ("eo", ["R", "D", "T", "K", "Ĉ", "P"]),
    ("es", ["R", "D", "T", "A", "C", "P"]),
    ("et", ["K", "L", "V", "O", "R", "E"]),
    ("fi", ["K", "D", "T", "L", "R", "S"]),
    ("fr", ["R", "D", "T", "F", "C", "P"]),
    ("hr", ["K", "D", "T", "L", "S", "P"]),
    ("hu", ["K", "V", "B", "F", "H", "G"]),
    ("is", ["K", "D", "H", "B", "R", "P"]),
    ("it", ["R", "D", "T", "A", "C", "P"]),
    ("lt", ["K", "V", "B", "R", "Ž", "P"]),
    ("lv", ["K", "D", "T", "L", "Z", "B"]),
    ("nb", ["K", "D", "T", "L", "S", "B"]),
    ("nl", ["K", "D", "T", "L", "P", "O"]),
    ("pl", ["K", "H", "W", "G", "S", "P"]),
    ("pt", ["R", "D", "T", "B", "C", "P"]),
    ("ro", ["R", "D", "T", "N", "C", "P"]),
    ("ru", ["Кр", "Ф", "Л", "С", "К", "П"]),
    ("sk", ["K", "D", "V", "S", "J", "P"]),
    ("sl", ["K", "D", "T", "L", "S", "P"]),
    ("sr", ["К", "Д", "Т", "Л", "С", "П"]),
    ("sv", ["K", "D", "T", "L", "S", "B"]),
    ("tr", ["Ş", "V", "K", "F", "A", "P"]),
    ("uk", ["Кр", "Ф", "Т", "С", "К", "П"]),
];

const ROLES: [Role; 6] = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

impl PieceLetters {
    /// A mapping of its own; longer groups of letters go before shorter ones.
    pub fn new<S: Into<String>>(letters: impl IntoIterator<Item = (S, Role)>) -> PieceLetters {
        let mut letters: Vec<(String, Role)> = letters
            .into_iter()
            .map(|(text, role)| (text.into(), role))
            .filter(|(text, _)| !text.is_empty())
            .collect();
        letters.sort_by_key(|(text, _)| std::cmp::Reverse(text.chars().count()));
        PieceLetters(letters)
    }

    /// The letters of a language by its two-letter code, also with a region ("de-AT").
    pub fn of_language(code: &str) -> Option<PieceLetters> {
        let code = code.split(['-', '_']).next().unwrap_or(code).to_ascii_lowercase();
        let (_, letters) = LANGUAGES.iter().find(|(language, _)| *language == code)?;
        Some(PieceLetters::new(letters.iter().copied().zip(ROLES)))
    }

    /// The English letters, as in SAN.
    pub fn english() -> PieceLetters {
        PieceLetters::new(
            LANGUAGES
                .iter()
                .filter(|(code, _)| *code == "en")
                .flat_map(|(_, l)| l.iter().copied().zip(ROLES)),
        )
    }

    /// Codes of the languages known.
    pub fn languages() -> impl Iterator<Item = &'static str> {
        LANGUAGES.iter().map(|(code, _)| *code)
    }

    /// The man at the start of `text`, and the bytes that it takes.
    pub fn read(&self, text: &str) -> Option<(Role, usize)> {
        let first = text.chars().next()?;
        if let Some(role) = figurine(first) {
            // a variation selector asks for text or picture style
            let selector =
                text[first.len_utf8()..].chars().next().filter(|c| matches!(c, '\u{fe0e}' | '\u{fe0f}'));
            return Some((role, first.len_utf8() + selector.map_or(0, char::len_utf8)));
        }
        self.0
            .iter()
            .find(|(letters, _)| text.starts_with(letters))
            .map(|(letters, role)| (*role, letters.len()))
    }

    /// The role of a single letter, in any case.
    pub fn role_of(&self, letter: char) -> Option<Role> {
        let upper: String = letter.to_uppercase().collect();
        self.0.iter().find(|(letters, _)| *letters == upper).map(|(_, role)| *role)
    }
}

impl Default for PieceLetters {
    fn default() -> Self {
        PieceLetters::english()
    }
}

/// The man of a chess symbol, white or black.
pub fn figurine(symbol: char) -> Option<Role> {
    Some(match symbol {
        '♔' | '♚' => Role::King,
        '♕' | '♛' => Role::Queen,
        '♖' | '♜' => Role::Rook,
        '♗' | '♝' => Role::Bishop,
        '♘' | '♞' => Role::Knight,
        '♙' | '♟' => Role::Pawn,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_tells_its_men_apart() {
        for code in PieceLetters::languages() {
            let letters = PieceLetters::of_language(code).unwrap();
            let mut seen: Vec<&str> = letters.0.iter().map(|(text, _)| text.as_str()).collect();
            seen.sort_unstable();
            seen.dedup();
            assert_eq!(seen.len(), 6, "{code}");
        }
        assert_eq!(PieceLetters::of_language("de-AT"), PieceLetters::of_language("de"));
        assert_eq!(PieceLetters::of_language("xx"), None);
    }

    #[test]
    fn the_longer_group_of_letters_wins() {
        let russian = PieceLetters::of_language("ru").unwrap();
        assert_eq!(russian.read("Крf3"), Some((Role::King, 4)));
        assert_eq!(russian.read("Кf3"), Some((Role::Knight, 2)));
        assert_eq!(russian.read("♞\u{fe0e}f3"), Some((Role::Knight, 6)));
        assert_eq!(russian.read("e4"), None);
    }
}
