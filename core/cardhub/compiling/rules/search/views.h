/* How each seat sees the steps of a determinization: the keys of the next information sets, as
   `ActionKeys` and `FirstInfoSets` make them in Python. */

typedef struct {
    int64_t actions;
    /* By action: the token of an action on a card or -1, the keys of those who have seen its face
       and of others, and whether the action is secret. */
    int64_t *tokens, *seen_keys, *unseen_keys, *are_secret;
    int64_t classes[FACES]; /* by face */
    int64_t hidden_key;     /* of all secret actions in the views of others */
} ActionKeys;

/* Where the seats are in their trees, and who had seen the faces there. */
typedef struct {
    int64_t nodes[SEATS];
    int64_t seen[TOKENS];
} Views;

static inline int64_t class_of(const ActionKeys *keys, const State *state, int64_t token) {
    return keys->classes[number_in(face_at(state, token), FACES)];
}

/* The key of an action's edge, which is equal in all determinizations. */
static inline int64_t edge_key(const ActionKeys *keys, const State *state, int64_t action) {
    int64_t token = keys->tokens[number_in(action, keys->actions)];
    if (token < 0 || !(state->seen.items[token] >> state->seat & 1))
        return action;
    return keys->seen_keys[action] + class_of(keys, state, token);
}

/* The information set below one, after faces in the order of their classes. */
static int64_t below(Store *store, int64_t infoset, int64_t *classes, int64_t count) {
    for (int64_t i = 1; i < count; i++) {
        int64_t moved = classes[i], place = i;
        for (; place > 0 && classes[place - 1] > moved; place--)
            classes[place] = classes[place - 1];
        classes[place] = moved;
    }
    for (int64_t i = 0; i < count; i++)
        infoset = child(store, infoset, -1 - classes[i]);
    return infoset;
}

/* Move each seat to its view of an action, after the action. */
static void view_action(
    Store *store, const ActionKeys *keys, const State *state, int64_t action, int64_t actor,
    Views *views
) {
    int64_t token = keys->tokens[action], viewers = -1, seen_key = action, other_key = action;
    if (keys->are_secret[action]) {
        viewers = actor < 0 ? 0 : INT64_C(1) << actor;
        other_key = keys->hidden_key;
    } else if (token >= 0) {
        viewers = state->seen.items[token];
        seen_key = keys->seen_keys[action] + class_of(keys, state, token);
        other_key = keys->unseen_keys[action];
    }
    for (int64_t seat = 0; seat < state->seats; seat++)
        views->nodes[seat] = child(store, views->nodes[seat],
                                   viewers >> seat & 1 ? seen_key : other_key);
}

/* Move all seats on by the faces that everybody has seen since the last step. */
static void view_revealed(
    Store *store, const ActionKeys *keys, const State *state, Views *views
) {
    int64_t faces[TOKENS], copy[TOKENS], count = 0;
    size_t size = (size_t)state->seen.count * sizeof(int64_t);
    if (!memcmp(views->seen, state->seen.items, size))
        return;
    for (int32_t token = 0; token < state->seen.count; token++)
        if (views->seen[token] != state->everybody
            && state->seen.items[token] == state->everybody)
            faces[count++] = class_of(keys, state, token);
    memcpy(views->seen, state->seen.items, size);
    for (int64_t seat = 0; count && seat < state->seats; seat++) {
        memcpy(copy, faces, count * sizeof(int64_t));
        views->nodes[seat] = below(store, views->nodes[seat], copy, count);
    }
}

static void apply_action(State *state, int64_t action, Generator *generator) {
    true_apply(state, action);
    if (state->shuffles)
        resolve_shuffles(state, generator);
}

/* How many seats have yet to choose in a round, and how many have chosen. */
static int64_t count_open(const State *state) {
    int64_t count = 0;
    (void)state;
#ifdef HAS_CHOICES
    for (int32_t i = 0; i < state->CHOICES.count; i++)
        count += state->CHOICES.items[i] == OPEN;
#endif
    return count;
}

static int is_in_round(const State *state) {
    (void)state;
#ifdef HAS_CHOICES
    return state->CHOICES.count > 0;
#else
    return 0;
#endif
}

/* Apply a choice of a round; after the last one all seats move on, by the choices in the order of
   the seats. Returns whether that was the last one. */
static int apply_choice(
    Store *store, const ActionKeys *keys, State *state, int64_t action, Views *views,
    Generator *generator
) {
    int64_t chosen[SEATS];
    for (int64_t seat = 0; seat < SEATS; seat++)
        chosen[seat] = NONE;
#ifdef HAS_CHOICES
    for (int32_t seat = 0; seat < state->CHOICES.count; seat++)
        if (state->CHOICES.items[seat] >= 0)
            chosen[seat] = number_in(state->CHOICES.items[seat], keys->actions);
#endif
    chosen[number_in(state->seat, SEATS)] = action;
    apply_action(state, action, generator);
    if (state->seat == OVER || has_choice(state))
        return 0;
    for (int64_t seat = 0; seat < SEATS; seat++)
        if (chosen[seat] != NONE)
            view_action(store, keys, state, chosen[seat], seat, views);
    return 1;
}

/* Apply an action, and move each seat to its next information set; not at the end of a game. */
static void step(
    Store *store, const ActionKeys *keys, State *state, int64_t action, Views *views,
    Generator *generator
) {
    heap_used = 0;
    renew_memo();
    number_in(action, keys->actions);
    if (is_in_round(state)) {
        if (!apply_choice(store, keys, state, action, views, generator))
            return;
    } else {
        int64_t actor = state->seat;
        apply_action(state, action, generator);
        if (state->seat == OVER)
            return;
        view_action(store, keys, state, action, actor, views);
    }
    view_revealed(store, keys, state, views);
}
