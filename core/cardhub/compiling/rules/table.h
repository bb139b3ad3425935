/* What the core does with a state for rules: cards that move, faces that are seen, rounds of
   simultaneous choices, and shuffles. It stands after the struct of a game's state. */

#define OPTION(state, number) ((state)->options[number])

/* Lists of lists of the observed state, which only determinizations read. */
static List *const *observed_fields;
#define OBSERVED(number) (observed_fields[number])

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

/* Whose pile a shuffle mixes, instead of the seat of a keeper. */
#define NO_KEEPER (-1)

static void request_shuffle(State *state, const List *tokens, int64_t keeper) {
    require(state->shuffles < MOST_SHUFFLES);
    assign(AS_LIST(state->shuffled[state->shuffles]), tokens);
    state->keepers[state->shuffles++] = keeper;
}

static inline void shuffle(State *state, const List *tokens) {
    request_shuffle(state, tokens, NO_KEEPER);
}

/* Take a shuffle back; the others stay in their order. */
static void remove_shuffle(State *state, int64_t number) {
    state->shuffles--;
    for (; number < state->shuffles; number++) {
        assign(AS_LIST(state->shuffled[number]), AS_LIST(state->shuffled[number + 1]));
        state->keepers[number] = state->keepers[number + 1];
    }
}

/* Leave tokens that move out of the shuffles by owners: they keep their faces. */
static inline void leave_mixed_zones(State *state, const List *moved) {
    for (int64_t number = state->shuffles; number-- > 0;) {
        List *tokens = AS_LIST(state->shuffled[number]);
        int32_t kept = 0;
        for (int32_t i = 0; i < tokens->count; i++)
            if (state->keepers[number] == NO_KEEPER || !contains(moved, tokens->items[i]))
                tokens->items[kept++] = tokens->items[i];
        tokens->count = kept;
        if (!kept)
            remove_shuffle(state, number);
    }
}

/* Have the owner of a pile in a mixed zone shuffle it, once for an action. */
static inline void mix(State *state, const List *pile, int64_t keeper) {
    for (int64_t number = state->shuffles; number-- > 0;)
        if (state->keepers[number] == keeper
            && is_superset(pile, AS_LIST(state->shuffled[number])))
            remove_shuffle(state, number);
    request_shuffle(state, pile, keeper);
}

/* Forget the shuffles by owners after a deal: nobody has seen the cards before. */
static inline void end_deal(State *state) {
    for (int64_t number = 0; number < state->shuffles; number++)
        require(state->keepers[number] != NO_KEEPER);
    state->shuffles = 0;
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

/* Shuffle the faces of tokens, and their backs with them. */
static void shuffle_faces(
    State *state, const int64_t *tokens, int64_t count, int64_t keeper, Generator *generator
) {
    int64_t faces[TOKENS], kept = keeper < 0 ? 0 : INT64_C(1) << keeper;
    for (int64_t i = 0; i < count; i++)
        faces[i] = face_at(state, tokens[i]);
    shuffle_numbers(faces, count, generator);
    for (int64_t i = 0; i < count; i++) {
        state->face.items[tokens[i]] = faces[i];
        state->back.items[tokens[i]] = BACK_OF[number_in(faces[i], FACES)];
        state->seen.items[tokens[i]] &= kept | kept << SECRET;
        forget_notes(state, tokens[i]);
    }
}

/* An owner cannot hide which back lies where, so it shuffles the cards of each back. */
static void shuffle_by_backs(
    State *state, const List *tokens, int64_t keeper, Generator *generator
) {
    int64_t members[TOKENS], is_done[TOKENS] = {0};
    for (int32_t first = 0; first < tokens->count; first++) {
        int64_t count = 0, back = state->back.items[tokens->items[first]];
        for (int32_t i = first; i < tokens->count; i++) {
            if (is_done[i] || state->back.items[tokens->items[i]] != back)
                continue;
            is_done[i] = 1;
            members[count++] = tokens->items[i];
        }
        shuffle_faces(state, members, count, keeper, generator);
    }
}

/* Carry out the shuffles as cardhub.model.hidden.chance does. */
static void resolve_shuffles(State *state, Generator *generator) {
    for (int64_t number = 0; number < state->shuffles; number++) {
        const List *tokens = AS_LIST(state->shuffled[number]);
        if (state->keepers[number] == NO_KEEPER)
            shuffle_faces(state, tokens->items, tokens->count, NO_KEEPER, generator);
        else
            shuffle_by_backs(state, tokens, state->keepers[number], generator);
    }
    state->shuffles = 0;
}
