/** The 960 start positions, by the numbers that Reinhard Scharnagl gave them; 518 is standard chess. */

/** Where the two knights stand among the five squares left, by the number 0 to 9. */
const KNIGHTS = [
  [0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4],
] as const;

/** The FEN of a start position, from 0 to 959. */
export function chess960Fen(number: number): string {
  const rank: (string | undefined)[] = new Array<string | undefined>(8).fill(undefined);
  let rest = number;
  const next = (choices: number) => {
    const digit = rest % choices;
    rest = Math.floor(rest / choices);
    return digit;
  };
  const free = () => rank.flatMap((piece, file) => (piece === undefined ? [file] : []));
  rank[2 * next(4) + 1] = 'b';
  rank[2 * next(4)] = 'b';
  rank[free()[next(6)] ?? 0] = 'q';
  const squares = free();
  for (const index of KNIGHTS[rest] ?? KNIGHTS[0]) rank[squares[index] ?? 0] = 'n';
  for (const piece of ['r', 'k', 'r']) rank[free()[0] ?? 0] = piece;
  const pieces = rank.join('');
  return `${pieces}/pppppppp/8/8/8/8/PPPPPPPP/${pieces.toUpperCase()} w KQkq - 0 1`;
}
