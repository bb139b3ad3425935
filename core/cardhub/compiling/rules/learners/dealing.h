/* Deals of the tables of learners, as `PlayDeals` and `FastDeals` draw them in Python. */

#include <stdio.h>

#define SEED_TEXT 80
/* The games in a row that one generator deals with fast seeding, as DEALS_IN_ROW in Python. */
#define DEALS_IN_ROW 256
/* No more characters than that are added to a seed. */
#define FAST_TEXT 64

enum group_array {
    OBSERVATIONS, MASKS, SEATS_TO_ACT, SEEDS, ACTIONS, TERMINATED, TRUNCATED, FINAL_SCORES,
    FINAL_OBSERVATIONS, TRUE_STATES, GROUP_ARRAYS,
};

typedef struct {
    Generator seeds, chance; /* with fast seeding, the first one deals */
    int has_chance;
    int64_t seed, games, acts, last_seat;
    /* The seeds and packs of the next games. */
    int64_t next, next_seeds[LANES], packs[LANES][TOKENS];
    int64_t legal_count;
    int64_t *legal, *numbers;
    /* The actions of the present game and of the one before it. */
    Growing record, ended_record;
    int64_t acted_in, ended_in, began_in; /* the steps in which that was last */
} Seating;

typedef struct {
    PyObject_HEAD
    PyObject *tables_of_plan;
    Plan plan;
    Py_buffer arrays[GROUP_ARRAYS];
    int64_t tables, first, most_actions, steps, most_legal;
    int is_valid, is_dealt, is_fast;
    char seed[MOST_TEXT + 1];
    State initial, *states;
    Seating *seatings;
} Group;

/* What a rule at a table gets as its task. */
typedef struct {
    Task task;
    Group *group;
    int64_t table;
    View *view;
} Turn;

/* As `rng.getrandbits(63)`. */
static int64_t next_seed(Generator *seeds) {
    uint64_t low = next_word(seeds), high = next_word(seeds) >> 1;
    return (int64_t)(high << 32 | low);
}

/* Fill in the faces of a game, and shuffle each deck by itself. */
__attribute__((always_inline)) static inline void shuffle_decks(
    const Group *group, int64_t *faces, uint32_t (*word_from)(void *), void *source
) {
    const PlanTable *pack = &group->plan.pack, *decks = &group->plan.decks;
    memcpy(faces, pack->items, pack->count * sizeof(int64_t));
    for (int64_t deck = 0; deck < decks->count; deck++) {
        int64_t count = ((const int64_t *)decks->items)[deck];
        shuffle_by(faces, count, word_from, source);
        faces += count;
    }
}

/* Shuffle the packs of the next games. */
static void shuffle_packs(Group *group, Seating *seating) {
    SeededLanes seeded;
    Key keys[LANES];
    int is_alike = 1;
    for (int lane = 0; lane < LANES; lane++) {
        char text[SEED_TEXT];
        seating->next_seeds[lane] = next_seed(&seating->seeds);
        int length = snprintf(text, SEED_TEXT, "%lld deal", (long long)seating->next_seeds[lane]);
        make_key(&keys[lane], text, length);
        is_alike &= keys[lane].length == keys[0].length;
    }
    if (is_alike)
        seed_lanes(&seeded, keys);
    for (int lane = 0; lane < LANES; lane++) {
        Generator generator;
        FirstWords words = {.seeded = &seeded, .lane = lane, .rest = &generator};
        if (is_alike) {
            shuffle_decks(group, seating->packs[lane], first_word, &words);
        } else {
            seed_by_key(&generator, &keys[lane]);
            shuffle_decks(group, seating->packs[lane], word_of_generator, &generator);
        }
    }
    seating->next = 0;
}

/* Seed a generator for one game or more of a table with fast seeding. */
static void seed_fast(
    Generator *generator, const Turn *turn, const char *games, int64_t number, const char *purpose
) {
    char text[MOST_TEXT + 1];
    int length = snprintf(text, sizeof(text), "seed %s, table %lld, %s %lld%s", turn->group->seed,
                          (long long)(turn->group->first + turn->table), games, (long long)number,
                          purpose);
    seed_by_text(generator, text, length);
}

/* Shuffle the pack of the next game with fast seeding. */
static void shuffle_fast(const Turn *turn, int64_t *faces) {
    Seating *seating = &turn->group->seatings[turn->table];
    if (seating->games % DEALS_IN_ROW == 0)
        seed_fast(&seating->seeds, turn, "games from", seating->games, "");
    shuffle_decks(turn->group, faces, word_of_generator, &seating->seeds);
}

/* The generator of chance; few games need it. */
static Generator *chance_of(const Turn *turn) {
    Seating *seating = &turn->group->seatings[turn->table];
    if (seating->has_chance)
        return &seating->chance;
    seating->has_chance = 1;
    if (turn->group->is_fast) {
        seed_fast(&seating->chance, turn, "game", seating->seed, " chance");
    } else {
        char text[SEED_TEXT];
        int length = snprintf(text, SEED_TEXT, "%lld chance", (long long)seating->seed);
        seed_by_text(&seating->chance, text, length);
    }
    return &seating->chance;
}

/* Make a newly seeded table deal the game after a number of games. */
static void skip_games(const Turn *turn, int64_t games) {
    Group *group = turn->group;
    Seating *seating = &group->seatings[turn->table];
    int64_t faces[TOKENS];
    seating->games = games;
    if (!group->is_fast) {
        for (int64_t game = 0; game < games; game++)
            next_seed(&seating->seeds);
        return;
    }
    for (seating->games -= games % DEALS_IN_ROW; seating->games < games; seating->games++)
        shuffle_fast(turn, faces);
}

/* Fill in the faces of the next game and its number in the arrays. */
static void deal_faces(const Turn *turn, int64_t *faces) {
    Group *group = turn->group;
    Seating *seating = &group->seatings[turn->table];
    if (group->is_fast) {
        shuffle_fast(turn, faces);
        seating->seed = seating->games;
        return;
    }
    if (seating->next == LANES)
        shuffle_packs(group, seating);
    memcpy(faces, seating->packs[seating->next], group->plan.pack.count * sizeof(int64_t));
    seating->seed = seating->next_seeds[seating->next++];
}
