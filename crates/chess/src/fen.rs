//! Forsyth-Edwards Notation with its dialects: X-FEN, Shredder-FEN, missing fields, EPD.

use std::fmt;
use std::str::FromStr;

use crate::{
    ClaimedRook, Color, File, Mend, Piece, PieceType, Position, Rank, Setup, SetupError, Square, Wing,
};

/// Why a text is not the FEN of a position; the message names the field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FenError {
    /// There is no text.
    Empty,
    /// The placement has this many ranks in place of eight.
    Ranks(usize),
    /// This rank has more or fewer than eight squares.
    RankLength(char),
    /// This character stands for no piece and no number of empty squares.
    PlacementCharacter(char),
    /// The side to move is missing.
    NoSideToMove,
    /// The side to move is neither `w` nor `b`.
    SideToMove(String),
    /// This character is no right to castle.
    Castling(char),
    /// This is neither a square nor `-`.
    EnPassant(String),
    /// Every field can be read, but they describe no position.
    Setup(SetupError),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "empty FEN"),
            Self::Ranks(n) => write!(f, "piece placement: {n} ranks, not 8"),
            Self::RankLength(rank) => write!(f, "piece placement: rank {rank} does not have 8 squares"),
            Self::PlacementCharacter(c) => write!(f, "piece placement: '{}' is no piece", c.escape_default()),
            Self::NoSideToMove => write!(f, "side to move: missing"),
            Self::SideToMove(text) => write!(f, "side to move: '{}' is not w or b", text.escape_default()),
            Self::Castling(c) => write!(f, "castling: '{}' is no right", c.escape_default()),
            Self::EnPassant(text) => write!(f, "en passant: '{}' is no square", text.escape_default()),
            Self::Setup(error) => write!(f, "piece placement: {error}"),
        }
    }
}

impl std::error::Error for FenError {}

impl From<SetupError> for FenError {
    fn from(error: SetupError) -> Self {
        Self::Setup(error)
    }
}

impl FromStr for Setup {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Self, FenError> {
        Self::read(fen).map(|(setup, _)| setup)
    }
}

impl Setup {
    /// Reads a FEN of two to six fields, and notes the counters that are no numbers. The opcodes of EPD may stand
    /// where the counters would; they and what follows are ignored.
    fn read(fen: &str) -> Result<(Self, Vec<Mend>), FenError> {
        let mut fields = fen.split_ascii_whitespace();
        let board = parse_placement(fields.next().ok_or(FenError::Empty)?)?;
        let side_to_move = match fields.next().ok_or(FenError::NoSideToMove)? {
            "w" | "W" => Color::White,
            "b" | "B" => Color::Black,
            other => return Err(FenError::SideToMove(shorten(other))),
        };
        let castling = fields.next().map_or(Ok(Vec::new()), parse_castling)?;
        let en_passant = match fields.next() {
            None | Some("-") => None,
            Some(text) => {
                Some(text.to_ascii_lowercase().parse().map_err(|_| FenError::EnPassant(shorten(text)))?)
            }
        };
        let mut mends = Vec::new();
        let mut counters = fields.take_while(|field| !is_opcode(field)).fuse();
        let mut counter = |assumed: i64, mend: Mend| {
            let Some(text) = counters.next() else { return assumed };
            parse_counter(text).unwrap_or_else(|| {
                mends.push(mend);
                assumed
            })
        };
        let halfmove_clock = counter(0, Mend::HalfmoveClockUnread);
        let fullmove_number = counter(1, Mend::FullmoveNumberUnread);
        Ok((Self { board, side_to_move, castling, en_passant, halfmove_clock, fullmove_number }, mends))
    }
}

/// Can it be an opcode of EPD, such as `bm` or `;D1`? These begin with a letter.
fn is_opcode(field: &str) -> bool {
    let name = field.trim_matches(';');
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// A number of any size; one too large for the type is as far out of range as the largest that fits.
fn parse_counter(text: &str) -> Option<i64> {
    let text = text.trim_end_matches(';');
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    is_number.then(|| text.parse().unwrap_or(if text.starts_with('-') { i64::MIN } else { i64::MAX }))
}

/// Keeps error messages short whatever the input was.
fn shorten(text: &str) -> String {
    text.chars().take(20).collect()
}

fn parse_placement(text: &str) -> Result<[Option<Piece>; 64], FenError> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 8 {
        return Err(FenError::Ranks(ranks.len()));
    }
    let mut board = [None; 64];
    for (rank, text) in Rank::ALL.into_iter().rev().zip(ranks) {
        let mut file = 0;
        for c in text.chars() {
            match (Piece::from_letter(c), c.to_digit(9)) {
                (Some(piece), _) if file < 8 => {
                    board[rank.index() * 8 + file] = Some(piece);
                    file += 1;
                }
                (None, Some(empty @ 1..=8)) => file += empty as usize,
                (Some(_), _) => return Err(FenError::RankLength(rank.digit())),
                (None, _) => return Err(FenError::PlacementCharacter(c)),
            }
        }
        if file != 8 {
            return Err(FenError::RankLength(rank.digit()));
        }
    }
    Ok(board)
}

fn parse_castling(text: &str) -> Result<Vec<(Color, ClaimedRook)>, FenError> {
    if text == "-" {
        return Ok(Vec::new());
    }
    text.chars()
        .map(|c| {
            let color = if c.is_ascii_uppercase() { Color::White } else { Color::Black };
            let claim = match c.to_ascii_lowercase() {
                'k' => ClaimedRook::OutermostEast,
                'q' => ClaimedRook::OutermostWest,
                file @ 'a'..='h' => ClaimedRook::OnFile(File::new(file as usize - 'a' as usize)),
                _ => return Err(FenError::Castling(c)),
            };
            Ok((color, claim))
        })
        .collect()
}

/// The lines of a list of positions (one FEN or EPD per line) with their numbers, from 1. Blank lines and lines that
/// start with `#` are skipped.
///
/// ```
/// let text = "# openings\n8/8/8/8/8/8/8/K1k5 w - - 0 1\n\n";
/// assert_eq!(chess::fen_lines(text).collect::<Vec<_>>(), [(2, "8/8/8/8/8/8/8/K1k5 w - - 0 1")]);
/// ```
pub fn fen_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// How rights to castle are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FenStyle {
    /// `KQkq` where that says enough, the rook's file elsewhere: the FEN of standard chess, and X-FEN.
    Standard,
    /// Always the rook's file: Shredder-FEN.
    Shredder,
}

impl Position {
    /// The position that a FEN describes; what can be corrected is corrected silently.
    ///
    /// ```
    /// use chess::Position;
    /// let pos = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
    /// assert_eq!(pos.legal_moves().len(), 15);
    /// let error = Position::from_fen("4k3/8/8/8/8/8/8/8 w - - 0 1").unwrap_err();
    /// assert_eq!(error.to_string(), "piece placement: White has no king");
    /// ```
    pub fn from_fen(fen: &str) -> Result<Self, FenError> {
        Self::from_fen_noting(fen).map(|(pos, _)| pos)
    }

    /// As [`from_fen`](Self::from_fen), with a list of everything that was corrected.
    ///
    /// ```
    /// let (pos, mends) = chess::Position::from_fen_noting("4k3/8/8/8/8/8/8/4K2R w KQ - 0 1").unwrap();
    /// assert!(pos.to_string().contains(" w K - "));
    /// assert_eq!(mends.len(), 1);
    /// println!("{}", mends[0]);
    /// ```
    pub fn from_fen_noting(fen: &str) -> Result<(Self, Vec<Mend>), FenError> {
        let (setup, mut mends) = Setup::read(fen)?;
        let (position, mended) = setup.position()?;
        mends.extend(mended);
        Ok((position, mends))
    }

    /// The FEN of the position.
    ///
    /// ```
    /// use chess::{FenStyle, Position};
    /// let fen = Position::startpos().fen(FenStyle::Shredder);
    /// assert_eq!(fen, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1");
    /// ```
    pub fn fen(&self, style: FenStyle) -> String {
        let side = if self.side_to_move() == Color::White { 'w' } else { 'b' };
        let en_passant = self.en_passant().map_or_else(|| "-".to_owned(), |sq| sq.to_string());
        format!(
            "{} {side} {} {en_passant} {} {}",
            self.placement(),
            self.castling_field(style),
            self.halfmove_clock(),
            self.fullmove_number(),
        )
    }

    fn placement(&self) -> String {
        let mut text = String::with_capacity(72);
        for rank in Rank::ALL.into_iter().rev() {
            let mut empty = 0;
            for file in File::ALL {
                match self.piece_on(Square::from_parts(file, rank)) {
                    None => empty += 1,
                    Some(piece) => {
                        push_count(&mut text, empty);
                        text.push(piece.letter());
                        empty = 0;
                    }
                }
            }
            push_count(&mut text, empty);
            if rank != Rank::First {
                text.push('/');
            }
        }
        text
    }

    fn castling_field(&self, style: FenStyle) -> String {
        let mut text = String::new();
        for color in Color::ALL {
            for wing in Wing::ALL {
                let Some(rook) = self.castling().rook(color, wing) else { continue };
                let letter = match (wing, style) {
                    _ if style == FenStyle::Shredder || !self.is_outermost(color, wing, rook) => {
                        rook.file().letter()
                    }
                    (Wing::King, _) => 'k',
                    (Wing::Queen, _) => 'q',
                };
                text.push(if color == Color::White { letter.to_ascii_uppercase() } else { letter });
            }
        }
        if text.is_empty() { "-".to_owned() } else { text }
    }

    fn is_outermost(&self, color: Color, wing: Wing, rook: Square) -> bool {
        let rooks = self.pieces(color, PieceType::Rook) & crate::Bitboard::rank(color.rank(Rank::First));
        Some(rook) == if wing == Wing::King { rooks.last() } else { rooks.first() }
    }
}

fn push_count(text: &mut String, count: u8) {
    if count > 0 {
        text.push(char::from(b'0' + count));
    }
}

/// The FEN in the standard style.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fen(FenStyle::Standard))
    }
}

impl FromStr for Position {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Self, FenError> {
        Self::from_fen(fen)
    }
}
