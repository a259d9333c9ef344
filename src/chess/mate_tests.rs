use super::*;
use crate::chess::testing::{Dice, Taste, fen_of, random_game, rounds};

fn fen(text: &str) -> Fen {
    text.parse().unwrap()
}

fn all(text: &str, moves: u16) -> MateVerdict {
    mates(&fen(text), moves, &MateParams { max_positions: 50_000_000, max_moves: 9 })
}

fn mate(moves: u16, keys: &[&str]) -> MateVerdict {
    MateVerdict::Mate { moves, keys: keys.iter().map(|key| key.to_string()).collect() }
}

/// Well-known problems with their one key.
const PROBLEMS: &[(&str, u16, &str)] = &[
    // back rank
    ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1, "Rd8#"),
    // fool's mate
    ("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", 1, "Qh4#"),
    // P. Morphy
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2, "Ra6"),
    // a quiet key with the king
    ("8/2p1b3/8/4P3/8/8/k2K4/2Q5 w - - 0 1", 2, "Kc2"),
    // promotion, and Black to move
    ("6K1/4P3/5k2/6p1/8/8/7N/1Q6 w - - 0 1", 2, "e8=Q"),
    ("3q4/8/8/5k2/2P5/2p4n/8/2K5 b - - 0 1", 2, "Qd2+"),
    // smothered
    ("6rk/6pp/8/6N1/8/8/8/6K1 w - - 0 1", 1, "Nf7#"),
];

#[test]
fn finds_the_only_key() {
    for &(text, moves, key) in PROBLEMS {
        assert_eq!(all(text, moves), mate(moves, &[key]), "{text}");
        assert_eq!(all(text, 3), mate(moves, &[key]), "{text}: the shortest mate counts");
        if moves > 1 {
            assert_eq!(all(text, moves - 1), MateVerdict::None, "{text}");
        }
    }
}

#[test]
fn stalemate_is_no_mate_and_a_position_without_kings_none_at_all() {
    assert_eq!(all("7k/8/6K1/8/8/8/8/8 w - - 0 1", 3), MateVerdict::None);
    // Qf7 would be stalemate
    assert_eq!(all("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", 1), mate(1, &["Qf8#"]));
    assert_eq!(all("8/8/8/8/8/8/8/5Q2 w - - 0 1", 2), MateVerdict::Unknown);
    // the side to move is mated already
    assert_eq!(all("3R2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1", 2), MateVerdict::None);
}

#[test]
fn a_diagram_may_castle_and_take_in_passing() {
    let params = MateParams::default();
    // the only mates; the FENs do not say that they are allowed
    for (text, key) in
        [("8/4pP2/8/7N/8/8/1Q6/R3K2k w - - 0 1", "O-O-O#"), ("2Q3BK/k7/8/Pp6/8/1R6/8/8 w - - 0 1", "axb6#")]
    {
        assert_eq!(mates(&fen(text), 1, &params), MateVerdict::None, "{text}");
        assert_eq!(diagram_mates(&fen(text), 1, &params), mate(1, &[key]), "{text}");
    }
}

#[test]
fn what_costs_too_much_is_unknown() {
    let start = fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!(mates(&start, 2, &MateParams::default()), MateVerdict::None);
    assert_eq!(mates(&start, 4, &MateParams::default()), MateVerdict::Unknown);
    let few = MateParams { max_positions: 100, max_moves: 3 };
    assert_eq!(mates(&start, 3, &few), MateVerdict::Unknown);
    assert_eq!(diagram_mates(&start, 3, &few), MateVerdict::Unknown);
}

/// Straight from the definition, without any order or memory.
fn plain(position: &Chess, moves: u16) -> bool {
    moves > 0
        && position.legal_moves().into_iter().any(|m| {
            let mut after = position.clone();
            after.play_unchecked(m);
            let replies = after.legal_moves();
            after.is_checkmate()
                || !replies.is_empty()
                    && replies.into_iter().all(|reply| {
                        let mut next = after.clone();
                        next.play_unchecked(reply);
                        plain(&next, moves - 1)
                    })
        })
}

#[test]
fn agrees_with_the_definition() {
    let mut dice = Dice(7);
    let bound = MateParams { max_positions: u64::MAX, max_moves: 2 };
    let mut mated = 0;
    for round in 0..rounds(40) {
        // late positions of wild games: thinned boards, kings in the open
        let game = random_game(&mut dice, 60 + round % 60, Taste::Wild);
        let Some(position) = game.len().checked_sub(2).map(|at| &game[at]) else { continue };
        let shortest = (1..=2).find(|&moves| plain(position, moves));
        let found = match mates(&fen_of(position), 2, &bound) {
            MateVerdict::Mate { moves, keys } => {
                assert!(!keys.is_empty());
                Some(moves)
            }
            MateVerdict::None => None,
            MateVerdict::Unknown => panic!("there was no bound"),
        };
        assert_eq!(found, shortest, "{}", fen_of(position));
        mated += usize::from(found.is_some());
    }
    assert!(mated > 0, "some of them are mates");
}
