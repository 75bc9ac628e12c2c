/** Games for the tests. */

/** With variations in variations, comments and signs. */
export const ANNOTATED = `[Event "Test"]
[White "Anna"]
[Black "Bert"]
[Result "1-0"]

1. e4 e5 2. Nf3 { a developing move } Nc6 (2... d6 3. d4 (3. Bc4 Be7) 3... exd4) 3. Bc4 Nd4 $6
4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1
`;

/** White leaves the queen hanging at move 4, and Black does not mind at move 5. */
export const BLUNDERS = `[White "Anna"]
[Black "Bert"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. Ng5 d5 5. exd5 Na5 6. Qh5 Nxh5 7. Bb5+ c6 8. dxc6 bxc6 9. Be2 Qxg5 *
`;

export const BROKEN = `[White "A"]
[Black "B"]

1. e4 e5
2. Nf3 Ke3 3. Bb5 *
`;

/** Morphy against the Duke of Brunswick and Count Isouard, Paris 1858. */
export const FAMOUS = `[White "Paul Morphy"]
[Black "Duke and Count"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5
11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0
`;
