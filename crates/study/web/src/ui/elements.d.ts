import type { JSX } from 'preact';

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      /** A piece as Chessground's style sheet knows it. */
      piece: JSX.HTMLAttributes<HTMLElement>;
    }
  }
}
