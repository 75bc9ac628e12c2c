//! The same games as the crate `pgn-reader` reads, where it reads everything.

use std::ops::ControlFlow;

use pgn::{Game, Games, Line};
use pgn_reader::{Nag, RawComment, RawTag, Reader, SanPlus, Skip, Visitor};

/// What both readers say of a game, word by word.
struct Words;

impl Visitor for Words {
    type Tags = Vec<String>;
    type Movetext = Vec<String>;
    type Output = Vec<String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
        ControlFlow::Continue(Vec::new())
    }

    fn tag(&mut self, tags: &mut Vec<String>, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        tags.push(format!("[{} {}", String::from_utf8_lossy(name), value.decode_utf8_lossy()));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Vec<String>) -> ControlFlow<Self::Output, Self::Movetext> {
        ControlFlow::Continue(tags)
    }

    fn san(&mut self, words: &mut Vec<String>, san: SanPlus) -> ControlFlow<Self::Output> {
        words.push(san.san.to_string());
        ControlFlow::Continue(())
    }

    fn nag(&mut self, words: &mut Vec<String>, nag: Nag) -> ControlFlow<Self::Output> {
        words.push(nag.to_string());
        ControlFlow::Continue(())
    }

    fn comment(&mut self, words: &mut Vec<String>, comment: RawComment<'_>) -> ControlFlow<Self::Output> {
        words.push(format!("{{{}", String::from_utf8_lossy(comment.as_bytes()).trim()));
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, words: &mut Vec<String>) -> ControlFlow<Self::Output, Skip> {
        words.push("(".to_owned());
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, words: &mut Vec<String>) -> ControlFlow<Self::Output> {
        words.push(")".to_owned());
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, words: Vec<String>) -> Self::Output {
        words
    }
}

fn ours(game: &Game) -> Vec<String> {
    let mut words: Vec<String> = game.tags.iter().map(|(name, value)| format!("[{name} {value}")).collect();
    push_line(&game.main, game.start, &mut words);
    words
}

fn push_line(line: &Line, mut position: chess::Position, words: &mut Vec<String>) {
    words.extend(line.comments.iter().map(|comment| format!("{{{comment}")));
    for node in &line.moves {
        let san = node.mv.map_or_else(|| "--".to_owned(), |mv| position.san(mv));
        words.push(san.trim_end_matches(['+', '#']).to_owned());
        words.extend(node.nags.iter().map(|nag| format!("${nag}")));
        words.extend(node.comments.iter().map(|comment| format!("{{{comment}")));
        for variation in &node.variations {
            words.push("(".to_owned());
            push_line(variation, position, words);
            words.push(")".to_owned());
        }
        match node.mv {
            Some(mv) => position.play(mv),
            None => position.play_null(),
        }
    }
}

#[test]
fn both_read_the_same() {
    let text = "[Event \"A [long] \\\"title\\\"\"]\n[Site \"?\"]\n\n{Before} 1. e4 {best (by test); really} e5 $6 2. Nf3 $1 \
                (2. f4 exf4 (2... d5 $5 {Falkbeer} 3. exd5) 3. Nf3) (2. -- Nc6) 2... Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 \
                6. Re1 b5 7. Bb3 O-O 8. c3 d5 9. exd5 Nxd5 10. Nxe5 Nxe5 11. Rxe5 1/2-1/2\n\n\
                [Event \"Second\"]\n[FEN \"8/P6k/8/8/8/8/p6K/8 w - - 0 1\"]\n\n1. a8=Q a1=N 2. Qxa1 {over} 1-0\n\n";
    let theirs: Vec<Vec<String>> =
        Reader::new(text.as_bytes()).read_games(&mut Words).collect::<Result<_, _>>().unwrap();
    let ours: Vec<Vec<String>> = Games::new(text).map(|game| ours(&game.unwrap())).collect();
    assert_eq!(ours, theirs);
}
