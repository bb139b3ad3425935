/* What the core does with a state for rules: cards that move, faces that are seen, rounds of
   simultaneous choices, and shuffles. It stands after the struct of a game's state. */

#define OPTION(state, number) ((state)->options[number])

/* As in cardhub.model.table.state and .faces. */
#define OVER (-1)
#define CHANCE (-2)
#define OPEN (-1)
#define NOT_ASKED (-2)
#define SECRET 32

enum viewers { NOBODY, OWNER, OTHERS, ALL };

static inline int64_t face_at(const State *state, int64_t token) {
    return state->face.items[number_in(token, state->face.count)];
}

/* The face of a token, as the viewers of `state` may read it. */
static inline int64_t seen_face_at(const State *state, int64_t token) {
    int64_t face = face_at(state, token);
    if (face < 0 || !(state->seen.items[token] & state->viewer)) {
        hidden_token = token;
        give_back(HIDDEN_FACE);
    }
    return face;
}

static inline int has_seen(const State *state, int64_t token) {
    int64_t seen = state->seen.items[number_in(token, state->seen.count)];
    return state->face.items[token] >= 0 && seen & state->viewer;
}

static inline void note_viewers(State *state, int64_t token, enum viewers who, int64_t pile) {
    int64_t *seen = &state->seen.items[number_in(token, state->seen.count)];
    if (who == ALL)
        *seen = state->everybody;
    else if (who != NOBODY)
        *seen |= who == OWNER ? INT64_C(1) << pile : state->everybody ^ INT64_C(1) << pile;
}

static inline void put(State *state, int64_t token, List *zone, enum viewers who, int64_t pile) {
    append(zone, token);
    note_viewers(state, token, who, pile);
}

static inline void put_all(
    State *state, const List *tokens, List *zone, enum viewers who, int64_t pile
) {
    int32_t count = tokens->count;
    for (int32_t i = 0; i < count; i++)
        put(state, tokens->items[i], zone, who, pile);
}

static inline void reveal(State *state, const List *tokens) {
    for (int32_t i = 0; i < tokens->count; i++)
        note_viewers(state, tokens->items[i], ALL, 0);
}

static inline void show(State *state, int64_t token, int64_t seat) {
    int64_t *seen = &state->seen.items[number_in(token, state->seen.count)];
    int64_t bit = INT64_C(1) << number_in(seat, SECRET);
    *seen = (*seen | bit) & ~(bit << SECRET);
}

/* The answer to a question of the rules; all that were recorded have been given before. */
static inline int64_t answered(int64_t answer) { return answer; }

static inline int64_t disclosed(int64_t number) {
    require(number >= 0 && number <= 100);
    return number;
}

/* Whether a seat has made a secret choice in a round. */
static int has_choice(const State *state) {
    (void)state;
#ifdef HAS_CHOICES
    for (int32_t i = 0; i < state->CHOICES.count; i++)
        if (state->CHOICES.items[i] >= 0)
            return 1;
#endif
    return 0;
}

#ifdef HAS_CHOICES
static inline void ask(State *state, const List *seats) {
    List *choices = AS_LIST(state->CHOICES);
    for (int32_t i = 0; i < choices->count; i++)
        require(choices->items[i] < 0);
    require(seats->count > 0);
    choices->count = 0;
    for (int64_t seat = 0; seat < state->seats; seat++)
        append(choices, NOT_ASKED);
    for (int32_t i = 0; i < seats->count; i++)
        set_item(choices, seats->items[i], OPEN);
    state->seat = smallest(seats);
}

/* All choices as seat, choice, seat, choice ...; none before the last. */
static inline List *choose(State *state, int64_t action) {
    List *choices = AS_LIST(state->CHOICES);
    List *made = new_list(2 * choices->count);
    require(choices->count > 0 && item(choices, state->seat) == OPEN);
    set_item(choices, state->seat, action);
    int64_t next = place_in(choices, OPEN);
    if (next >= 0) {
        state->seat = next;
        return made;
    }
    for (int64_t seat = 0; seat < choices->count; seat++) {
        if (choices->items[seat] != NOT_ASKED) {
            append(made, seat);
            append(made, choices->items[seat]);
        }
    }
    choices->count = 0;
    state->seat = item(made, 0);
    return made;
}
#endif

/* Shuffles at the end of the present action; the tokens of all are in one list. */

static inline void shuffle(State *state, const List *tokens) {
    require(state->shuffles < MOST_SHUFFLES);
    assign(AS_LIST(state->shuffled[state->shuffles]), tokens);
    state->shuffles++;
}

/* Collect all cards in one pile. */
static inline void gather(State *state, List *zone) {
    List *tokens = new_list(TOKENS);
    for (int32_t i = 0; i < ZONES; i++) {
        const FieldInfo *zone_field = &FIELD_INFO[ZONE_FIELDS[i]];
        int64_t piles = zone_field->kind == ROWS ? rows_of(state, zone_field) : 1;
        for (int64_t pile = 0; pile < piles; pile++) {
            List *cards = row_at(state, zone_field, pile);
            extend(tokens, cards);
            cards->count = 0;
        }
    }
    extend(zone, tokens);
    state->shuffles = 0;
    shuffle(state, tokens);
}

/* Carry out the shuffles as cardhub.model.hidden.chance does. */
static void resolve_shuffles(State *state, Generator *generator) {
    for (int64_t number = 0; number < state->shuffles; number++) {
        const List *tokens = AS_LIST(state->shuffled[number]);
        int64_t faces[TOKENS];
        for (int32_t i = 0; i < tokens->count; i++)
            faces[i] = face_at(state, tokens->items[i]);
        shuffle_numbers(faces, tokens->count, generator);
        for (int32_t i = 0; i < tokens->count; i++) {
            int64_t token = tokens->items[i];
            state->face.items[token] = faces[i];
            state->back.items[token] = BACK_OF[number_in(faces[i], FACES)];
            state->seen.items[token] = 0;
            forget_notes(state, token);
        }
    }
    state->shuffles = 0;
}
