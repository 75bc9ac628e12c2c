/* Two engines in one program: one plays a few moves, the other judges each of them.
 *
 *     make capi
 *     cc -Icrates/capi/include crates/capi/examples/play.c librufous.a -lm -lpthread -ldl -o play
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rufous.h"

enum { MOVES = 4, LINE = 64 };

struct judgement {
    int32_t score;
    RufousScoreKind kind;
    uint32_t depth;
    char best[8];
};

static void check(RufousStatus status)
{
    if (status != RUFOUS_STATUS_OK) {
        fprintf(stderr, "error %d: %s\n", (int)status, rufous_message());
        exit(EXIT_FAILURE);
    }
}

static void on_info(void *user, const RufousInfo *info)
{
    struct judgement *judgement = user;
    judgement->score = info->score;
    judgement->kind = info->score_kind;
    judgement->depth = info->depth;
}

static void on_best_move(void *user, const char *best, const char *ponder)
{
    struct judgement *judgement = user;
    (void)ponder;
    snprintf(judgement->best, sizeof judgement->best, "%s", best ? best : "");
}

static struct judgement search(RufousEngine *engine, const char *moves, uint64_t nodes)
{
    struct judgement judgement = {0};
    RufousLimits limits = {0};
    limits.nodes = nodes;
    check(rufous_set_position(engine, NULL, moves));
    check(rufous_go(engine, &limits, on_info, on_best_move, &judgement));
    check(rufous_wait(engine));
    return judgement;
}

int main(void)
{
    char game[LINE] = "";
    RufousEngine *player = rufous_new();
    RufousEngine *judge = rufous_new();
    if (!player || !judge) {
        fprintf(stderr, "no engine: %s\n", rufous_message());
        return EXIT_FAILURE;
    }
    printf("%s\n", rufous_version());
    check(rufous_set_option(player, "Skill Level", "5"));
    check(rufous_set_option(judge, "Hash", "8"));

    for (int i = 0; i < MOVES; i++) {
        struct judgement played = search(player, game, 500);
        if (i > 0)
            strcat(game, " ");
        strcat(game, played.best);
        struct judgement seen = search(judge, game, 2000);
        printf("%s: %s%d for the side to move, depth %u\n", played.best,
               seen.kind == RUFOUS_SCORE_KIND_MATE ? "mate " : "", seen.score, seen.depth);
    }

    /* A search without limits ends when it is told to. */
    struct judgement endless = {0};
    check(rufous_go(judge, NULL, on_info, on_best_move, &endless));
    if (rufous_set_option(judge, "Hash", "16") != RUFOUS_STATUS_SEARCHING)
        return EXIT_FAILURE;
    check(rufous_stop(judge));
    check(rufous_wait(judge));
    printf("stopped at %s\n", endless.best);

    /* What makes no sense is refused in words. */
    if (rufous_set_option(judge, "No Such Option", "1") != RUFOUS_STATUS_BAD_OPTION)
        return EXIT_FAILURE;
    printf("refused: %s\n", rufous_message());
    if (rufous_set_position(judge, "not a fen", NULL) != RUFOUS_STATUS_BAD_POSITION)
        return EXIT_FAILURE;
    printf("refused: %s\n", rufous_message());

    check(rufous_free(player));
    check(rufous_free(judge));
    printf("done\n");
    return EXIT_SUCCESS;
}
