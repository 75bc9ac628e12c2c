/*
 * librufous: the chess engine Rufous as a library. GPL-3.0-or-later.
 *
 * An engine is made by rufous_new and belongs to the caller until rufous_free. There may be any number of them, and
 * every function may be called from any thread. Searches run on threads of the engine: rufous_go returns at once, and
 * what is found is told by callbacks on one of those threads. Within a callback only rufous_stop and rufous_ponder_hit
 * may be called; the others return RUFOUS_STATUS_IN_CALLBACK there. While a search runs, the functions that change the
 * engine return RUFOUS_STATUS_SEARCHING.
 *
 * Texts are UTF-8 and end with a zero byte. Texts given to a callback are valid until it returns.
 *
 * This file is made by cbindgen from crates/capi: change the source, not the header.
 */

#ifndef RUFOUS_H
#define RUFOUS_H

#include <stdbool.h>
#include <stdint.h>

/**
 * How a call ended. `rufous_message` has the words.
 */
typedef enum RufousStatus {
  /**
   * It was carried out.
   */
  RUFOUS_STATUS_OK,
  /**
   * A pointer that must not be null was null, or a text was not UTF-8.
   */
  RUFOUS_STATUS_BAD_ARGUMENT,
  /**
   * There is no such option, or it does not take this value.
   */
  RUFOUS_STATUS_BAD_OPTION,
  /**
   * The FEN or a move is not valid; the position stays as it was.
   */
  RUFOUS_STATUS_BAD_POSITION,
  /**
   * A search is running.
   */
  RUFOUS_STATUS_SEARCHING,
  /**
   * The function may not be called within a callback.
   */
  RUFOUS_STATUS_IN_CALLBACK,
  /**
   * A bug in Rufous; the engine should be freed.
   */
  RUFOUS_STATUS_PANIC,
} RufousStatus;

/**
 * What a score counts.
 */
typedef enum RufousScoreKind {
  /**
   * Hundredths of a pawn.
   */
  RUFOUS_SCORE_KIND_CENTIPAWNS,
  /**
   * Moves to mate, negative for the side that is mated.
   */
  RUFOUS_SCORE_KIND_MATE,
} RufousScoreKind;

/**
 * Is a score exact?
 */
typedef enum RufousBound {
  /**
   * Yes.
   */
  RUFOUS_BOUND_EXACT,
  /**
   * The true score is at least this.
   */
  RUFOUS_BOUND_LOWER,
  /**
   * The true score is at most this.
   */
  RUFOUS_BOUND_UPPER,
} RufousBound;

/**
 * An engine.
 */
typedef struct RufousEngine RufousEngine;

/**
 * What ends a search: the first limit that is reached. Zero stands for no limit, and a search without any goes on
 * until it is stopped. Times are in milliseconds.
 */
typedef struct RufousLimits {
  /**
   * What is left on White's clock.
   */
  int64_t white_time;
  /**
   * What is left on Black's clock.
   */
  int64_t black_time;
  /**
   * What White gains a move.
   */
  int64_t white_increment;
  /**
   * What Black gains a move.
   */
  int64_t black_increment;
  /**
   * Moves to the next time control.
   */
  int64_t moves_to_go;
  /**
   * Time for this move.
   */
  int64_t move_time;
  /**
   * Depth in plies.
   */
  uint64_t depth;
  /**
   * Nodes of all threads.
   */
  uint64_t nodes;
  /**
   * Ends when a mate in so many moves is proved.
   */
  uint64_t mate;
  /**
   * Searches on the opponent's time until `rufous_ponder_hit`.
   */
  bool ponder;
  /**
   * The only moves to look at, in UCI notation with blanks between them; null for all.
   */
  const char *search_moves;
} RufousLimits;

/**
 * A line that the search has found.
 */
typedef struct RufousInfo {
  /**
   * Depth in plies.
   */
  uint32_t depth;
  /**
   * The deepest line looked at.
   */
  uint32_t selective_depth;
  /**
   * The rank of this line, from 1.
   */
  uint32_t multipv;
  /**
   * What the score counts.
   */
  enum RufousScoreKind score_kind;
  /**
   * The score, for the side to move.
   */
  int32_t score;
  /**
   * Is it exact?
   */
  enum RufousBound bound;
  /**
   * Chances in permille to win, draw and lose; all zero unless `UCI_ShowWDL` is set.
   */
  uint32_t win;
  /**
   * See `win`.
   */
  uint32_t draw;
  /**
   * See `win`.
   */
  uint32_t loss;
  /**
   * Nodes of all threads.
   */
  uint64_t nodes;
  /**
   * Positions found in tablebases.
   */
  uint64_t tablebase_hits;
  /**
   * Milliseconds since the search began.
   */
  uint64_t time;
  /**
   * Permille of the hash table in use.
   */
  uint32_t hashfull;
  /**
   * The line in UCI notation, with blanks between the moves.
   */
  const char *pv;
} RufousInfo;

/**
 * Hears each line that is found.
 */
typedef void (*RufousInfoCallback)(void *user, const struct RufousInfo *info);

/**
 * Hears the move to play and the expected answer; each is null where there is none.
 */
typedef void (*RufousBestMoveCallback)(void *user, const char *best, const char *ponder);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Name and version of the library.
 */
const char *rufous_version(void);

/**
 * What the last call on this thread has to say: why it failed, or what it found, such as the number of tablebases.
 * Empty where there is nothing to say; valid until the next call on this thread.
 */
const char *rufous_message(void);

/**
 * Makes an engine with its options as they are by default, set to the start position. Null where there is not enough
 * memory or no thread.
 */
struct RufousEngine *rufous_new(void);

/**
 * Ends a running search, its last callbacks included, and frees the engine. Null is allowed.
 *
 * # Safety
 * The engine came from `rufous_new` and is not used afterwards, nor by another thread meanwhile.
 */
enum RufousStatus rufous_free(struct RufousEngine *engine);

/**
 * Sets an option of the engine by its UCI name; a button has no value (null).
 *
 * # Safety
 * The engine came from `rufous_new`; the texts end with a zero byte or are null.
 */
enum RufousStatus rufous_set_option(struct RufousEngine *engine,
                                    const char *name,
                                    const char *value);

/**
 * What follows is another game: everything learned is forgotten.
 *
 * # Safety
 * The engine came from `rufous_new`.
 */
enum RufousStatus rufous_new_game(struct RufousEngine *engine);

/**
 * Sets the position: a FEN, or null for the start position, and the moves since then in UCI notation with blanks
 * between them, or null.
 *
 * # Safety
 * The engine came from `rufous_new`; the texts end with a zero byte or are null.
 */
enum RufousStatus rufous_set_position(struct RufousEngine *engine,
                                      const char *fen,
                                      const char *moves);

/**
 * Starts to search and returns at once. `limits` may be null: then the search goes on until `rufous_stop`. Either
 * callback may be null; `user` is handed to them as it is. The best move is told exactly once.
 *
 * # Safety
 * The engine came from `rufous_new`. The callbacks may be called from another thread until the best move was told, and
 * `user` has to be valid for them that long.
 */
enum RufousStatus rufous_go(struct RufousEngine *engine,
                            const struct RufousLimits *limits,
                            RufousInfoCallback on_info,
                            RufousBestMoveCallback on_best_move,
                            void *user);

/**
 * Ends a running search as soon as possible; nothing happens where none runs.
 *
 * # Safety
 * The engine came from `rufous_new`.
 */
enum RufousStatus rufous_stop(struct RufousEngine *engine);

/**
 * The expected move was played: a search that ponders goes on, now on its own clock.
 *
 * # Safety
 * The engine came from `rufous_new`.
 */
enum RufousStatus rufous_ponder_hit(struct RufousEngine *engine);

/**
 * Waits until no search is running and the last callback has returned.
 *
 * # Safety
 * The engine came from `rufous_new`.
 */
enum RufousStatus rufous_wait(struct RufousEngine *engine);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* RUFOUS_H */
