use super::*;
use crate::chess::FlagCode;
use crate::chess::testing::{Dice, Taste, fen_of, random_game, rounds};

#[test]
fn positions_of_legal_games_raise_nothing_impossible() {
    let mut dice = Dice(2024);
    let mut seen = 0;
    for round in 0..rounds(24) {
        let taste = [Taste::Any, Taste::Wild, Taste::Pawns, Taste::Quiet][round % 4];
        for position in random_game(&mut dice, 160, taste) {
            let fen = fen_of(&position);
            for flag in check_position(&fen).into_iter().chain(check_placement(&fen.placement)) {
                let harmless = [FlagCode::UnusualMaterial, FlagCode::UpsideDown, FlagCode::ColoursSwapped];
                assert!(harmless.contains(&flag.code), "{fen}: {flag:?}");
            }
            seen += 1;
        }
    }
    eprintln!("{seen} positions");
    assert!(seen > 1500, "{seen}");
}

/// FEN, flags expected with their squares.
const CASES: &[(&str, &str)] = &[
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", ""),
    ("8/8/8/8/8/8/8/8 w - - 0 1", "missing_king: missing_king:"),
    ("4k3/8/8/8/8/8/8/8 w - - 0 1", "missing_king:"),
    ("4k3/8/8/3K4/8/8/8/4K3 w - - 0 1", "extra_king:e1,d5"),
    ("P3k3/8/8/8/8/8/8/p3K3 w - - 0 1", "pawn_on_edge_rank:a1,a8"),
    // the side not to move in check; both in check; kings side by side
    ("4k3/8/8/8/8/8/8/K3R3 w - - 0 1", "opponent_in_check:e8,e1"),
    ("4k3/8/8/8/8/8/8/K3R3 b - - 0 1", ""),
    ("4k3/8/8/8/8/8/r7/K3R3 w - - 0 1", "opponent_in_check:e8,e1"),
    ("8/8/8/3kK3/8/8/8/8 w - - 0 1", "opponent_in_check:e5,d5"),
    // double checks: a rook uncovered by a knight, two that nothing explains, three men
    ("4k3/8/3N4/8/8/8/8/K3R3 b - - 0 1", ""),
    ("4k3/8/8/8/8/2n1n3/8/3K4 w - - 0 1", "impossible_check:d1,c3,e3"),
    ("4k3/3P1P2/8/8/8/8/8/4K3 b - - 0 1", "impossible_check:e8,d7,f7"),
    ("4k3/8/8/1Q2R3/8/8/8/6K1 b - - 0 1", "impossible_check:e8,b5,e5"),
    ("3k4/8/8/b7/8/8/1n1r4/3K4 w - - 0 1", "impossible_check:d1,b2,d2"),
    // two rooks from both sides of one line: only a promotion or nothing
    ("R2k3R/8/8/8/8/8/8/4K3 b - - 0 1", "impossible_check:d8,a8,h8"),
    ("8/8/R2k3R/8/8/8/8/4K3 b - - 0 1", "impossible_check:d6,a6,h6"),
    // only a capture en passant, from e5, opens both lines; without the pawn nothing does
    ("8/8/3Pk3/8/8/1B6/8/K3R3 b - - 0 1", ""),
    ("8/8/4k3/8/8/1B6/8/K3R3 b - - 0 1", "impossible_check:e6,e1,b3"),
    // a pawn on its second rank gives no check that could have been played
    ("8/8/8/8/8/3k4/4P3/K7 b - - 0 1", "impossible_check:d3,e2"),
    ("8/8/8/8/3k4/4P3/8/K7 b - - 0 1", ""),
    (
        "rnbqkbnr/pppppppp/8/8/8/P7/PPPPPPPP/RNBQKBNR w - - 0 1",
        "too_many_pawns:a2,b2,c2,d2,e2,f2,g2,h2,a3 too_many_pieces:",
    ),
    ("4k3/8/8/8/3Q4/8/PPPPPPPP/3QK3 w - - 0 1", "too_many_pieces:d1,d4"),
    ("4k3/8/8/8/3Q4/8/PPPPPPP1/3QK3 w - - 0 1", "unusual_material:d1,d4"),
    ("4k3/8/8/8/8/1P6/P1PPPP2/2B1K1B1 w - - 0 1", "unusual_material:c1,g1"),
    ("4k3/8/8/8/8/8/PPPPPP2/2B1K1B1 w - - 0 1", "unusual_material:g1"),
    // the bishop of c1 never got out
    ("4k3/8/8/4B3/8/8/PPPPPP2/4K3 w - - 0 1", "unusual_material:e5"),
    ("4k3/8/8/4B3/8/8/PPPPPPPP/4K3 w - - 0 1", "too_many_pieces:e5"),
    ("4k3/8/8/8/8/8/PPPPPPPP/2B1K3 w - - 0 1", ""),
    // 32 men and a promoted one
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPQ/RNBQKBNR w KQkq - 0 1", "too_many_pieces:d1,h2"),
    // pawns
    ("rnbqkbnr/pppppppp/8/8/8/P7/P1PPPPPP/RNBQKBNR w KQkq - 0 1", "impossible_pawns:a2,a3"),
    ("rnbqkbnr/ppppppp1/8/8/8/P7/P1PPPPPP/RNBQKBNR w KQkq - 0 1", ""),
    ("4k3/8/8/8/8/P7/PP6/4K3 w - - 0 1", "impossible_pawns:a2,b2,a3"),
    ("4k3/8/8/8/8/P6P/PP4P1/4K3 w - - 0 1", "impossible_pawns:a2,b2,a3"),
    // rights
    ("4k3/8/8/8/8/8/8/R4K1R w KQ - 0 1", "castling_impossible:e1"),
    ("r3k3/8/8/8/8/8/8/4K3 b kq - 0 1", "castling_impossible:h8"),
    ("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", ""),
    // Black has nothing but a king and rooks to have moved last
    ("r3k3/8/8/8/8/8/8/4K3 w q - 0 1", "castling_impossible:a8,e8"),
    ("r3k3/1p6/8/8/8/8/8/4K3 w q - 0 1", "castling_impossible:a8,e8"),
    ("r3k3/8/1p6/8/8/8/8/4K3 w q - 0 1", ""),
    // en passant
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", ""),
    ("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1", ""),
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d3 0 1", "en_passant_impossible:d3"),
    ("4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1", "en_passant_impossible:d6,d5"),
    ("4k3/3p4/8/3pP3/8/8/8/4K3 w - d6 0 1", "en_passant_impossible:d7"),
    ("4k3/3p4/3n4/3pP3/8/8/8/4K3 w - d6 0 1", "en_passant_impossible:d6,d7"),
    // a knight's check cannot come from a double step
    ("4k3/8/8/3p4/8/3n4/8/4K3 w - d6 0 1", "en_passant_impossible:d6,d5"),
    // the step uncovered the bishop
    ("4k3/2b5/8/3p4/8/6K1/8/8 w - d6 0 1", "en_passant_impossible:d6,d5"),
    // turned, exchanged
    ("RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr w - - 0 1", "upside_down:"),
    ("RNBQKBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbqkbnr w - - 0 1", "colours_swapped:"),
];

#[test]
fn each_case_raises_its_flags_and_no_other() {
    let mut wrong = Vec::new();
    for &(fen, expected) in CASES {
        let found: Vec<String> = check_position(&fen.parse().unwrap())
            .into_iter()
            .map(|flag| {
                let squares: Vec<String> = flag.squares.iter().map(Square::to_string).collect();
                format!("{}:{}", flag.code, squares.join(","))
            })
            .collect();
        if found.join(" ") != expected {
            wrong.push(format!("{fen}: {} instead of {expected}", found.join(" ")));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn dead_positions() {
    for (placement, dead) in [
        ("7k/8/8/8/8/8/8/7K", true),
        ("7k/8/8/8/8/8/8/6NK", true),
        ("7k/8/8/8/2b5/8/8/5B1K", true),
        ("7k/8/8/8/3b4/8/8/5B1K", false),
        ("7k/8/8/8/8/8/8/5NNK", false),
        ("7k/8/8/8/8/8/7P/7K", false),
        ("8/8/8/8/3B4/8/8/8", false),
    ] {
        assert_eq!(check_dead(&placement.parse().unwrap()).is_some(), dead, "{placement}");
    }
}
