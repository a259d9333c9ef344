//! The scripts that captions are printed in, and the recognizer's languages of each.

/// The scripts that captions are printed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Script {
    Latin,
    Cyrillic,
    Greek,
    Japanese,
    Chinese,
    Korean,
    Thai,
    Arabic,
    Hebrew,
    Devanagari,
    Other,
}

/// The script of a Tesseract language.
pub fn script_of(tesseract: &str) -> Script {
    match tesseract {
        "rus" | "ukr" | "bul" | "srp" | "bel" | "mkd" | "kaz" | "script/Cyrillic" => Script::Cyrillic,
        "ell" | "grc" => Script::Greek,
        "jpn" => Script::Japanese,
        "chi_sim" | "chi_tra" => Script::Chinese,
        "kor" => Script::Korean,
        "tha" => Script::Thai,
        "ara" | "fas" | "urd" => Script::Arabic,
        "heb" => Script::Hebrew,
        "hin" | "mar" => Script::Devanagari,
        "hye" | "kat" | "ben" | "tam" | "tel" | "amh" | "khm" | "lao" | "mya" | "sin" => Script::Other,
        _ => Script::Latin,
    }
}

fn char_script(c: char) -> Script {
    match c as u32 {
        0x0041..=0x024f | 0x1e00..=0x1eff => Script::Latin,
        0x0400..=0x052f => Script::Cyrillic,
        0x0370..=0x03ff | 0x1f00..=0x1fff => Script::Greek,
        0x3040..=0x30ff => Script::Japanese,
        0x3400..=0x9fff => Script::Chinese,
        0xac00..=0xd7af => Script::Korean,
        0x0e00..=0x0e7f => Script::Thai,
        0x0600..=0x06ff => Script::Arabic,
        0x0590..=0x05ff => Script::Hebrew,
        0x0900..=0x097f => Script::Devanagari,
        _ => Script::Other,
    }
}

/// Whether a letter is one of a script's; Japanese is printed with Chinese characters too.
pub fn belongs(c: char, script: Script) -> bool {
    let own = char_script(c);
    own == script || (script == Script::Japanese && own == Script::Chinese)
}

/// Letters of the Greek and Cyrillic alphabets that look like Latin ones.
pub fn is_shared(c: char) -> bool {
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧορνικτυχαАВЕКМНОРСТУХасеорху".contains(c)
}

/// One installed language of each script but that of `before`, the most printed first.
pub(super) fn one_a_script(before: &str, others: &[String]) -> Vec<String> {
    const ORDER: [&str; 16] = [
        "eng", "rus", "ell", "jpn", "chi_sim", "tha", "kor", "ara", "heb", "hin", "ukr", "bul", "srp",
        "chi_tra", "fas", "deu",
    ];
    let mut out: Vec<String> = Vec::new();
    for name in ORDER {
        let script = script_of(name);
        // English reads the Latin letters of every language.
        let english = name == "eng" && before != "eng";
        let known = (script == script_of(before) && !english) || out.iter().any(|o| script_of(o) == script);
        if !known && others.iter().any(|other| other == name) {
            out.push(name.to_owned());
        }
    }
    out
}

/// `one_a_script`, and where the script is Cyrillic already its other languages: і and ї are no letters to a Russian reader.
pub fn candidates(before: &str, others: &[String]) -> Vec<String> {
    let mut out = Vec::new();
    if script_of(before) == Script::Cyrillic {
        out.extend(others.iter().filter(|other| script_of(other) == Script::Cyrillic).cloned());
    }
    out.extend(one_a_script(before, others));
    out
}

/// Latin, Greek and Cyrillic letters look like each other, all others do not.
pub fn shares_no_letters(a: Script, b: Script) -> bool {
    let alike = |script| matches!(script, Script::Latin | Script::Greek | Script::Cyrillic);
    !(alike(a) && alike(b))
}

/// The installed Tesseract language for a language of the lexicon.
pub fn tesseract_language(language: &str, others: &[String]) -> Option<String> {
    let base = language.split('-').next().unwrap_or(language);
    let named = |name: &str| others.iter().find(|other| lexicon_language(other) == Some(name)).cloned();
    named(language).or_else(|| named(base))
}

/// The same script's other spelling.
pub fn sibling(tesseract: &str) -> Option<&'static str> {
    match tesseract {
        "chi_sim" => Some("chi_tra"),
        "chi_tra" => Some("chi_sim"),
        _ => None,
    }
}

/// The lexicon's name of a Tesseract language.
pub fn lexicon_language(tesseract: &str) -> Option<&'static str> {
    Some(match tesseract {
        "eng" | "enm" => "en",
        "deu" | "frk" | "deu_latf" => "de",
        "fra" | "frm" => "fr",
        "spa" | "spa_old" => "es",
        "ita" | "ita_old" => "it",
        "nld" => "nl",
        "rus" => "ru",
        "ukr" => "uk",
        "bul" => "bg",
        "pol" => "pl",
        "ces" => "cs",
        "slk" => "sk",
        "hun" => "hu",
        "srp" | "srp_latn" => "sr",
        "bos" => "bs",
        "hrv" => "hr",
        "slv" => "sl",
        "por" => "pt",
        "ron" => "ro",
        "cat" => "ca",
        "swe" => "sv",
        "dan" => "da",
        "nor" => "nb",
        "fin" => "fi",
        "est" => "et",
        "lit" => "lt",
        "lav" => "lv",
        "ell" => "el",
        "tur" => "tr",
        "ara" => "ar",
        "heb" => "he",
        "fas" => "fa",
        "hin" => "hi",
        "ind" => "id",
        "vie" => "vi",
        "jpn" => "ja",
        "chi_sim" => "zh",
        "chi_tra" => "zh-TW",
        "kor" => "ko",
        "tha" => "th",
        _ => return None,
    })
}
