//! Text in ASCII for programs that know nothing else.

use unicode_normalization::UnicodeNormalization;

/// Accents go (Grünfeld: Grunfeld), Cyrillic is transliterated (Таль: Tal), typographic marks become their plain ones; what has no
/// likeness in ASCII becomes `?`, one for each run of it.
pub fn ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut unknown = false;
    for letter in text.nfc() {
        if letter.is_ascii() {
            unknown = false;
            out.push(letter);
            continue;
        }
        if let Some(plain) = plain(letter) {
            unknown = false;
            out.push_str(plain);
            continue;
        }
        let decomposed: String = std::iter::once(letter).nfkd().filter(char::is_ascii).collect();
        let mark = unicode_normalization::char::is_combining_mark(letter);
        if !decomposed.is_empty() {
            unknown = false;
            out.push_str(&decomposed);
        } else if !mark && !unknown {
            unknown = true;
            out.push('?');
        }
    }
    out
}

fn plain(letter: char) -> Option<&'static str> {
    Some(match letter {
        '\u{2010}'..='\u{2015}' | '\u{2212}' => "-",
        '\u{2018}'..='\u{201b}' | '\u{2032}' | '«' | '»' | '\u{201c}'..='\u{201f}' | '\u{2033}' => "'",
        '…' => "...",
        '·' | '•' => ".",
        '×' => "x",
        '±' => "+-",
        '□' | '△' | '○' | '▽' => "(white)",
        '■' | '▲' | '●' | '▼' => "(black)",
        'ß' => "ss",
        'æ' => "ae",
        'Æ' => "AE",
        'œ' => "oe",
        'Œ' => "OE",
        'ø' => "o",
        'Ø' => "O",
        'đ' => "d",
        'Đ' => "D",
        'ł' => "l",
        'Ł' => "L",
        'ı' => "i",
        'þ' => "th",
        'Þ' => "Th",
        'ð' => "d",
        'Ð' => "D",
        '№' => "No.",
        _ => return cyrillic(letter),
    })
}

fn cyrillic(letter: char) -> Option<&'static str> {
    Some(match letter {
        'а' => "a",
        'б' => "b",
        'в' => "v",
        'г' => "g",
        'д' => "d",
        'е' => "e",
        'ё' => "yo",
        'ж' => "zh",
        'з' => "z",
        'и' => "i",
        'й' => "y",
        'к' => "k",
        'л' => "l",
        'м' => "m",
        'н' => "n",
        'о' => "o",
        'п' => "p",
        'р' => "r",
        'с' => "s",
        'т' => "t",
        'у' => "u",
        'ф' => "f",
        'х' => "kh",
        'ц' => "ts",
        'ч' => "ch",
        'ш' => "sh",
        'щ' => "shch",
        'ъ' | 'ь' | 'Ъ' | 'Ь' => "",
        'ы' => "y",
        'э' => "e",
        'ю' => "yu",
        'я' => "ya",
        'і' => "i",
        'ї' => "yi",
        'є' => "ye",
        'ґ' => "g",
        'ў' => "u",
        'ј' => "j",
        'љ' => "lj",
        'њ' => "nj",
        'ђ' => "dj",
        'ћ' => "c",
        'А' => "A",
        'Б' => "B",
        'В' => "V",
        'Г' => "G",
        'Д' => "D",
        'Е' => "E",
        'Ё' => "Yo",
        'Ж' => "Zh",
        'З' => "Z",
        'И' => "I",
        'Й' => "Y",
        'К' => "K",
        'Л' => "L",
        'М' => "M",
        'Н' => "N",
        'О' => "O",
        'П' => "P",
        'Р' => "R",
        'С' => "S",
        'Т' => "T",
        'У' => "U",
        'Ф' => "F",
        'Х' => "Kh",
        'Ц' => "Ts",
        'Ч' => "Ch",
        'Ш' => "Sh",
        'Щ' => "Shch",
        'Ы' => "Y",
        'Э' => "E",
        'Ю' => "Yu",
        'Я' => "Ya",
        'І' => "I",
        'Ї' => "Yi",
        'Є' => "Ye",
        'Ґ' => "G",
        'Ў' => "U",
        'Ј' => "J",
        'Љ' => "Lj",
        'Њ' => "Nj",
        'Ђ' => "Dj",
        'Ћ' => "C",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_scripts_have_their_likeness() {
        assert_eq!(ascii("Grünfeld – Łódź „1929“"), "Grunfeld - Lodz '1929'");
        assert_eq!(ascii("Таль — Ботвинник, Ход белых"), "Tal - Botvinnik, Khod belykh");
        assert_eq!(ascii("Gru\u{308}nfeld"), "Grunfeld");
        assert_eq!(ascii("ขาวเดิน 2 ที"), "? 2 ?");
        assert!(ascii("王手\u{1f600}é").is_ascii());
    }
}
